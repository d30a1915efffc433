"""Displays through luma: OLED on I2C and LED matrices on SPI.

Here lives how a one-bit picture reaches a chip. What may never be known here: what the picture shows, and when the next
one is due.

One luma object serves a panel for the life of the process, however often it is opened: each one made registers a hook
that keeps it until exit (324 KB for an SSD1306), and an unplugged panel is opened again every few seconds all evening.
So luma talks to a wire that outlives the bus: what it says while it is made (the chip's start-up burst and a dark
frame) is recorded there, and said again to every bus that is opened.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, Protocol

from drivers.ports import DeviceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PIL import Image

    from drivers.ports import Panel

__all__ = ["OledChip", "SpiDevice", "open_led", "open_oled"]

OledChip = Literal["ssd1306", "ssd1309", "sh1106"]
"""The OLED controllers that are known to work: 128 x 64, I2C."""

LED_BUS_HZ: Final = 1_000_000
"""The MAX7219 takes 10 MHz (data sheet 19-4452), a long ribbon cable does not. 16 modules: 2 ms."""
BRIGHTEST: Final = 15


class SpiDevice(Protocol):
    """What luma needs of ``spidev.SpiDev``; a recording object takes its place in tests."""

    max_speed_hz: int

    def open(self, bus: int, device: int, /) -> None:
        """Open /dev/spidev<bus>.<device>."""

    def writebytes(self, data: Sequence[int], /) -> None:
        """Send bytes under one chip select."""

    def close(self) -> None:
        """Let go of it."""


def open_oled(chip: OledChip, *, port: int = 1, address: int = 0x3C) -> Panel:
    """Open a 128 x 64 OLED on /dev/i2c-<port>, send the chip's start-up burst and a dark frame.

    A full frame is 1034 bytes on the bus, 23 ms at 400 kHz and 93 ms at the Pi's default 100 kHz. Opening the same
    panel again takes it over from the earlier object.
    """
    device = f"OLED {chip} at 0x{address:02X} on I2C bus {port}"
    with _told(device, "check its four wires, its address, and that I2C is enabled"):
        from luma.core.interface.serial import i2c

        return _LumaPanel(device, _oled(chip, port, address), i2c(port=port, address=address))


def open_led(
    modules_wide: int,
    rows: Literal[8, 16],
    *,
    port: int = 0,
    device: int = 0,
    brightness: int = 7,
    turned: Literal[0, 90, -90, 180] = -90,
    spi: SpiDevice | None = None,
) -> Panel:
    """Open a board of MAX7219 8 x 8 modules on /dev/spidev<port>.<device>.

    ``brightness`` is the chip's intensity register, 0-15; ``turned`` is how the modules are mounted (the common 4-in-1
    boards want -90). Nothing can be read back: a board that is not there goes unnoticed. ``spi`` is for tests and
    other buses; None opens spidev. ``ValueError``: no such board.
    """
    if modules_wide < 1 or rows not in (8, 16) or not 0 <= brightness <= BRIGHTEST:
        message = (
            "an LED board has one module or more in width, 8 or 16 rows and a brightness of 0 to 15, "
            f"not {modules_wide}, {rows}, {brightness}"
        )
        raise ValueError(message)
    name = f"LED board on SPI {port}.{device}"
    with _told(name, "check that SPI is enabled, and membership of the group spi"):
        from luma.core.interface.serial import noop
        from luma.core.interface.serial import spi as luma_spi

        glass = _led(modules_wide, rows, port, device, brightness, turned)
        # A MAX7219 has neither a reset nor a data/command pin. Without noop luma asks RPi.GPIO for them all the same,
        # which fails on a Pi 5 (luma.core#286).
        bus = luma_spi(
            spi=spi,
            gpio=noop(),
            port=port,
            device=device,
            bus_speed_hz=LED_BUS_HZ,
            gpio_DC=None,
            gpio_RST=None,
        )
        return _LumaPanel(name, glass, bus)


class _LumaBus(Protocol):
    """luma's serial interface, as far as a device uses it."""

    def command(self, *cmd: int) -> None: ...
    def data(self, data: Sequence[int]) -> None: ...
    def cleanup(self) -> None: ...


class _LumaDevice(Protocol):
    """luma's device, as far as a panel uses it."""

    width: int
    height: int

    def display(self, image: Image.Image) -> None: ...
    def hide(self) -> None: ...


