"""Playing a match in a test: lines of the notation in, outcomes as plain JSON out."""

import json
from collections.abc import Iterator
from typing import Any

from firmware.script import Opened, read_lines
from rules import (
    BOOK,
    AnyEvent,
    Match,
    Ns,
    Outcome,
    Record,
    Rulebook,
    Undo,
    check,
    match_from,
    next_deadline,
    read_event,
    state,
    take,
    write,
)
from rules.words import SECOND

Line = dict[str, Any]

DUO: Line = {"players": {"home": ["A", "B"], "away": ["C", "D"]}}


def at(t: float, event: str, **keys: object) -> Line:
    """Return a line of the notation."""
    return {"t": t, "event": event, **keys}


def in_a_game(red: int = 4, white: int = 4, turn: str = "red", **keys: object) -> Line:
    """Return the head of a script that starts inside a game."""
    return {"position": {"balls": {"red": red, "white": white}, "turn": turn, **keys}}


class Table:
    """A match that is played line by line; every state on the way is sound."""

    def __init__(self, head: Line | None = None, rulebook: Rulebook = BOOK) -> None:
        """Open the match of a `script` line."""
        _, opened = next(iter(read_lines([json.dumps({"script": "test", **(head or {})})], "-", rulebook)))
        assert isinstance(opened, Opened)
        self.rulebook = opened.rulebook
        self.record = opened.record
        self.now = Ns(0)
        self.said: list[Line] = []

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self.record.match

    @property
    def state(self) -> Line:
        """The state object as of the last line."""
        return state(self.match, self.now)

    def play(self, *lines: Line) -> list[Line]:
        """Take lines; return what was said to them."""
        before = len(self.said)
        for line in lines:
            self.take(read_event(line))
        return self.said[before:]

    def take(self, event: AnyEvent) -> tuple[Outcome, ...]:
        """Take an event; return what was said to it."""
        self.record, outcomes = take(self.rulebook, self.record, event)
        self.now = event.t
        self.said += [write(said) for said in outcomes]
        assert check(self.match) == ()
        return outcomes

    def undo(self, times: int = 1) -> list[Line]:
        """Take back the last reports at this very instant; return what was said."""
        before = len(self.said)
        for _ in range(times):
            self.take(Undo(t=self.now))
        return self.said[before:]

    def deadlines(self, until: float) -> Iterator[float]:
        """Yield the instants at which something falls due while nobody reports anything."""
        due = next_deadline(self.match)
        while due is not None and due <= until * SECOND:
            yield due / SECOND
            self.play(at(due / SECOND, "end"))
            due = next_deadline(self.match)


def signals(said: list[Line]) -> list[tuple[float, str]]:
    """Return the instants and names of what was heard."""
    return [(line["t"], line["signal"]) for line in said if line["out"] == "signal"]


def rulings(said: list[Line]) -> list[Line]:
    """Return the rulings."""
    return [line for line in said if line["out"] == "ruling"]


def whys(said: list[Line]) -> list[str]:
    """Return why reports were refused."""
    return [line["why"] for line in said if line["out"] == "refused"]


def again(match: Match, now: Ns, rulebook: Rulebook = BOOK) -> Record:
    """Return the match as its state gives it back, through JSON text."""
    text = json.dumps(state(match, now))
    given = match_from(
        json.loads(text), rulebook, best_of=match.best_of, duo=match.duo, clock_only=match.clock_only
    )
    return Record(match=given)
