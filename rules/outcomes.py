"""Outcomes: what the law answers, one frozen value for each line of the notation.

Lives here: their shape. Horns, lamps and pictures are described, never made, here.
"""

from typing import Literal

from rules.clauses import ClauseId, PutBack, Where
from rules.words import ByContestant, BySide, Contestant, Ns, Side, Value

SignalName = Literal["zeit", "expired", "fault", "game", "match"]
TurnRuled = Literal["stays", "passes", "lost", "game_lost"]
Which = Literal["cue", "touched", "out", "wedged", "own_goal", "in_triangle", "chosen", "late"]
Why = Literal[
    "already", "asked", "begun", "clock_only", "fact", "no_clock", "no_stroke", "not_asked", "not_game_2",
    "not_offered", "not_on", "not_paused", "nothing", "one_a_side", "open_play", "opening", "over", "own_goal_only",
    "release", "rolling", "running", "second_fault", "singles", "too_early", "too_late", "too_long", "too_many",
    "which_ball", "won",
]  # fmt: skip


class Place(Value, frozen=True, kw_only=True):
    """One ball to be laid: `to` penalty carries the spots that may be used, in order."""

    ball: Side
    which: Which
    to: Where
    spots: tuple[int, ...] | None = None


class Question(Value, frozen=True, kw_only=True):
    """What is asked: a spot or a ball of the side that chooses, or which opening ball lies nearest."""

    ask: Literal["spot", "ball", "nearest"]
    side: Side | None = None
    spots: tuple[int, ...] | None = None


class Outcome(Value, frozen=True, kw_only=True, tag_field="out", tag=str.lower, omit_defaults=False):
    """One line of the answer, at instant `t`."""

    t: Ns


class Signal(Outcome, frozen=True, kw_only=True):
    """Something to be heard."""

    signal: SignalName


class Ruling(Outcome, frozen=True, kw_only=True):
    """What the referee does next; the last five values are as they are after it."""

    clauses: tuple[ClauseId, ...]
    by: Side
    turn: TurnRuled
    next: Side | None
    player: int
    put_back: PutBack
    place: tuple[Place, ...]
    balls: BySide[int]
    kader: bool
    game: Side | None
    games: ByContestant[int]
    match: Contestant | None


class Ask(Outcome, frozen=True, kw_only=True, omit_defaults=True):
    """A question of the law that is open now."""

    ask: Literal["spot", "ball", "nearest"]
    side: Side | None = None
    spots: tuple[int, ...] | None = None


class Refused(Outcome, frozen=True, kw_only=True):
    """The report is understood but not possible now; nothing has changed."""

    event: str
    why: Why


AnyOutcome = Signal | Ruling | Ask | Refused
