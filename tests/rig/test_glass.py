"""The decoder of the display's bytes, against the bytes that luma sends."""

from collections.abc import Sequence

import pytest
from luma.oled.device import ssd1306
from PIL import Image, ImageDraw

from tests.rig.glass import Glass, pictures


class Bus:
    """luma's serial interface, recording writes as they go over the bus."""

    def __init__(self) -> None:
        """Begin without writes."""
        self.writes: list[tuple[int, bytes]] = []

    def command(self, *cmd: int) -> None:
        self._add(bytes([0x00, *cmd]))

    def data(self, data: Sequence[int]) -> None:
        self._add(bytes([0x40, *data]))

    def cleanup(self) -> None:
        return

    def _add(self, write: bytes) -> None:
        self.writes.append((len(self.writes), write))


def drawing() -> Image.Image:
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.line((0, 0, 40, 63), fill=1)
    draw.rectangle((60, 5, 127, 20), outline=1)
    draw.point((127, 63), fill=1)
    return image


def test_what_luma_draws_is_decoded_pixel_by_pixel() -> None:
    bus = Bus()
    device = ssd1306(bus, width=128, height=64)
    device.display(drawing())
    (*_, (_, last)) = pictures(bus.writes)
    assert last == drawing().tobytes()


def test_a_window_changes_only_its_own_pixels() -> None:
    glass = Glass(on=True)
    for write in (b"\x00\xa1\xc8\x20\x00", b"\x00\x21\x08\x09\x22\x01\x01", b"\x40\xff\x01"):
        glass.take(write)
    rows = [glass.picture()[y * 16 : y * 16 + 16] for y in range(64)]
    assert [y for y, row in enumerate(rows) if any(row)] == list(range(8, 16))
    assert rows[8] == bytes([0, 0b1100_0000, *[0] * 14])
    assert rows[9] == bytes([0, 0b1000_0000, *[0] * 14])


def test_a_picture_ends_with_the_last_byte_of_its_window() -> None:
    glass = Glass(on=True)
    glass.take(b"\x00\x20\x00\x21\x00\x03\x22\x00\x00")
    assert [glass.take(write) for write in (b"\x40\x01\x02", b"\x40\x03", b"\x40\x04")] == [
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(("command", "dark"), [(0xAE, True), (0xAF, False)])
def test_display_off_is_dark_and_keeps_its_memory(command: int, dark: bool) -> None:
    glass = Glass(on=True)
    for write in (b"\x00\x20\x00\x21\x00\x00\x22\x00\x00", b"\x40\xff", bytes([0x00, command])):
        glass.take(write)
    assert (not any(glass.picture())) is dark
    glass.take(b"\x00\xaf")
    assert any(glass.picture())


def test_inversion_inverts_all() -> None:
    glass = Glass(on=True)
    assert glass.take(b"\x00\xa7")
    assert glass.picture() == b"\xff" * 1024


def test_commands_with_arguments_may_be_cut_between_writes() -> None:
    glass = Glass(on=True)
    # A7 here is the contrast's value, no inversion.
    glass.take(b"\x00\x81")
    assert not glass.take(b"\x00\xa7")
    assert not any(glass.picture())
