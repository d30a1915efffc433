"""OLED and LED panels through luma: what reaches the bus, and what a bus can do wrong."""

from __future__ import annotations

import errno
import gc
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from drivers.panels import OledChip, open_led, open_oled
from drivers.ports import DeviceError, Panel
from tests.drivers.buses import Spi

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_mock import MockerFixture


class I2cBus:
    """What luma uses of smbus2.SMBus, with one chip on it, recording (control byte, bytes) and failing when told."""

    def __init__(self, port: int) -> None:
        """Begin well."""
        self.port = port
        self.sent: list[tuple[int, bytes]] = []
        self.closed = False
        self.fails_with: int | None = None

    def write_i2c_block_data(self, address: int, control: int, data: list[int]) -> None:
        """A command."""
        self._take(address, control, bytes(data))

    def i2c_rdwr(self, message: Sequence[int]) -> None:
        """Data: luma packs address and bytes with :func:`pack`."""
        address, control, *data = message
        self._take(address, control, bytes(data))

    def close(self) -> None:
        """Let go."""
        self.closed = True

    def _take(self, address: int, control: int, data: bytes) -> None:
        if self.fails_with is not None:
            raise OSError(self.fails_with, "bus")
        assert address == 0x3C
        self.sent.append((control, data))


def pack(address: int, data: list[int]) -> list[int]:
    """Take the place of smbus2.i2c_msg.write."""
    return [address, *data]


@pytest.fixture
def buses(mocker: MockerFixture) -> list[I2cBus]:
    """The I2C buses that were opened, latest last."""
    opened: list[I2cBus] = []

    def open_bus(port: int) -> I2cBus:
        opened.append(I2cBus(port))
        return opened[-1]

    mocker.patch("smbus2.SMBus", open_bus)
    mocker.patch("smbus2.i2c_msg.write", pack)
    return opened


COMMAND, DATA = 0x00, 0x40
"""The control bytes of the SSD1306 on I2C (data sheet, 8.1.5.2)."""


def test_an_ssd1306_is_started_as_its_data_sheet_says(buses: list[I2cBus]) -> None:
    """Off, charge pump on, horizontal addressing, remapped; then a dark frame, and on as the very last."""
    open_oled("ssd1306")
    commands = b"".join(data for control, data in buses[0].sent if control == COMMAND)
    assert buses[0].port == 1
    assert commands[0] == 0xAE
    for setting in (
        b"\x8d\x14",
        b"\x20\x00",
        b"\xa8\x3f",
        b"\xd3\x00",
        b"\xda\x12",
        b"\xa1",
        b"\xc8",
        b"\xa4",
        b"\xa6",
    ):
        assert setting in commands
    assert buses[0].sent[-2:] == [(DATA, bytes(1024)), (COMMAND, b"\xaf")]


def test_a_picture_reaches_the_glass_page_by_page_with_the_top_row_in_bit_0(buses: list[I2cBus]) -> None:
    """Data sheet 8.7: a byte is eight pixels of one column, its lowest bit the uppermost."""
    panel = open_oled("ssd1306")
    buses[0].sent.clear()
    image = Image.new("1", (128, 64))
    for at in ((0, 0), (1, 7), (127, 63)):
        image.putpixel(at, 1)
    panel.show(image)
    frame = bytearray(1024)
    frame[0], frame[1], frame[1023] = 0x01, 0x80, 0x80
    assert buses[0].sent == [(COMMAND, b"\x21\x00\x7f\x22\x00\x07"), (DATA, bytes(frame))]


@pytest.mark.parametrize("chip", ["ssd1306", "ssd1309", "sh1106"])
def test_each_chip_shows_a_picture_and_is_switched_off_at_the_end(
    chip: OledChip, buses: list[I2cBus]
) -> None:
    """Off (0xAE) is the last thing the glass hears; then the bus is closed, once."""
    panel = open_oled(chip)
    panel.show(Image.new("1", (128, 64), 1))
    assert sum(data.count(0xFF) for control, data in buses[0].sent if control == DATA) == 1024
    panel.close()
    panel.close()
    assert buses[0].sent[-1] == (COMMAND, b"\xae")
    assert buses[0].closed
    with pytest.raises(DeviceError, match="it is closed"):
        panel.show(Image.new("1", (128, 64)))


@pytest.mark.parametrize("number", [errno.EIO, errno.ENXIO, errno.EAGAIN, errno.ETIMEDOUT, errno.EREMOTEIO])
def test_whatever_a_bus_fails_with_is_a_device_error(number: int, buses: list[I2cBus]) -> None:
    """Some errno come as luma's own exception, the others raw."""
    panel = open_oled("ssd1306")
    buses[0].fails_with = number
    with pytest.raises(DeviceError, match="OLED ssd1306 at 0x3C on I2C bus 1: it does not answer"):
        panel.show(Image.new("1", (128, 64)))
    panel.close()
    assert buses[0].closed


def test_a_panel_that_is_not_there_is_told_and_its_bus_closed(mocker: MockerFixture) -> None:
    """The bus opens, nobody answers."""
    bus = I2cBus(1)
    bus.fails_with = errno.EREMOTEIO
    mocker.patch("smbus2.SMBus", return_value=bus)
    with pytest.raises(DeviceError, match=r"it does not answer .*0x3C.*; check its four wires"):
        open_oled("ssd1306")
    assert bus.closed


