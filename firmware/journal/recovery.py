"""Coming back: the last match as it stands now, from what is kept and what this machine knows of the time between.

Lives here: one pure function. Never here: files, threads, a clock.

Instants count from the match's first line and never go back. In the boot that kept the last line, CLOCK_MONOTONIC has
gone on, so the clock stands where it would be; after another boot nobody knows how long it was dark, and it stands as
of the last line: the player gains, never loses.
"""

from typing import Final

from firmware.journal.kept import KeptMatch, Run, Told, with_record
from firmware.journal.notes import Note
from firmware.script import Opened
from rules import Match, Ns, Recovered, take
from rules.words import SECOND, Value


class Here(Value, frozen=True, kw_only=True):
    """The machine at one instant: the boot, CLOCK_MONOTONIC, and the world's time (None: not known)."""

    boot: str | None
    monotonic_ns: int
    utc_s: int | None = None


class Back(Value, frozen=True, kw_only=True):
    """How a match came back: for how long nobody heard or saw anything (None: unknown), and how old its state is."""

    dark: Ns | None
    age_s: int | None

    def note(self) -> Note:
        """Return what to tell people until the next report."""
        if self.dark is not None:
            values = (("age", _span(self.dark // SECOND)),)
            return Note(text="The program started again; for {age} nobody saw anything.", values=values)
        if self.age_s is not None:
            values = (("age", _span(self.age_s)),)
            return Note(text="All stands as it stood {age} ago; check clock and counts.", values=values)
        return Note(
            text="All stands as of the last report, how long ago is not known; check clock and counts."
        )


def _span(seconds: int) -> str:
    """Return a span as people say it in every language here: 45 s, 12 min, 3 h, 9 d."""
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


class CameBack(Value, frozen=True, kw_only=True):
    """A match that came back: as it stands after `recovered`, and since when its first line counts here."""

    number: int
    opened: Opened
    recovered: Recovered
    origin_ns: int
    back: Back


OVER_FOR_S: Final = 30 * 60
"""So long a match that is over comes back: it may have to be reopened, and its result is still looked at."""


def comes_back(kept: KeptMatch, here: Here, last: Match) -> bool:
    """Say whether the last match goes on: an open one always, one that is over in the same boot or soon after."""
    if any(run.imported for run in kept.runs):
        return False
    if last.phase != "over" or _in_this_boot(kept, here, last.at) is not None:
        return True
    age_s = _age_s(kept, here, last.at)
    return age_s is not None and age_s <= OVER_FOR_S


def come_back(kept: KeptMatch, told: Told, here: Here) -> CameBack:
    """Return the match with one `recovered` after its last line."""
    record = told.record()
    last = record.match.at
    run = _in_this_boot(kept, here, last)
    if run is None:
        recovered, origin_ns = Recovered(t=last, dark=None), here.monotonic_ns - last
    else:
        now = Ns(here.monotonic_ns - run.origin_ns)
        recovered, origin_ns = Recovered(t=now, dark=Ns(now - last)), run.origin_ns
    record, _ = take(told.opened.rulebook, record, recovered)
    return CameBack(
        number=kept.number,
        opened=with_record(told.opened, record),
        recovered=recovered,
        origin_ns=origin_ns,
        back=Back(dark=recovered.dark, age_s=_age_s(kept, here, last)),
    )


def _in_this_boot(kept: KeptMatch, here: Here, last: Ns) -> Run | None:
    """Return the run that kept the last line, where it was in this very boot."""
    run = kept.runs[-1] if kept.runs else None
    if run is None or run.boot is None or run.boot != here.boot or run.origin_ns + last > here.monotonic_ns:
        return None
    return run


def _age_s(kept: KeptMatch, here: Here, last: Ns) -> int | None:
    """Return how long ago the last line was, by the world's time; None where that is not known."""
    run = kept.runs[-1] if kept.runs else None
    if run is None or not run.known or here.utc_s is None:
        return None
    age_s = here.utc_s - run.utc_s - (last - run.at_ns) // SECOND
    return age_s if age_s >= 0 else None
