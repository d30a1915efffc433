"""Guards against inputs nobody meant: bounce, a run of presses that an automatic change overtook, a mad sensor.

Lives here: which press or pulse is left out. Never here: the contact filter (`drivers/contact.py`), which comes before.
"""

from typing import Final

from firmware.script import Key
from rules import SIDES, Ns, Side
from rules.words import SECOND

SAME_PRESS: Final = Ns(150 * SECOND // 1000)
"""A second contact of a key this soon is the same press (bounce); later it is meant."""
RUN: Final = Ns(300 * SECOND // 1000)
"""Presses of one key closer than this are one run."""
LONGEST_RUN: Final = Ns(5 * SECOND)
FLAPS: Final = 10
"""More pulses in `FLAP_TIME` than a table has balls: the sensor is mad."""
FLAP_TIME: Final = Ns(5 * SECOND)
STUCK: Final = Ns(10 * SECOND)
"""A ball may rest in the light barrier; longer than this somebody has to look."""
QUIET: Final = Ns(30 * SECOND)
"""A sensor that was switched off comes back after so long without a pulse."""


class KeyGuard:
    """Leaves out presses that belong to an earlier one."""

    def __init__(self) -> None:
        """Start with nothing pressed."""
        self._last: dict[Key, Ns] = {}
        self._run: dict[Key, Ns] = {}
        self._changed: Ns | None = None

    def changed(self, at: Ns) -> None:
        """Note an automatic change: what a key's run of presses meant before it, it does not mean after it."""
        self._changed = at

    def leaves_out(self, key: Key, at: Ns) -> bool:
        """Say whether the press of `key` at `at` is part of an earlier one."""
        last = self._last.get(key)
        self._last[key] = at
        if last is None or at - last >= RUN:
            self._run[key] = at
            return False
        if at - last < SAME_PRESS:
            self._last[key] = last
            return True
        begun = self._run[key]
        return self._changed is not None and begun < self._changed <= at and at - begun <= LONGEST_RUN


class SensorGuard:
    """Switches a sensor off that flaps, and tells of one that is stuck; keys still do."""

    def __init__(self) -> None:
        """Start with both sensors trusted."""
        self._pulses: dict[Side, list[Ns]] = {side: [] for side in SIDES}
        self._active: dict[Side, Ns] = {}
        self._off: set[Side] = set()

    def pulse(self, goal: Side, at: Ns) -> bool:
        """Take a pulse's first contact; say whether the sensor may be believed."""
        recent = [t for t in self._pulses[goal] if at - t < FLAP_TIME]
        last = self._pulses[goal][-1] if self._pulses[goal] else None
        if goal in self._off and last is not None and at - last >= QUIET:
            self._off.discard(goal)
        self._pulses[goal] = [*recent, at]
        self._active[goal] = at
        if len(self._pulses[goal]) > FLAPS:
            self._off.add(goal)
        return goal not in self._off

    def released(self, goal: Side) -> None:
        """Take the end of a pulse."""
        self._active.pop(goal, None)

    def stuck_at_start(self, goal: Side, at: Ns) -> None:
        """Note a sensor that was active before anything began."""
        self._active[goal] = Ns(at - STUCK)

    def due(self) -> Ns | None:
        """Return when a covered sensor becomes a stuck one, None if none is covered."""
        return Ns(min(self._active.values()) + STUCK) if self._active else None

    def flapping(self) -> tuple[Side, ...]:
        """Return the sensors that are switched off."""
        return tuple(side for side in SIDES if side in self._off)

    def stuck(self, now: Ns) -> tuple[Side, ...]:
        """Return the sensors covered for too long."""
        return tuple(side for side in SIDES if side in self._active and now - self._active[side] >= STUCK)
