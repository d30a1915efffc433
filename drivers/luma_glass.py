"""What all panels through luma share: one luma device for each glass, for the life of the process.

Here lives the wire between luma and a bus that comes and goes. What may never be known here: pictures, and which chip
wants what.

One luma object serves a panel however often it is opened: each one made registers a hook that keeps it until exit
(324 KB for an SSD1306), and an unplugged panel is opened again every few seconds all evening. So luma talks to a wire
that outlives the bus: what it says while it is made (the chip's start-up burst and a dark frame) is recorded there, and
said again to every bus that is opened.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Protocol

from drivers.ports import DeviceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PIL import Image

    from drivers.oled_bytes import OledChip

__all__ = ["Glass", "LumaBus", "LumaDevice", "OpenGlass", "Wire", "fits", "led_glass", "oled_glass", "told"]


class LumaBus(Protocol):
    """luma's serial interface, as far as a device uses it."""

    def command(self, *cmd: int) -> None:
        """Send bytes as commands."""

    def data(self, data: Sequence[int]) -> None:
        """Send bytes as data."""

    def cleanup(self) -> None:
        """Let go."""


class LumaDevice(Protocol):
    """luma's device, as far as a panel uses it."""

    width: int
    height: int

    def display(self, image: Image.Image) -> None:
        """Send a picture."""

    def hide(self) -> None:
        """Switch off."""

    def contrast(self, level: int) -> None:
        """Set how bright it is, 0-255."""


@dataclass(kw_only=True, slots=True)
class Wire:
    """What luma's device believes to be its bus: records until a first bus is there, then passes everything on.

    ``start_up`` is what was recorded: (whether it is a command, bytes). ``heard``, if it is a list, gets all data that
    goes out.
    """

    start_up: list[tuple[bool, list[int]]] = field(default_factory=list)
    recording: bool = True
    bus: LumaBus | None = None
    heard: list[list[int]] | None = None

    def command(self, *cmd: int) -> None:
        """Send bytes as commands."""
        self._send(list(cmd), is_command=True)

    def data(self, data: Sequence[int]) -> None:
        """Send bytes as data."""
        self._send(list(data), is_command=False)

    def cleanup(self) -> None:
        """Do nothing: the bus belongs to the panel, not to luma's exit hook."""

    def connect(self, bus: LumaBus) -> None:
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
                if self.heard is not None:
                    self.heard.append(data)
                self.bus.data(data)
        elif self.recording:
            self.start_up.append((is_command, data))
        # Else it is luma's exit hook, darkening a glass whose panel was closed, and dark, before.


@dataclass(frozen=True, kw_only=True, slots=True)
class Glass:
    """A luma device, made once, and the wire it talks to."""

    device: LumaDevice
    wire: Wire


@cache
def oled_glass(chip: OledChip, port: int, address: int) -> Glass:  # noqa: ARG001  one glass for each place on a bus
    """Return the glass at this place."""
    from luma.oled import device

    chips = {"ssd1306": device.ssd1306, "ssd1309": device.ssd1309, "sh1106": device.sh1106}
    if chip not in chips:
        message = f"no OLED chip is called {chip!r}; there are {', '.join(chips)}"
        raise ValueError(message)
    wire = Wire()
    return Glass(device=chips[chip](wire, width=128, height=64), wire=wire)


@cache
def led_glass(
    modules_wide: int,
    rows: int,
    port: int,  # noqa: ARG001  one glass for each place on a bus
    device: int,  # noqa: ARG001
    turned: int,
    contrast: int,
) -> Glass:
    """Return the board at this place. ``contrast`` is luma's, 0-255."""
    from luma.led_matrix.device import max7219

    wire = Wire()
    board = max7219(wire, width=modules_wide * 8, height=rows, block_orientation=turned, contrast=contrast)
    return Glass(device=board, wire=wire)


class OpenGlass:
    """A glass on an open bus: what every panel begins with."""

    def __init__(self, name: str, glass: Glass, bus: LumaBus) -> None:
        """Say the start-up to the bus; taking the glass over from an earlier object."""
        self.name = name
        self.glass = glass
        self.width = glass.device.width
        self.height = glass.device.height
        self._bus = bus
        try:
            glass.wire.connect(bus)
        except BaseException:
            self._let_go()
            raise

    def close(self) -> None:
        """Darken the glass where it still answers, and let go of the bus."""
        if self.glass.wire.bus is self._bus:
            # A glass that no longer answers is dark, or out of reach: nothing is left to do for it.
            with suppress(DeviceError), told(self.name, "nothing to do"):
                self.glass.device.hide()
            self._let_go()

    def require_open(self) -> None:
        """Raise :class:`DeviceError` if it was closed, or taken over by a later object."""
        if self.glass.wire.bus is not self._bus:
            raise DeviceError(device=self.name, what="it is closed", remedy="open it again")

    def _let_go(self) -> None:
        self.glass.wire.bus = None
        with suppress(OSError):
            self._bus.cleanup()


def fits(image: Image.Image, width: int, height: int) -> None:
    """Raise ``ValueError`` unless this is a one-bit picture of that size."""
    if image.mode != "1" or image.size != (width, height):
        message = (
            f"the panel shows one-bit pictures of {width} x {height}, "
            f"not mode {image.mode!r}, {image.size[0]} x {image.size[1]}"
        )
        raise ValueError(message)


@contextmanager
def told(device: str, remedy: str) -> Iterator[None]:
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
