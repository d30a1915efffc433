"""Figures from a script that was played: latencies from the press, and how late the call is heard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.rig import logs
from tests.rig.matches import deadlines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.rig.matches import Played

SOON_NS: Final = 400_000_000
SENSOR_PINS: Final = (4, 27)


def presses(played: Played) -> list[int]:
    """Return when keys were pressed: just before the level changed."""
    return [edge.before_ns for edge in played.driven if edge.level == 0 and edge.pin not in SENSOR_PINS]


def after(presses_ns: Sequence[int], events_ns: Sequence[int]) -> list[int]:
    """Return for each press how long it took to the first event after it, where one came soon."""
    found = []
    for press in presses_ns:
        later = [at - press for at in events_ns if 0 <= at - press < SOON_NS]
        if later:
            found.append(min(later))
    return found


def to_signal(played: Played) -> list[int]:
    """Return the time from each press to the key's signal."""
    return after(presses(played), [at for at, name in logs.signals(played.out / "link") if name == "key"])


def to_glass(played: Played) -> list[int]:
    """Return the time from each press to the first change on the glass."""
    return after(presses(played), [at for at, _ in played.states])


def to_picture(played: Played) -> list[int]:
    """Return the time from each press to replay's next picture, whole and unmarked: the report is on the card."""
    return after(presses(played), [at for at, _ in played.shown.seen])


def to_hall(played: Played) -> list[int]:
    """Return the time from each press to the next different hall line, at its first byte."""
    changes = [
        at for (_, before), (at, now) in zip(played.hall, played.hall[1:], strict=False) if before != now
    ]
    return after(presses(played), changes)


def zeit_signal(played: Played) -> list[int]:
    """Return how late the call's signal was given."""
    due = deadlines(played.out)
    return after(due, [at for at, name in logs.signals(played.out / "link") if name == "zeit"])


def zeit_heard(played: Played) -> list[int]:
    """Return how late the call's first sample was recorded."""
    onsets = logs.recording(played.out / "sound").onsets()
    given = [at for at, name in logs.signals(played.out / "link") if name == "zeit"]
    due = [at for at in deadlines(played.out) if any(0 <= signal - at < SOON_NS for signal in given)]
    return after(due, onsets)