def test_a_missing_bus_is_told(mocker: MockerFixture) -> None:
    """I2C is not enabled."""
    mocker.patch("smbus2.SMBus", side_effect=FileNotFoundError(errno.ENOENT, "no", "/dev/i2c-1"))
    with pytest.raises(
        DeviceError, match=r"/dev/i2c-1\); check its four wires, its address, and that I2C is enabled"
    ):
        open_oled("sh1106")


def test_opening_again_says_the_whole_start_up_again_on_the_new_bus(buses: list[I2cBus]) -> None:
    """After a power dip the chip answers, but is dark: it needs all of its settings and a frame."""
    open_oled("ssd1306").close()
    open_oled("ssd1306")
    assert buses[1].sent == buses[0].sent[:-1]


def test_an_unplugged_panel_leaves_no_luma_device_behind_for_each_try(mocker: MockerFixture) -> None:
    """luma keeps each device it made until exit (324 KB); an evening has thousands of tries."""
    from luma.oled.device import ssd1306

    def devices() -> int:
        gc.collect()
        return sum(type(thing) is ssd1306 for thing in gc.get_objects())

    before = devices()
    mocker.patch("smbus2.SMBus", side_effect=OSError(errno.ENXIO, "no"))
    for _ in range(20):
        with pytest.raises(DeviceError):
            open_oled("ssd1306", address=0x3D)
    assert devices() <= before + 1


def test_a_panel_taken_over_by_a_later_one_neither_draws_nor_closes_its_bus(buses: list[I2cBus]) -> None:
    """Closing the old object must not darken the new one."""
    old, _new = open_oled("ssd1306"), open_oled("ssd1306")
    with pytest.raises(DeviceError, match="it is closed"):
        old.show(Image.new("1", (128, 64)))
    old.close()
    assert not buses[1].closed


def test_an_unknown_chip_is_the_programs_fault() -> None:
    """Profiles are checked before."""
    chip: OledChip = "ssd9999"  # type: ignore[assignment]
    with pytest.raises(
        ValueError, match="no OLED chip is called 'ssd9999'; there are ssd1306, ssd1309, sh1106"
    ):
        open_oled(chip)


def led(spi: Spi, *, rows: int = 8) -> Panel:
    """A board of two modules in width, mounted upright."""
    return open_led(2, 8 if rows == 8 else 16, turned=0, brightness=3, spi=spi)


def test_a_max7219_board_is_started_as_its_data_sheet_says() -> None:
    """Data sheet 19-4452, table 2: scan limit 7, no decode, no test, intensity, 8 dark rows, out of shutdown."""
    spi = Spi()
    led(spi)
    assert spi.where == (0, 0)
    assert spi.max_speed_hz == 1_000_000
    assert spi.sent == [
        b"\x0b\x07" * 2,
        b"\x09\x00" * 2,
        b"\x0f\x00" * 2,
        b"\x0a\x03" * 2,
        *(bytes([digit, 0]) * 2 for digit in range(1, 9)),
        b"\x0c\x01" * 2,
    ]


@pytest.mark.parametrize(("rows", "size"), [(8, (16, 8)), (16, (16, 16))])
def test_a_led_board_lights_every_pixel_and_goes_dark_at_the_end(rows: int, size: tuple[int, int]) -> None:
    """Each of the eight digit registers of each module is written; shutdown (0x0C, 0) comes last."""
    spi = Spi()
    panel = led(spi, rows=rows)
    assert (panel.width, panel.height) == size
    spi.sent.clear()
    panel.show(Image.new("1", size, 1))
    modules = size[0] * size[1] // 64
    assert sorted(spi.sent) == [bytes([digit, 0xFF]) * modules for digit in range(1, 9)]
    panel.close()
    assert spi.sent[-1] == b"\x0c\x00" * modules
    assert spi.closed


def test_a_failing_spi_is_a_device_error() -> None:
    """The port is there but does not take the bytes."""
    spi = Spi()
    panel = led(spi)
    spi.fails_with = errno.EIO
    with pytest.raises(DeviceError, match=r"LED board on SPI 0\.0: it does not answer"):
        panel.show(Image.new("1", (16, 8)))


def test_without_spidev_the_remedy_is_named(mocker: MockerFixture) -> None:
    """The package has no wheels; it is an extra."""
    mocker.patch.dict("sys.modules", {"spidev": None})
    with pytest.raises(DeviceError, match="the Python package spidev is missing; install the extra 'spi'"):
        open_led(4, 8)


@pytest.mark.parametrize(("wide", "rows", "brightness"), [(0, 8, 7), (4, 12, 7), (4, 8, 16)])
def test_a_board_that_cannot_be_is_the_programs_fault(wide: int, rows: int, brightness: int) -> None:
    """Profiles are checked before."""
    with pytest.raises(ValueError, match="8 or 16 rows and a brightness of 0 to 15"):
        open_led(wide, rows, brightness=brightness)  # type: ignore[arg-type]


@pytest.mark.parametrize("image", [Image.new("1", (64, 128)), Image.new("RGB", (128, 64))])
def test_a_picture_of_another_size_or_mode_is_refused_before_the_bus(
    image: Image.Image, buses: list[I2cBus]
) -> None:
    """luma asserts, and asserts can be switched off."""
    panel = open_oled("ssd1306")
    buses[0].sent.clear()
    with pytest.raises(ValueError, match="one-bit pictures of 128 x 64"):
        panel.show(image)
    assert buses[0].sent == []
