"""A match without end for the harnesses: what a table reports, by a number alone, so that any prefix can be named.

Lives here: the events, and their fold as short digests. Never here: a clock; instants are the script's.
"""

import sys
import zlib
from collections.abc import Iterable, Iterator

import msgspec

from firmware.console.setup import Setup, opened_by
from firmware.journal import KeptMatch, told
from firmware.journal.kept import event_text
from rules import (
    BOOK,
    AnyEvent,
    Choose,
    Drop,
    Fault,
    Match,
    Opening,
    Record,
    Rest,
    Side,
    Stroke,
    Undo,
    moment,
    state,
    take,
)
from rules.words import SECOND, Ns

OPENED = opened_by(Setup(rulebook=BOOK, best_of=99), "match")


def script() -> Iterator[tuple[AnyEvent, Match]]:
    """Yield events that the law takes, and the match after each."""
    record, t, turn = OPENED.record, 0, 0
    while record.match.phase != "over":
        t += 700_000_001
        for event in _next(record.match, Ns(t), turn):
            before = record.match
            record, _ = take(BOOK, record, event)
            if record.match is not before:
                yield event, record.match
        turn += 1


def _next(match: Match, t: Ns, turn: int) -> Iterator[AnyEvent]:
    side: Side = match.turn or "red"
    now = moment(match)
    if now == "opening":
        yield Opening(t=t, nearest="red")
    elif match.asked is not None:
        spots = match.asked.spots
        yield Choose(t=t, spot=spots[0]) if spots else Choose(t=t, ball=1)
    elif now == "turn":
        yield Stroke(t=t)
        if turn % 3 == 0:
            yield Drop(t=Ns(t + SECOND // 10), goal=side, ball=side)
        if turn % 17 == 0:
            yield Fault(t=Ns(t + SECOND // 8), fault="touch", ball="own")
        yield Rest(t=Ns(t + SECOND // 5))
        if turn % 11 == 0:
            yield Undo(t=Ns(t + SECOND // 4))
    else:
        yield Rest(t=t)


def digest(match: Match) -> int:
    """Return a match in short: what every display would show, the clock to the nanosecond."""
    return zlib.crc32(msgspec.json.encode(state(match, match.at)))


def digests(kept: KeptMatch) -> list[int]:
    """Return the digest before the first event of a kept match, and after each."""
    read = told(kept)
    record: Record = read.opened.record
    found = [digest(record.match)]
    for event in read.events:
        record, _ = take(read.opened.rulebook, record, event)
        found.append(digest(record.match))
    return found


def say(line: str) -> None:
    """Print a figure at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def texts(events: Iterable[AnyEvent]) -> list[str]:
    """Return events as the journal's lines."""
    return [event_text(event) for event in events]
