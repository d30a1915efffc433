"""What goes over the bus to an OLED when a picture changes, and what the glass then shows.

Expected bytes are typed from the data sheets: SSD1306 rev 1.1 (table 9-1, 10.1.3-10.1.6), SH1106 v2.3 (commands 1, 2,
10). A model of the glass, from the same pages, checks every change that hypothesis thinks of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from drivers.oled_bytes import OledChip, Window, changes, frame_of, told
from drivers.panels import open_oled
from drivers.ports import DeviceError
from tests.drivers.buses import COMMAND, DATA, Glass, Wire

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

    from drivers.ports import Panel

CHIPS: tuple[OledChip, ...] = ("ssd1306", "ssd1309", "sh1106")
DARK = Image.new("1", (128, 64))


@pytest.fixture
def wire(mocker: MockerFixture) -> Wire:
    """A bus with a panel."""
    wire = Wire()
    wire.install(mocker)
    return wire


def with_box(left: int, top: int, right: int, bottom: int) -> Image.Image:
    """A dark picture with a lit box, corners included."""
    image = DARK.copy()
    ImageDraw.Draw(image).rectangle((left, top, right, bottom), fill=1)
    return image


def shown(wire: Wire, chip: OledChip) -> tuple[Panel, Glass]:
    """An open panel that shows a dark picture, and the glass so far."""
    panel, glass = open_oled(chip), Glass(chip)
    panel.show(DARK)
    hear(wire, glass)
    return panel, glass


def hear(wire: Wire, glass: Glass) -> None:
    """Bring what was sent to the glass."""
    for control, data in wire.sent:
        glass.hear(control, data)
    wire.sent.clear()


@pytest.mark.parametrize("chip", ["ssd1306", "ssd1309"])
def test_a_changed_box_is_one_window_of_its_columns_and_pages(chip: OledChip, wire: Wire) -> None:
    """Columns 10 to 12, rows 4 to 17: set columns (0x21), set pages (0x22) 0 to 2, then 3 x 3 bytes, page by page."""
    panel, _ = shown(wire, chip)
    panel.show(with_box(10, 4, 12, 17))
    assert wire.sent == [
        (COMMAND, b"\x21\x0a\x0c\x22\x00\x02"),
        (DATA, b"\xf0\xf0\xf0\xff\xff\xff\x03\x03\x03"),
    ]


def test_the_sh1106_is_told_page_by_page_two_columns_to_the_right(wire: Wire) -> None:
    """It has 132 columns and page addressing alone: page (0xB0), column low (0x0_) and high (0x1_), bytes."""
    panel, _ = shown(wire, "sh1106")
    panel.show(with_box(30, 4, 31, 9))
    assert wire.sent == [
        (COMMAND, b"\xb0\x00\x12"),
        (DATA, b"\xf0\xf0"),
        (COMMAND, b"\xb1\x00\x12"),
        (DATA, b"\x03\x03"),
    ]


@pytest.mark.parametrize("chip", CHIPS)
def test_the_same_picture_again_costs_nothing(chip: OledChip, wire: Wire) -> None:
    """Every press of a key makes a view; most pictures stay."""
    panel, _ = shown(wire, chip)
    panel.show(DARK.copy())
    assert wire.on_the_bus == 0


def test_two_far_changes_are_two_windows_and_near_ones_are_one(wire: Wire) -> None:
    """A window costs 10 bytes; a gap that is smaller is sent along."""
    panel, _ = shown(wire, "ssd1306")
    panel.show(with_box(0, 0, 0, 0))
    wire.sent.clear()
    far, near = with_box(0, 0, 0, 0), with_box(0, 0, 0, 0)
    far.putpixel((60, 1), 1)
    far.putpixel((127, 1), 1)
    panel.show(far)
    assert [data for control, data in wire.sent if control == COMMAND] == [
        b"\x21\x3c\x3c\x22\x00\x00",
        b"\x21\x7f\x7f\x22\x00\x00",
    ]
    wire.sent.clear()
    panel.show(near)
    wire.sent.clear()
    near.putpixel((60, 1), 1)
    near.putpixel((66, 1), 1)
    panel.show(near)
    assert [data for control, data in wire.sent if control == COMMAND] == [b"\x21\x3c\x42\x22\x00\x00"]


@pytest.mark.parametrize("chip", CHIPS)
def test_the_whole_picture_is_what_luma_itself_would_send(chip: OledChip) -> None:
    """Of a glass of which nothing is known."""
    from luma.oled import device

    image = with_box(3, 5, 99, 41)
    luma = getattr(device, chip)(_Recorder(), width=128, height=64)
    luma._serial_interface.sent.clear()  # noqa: SLF001  luma has no public name for it
    luma.display(image)
    frame = frame_of(image)
    (whole,) = changes(chip, None, frame)
    ours = [(message.command, message.data) for message in told(chip, whole, frame)]
    assert ours == luma._serial_interface.sent  # noqa: SLF001


class _Recorder:
    """luma's serial interface."""

    def __init__(self) -> None:
        self.sent: list[tuple[bool, bytes]] = []

    def command(self, *cmd: int) -> None:
        self.sent.append((True, bytes(cmd)))

    def data(self, data: list[int]) -> None:
        self.sent.append((False, bytes(data)))

    def cleanup(self) -> None:
        pass


