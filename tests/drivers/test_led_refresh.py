"""A MAX7219 board says nothing and forgets: what is repeated to it, by its data sheet (19-4452 rev 4, table 2)."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from drivers.panels import LED_REFRESH_NS, open_led
from drivers.ports import DeviceError, Panel
from drivers.worker import Mailbox
from tests.drivers.buses import Spi

if TYPE_CHECKING:
    from typing import Literal

SECOND = 1_000_000_000
SCAN_LIMIT, DECODE_MODE, DISPLAY_TEST, INTENSITY, SHUTDOWN = 0x0B, 0x09, 0x0F, 0x0A, 0x0C


class Chip:
    """One MAX7219: its registers, as random as noise may leave them."""

    def __init__(self) -> None:
        """Power on: shut down (data sheet, "Initial Power-Up")."""
        self.registers = dict.fromkeys(range(16), 0)
        self.registers[INTENSITY] = 0

    @property
    def shows(self) -> bytes | None:
        """The eight digits if they are lit as they should be, None if shut down, testing or decoding."""
        wrong = (
            self.registers[SHUTDOWN] != 1
            or self.registers[DISPLAY_TEST] != 0
            or self.registers[DECODE_MODE] != 0
            or self.registers[SCAN_LIMIT] != 7
        )
        return None if wrong else bytes(self.registers[digit] for digit in range(1, 9))


class Chain:
    """Chips in a row: the first 16 bits sent end in the last chip."""

    def __init__(self, spi: Spi, count: int) -> None:
        """Listen to a bus."""
        self.spi = spi
        self.chips = [Chip() for _ in range(count)]

    def hear(self) -> None:
        """Take what was sent since."""
        for message in self.spi.sent:
            assert len(message) == 2 * len(self.chips)
            for place, chip in enumerate(reversed(self.chips)):
                chip.registers[message[2 * place]] = message[2 * place + 1]
        self.spi.sent.clear()

    @property
    def shows(self) -> list[bytes | None]:
        """Chip by chip."""
        return [chip.shows for chip in self.chips]


def board(spi: Spi, modules: int, rows: Literal[8, 16] = 8, brightness: int = 7) -> Panel:
    """A board mounted upright."""
    return open_led(modules * 8 // rows, rows, turned=0, brightness=brightness, spi=spi, port=modules)


@pytest.mark.parametrize(("modules", "rows"), [(4, 8), (8, 8), (16, 8), (4, 16), (8, 16), (16, 16)])
def test_whatever_noise_did_to_the_registers_one_refresh_mends_it(modules: int, rows: Literal[8, 16]) -> None:
    """H4: every register of every chip, the picture too. Before it, the board may show anything."""
    spi = Spi()
    panel, chain = board(spi, modules, rows), Chain(spi, modules)
    image = Image.new("1", (panel.width, panel.height))
    image.paste(1, (1, 1, panel.width - 3, panel.height - 2))
    panel.show(image)
    chain.hear()
    right = chain.shows
    assert None not in right
    for number, chip in enumerate(chain.chips):
        chip.registers = {register: (register * 37 + number * 11) & 0xFF for register in range(16)}
    assert chain.shows != right
    panel.refresh()
    chain.hear()
    assert chain.shows == right
    assert {chip.registers[INTENSITY] for chip in chain.chips} == {7}


def test_a_refresh_of_a_board_of_8_modules_is_208_bytes() -> None:
    """Three settings, intensity, eight digits, out of shutdown: 13 writes of 16 bits for each of 8 chips; 2 ms."""
    spi = Spi()
    panel = board(spi, 8)
    panel.show(Image.new("1", (64, 8), 1))
    spi.sent.clear()
    panel.refresh()
    assert [message[:2] for message in spi.sent] == [
        b"\x0b\x07",
        b"\x09\x00",
        b"\x0f\x00",
        b"\x0a\x07",
        *(bytes([digit, 0xFF]) for digit in range(1, 9)),
        b"\x0c\x01",
    ]
    assert sum(map(len, spi.sent)) == 208
    assert panel.refresh_ns == SECOND


def test_a_refresh_before_the_first_picture_lights_no_chance() -> None:
    """H5: a board that was just opened is dark, and its start-up wrote that."""
    spi = Spi()
    panel, chain = board(spi, 4), Chain(spi, 4)
    chain.hear()
    assert chain.shows == [bytes(8)] * 4
    panel.refresh()
    chain.hear()
    assert chain.shows == [bytes(8)] * 4


@pytest.mark.parametrize("brightness", [0, 3, 15])
def test_the_profiles_brightness_is_the_intensity_register(brightness: int) -> None:
    """From the start, after a refresh, and after a rest; while resting it is 0."""
    spi = Spi()
    panel, chain = board(spi, 4, brightness=brightness), Chain(spi, 4)

    def intensity() -> set[int]:
        chain.hear()
        return {chip.registers[INTENSITY] for chip in chain.chips}

    assert intensity() == {brightness}
    panel.dim(dimmed=True)
    assert intensity() == {0}
    panel.refresh()
    assert intensity() == {0}
    panel.dim(dimmed=False)
    panel.refresh()
    assert intensity() == {brightness}


def test_an_spi_that_fails_is_told_and_the_board_back_within_5_s_of_its_return() -> None:
    """The port of an adapter that comes and goes. In virtual time, with the worker's mailbox."""
    spi = Spi()
    chain = Chain(spi, 4)
    troubles: list[str | None] = []
    box: Mailbox[Panel, int] = Mailbox(
        name="led",
        open_device=lambda: board(spi, 4),
        do=lambda panel, lit, _: panel.show(Image.new("1", (32, 8), lit)),
        on_trouble=lambda _, error: troubles.append(None if error is None else error.what),
        keep=lambda panel: panel.refresh(),
        keep_every_ns=LED_REFRESH_NS,
    )
    box.post(1, at_ns=0)
    due_ns = box.step(0)
    spi.fails_with = errno.EIO
    while due_ns is not None and due_ns < 60 * SECOND:
        due_ns = box.step(due_ns)
    assert troubles[0] is not None
    assert "it does not answer" in troubles[0]
    spi.fails_with = None
    spi.sent.clear()
    for chip in chain.chips:
        chip.registers = dict.fromkeys(range(16), 0)
    while due_ns is not None and chain.shows != [b"\xff" * 8] * 4:
        assert due_ns < 65 * SECOND
        due_ns = box.step(due_ns)
        chain.hear()
    assert troubles[-1] is None


def test_a_panel_that_is_closed_refuses_to_be_refreshed_or_dimmed() -> None:
    """As to be shown anything."""
    panel = board(Spi(), 4)
    panel.close()
    with pytest.raises(DeviceError, match="it is closed"):
        panel.refresh()
    with pytest.raises(DeviceError, match="it is closed"):
        panel.dim(dimmed=True)
