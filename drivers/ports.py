"""The ports: the few things a device must be able to do, and the one way in which it says that it cannot.

Here live Protocols, the values that cross them, and :class:`DeviceError`. What may never be known here: how any device
does it, and what its words, pictures and edges mean in a game.

A port is opened by a plain function (``open_oled``, ``open_line`` ...) that returns a working device or raises
:class:`DeviceError`. Unless a method says otherwise, a device belongs to one thread, its calls may block for as long as
its bus does, ``close()`` may be called any number of times and raises nothing, and a call after ``close()`` raises
:class:`DeviceError`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from PIL import Image

__all__ = [
    "DeviceError",
    "Edge",
    "InputSpec",
    "Inputs",
    "Lamps",
    "Line",
    "Losses",
    "Panel",
    "Pull",
    "Speaker",
]

Pull = Literal["up", "down", "floating"]
"""The resistor inside the chip that holds an input while nothing drives it."""


class DeviceError(Exception):
    """A device is absent, refuses or has failed; the match goes on without it.

    ``device`` is its name as the operator knows it, ``what`` happened, and ``remedy`` is what a person does now. The
    message is these three in one sentence. The library's own exception is kept as ``__cause__``.
    """

    def __init__(self, *, device: str, what: str, remedy: str) -> None:
        """Keep the three parts; none may be empty (``ValueError``)."""
        if not (device and what and remedy):
            message = f"a device error names device, what and remedy, not {device!r}, {what!r}, {remedy!r}"
            raise ValueError(message)
        super().__init__(f"{device}: {what}; {remedy}")
        self.device = device
        self.what = what
        self.remedy = remedy


class Panel(Protocol):
    """A display of ``width`` x ``height`` one-bit pixels."""

    @property
    def width(self) -> int:
        """Columns, in pixels."""

    @property
    def height(self) -> int:
        """Rows, in pixels."""

    def show(self, image: Image.Image) -> None:
        """Put this picture on the glass, whole or not at all as far as the chip allows; returns when it was sent.

        The image has mode ``"1"`` and exactly the panel's size, else ``ValueError``. It is not kept and not changed.
        """

    def dim(self, *, dimmed: bool) -> None:
        """Light the glass only as far as it must to be read, or fully again; a picture stays. It begins fully lit."""

    def refresh(self) -> None:
        """Repeat to the chip what it may have lost without a word: its settings, and the picture or a part of it.

        Meant to be called every ``refresh_ns``; after a power dip the picture is then right again within 5 s.
        """

    @property
    def refresh_ns(self) -> int:
        """How often :meth:`refresh` wants to be called, in nanoseconds."""

    def close(self) -> None:
        """Darken the glass where it still answers, and let go of the bus."""


class Speaker(Protocol):
    """Plays short recorded sounds, one at a time."""

    def play(self, sound: str) -> None:
        """Start the sound of this name (``"zeit"``: a WAV without path and suffix), cutting what is sounding.

        Returns at once. An unknown name is a ``ValueError``.
        """

    def check(self) -> None:
        """Raise :class:`DeviceError` if the last sound failed or never ended. Meant to be called once a second."""

    def stop(self) -> None:
        """Cut what is sounding; nothing sounding is fine."""

    def close(self) -> None:
        """Cut what is sounding and let go of the device."""


class Lamps(Protocol):
    """Lamps that are on or off, by name."""

    def show(self, lit: AbstractSet[str]) -> None:
        """Light these and no others; a name that no lamp has is a ``ValueError``."""

    def close(self) -> None:
        """Put all of them out, and let go of the pins."""


class Line(Protocol):
    """A serial line out of the box. Nothing is read from it."""

    def send(self, data: bytes) -> None:
        """Send all bytes, or raise; after an error nobody knows how many went out, so frames must mark their start."""

    def close(self) -> None:
        """Let go of the port."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InputSpec:
    """One input of a board: a key, a sensor.

    ``pins`` are BCM numbers. An input may have several (two light barriers under one goal): it is active while any of
    them is. ``active_low``: the contact pulls its pin to ground.
    """

    name: str
    pins: tuple[int, ...]
    active_low: bool = True
    pull: Pull = "up"

    def __post_init__(self) -> None:
        """Refuse an input without a pin or with the same pin twice (``ValueError``)."""
        if not self.pins or len(set(self.pins)) != len(self.pins):
            message = f"input {self.name!r} needs one or more different pins, not {self.pins!r}"
            raise ValueError(message)


@dataclass(frozen=True, kw_only=True, slots=True)
class Edge:
    """An input changed: raw, with its bounce, at the instant the edge was stamped.

    ``at_ns`` counts nanoseconds of the pin factory's monotonic clock; on a Pi that is the kernel's CLOCK_MONOTONIC, so
    it compares with ``time.monotonic_ns()``. ``active`` is the meaning, not the voltage.
    """

    input: str
    at_ns: int
    active: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Losses:
    """What became of an input's edges. ``lost``: dropped by the kernel unread, None where that cannot be told;
    ``repaired``: changes that no edge told and a look at the level found.
    """  # noqa: D205  two counters, one line each

    lost: int | None = None
    repaired: int = 0


class Inputs(Protocol):
    """Open inputs whose edges go to a callback."""

    @property
    def initial(self) -> Mapping[str, bool]:
        """Which inputs were active when they were opened, by name."""

    @property
    def active(self) -> Mapping[str, bool]:
        """Which inputs are active now, as far as edges and looks have told; a copy. Any thread."""

    @property
    def fault(self) -> DeviceError | None:
        """What is wrong with the pins: the first exception of the callback, a thread that has ended, a pin that cannot
        be read; None if nothing. Edges may be lost meanwhile. Any thread.
        """  # noqa: D205  one sentence

    @property
    def losses(self) -> Mapping[str, Losses]:
        """Count what became of each input's edges, by name; a copy. Any thread."""

    def reconcile(self, now_ns: int) -> int:
        """Compare each pin's level with what its edges told, and return when to look again: in 1 s, or sooner in doubt.

        A level that twice, 50 ms apart, was not what the edges said is told as an edge at ``now_ns``: the kernel itself
        can miss one. Any thread; takes some 50 microseconds a pin, a few times that on a Pi Zero; raises nothing.
        """

    def close(self) -> None:
        """Stop the edges and let go of the pins."""