boxes = st.tuples(st.integers(0, 127), st.integers(0, 63), st.integers(0, 127), st.integers(0, 63))


def drawn(several: list[tuple[int, int, int, int]]) -> Image.Image:
    """Boxes, each turning over what lies below."""
    image = DARK.copy()
    for left, top, right, bottom in several:
        box = with_box(min(left, right), min(top, bottom), max(left, right), max(top, bottom))
        image = Image.frombytes(
            "1", (128, 64), bytes(a ^ b for a, b in zip(image.tobytes(), box.tobytes(), strict=True))
        )
    return image


@pytest.mark.parametrize("chip", CHIPS)
@given(first=st.lists(boxes, max_size=4), second=st.lists(boxes, max_size=4))
def test_after_any_change_the_glass_shows_exactly_the_new_picture(
    chip: OledChip, first: list[tuple[int, int, int, int]], second: list[tuple[int, int, int, int]]
) -> None:
    """And never costs more than the whole picture would."""
    before, now = frame_of(drawn(first)), frame_of(drawn(second))
    glass = Glass(chip)
    glass.hear(COMMAND, b"\x20\x00")
    whole, part = 0, 0
    for window in changes(chip, None, before):
        for message in told(chip, window, before):
            glass.hear(COMMAND if message.command else DATA, message.data)
            whole += 2 + len(message.data)
    assert glass.pages == before
    for window in changes(chip, before, now):
        for message in told(chip, window, now):
            glass.hear(COMMAND if message.command else DATA, message.data)
            part += 2 + len(message.data)
    assert glass.pages == now
    assert part <= whole


