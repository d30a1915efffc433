"""The desk: what menus may do at the table. The console gives itself to them as this, and nothing more.

Lives here: the interface between keys and the law, and asking the law what an answer would change.
"""

from collections.abc import Sequence
from typing import Protocol

from rules import AnyEvent, Match, Ns, Record, Refused, Rulebook, Ruling, take


class Desk(Protocol):
    """A record that can be looked at, reported to, and tried out."""

    @property
    def record(self) -> Record:
        """The match and its past, now."""

    @property
    def rulebook(self) -> Rulebook:
        """What the match is played by."""

    @property
    def names(self) -> "tuple[tuple[str, ...], tuple[str, ...]]":
        """The players of home and of away."""

    def instant(self, at: Ns) -> Ns:
        """Return the instant of a report that a key made at `at`: never before the last line."""

    def report(self, event: AnyEvent) -> bool:
        """Report an event to the law; say whether it was taken."""


def match_of(desk: Desk) -> Match:
    """Return the match as it stands."""
    return desk.record.match


def accepts(desk: Desk, event: AnyEvent) -> bool:
    """Say whether the law would take `event` now."""
    _, outcomes = take(desk.rulebook, desk.record, event)
    return not any(isinstance(said, Refused) for said in outcomes)


def effect_of(desk: Desk, events: Sequence[AnyEvent]) -> object:
    """Return what `events` would lead to, for comparing: the rulings, and the spots used up."""
    record, rulings = desk.record, []
    for event in events:
        record, outcomes = take(desk.rulebook, record, event)
        rulings += [said for said in outcomes if isinstance(said, Ruling | Refused)]
    spots = record.match.spots
    return rulings, spots.red.faulty, spots.white.faulty


def matters(desk: Desk, variants: Sequence[Sequence[AnyEvent]]) -> bool:
    """Say whether the answer changes the ruling: the console asks nothing else."""
    effects = [effect_of(desk, events) for events in variants]
    return any(effect != effects[0] for effect in effects)
