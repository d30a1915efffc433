"""A match as it is kept: its `script` line, its events in the notation, and the runs of the program that kept them.

Lives here: lines to values and back, and folding them again. Never here: SQLite, files, or the world's time.
"""

import itertools
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from firmware.journal.errors import JournalError
from firmware.journal.lines import Row
from firmware.journal.notes import Note
from firmware.script import Opened, ScriptError, read_lines
from rules import BOOK, AnyEvent, Match, Ns, Record, new_match, read_event, state, take, write
from rules.words import Value


class Run(Value, frozen=True, kw_only=True):
    """By which program and clock the lines from instant `at_ns` on were kept.

    `origin_ns`: the match's first line on CLOCK_MONOTONIC of the boot `boot`; `utc_s`: the world's time at `at_ns`,
    guessed unless `known`; `imported`: another box's, never to go on here.
    """

    at_ns: int
    boot: str | None
    origin_ns: int
    utc_s: int
    known: bool
    program: str
    imported: bool = False


class RunLine(Value, frozen=True, kw_only=True):
    """A run as a line."""

    run: Run


class KeptMatch(Value, frozen=True, kw_only=True):
    """What the journal holds of a match; `result` is how it stood as the box saw it, where it is over.

    `damage`: what is wrong with the lines after these.
    """

    number: int
    start: str
    runs: tuple[Run, ...] = ()
    events: tuple[str, ...] = ()
    result: str | None = None
    damage: str | None = None


class Told(Value, frozen=True, kw_only=True):
    """A kept match read again: as it began, and what happened. `problem`: why the lines after these cannot be read."""

    opened: Opened
    events: tuple[AnyEvent, ...]
    problem: str | None = None

    def record(self) -> Record:
        """Fold it: the match and its past as they stood."""
        record = self.opened.record
        for event in self.events:
            record, _ = take(self.opened.rulebook, record, event)
        return record


_RUN: Final = '{"run":'


def text_of(value: msgspec.Struct | dict[str, Any]) -> str:
    """Return a line's text."""
    return msgspec.json.encode(value).decode()


def event_text(event: AnyEvent) -> str:
    """Return an event as its line."""
    return text_of(write(event))


def run_text(run: Run) -> str:
    """Return a run as its line."""
    return text_of(RunLine(run=run))


def start_text(opened: Opened, name: str) -> str:
    """Return the line that opens a match: with it alone the match can be played again anywhere."""
    match = opened.record.match
    line: dict[str, Any] = {
        "script": name,
        "rulebook": msgspec.to_builtins(opened.rulebook),
        "players": {"home": list(opened.names.home), "away": list(opened.names.away)},
        "best_of": match.best_of,
    }
    if match.clock_only:
        line["clock_only"] = True
    fresh = new_match(opened.rulebook, best_of=match.best_of, duo=match.duo, clock_only=match.clock_only)
    if match != fresh:  # it begins otherwise: other colours, or inside a game
        line["position"] = state(match, Ns(0))
    return text_of(line)


def renamed(start: str, number: int) -> str:
    """Return the line that opens a match with the name of its number."""
    line: dict[str, Any] = msgspec.json.decode(start)
    return text_of({**line, "script": f"match-{number}"})


def result_text(match: Match) -> str | None:
    """Return how a match stands that is over; None while it goes on."""
    if match.match is None:
        return None
    return text_of({"match": match.match, "home": match.games.home, "away": match.games.away})


def kept_from(rows: Sequence[Row]) -> KeptMatch:
    """Return a match from its rows, of which there is one at least. Raises `JournalError`."""
    texts = [row.text for row in rows[1:]]
    try:
        runs = tuple(msgspec.json.decode(text, type=RunLine).run for text in texts if text.startswith(_RUN))
    except msgspec.MsgspecError as error:
        text = "A newer program kept this match; install that again. ({error})"
        note = Note(text=text, values=(("error", str(error)),))
        raise JournalError(f"match {rows[0].match}", note) from error
    return KeptMatch(
        number=rows[0].match,
        start=rows[0].text,
        runs=runs,
        events=tuple(text for text in texts if not text.startswith(_RUN)),
        result=rows[-1].result,
    )


def told(kept: KeptMatch) -> Told:
    """Read a kept match. Raises `ScriptError` where not even its first line can be read."""
    lines = read_lines(itertools.chain([kept.start], kept.events), f"match {kept.number}", BOOK)
    _, opened = next(lines)
    if not isinstance(opened, Opened):
        raise ScriptError(f"match {kept.number}", "its first line opens no match")
    events: list[AnyEvent] = []
    try:
        events.extend(item for _, item in lines if isinstance(item, AnyEvent))
    except ScriptError as error:
        return Told(opened=opened, events=tuple(events), problem=str(error))
    return Told(opened=opened, events=tuple(events))


def with_record(opened: Opened, record: Record) -> Opened:
    """Return a match as it stands at `record`."""
    return replace(opened, record=record)


def last_instant(kept: KeptMatch) -> Ns:
    """Return the instant of the last event, 0 before the first."""
    return read_event(msgspec.json.decode(kept.events[-1])).t if kept.events else Ns(0)