@dataclass(kw_only=True, slots=True)
class _Wire:
    """What luma's device believes to be its bus: records until a first bus is there, then passes everything on."""

    start_up: list[tuple[bool, list[int]]] = field(default_factory=list)
    recording: bool = True
    bus: _LumaBus | None = None

    def command(self, *cmd: int) -> None:
        self._send(list(cmd), is_command=True)

    def data(self, data: Sequence[int]) -> None:
        self._send(list(data), is_command=False)

    def cleanup(self) -> None:
        """Do nothing: the bus belongs to the panel, not to luma's exit hook."""

    def connect(self, bus: _LumaBus) -> None:
        """Pass everything to this bus from now on, the recorded start-up first."""
        self.recording = False
        self.bus = bus
        for is_command, data in self.start_up:
            self._send(data, is_command=is_command)

    def _send(self, data: list[int], *, is_command: bool) -> None:
        if self.bus is not None:
            if is_command:
                self.bus.command(*data)
            else:
                self.bus.data(data)
        elif self.recording:
            self.start_up.append((is_command, data))
        # Else it is luma's exit hook, darkening a glass whose panel was closed, and dark, before.


@dataclass(frozen=True, kw_only=True, slots=True)
class _Glass:
    """A luma device, made once, and the wire it talks to."""

    device: _LumaDevice
    wire: _Wire


@cache
def _oled(chip: OledChip, port: int, address: int) -> _Glass:  # noqa: ARG001  one glass for each place on a bus
    from luma.oled import device

    chips = {"ssd1306": device.ssd1306, "ssd1309": device.ssd1309, "sh1106": device.sh1106}
    if chip not in chips:
        message = f"no OLED chip is called {chip!r}; there are {', '.join(chips)}"
        raise ValueError(message)
    wire = _Wire()
    return _Glass(device=chips[chip](wire, width=128, height=64), wire=wire)


@cache
def _led(modules_wide: int, rows: int, port: int, device: int, brightness: int, turned: int) -> _Glass:  # noqa: ARG001
    from luma.led_matrix.device import max7219

    wire = _Wire()
    # luma counts contrast 0-255 and keeps the upper four bits, which are the chip's intensity.
    board = max7219(
        wire, width=modules_wide * 8, height=rows, block_orientation=turned, contrast=brightness << 4
    )
    return _Glass(device=board, wire=wire)


class _LumaPanel:
    """A glass on an open bus."""

    def __init__(self, name: str, glass: _Glass, bus: _LumaBus) -> None:
        self._name = name
        self._glass = glass
        self._bus = bus
        self.width = glass.device.width
        self.height = glass.device.height
        try:
            glass.wire.connect(bus)
        except BaseException:
            self._let_go()
            raise

    def show(self, image: Image.Image) -> None:
        _fits(image, self.width, self.height)
        if self._glass.wire.bus is not self._bus:
            raise DeviceError(device=self._name, what="it is closed", remedy="open it again")
        with _told(self._name, "check its wires and its supply"):
            self._glass.device.display(image)

    def close(self) -> None:
        if self._glass.wire.bus is self._bus:
            # A glass that no longer answers is dark, or out of reach: nothing is left to do for it.
            with suppress(DeviceError), _told(self._name, "nothing to do"):
                self._glass.device.hide()
            self._let_go()

    def _let_go(self) -> None:
        self._glass.wire.bus = None
        with suppress(OSError):
            self._bus.cleanup()


def _fits(image: Image.Image, width: int, height: int) -> None:
    if image.mode != "1" or image.size != (width, height):
        message = (
            f"the panel shows one-bit pictures of {width} x {height}, "
            f"not mode {image.mode!r}, {image.size[0]} x {image.size[1]}"
        )
        raise ValueError(message)


@contextmanager
def _told(device: str, remedy: str) -> Iterator[None]:
    """Turn what luma and the kernel raise into a DeviceError. luma maps some errno itself and lets others through."""
    from luma.core.error import Error

    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "spidev":
            raise
        raise DeviceError(
            device=device,
            what="the Python package spidev is missing",
            remedy="install the extra 'spi', or on Debian the package python3-spidev",
        ) from error
    except (Error, OSError) as error:
        raise DeviceError(device=device, what=f"it does not answer ({error})", remedy=remedy) from error
