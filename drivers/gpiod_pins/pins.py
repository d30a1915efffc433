"""gpiozero's factory and pin, in gpiozero's words, over lines and their reader.

Here lives what gpiozero asks of a factory. What may never be known here: how the kernel is spoken to (``line.py``).

gpiozero keeps a pin that was closed and hands it out again, so a closed pin is only let go of, and claimed again when
it is next used.
"""

from __future__ import annotations

import errno
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, get_args

from gpiozero.exc import (
    GPIOPinInUse,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinSetInput,
)
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from drivers.gpiod_pins.chips import find_chip, import_gpiod
from drivers.gpiod_pins.line import Bias, Line, Setting, Which
from drivers.gpiod_pins.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from drivers.gpiod_pins.line import KernelEdge

__all__ = ["GpiodFactory", "GpiodPin"]

NANOSECONDS: Final = 1_000_000_000


class GpiodPin(LocalPiPin):  # type: ignore[misc]
    """A pin of the header. Made by :meth:`GpiodFactory.pin` only."""

    def __init__(self, factory: GpiodFactory, info: Any) -> None:  # noqa: ANN401  gpiozero's
        """Touch nothing yet: a pin is claimed when it is first used."""
        super().__init__(factory, info)
        self._line = factory.line(self._number)
        self._edges: Which = "both"
        self._bounce_s = 0.0

    def close(self) -> None:
        """Let go of the pin; what it drove goes off, because it becomes an input first."""
        self.when_changed = None
        if self._line.claimed and self._line.setting.output:
            self._set(Setting())
        self._line.release()

    def output_with_state(self, state: object) -> None:
        """Make the pin an output that begins with this state, with no other in between."""
        self._set(Setting(output=True, high=bool(state)))

    def input_with_pull(self, pull: Bias) -> None:
        """Make the pin an input with this pull."""
        self._refuse_pull(pull)
        self._set(Setting(bias=pull))

    def _get_function(self) -> str:
        return "output" if self._line.setting.output else "input"

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            message = f'invalid function "{value}" for pin {self!r}'
            raise PinInvalidFunction(message)
        if self._line.claimed and value == self._get_function():
            return
        if value == "output":
            self._set(Setting(output=True, high=self._get_state()))
        else:
            self._set(Setting(bias=self.info.pull or "floating"))

    def _get_state(self) -> bool:
        with self._named():
            return self._line.level()

    def _set_state(self, value: object) -> None:
        if not self._line.setting.output:
            message = f"cannot set state of pin {self!r}"
            raise PinSetInput(message)
        self._line.drive(high=bool(value))

    def _get_pull(self) -> Bias:
        return self._line.setting.bias

    def _set_pull(self, value: Bias) -> None:
        if self._line.setting.output:
            message = f"cannot set pull on non-input pin {self!r}"
            raise PinFixedPull(message)
        self._refuse_pull(value)
        self._set(replace(self._line.setting, bias=value))

    def _refuse_pull(self, value: Bias) -> None:
        if value not in get_args(Bias):
            message = f'invalid pull "{value}" for pin {self!r}'
            raise PinInvalidPull(message)
        if self.info.pull not in (value, ""):
            message = f"{self!r} has a physical pull-{self.info.pull} resistor"
            raise PinFixedPull(message)

    def _get_bounce(self) -> float | None:
        return self._bounce_s or None

    def _set_bounce(self, value: float | None) -> None:
        seconds = 0.0 if value is None else float(value)
        if seconds < 0:
            message = "bounce must be 0 or greater"
            raise PinInvalidBounce(message)
        if seconds != self._bounce_s:
            self._bounce_s = seconds
            self._set_again()

    def _get_edges(self) -> Which:
        return self._edges

    def _set_edges(self, value: Which) -> None:
        if value not in get_args(Which):
            message = f'invalid edges "{value}" for pin {self!r}'
            raise PinInvalidEdges(message)
        self._edges = value
        self._set_again()

    def _set_again(self) -> None:
        """Bring changed edges or bounce to a line that is watched."""
        if self._when_changed is not None:
            with self._when_changed_lock:
                self._disable_event_detect()
                self._enable_event_detect()

    def _enable_event_detect(self) -> None:
        before = self._line.setting
        if before.output:
            message = f"cannot detect edges of output pin {self!r}"
            raise PinInvalidFunction(message)
        self._set(replace(before, edges=self._edges, bounce_s=self._bounce_s))
        self.factory.reader.watch(self._line, self._told)

    def _disable_event_detect(self) -> None:
        self.factory.reader.forget(self._line)
        self._set(replace(self._line.setting, edges="none", bounce_s=0.0))

    def _told(self, edge: KernelEdge) -> None:
        if self._when_changed is not None:
            self._call_when_changed(edge.at_ns / NANOSECONDS, int(edge.rising))

    def _set(self, setting: Setting) -> None:
        with self._named():
            self._line.set(setting)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Say who holds a line that cannot be had."""
        try:
            yield
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            message = f"{self!r} is held by {self._line.holder or 'another program'!r}"
            raise GPIOPinInUse(message) from error


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]
    """gpiozero's factory on ``gpiod``. ``chip`` is a path; None finds the header's chip by its label.

    gpiozero's own exceptions say what is wrong: ``BadPinFactory`` where there is no gpiod or no chip,
    ``PinUnknownPi`` off a Raspberry Pi; the kernel's ``OSError`` where it refuses.
    """

    def __init__(self, chip: str | None = None, *, consumer: str = "gpiozero") -> None:
        """Open the chip. ``consumer`` is the name the kernel lists for the pins that are used (``gpioinfo``)."""
        super().__init__()
        self._gpiod = import_gpiod()
        self.path = find_chip(self._gpiod) if chip is None else chip
        self.board_info  # noqa: B018  off a Pi this raises, and should before anything is open
        self._chip: Any = self._gpiod.Chip(self.path)
        self._consumer = consumer
        self._lines: dict[int, Line] = {}
        self.reader = Reader()
        self.pin_class = GpiodPin

    def line(self, number: int) -> Line:
        """Return the chip's line of this number; the header's GPIOs have their own numbers there."""
        return self._lines.setdefault(number, Line(self._gpiod, self._chip, number, consumer=self._consumer))

    @property
    def label(self) -> str:
        """The chip's label, which tells the board's make."""
        return str(self._chip.get_info().label)

    @property
    def lost_edges(self) -> Mapping[int, int]:
        """How many edges of each pin the kernel dropped before they were read, by GPIO number; a copy."""
        return {number: line.lost for number, line in self._lines.items()}

    @property
    def fault(self) -> Exception | None:
        """The first exception that a handler raised or that reading a pin did, None if there was none. Any thread."""
        fault: Exception | None = self.reader.fault
        return fault

    @property
    def alive(self) -> bool:
        """Whether edges are still told: False once the factory is closed, or if its thread has ended."""
        alive: bool = self.reader.alive
        return alive

    def close(self) -> None:
        """Let go of all pins and of the chip, and end the thread. Closing again is fine."""
        super().close()
        self.reader.close()
        self._chip.close()
