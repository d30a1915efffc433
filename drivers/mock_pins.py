"""gpiozero's mock pins on given time: the desk board's and the tests' pins.

Here lives a pin factory whose pins change when told to, at the instant told. What may never be known here: real time
(nothing reads a clock) and names of keys; those belong to the board.

A change runs through gpiozero's own ``MockPin``: level, pull, edge selection and weakly held handler are gpiozero's,
the thread is the caller's. What mock pins hide, and only a real kernel shows: the callback thread, latency, lost edges.
"""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Final

from gpiozero.exc import PinInvalidPin
from gpiozero.pins.mock import MockFactory, MockPin, PinState

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PI_ZERO_2_W", "ScriptedFactory", "ScriptedPin"]

PI_ZERO_2_W: Final = "902120"
"""The revision code the mock board claims (Raspberry Pi documentation, "Raspberry Pi revision codes")."""


class ScriptedPin(MockPin):  # type: ignore[misc]
    """A mock pin that takes the time from its factory, and whose outside level is stronger than its pull."""

    _state: bool
    _last_change: float
    states: list[PinState]

    def __init__(self, factory: ScriptedFactory, info: object) -> None:
        """Made by the factory only."""
        self._script = factory
        self._outside: bool | None = None
        super().__init__(factory, info)

    def drive_from_outside(self, *, high: bool) -> None:
        """Put a level on the pin, as a contact or a sensor does. It stays through changes of the pull."""
        self._outside = high
        if high:
            self.drive_high()
        else:
            self.drive_low()

    def _change_state(self, value: bool) -> bool:  # noqa: FBT001  gpiozero's signature
        if self._function == "input" and self._outside is not None:
            value = self._outside
        if self._state == value:
            return False
        ticks = self._script.ticks()
        self._state = value
        self.states.append(PinState(ticks - self._last_change, value))
        self._last_change = ticks
        return True

    def clear_states(self) -> None:
        """Forget the recorded changes, as gpiozero's method does, without reading a clock."""
        self._last_change = self._script.ticks()
        self.states = [PinState(0.0, self._state)]


class ScriptedFactory(MockFactory):  # type: ignore[misc]
    """A gpiozero pin factory driven by a script: ``drive(17, level=0, at_ns=1_000_000)``.

    Strict: time never goes back, only input pins can be driven, only pins the board has. Threads may share it; each
    handler runs in the thread that drives, before :meth:`drive` returns.
    """

    def __init__(self, *, revision: str = PI_ZERO_2_W, at_ns: int = 0) -> None:
        """Pretend to be a Pi of this revision, with the clock at ``at_ns``."""
        self._at_ns = at_ns
        self._drive_lock = RLock()
        super().__init__(revision=revision, pin_class=ScriptedPin)

    def drive(self, pin: int, *, level: int, at_ns: int) -> None:
        """Put ``level`` (0 or 1) on BCM pin ``pin`` at ``at_ns``; the same level again is no edge.

        ``ValueError``: an instant before the last one, another level, no such pin, or a pin that is an output.
        """
        if level not in (0, 1):
            message = f"pin {pin} can be driven to 0 or 1, not {level!r}"
            raise ValueError(message)
        with self._drive_lock:
            if at_ns < self._at_ns:
                message = f"pin {pin} cannot change at {at_ns} ns: the script is at {self._at_ns} ns already"
                raise ValueError(message)
            target = self._input_pin(pin)
            self._at_ns = at_ns
            target.drive_from_outside(high=bool(level))

    @property
    def lost_edges(self) -> Mapping[int, int]:
        """No edge of a script is ever lost."""
        return {}

    def ticks(self) -> float:
        """Return the script's time in seconds, as gpiozero counts; exact to the nanosecond for 26 days."""
        return self._at_ns / 1e9

    def _input_pin(self, pin: int) -> ScriptedPin:
        try:
            target = self.pin(pin)
        except PinInvalidPin as error:
            message = f"this board has no pin GPIO{pin}; a {self.board_info.model} has GPIO0 to GPIO27 on its header"
            raise ValueError(message) from error
        if not isinstance(target, ScriptedPin) or target.function != "input":
            message = f"GPIO{pin} is an output; only inputs can be driven from outside"
            raise ValueError(message)
        return target