@given(several=st.lists(boxes, max_size=5))
def test_a_page_has_one_byte_for_each_column_with_the_top_row_in_bit_0(
    several: list[tuple[int, int, int, int]],
) -> None:
    """Pixel by pixel (SSD1306 rev 1.1, 8.7)."""
    image = drawn(several)
    frame = frame_of(image)
    for x in range(0, 128, 7):
        for y in range(64):
            assert frame[y // 8][x] >> y % 8 & 1 == bool(image.getpixel((x, y)))


def test_windows_hold_their_corners() -> None:
    """Both ends included, as in the chips' own commands."""
    frame = tuple(bytes([page] * 128) for page in range(8))
    window = Window(left=3, right=4, top=1, bottom=2)
    assert window.cut(frame) == b"\x01\x01\x02\x02"
    assert window.around(Window(left=0, right=3, top=2, bottom=5)) == Window(left=0, right=4, top=1, bottom=5)


@pytest.mark.parametrize("chip", CHIPS)
def test_a_glass_that_lost_its_supply_is_right_again_after_nine_refreshes(chip: OledChip, wire: Wire) -> None:
    """H3. It answers, but is dark and full of chance. Nine times half a second: settings, all pages, settings."""
    panel, glass = shown(wire, chip)
    image = with_box(20, 10, 90, 50)
    panel.show(image)
    hear(wire, glass)
    for _ in range(3):
        panel.refresh()
    hear(wire, glass)
    glass.power_on()
    for _ in range(9):
        panel.refresh()
        assert wire.on_the_bus <= 200
        hear(wire, glass)
    assert glass.on
    assert glass.pages == frame_of(image)
    assert 9 * panel.refresh_ns < 5_000_000_000


@pytest.mark.parametrize("chip", CHIPS)
def test_a_refresh_never_switches_the_glass_off(chip: OledChip, wire: Wire) -> None:
    """luma's start-up begins with off: every four seconds that would be seen."""
    panel, glass = shown(wire, chip)
    for _ in range(16):
        panel.refresh()
        for control, data in wire.sent:
            glass.hear(control, data)
            assert glass.on
        wire.sent.clear()


@pytest.mark.parametrize("chip", CHIPS)
def test_a_refresh_repeats_every_setting_of_the_start_up(chip: OledChip, wire: Wire) -> None:
    """Byte for byte, but for off."""
    panel = open_oled(chip)
    start_up = [data for control, data in wire.sent if control == COMMAND]
    wire.sent.clear()
    panel.refresh()
    repeated = [data for control, data in wire.sent if control == COMMAND]
    assert repeated[0] == start_up[0][1:]
    assert repeated[-1] == b"\xaf"
    assert all(control == COMMAND for control, _ in wire.sent)


@pytest.mark.parametrize(("chip", "bright"), [("ssd1306", 0xCF), ("ssd1309", 0xCF), ("sh1106", 0x7F)])
def test_a_dimmed_glass_stays_dimmed_through_refreshes_and_keeps_its_picture(
    chip: OledChip, bright: int, wire: Wire
) -> None:
    """Contrast (0x81) and nothing else; said again only when it changes."""
    panel, glass = shown(wire, chip)
    panel.dim(dimmed=True)
    panel.dim(dimmed=True)
    assert wire.sent == [(COMMAND, b"\x81\x01")]
    for _ in range(8):
        panel.refresh()
    hear(wire, glass)
    assert glass.contrast == 1
    panel.dim(dimmed=False)
    hear(wire, glass)
    assert glass.contrast == bright
    assert glass.pages == frame_of(DARK)


@pytest.mark.parametrize("chip", CHIPS)
def test_off_is_off_for_each_chip(chip: OledChip, wire: Wire) -> None:
    """H7: on the SH1106 "off" only stopped updating for others."""
    panel, glass = shown(wire, chip)
    panel.close()
    hear(wire, glass)
    assert not glass.on


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("works", [0, 1])
def test_after_a_transfer_that_failed_the_next_picture_goes_out_whole(
    chip: OledChip, works: int, wire: Wire
) -> None:
    """Nobody knows how much of it arrived."""
    panel, glass = shown(wire, chip)
    left = works

    def count() -> None:
        nonlocal left
        wire.fails_with = 121 if left == 0 else None
        left -= 1

    wire.on_transfer = count
    image = with_box(0, 0, 127, 63)
    with pytest.raises(DeviceError):
        panel.show(image)
    wire.on_transfer, wire.fails_with = lambda: None, None
    wire.sent.clear()
    panel.show(image)
    assert sum(len(data) for control, data in wire.sent if control == DATA) == 1024
    hear(wire, glass)
    assert glass.pages == frame_of(image)
