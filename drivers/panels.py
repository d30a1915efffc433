"""Displays through luma: OLED on I2C and LED matrices on SPI.

Here lives how a one-bit picture reaches a chip, and how a chip that forgot is told again. What may never be known here:
what the picture shows, when the next one is due, and how a bus is lost and found (``luma_glass.py``).

Of an OLED only what changed goes over the bus: a clock second is some 110 bytes instead of 1034, 2.5 ms instead of 23
at 400 kHz. What the glass shows is known only as long as no transfer failed. Neither chip says when it lost its supply
for a moment, so both are told again all the time; an OLED in eighths, so that a new picture never waits for more than
a page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, Protocol

from drivers.luma_glass import OpenGlass, fits, led_glass, oled_glass, told
from drivers.oled_bytes import PAGES, WIDTH, Frame, OledChip, Window, changes, frame_of
from drivers.oled_bytes import told as messages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL import Image

    from drivers.luma_glass import Glass, LumaBus
    from drivers.ports import Panel

__all__ = ["OledChip", "SpiDevice", "open_led", "open_oled"]

LED_BUS_HZ: Final = 1_000_000
"""The MAX7219 takes 10 MHz (data sheet 19-4452), a long ribbon cable does not. 16 modules: 2 ms."""
BRIGHTEST: Final = 15

OLED_REFRESH_NS: Final = 500_000_000
"""A page at a time: the settings and all eight pages every 4 s."""
LED_REFRESH_NS: Final = 1_000_000_000

DISPLAY_OFF, DISPLAY_ON, CONTRAST = 0xAE, 0xAF, 0x81
"""SSD1306 rev 1.1, table 9-1; SH1106 v2.3, commands 11 and 9: the same."""
DIM_OLED: Final = 0x01
DIGIT_0: Final = 1
INTENSITY: Final = 0x0A
SHUTDOWN: Final = 0x0C
"""MAX7219, 19-4452 rev 4, table 2."""


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
    with told(device, "check its four wires, its address, and that I2C is enabled"):
        from luma.core.interface.serial import i2c

        return _OledPanel(chip, device, oled_glass(chip, port, address), i2c(port=port, address=address))


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
    with told(name, "check that SPI is enabled, and membership of the group spi"):
        from luma.core.interface.serial import noop
        from luma.core.interface.serial import spi as luma_spi

        # luma counts contrast 0-255 and keeps the upper four bits, which are the chip's intensity.
        glass = led_glass(modules_wide, rows, port, device, turned, brightness << 4)
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
        return _LedPanel(name, glass, bus, brightness)


class _OledPanel:
    """An OLED on an open bus, and what it shows as far as that is known."""

    def __init__(self, chip: OledChip, name: str, glass: Glass, bus: LumaBus) -> None:
        self._chip: OledChip = chip
        self._open = OpenGlass(name, glass, bus)
        self.width = self._open.width
        self.height = self._open.height
        # luma's start-up: settings, contrast, the place of the dark frame, the frame, and on.
        commands = [data for is_command, data in glass.wire.start_up if is_command]
        first_data = next(
            index for index, (is_command, _) in enumerate(glass.wire.start_up) if not is_command
        )
        # Off would be seen every few seconds, and a chip that comes back from a power dip is off by itself.
        self._settings = [
            [byte for index, byte in enumerate(data) if index > 0 or byte != DISPLAY_OFF]
            for data in commands[: first_data - 1]
        ]
        self._bright = next(data[1] for data in commands if data[0] == CONTRAST)
        self._dimmed = False
        self._shown: Frame | None = None
        self._page = 0

    @property
    def refresh_ns(self) -> int:
        return OLED_REFRESH_NS

    def show(self, image: Image.Image) -> None:
        fits(image, self.width, self.height)
        frame = frame_of(image)
        self._send(changes(self._chip, self._shown, frame), frame)
        self._shown = frame

    def dim(self, *, dimmed: bool) -> None:
        self._open.require_open()
        if dimmed != self._dimmed:
            self._dimmed = dimmed
            with told(self._open.name, "check its wires and its supply"):
                self._command(CONTRAST, self._contrast)

    def refresh(self) -> None:
        self._open.require_open()
        with told(self._open.name, "check its wires and its supply"):
            if self._page == 0:
                for data in (*self._settings, [CONTRAST, self._contrast], [DISPLAY_ON]):
                    self._command(*data)
        if self._shown is not None:
            page = Window(left=0, right=WIDTH - 1, top=self._page, bottom=self._page)
            self._send((page,), self._shown)
        self._page = (self._page + 1) % PAGES

    def close(self) -> None:
        self._open.close()

    @property
    def _contrast(self) -> int:
        return DIM_OLED if self._dimmed else self._bright

    def _command(self, *data: int) -> None:
        self._open.glass.wire.command(*data)

    def _send(self, windows: Sequence[Window], frame: Frame) -> None:
        """Send windows of a frame; unless all of it went well, nobody knows what the glass shows."""
        self._open.require_open()
        known, self._shown = self._shown, None
        with told(self._open.name, "check its wires and its supply"):
            for window in windows:
                for message in messages(self._chip, window, frame):
                    if message.command:
                        self._command(*message.data)
                    else:
                        self._open.glass.wire.data(list(message.data))
        self._shown = known


class _LedPanel:
    """An LED board on an open bus, and the bytes of its picture."""

    def __init__(self, name: str, glass: Glass, bus: LumaBus, brightness: int) -> None:
        self._open = OpenGlass(name, glass, bus)
        self.width = self._open.width
        self.height = self._open.height
        self._modules = self.width * self.height // 64
        # luma's start-up: scan limit, no decoding, no test; intensity; eight dark digits; out of shutdown.
        self._settings = [
            data
            for _, data in glass.wire.start_up
            if data[0] > DIGIT_0 + 7 and data[0] not in (INTENSITY, SHUTDOWN)
        ]
        self._brightness = brightness
        self._dimmed = False
        self._frame: list[list[int]] = []

    @property
    def refresh_ns(self) -> int:
        return LED_REFRESH_NS

    def show(self, image: Image.Image) -> None:
        fits(image, self.width, self.height)
        self._open.require_open()
        wire = self._open.glass.wire
        wire.heard = []
        try:
            with told(self._open.name, "check its wires and its supply"):
                self._open.glass.device.display(image)
            self._frame = wire.heard
        finally:
            wire.heard = None

    def dim(self, *, dimmed: bool) -> None:
        self._open.require_open()
        self._dimmed = dimmed
        with told(self._open.name, "check its wires and its supply"):
            self._open.glass.wire.data(self._intensity)

    def refresh(self) -> None:
        self._open.require_open()
        on = [SHUTDOWN, 1] * self._modules
        with told(self._open.name, "check its wires and its supply"):
            for data in (*self._settings, self._intensity, *self._frame, on):
                self._open.glass.wire.data(data)

    def close(self) -> None:
        self._open.close()

    @property
    def _intensity(self) -> list[int]:
        return [INTENSITY, 0 if self._dimmed else self._brightness] * self._modules
