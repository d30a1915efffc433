"""A piezo on a pin: the spare when there is no sound card.

Here lives which pattern of beeps stands for which sound. What may never be known here: what a sound means.

It wants an active piezo (one with an oscillator, "buzzer", 3-24 V) behind a transistor: on is a tone. Tones made by
switching a pin from Python would waver, and libgpiod has no PWM.

    zeit     ###..###                     two beeps, as the word has its weight
    expired  ################             one long one: it is over
    fault    #.#.#.#.#                    a rattle
    game     ##..##..######               match  ##..##..##..#########
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from drivers.output_pin import OutputPin
from drivers.ports import DeviceError
from drivers.worker import Mailbox, Worker, drawing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gpiozero.pins import Factory

    from drivers.ports import Speaker

__all__ = ["PATTERNS", "Beeps", "PiezoSpeaker", "open_piezo", "piezo_mailbox"]

MILLISECOND_NS: Final = 1_000_000
_CALL: Final = (180, 100, 180)

PATTERNS: Final[Mapping[str, tuple[int, ...]]] = {
    "zeit": _CALL,
    "tijd": _CALL,
    "temps": _CALL,
    "time": _CALL,
    "expired": (900,),
    "fault": (60, 60, 60, 60, 60, 60, 60, 60, 60),
    "game": (120, 100, 120, 100, 350),
    "match": (120, 100, 120, 100, 120, 100, 600),
    "key": (12,),
    "silence": (),
}
"""Milliseconds on, off, on ... for each sound. None is longer than 1.3 s."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Beeps:
    """A sound that began at ``at_ns``; an empty name is silence."""

    sound: str
    at_ns: int

    def on(self, now_ns: int) -> bool:
        """Return whether the piezo sounds at ``now_ns``."""
        return sum(end <= now_ns for end in self._changes()) % 2 == 0 and now_ns < self._end_ns

    def next_change(self, now_ns: int) -> int | None:
        """Return when that next changes, None if it is over."""
        return next((end for end in self._changes() if end > now_ns), None)

    def _changes(self) -> list[int]:
        spans = PATTERNS.get(self.sound, ())
        return [self.at_ns + passed * MILLISECOND_NS for passed in accumulate(spans)]

    @property
    def _end_ns(self) -> int:
        return max(self._changes(), default=self.at_ns)


def piezo_mailbox(
    open_pin: Callable[[], OutputPin], on_trouble: Callable[[str, DeviceError | None], None]
) -> Mailbox[OutputPin, Beeps]:
    """Return the mailbox that switches the pin as the newest beeps want it."""
    return Mailbox(
        name="piezo",
        open_device=open_pin,
        do=drawing(
            draw=lambda beeps, now_ns: beeps.on(now_ns),
            show=lambda pin, on: pin.set(on=on),
            next_change=lambda beeps, now_ns: beeps.next_change(now_ns),
        ),
        on_trouble=on_trouble,
    )


def open_piezo(number: int, *, factory: Factory) -> Speaker:
    """Open the piezo on this pin (BCM number), silent; :class:`DeviceError` if the pin cannot be had."""
    return PiezoSpeaker(OutputPin("piezo", number, factory=factory))


class PiezoSpeaker:
    """A speaker that beeps, with a thread that keeps the time of it. Any thread."""

    def __init__(self, pin: OutputPin, *, clock: Callable[[], int] = time.monotonic_ns) -> None:
        """Take over the open pin."""
        self._pin = pin
        self._clock = clock
        self._closed = False
        self._trouble: DeviceError | None = None
        self._worker = Worker(piezo_mailbox(lambda: pin, self._told), clock=clock)

    def play(self, sound: str) -> None:
        """Start the sound's beeps, cutting what is sounding."""
        if sound not in PATTERNS:
            message = f"no sound is called {sound!r}; there are {', '.join(PATTERNS)}"
            raise ValueError(message)
        if self._closed:
            raise DeviceError(device="piezo", what="it is closed", remedy="open it again")
        self._worker.post(Beeps(sound=sound, at_ns=self._clock()))

    def check(self) -> None:
        """Raise :class:`DeviceError` if the pin cannot be switched."""
        if self._trouble is not None:
            raise self._trouble

    def stop(self) -> None:
        """Cut what is sounding."""
        if not self._closed:
            self._worker.post(Beeps(sound="", at_ns=self._clock()))

    def close(self) -> None:
        """Be silent, and let go of the pin."""
        self._closed = True
        self._worker.close()
        self._pin.close()

    def _told(self, _: str, error: DeviceError | None) -> None:
        self._trouble = error
