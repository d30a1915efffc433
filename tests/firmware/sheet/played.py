"""Matches as the journal holds them, made of events at given seconds, and a whole evening by chance."""

import random
from collections.abc import Sequence
from typing import Final

from firmware.console.setup import Setup, opened_by
from firmware.journal import KeptMatch, Run
from firmware.journal.kept import event_text, result_text, start_text
from firmware.sheet.sheet import Sheet
from firmware.sheet.story import sheet_of
from rules import (
    BOOK,
    SIDES,
    AnyEvent,
    Choose,
    Correct,
    Drop,
    End,
    Fault,
    FaultName,
    Ns,
    Opening,
    Out,
    Record,
    Rest,
    Side,
    Stroke,
    Undo,
    moment,
    next_deadline,
    take,
)  # fmt: skip
from rules.words import SECOND

KNOWN_S: Final = 1_799_000_000
RUN: Final = Run(at_ns=0, boot="boot", origin_ns=0, utc_s=KNOWN_S, known=True, program="0.1.0")


def s(value: float) -> Ns:
    """Return seconds as whole nanoseconds."""
    return Ns(round(value * SECOND))


def kept(
    events: Sequence[AnyEvent], setup: Setup | None = None, *, run: Run = RUN, number: int = 7
) -> KeptMatch:
    """Return a match of these events; what the law refuses is left out, as the box does."""
    opened = opened_by(
        setup or Setup(rulebook=BOOK, home_names=("Anna", ""), away_names=("Bert", "")), "match"
    )
    record, taken = opened.record, []
    for event in events:
        before = record.match
        record, _ = take(opened.rulebook, record, event)
        if record.match is not before:
            taken.append(event)
    return KeptMatch(
        number=number,
        start=start_text(opened, f"match-{number}"),
        runs=(run,),
        events=tuple(event_text(event) for event in taken),
        result=result_text(record.match),
    )


def sheet(*events: AnyEvent, setup: Setup | None = None) -> Sheet:
    """Return the sheet of a match of these events."""
    return sheet_of(kept(events, setup))


class _Hall:
    """People at a table: what they do next depends on where the match stands."""

    def __init__(self, seed: int, setup: Setup) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - the same match every time
        self.opened = opened_by(setup, "match")
        self.record: Record = self.opened.record
        self.events: list[AnyEvent] = []
        self.t = 0

    def report(self, event: AnyEvent) -> None:
        """Take an event, what fell due before it first."""
        while (due := next_deadline(self.record.match)) is not None and due < event.t:
            self._take(End(t=due))
        self._take(event)

    def _take(self, event: AnyEvent) -> None:
        self.events.append(event)
        self.record, _ = take(self.opened.rulebook, self.record, event)

    def later(self, least_s: float, most_s: float) -> Ns:
        """Let time go by."""
        self.t += self.chance.randrange(round(least_s * SECOND), round(most_s * SECOND))
        return Ns(self.t)

    def act(self) -> None:
        """Do the next thing."""
        match = self.record.match
        t = self.later(0.5, 4)
        now = moment(match)
        if now == "opening":
            self.report(Opening(t=t, nearest=self.chance.choice(SIDES)))
        elif now == "asked":
            spots = match.asked.spots if match.asked is not None else None
            self.report(Choose(t=t, spot=spots[0]) if spots else Choose(t=t, ball=1))
        elif now == "turn":
            self.report(Stroke(t=self.later(4, self.chance.choice([12, 20, 30, 50, 64]))))
        elif now == "rolls":
            self.roll(match.turn or "red", t)
        else:
            self.report(Rest(t=t))

    def roll(self, side: Side, t: Ns) -> None:
        """Let a stroke come to its rest: a goal, a fault, a ball off the table, or nothing."""
        if self.chance.random() < 0.55:
            self.report(Drop(t=t, goal=side, ball=side))
        if self.chance.random() < 0.1:
            self.report(Fault(t=t, fault=self.chance.choice(FAULTS), ball="own"))
        if self.chance.random() < 0.05:
            self.report(Out(t=t, ball=side))
        self.report(Rest(t=self.later(1, 2)))

    def correct(self) -> None:
        """Now and then something is taken back, set by hand, or called late."""
        if self.chance.random() < 0.05:
            t = self.later(0.5, 2)
            mended: list[AnyEvent] = [Undo(t=t), Correct(t=t, left=s(40)), Fault(t=t, fault="foot_off_floor")]
            self.report(self.chance.choice(mended))


FAULTS: Final[tuple[FaultName, ...]] = ("touch", "push_through", "foot_off_floor", "jumped_directly")


def by_chance(seed: int, setup: Setup | None = None, *, until: int = 10_000) -> list[AnyEvent]:
    """Return the events of a match as people play it: goals, faults, calls, late faults, undos, corrections."""
    hall = _Hall(seed, setup or Setup(rulebook=BOOK))
    while hall.record.match.phase != "over" and len(hall.events) < until:
        hall.act()
        hall.correct()
    return hall.events
