"""An I2C bus with one OLED on it, and an SPI bus: what luma uses of smbus2 and spidev, recording and breakable.

Lives here: what reaches the wire, and what a wire can do wrong. Never here: what is expected.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_mock import MockerFixture

COMMAND, DATA = 0x00, 0x40
"""The control bytes of SSD1306, SSD1309 and SH1106 on I2C (SSD1306 rev 1.1, 8.1.5.2)."""


class Wire:
    """A cable with a panel at its end. ``fails_with``: an errno for every transfer, None while all is well.

    ``on_transfer`` is called before each transfer, to let time pass in it.
    """

    def __init__(self) -> None:
        """Begin plugged in, with nothing sent."""
        self.sent: list[tuple[int, bytes]] = []
        self.opened = 0
        self.closed = 0
        self.fails_with: int | None = None
        self.on_transfer: Callable[[], None] = lambda: None

    @property
    def on_the_bus(self) -> int:
        """Count bytes: what was on the bus: address and control byte of each message are two more."""
        return sum(2 + len(data) for _, data in self.sent)

    def take(self, address: int, control: int, data: bytes) -> None:
        """A transfer."""
        self.on_transfer()
        if self.fails_with is not None:
            raise OSError(self.fails_with, os.strerror(self.fails_with))
        assert address == 0x3C
        self.sent.append((control, data))

    def open_bus(self, port: int) -> SMBus:
        """Take the place of smbus2.SMBus."""
        return SMBus(self, port)

    def install(self, mocker: MockerFixture) -> None:
        """Put this wire behind smbus2."""
        mocker.patch("smbus2.SMBus", self.open_bus)
        mocker.patch("smbus2.i2c_msg.write", lambda address, data: [address, *data])


class SMBus:
    """As smbus2's."""

    def __init__(self, wire: Wire, port: int) -> None:
        """Open it."""
        assert port == 1
        self._wire = wire
        wire.opened += 1

    def write_i2c_block_data(self, address: int, control: int, data: list[int]) -> None:
        """A command."""
        self._wire.take(address, control, bytes(data))

    def i2c_rdwr(self, message: Sequence[int]) -> None:
        """Data."""
        address, control, *data = message
        self._wire.take(address, control, bytes(data))

    def close(self) -> None:
        """Let go."""
        self._wire.closed += 1


class Glass:
    """A model of the controllers: what is on the glass after these transfers. Starts as a chip without power does: off.

    Written from the data sheets: SSD1306 rev 1.1 (10.1.1-10.1.6, table 9-1), SH1106 v2.3 (commands 1, 2, 9-11).
    """

    def __init__(self, chip: str) -> None:
        """Power on: display off, the memory full of chance."""
        self._chip = chip
        self._left = 2 if chip == "sh1106" else 0
        self.power_on()

    def power_on(self) -> None:
        """Lose everything, as a power dip does."""
        self.on = False
        self.contrast = 0x7F if self._chip != "sh1106" else 0x80
        self.memory = [[0xA5] * 132 for _ in range(8)]
        self._page, self._column = 0, 0
        self._columns, self._pages = (0, 127), (0, 7)
        self._horizontal = False

    def hear(self, control: int, data: bytes) -> None:
        """Take a message."""
        if control == DATA:
            for byte in data:
                self._write(byte)
        else:
            self._commands(list(data))

    @property
    def pages(self) -> tuple[bytes, ...]:
        """What is to be seen, page by page."""
        return tuple(bytes(row[self._left : self._left + 128]) for row in self.memory)

    def _write(self, byte: int) -> None:
        self.memory[self._page][self._column] = byte
        if not self._horizontal:
            self._column = min(self._column + 1, 131)
            return
        self._column += 1
        if self._column > self._columns[1]:
            self._column = self._columns[0]
            self._page = self._page + 1 if self._page < self._pages[1] else self._pages[0]

    def _commands(self, data: list[int]) -> None:
        while data:
            byte = data.pop(0)
            # Followed by one byte: contrast, multiplex, offset, clock, pre-charge, COM pins, VCOMH, charge pump.
            if byte in (0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB, 0x8D):
                value = data.pop(0)
                self.contrast = value if byte == 0x81 else self.contrast
            elif byte in (0xAE, 0xAF):
                self.on = byte == 0xAF
            elif byte in (0x20, 0x21, 0x22) and self._chip != "sh1106":
                self._area(byte, data)
            else:
                self._place(byte)

    def _area(self, byte: int, data: list[int]) -> None:
        """Horizontal addressing."""
        if byte == 0x20:
            self._horizontal = data.pop(0) == 0
        elif byte == 0x21:
            self._columns = (data.pop(0), data.pop(0))
            self._column = self._columns[0]
        else:
            self._pages = (data.pop(0), data.pop(0))
            self._page = self._pages[0]

    def _place(self, byte: int) -> None:
        """Page addressing."""
        if byte in range(0xB0, 0xB8):
            self._page = byte & 7
        elif byte in range(0x10):
            self._column = (self._column & 0xF0) | byte
        elif byte in range(0x10, 0x20):
            self._column = (self._column & 0x0F) | ((byte & 0x0F) << 4)


class Spi:
    """What luma uses of spidev.SpiDev, recording each chip select's bytes."""

    def __init__(self) -> None:
        """Begin well."""
        self.max_speed_hz = 0
        self.where: tuple[int, int] | None = None
        self.sent: list[bytes] = []
        self.closed = False
        self.fails_with: int | None = None

    def open(self, bus: int, device: int, /) -> None:
        """Note where."""
        self.where = (bus, device)

    def writebytes(self, data: Sequence[int], /) -> None:
        """Note what."""
        if self.fails_with is not None:
            raise OSError(self.fails_with, os.strerror(self.fails_with))
        self.sent.append(bytes(data))

    def close(self) -> None:
        """Let go."""
        self.closed = True
