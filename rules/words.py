"""The book's words as types: sides, contestants, instants, and a value for each of two.

Lives here: the vocabulary every other file of the law shares. Never here: a rule.
"""

from typing import Generic, Literal, NewType, TypeVar

import msgspec

Ns = NewType("Ns", int)
"""Whole nanoseconds: an instant counts from the match's first line, a span from nothing."""

SECOND = 1_000_000_000

Side = Literal["red", "white"]
"""A colour. Red attacks the red goal, white the white one, whoever plays them (TOR-02)."""

Contestant = Literal["home", "away"]
Phase = Literal["opening", "open", "kader", "over"]
Winner = Literal["home", "away", "abandoned"]

SIDES: tuple[Side, Side] = ("red", "white")
CONTESTANTS: tuple[Contestant, Contestant] = ("home", "away")
BALLS = 5
"""Balls of each side at the start of a game."""

T = TypeVar("T")


class Value(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every value of the law is: frozen, by keyword, with no key it does not know."""


class BySide(Value, Generic[T], frozen=True, kw_only=True, omit_defaults=False):
    """One value for each colour."""

    red: T
    white: T

    def of(self, side: Side) -> T:
        """Return the value of `side`."""
        return self.red if side == "red" else self.white

    def put(self, side: Side, value: T) -> "BySide[T]":
        """Return the same pair with the value of `side` replaced."""
        if side == "red":
            return BySide(red=value, white=self.white)
        return BySide(red=self.red, white=value)


class ByContestant(Value, Generic[T], frozen=True, kw_only=True, omit_defaults=False):
    """One value for each contestant."""

    home: T
    away: T

    def of(self, contestant: Contestant) -> T:
        """Return the value of `contestant`."""
        return self.home if contestant == "home" else self.away

    def put(self, contestant: Contestant, value: T) -> "ByContestant[T]":
        """Return the same pair with the value of `contestant` replaced."""
        if contestant == "home":
            return ByContestant(home=value, away=self.away)
        return ByContestant(home=self.home, away=value)


def other(side: Side) -> Side:
    """Return the opponent of `side`."""
    return "white" if side == "red" else "red"


def opponent(contestant: Contestant) -> Contestant:
    """Return the other contestant."""
    return "away" if contestant == "home" else "home"
