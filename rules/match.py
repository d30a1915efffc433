"""The match as it stands: one frozen value, and what can be read off it.

Lives here: the state of the fold. A match never holds its past, save the last stroke's facts with the position
it was played from (a late fault rules anew) and the clocks that were called already. Never here: a transition.
"""

from typing import Literal, cast

import msgspec

from rules.events import Blocked, Cleared, Drop, Fault, Out, Wedged
from rules.outcomes import Question, Which
from rules.rulebook import Rulebook
from rules.words import BALLS, ByContestant, BySide, Contestant, Ns, Phase, Side, Value, Winner, other

Moment = Literal["opening", "opening_rolls", "nearest", "turn", "rolls", "asked", "release", "over"]
"""Where in the course of a game the match stands: what can be reported depends on it alone.

`opening` before the opening strokes, `opening_rolls` after `stroke` was reported for them, `nearest` when their
`rest` asks which ball lies nearest; `turn` while the turn clock runs, is paused or has expired silently; `rolls`
from stroke to rest; `asked` while a choice is open; `release` until the referee releases play; `over`.
"""


class Clock(Value, frozen=True, kw_only=True, omit_defaults=False):
    """The turn clock: what was left at a known instant and whether it runs.

    `left` to the call and `grace` after it held at `since`. `called`: the call of this countdown was heard in a run
    before this one; `lapsed`: its expiry is past already, so with nothing left it stays silent.
    """

    state: Literal["stopped", "running", "paused"]
    left: Ns
    grace: Ns
    since: Ns = Ns(0)
    called: bool = False
    lapsed: bool = False


Run = tuple[Ns, Ns, Ns]
"""One run of the clock: the instant it began at, and the time and the grace it began with."""


class Spots(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The penalty spots of one side: `on` where one of its balls was laid, `faulty` already used (STR-08)."""

    on: tuple[int, ...] = ()
    faulty: tuple[int, ...] = ()
    blocked: tuple[int, ...] = ()


class Laying(Value, frozen=True, kw_only=True):
    """A ball that a ruling lays on a penalty spot, still to be laid.

    `unused`: STR-08 names the spot; `picked`: the opponent has chosen the ball.
    """

    side: Side
    which: Which
    unused: bool = False
    picked: bool = False


class Laid(Value, frozen=True, kw_only=True):
    """A ball laid on `spot` since the last release: laid anew if that turns out to be blocked."""

    ball: Laying
    spot: int


Report = Drop | Out | Wedged | Blocked | Cleared


class Played(Value, frozen=True, kw_only=True):
    """A stroke's facts: the position it was played from and what was reported since, in order.

    `early` is a call of ZIE-03 beside it, made after `early_after` reports.
    """

    at: Ns
    before: "Match"
    reports: tuple[Report, ...] = ()
    fault: Fault | None = None
    early: Fault | None = None
    early_after: int = 0
    on_spot: int | None = None


class Match(Value, frozen=True, kw_only=True):
    """The whole state. `at` is the instant of the last line taken.

    `rolling` is the running stroke, `ruled` the last one while a late fault may still rule on it anew, `laying`
    the balls still to be laid, `laid` those laid since the last release, `opening_goals` the sides that holed a ball
    in the opening (None from the first stroke on), `next` who of each duo plays its next turn, `called` and `lapsed`
    the runs of the clock whose call was heard and whose expiry is past.
    """

    best_of: int
    duo: bool
    clock_only: bool
    phase: Phase
    clock: Clock
    balls: BySide[int]
    games: ByContestant[int]
    spots: BySide[Spots]
    home: Side
    openers: ByContestant[int]
    next: BySide[int]
    turn: Side | None = None
    player: int = 0
    asked: Question | None = None
    match: Winner | None = None
    opened: bool = False
    opening_goals: tuple[Side, ...] | None = None
    rolling: Played | None = None
    ruled: Played | None = None
    laying: tuple[Laying, ...] = ()
    laid: tuple[Laid, ...] = ()
    called: tuple[Run, ...] = ()
    lapsed: tuple[Run, ...] = ()
    at: Ns = Ns(0)


FULL: BySide[int] = BySide(red=BALLS, white=BALLS)
NO_SPOTS: BySide[Spots] = BySide(red=Spots(), white=Spots())


def new_match(rulebook: Rulebook, *, best_of: int = 3, duo: bool = False, clock_only: bool = False) -> Match:
    """Return a match before its first opening, or a training evening before its first rest.

    `best_of` is odd and at least 1.
    """
    return Match(
        best_of=best_of,
        duo=duo,
        clock_only=clock_only,
        phase="open" if clock_only else "opening",
        clock=fresh_clock(rulebook, duo=duo),
        balls=FULL,
        games=ByContestant(home=0, away=0),
        spots=NO_SPOTS,
        home="white",
        openers=ByContestant(home=0, away=0),
        next=BySide(red=0, white=0),
        opening_goals=None if clock_only else (),
    )


def fresh_clock(rulebook: Rulebook, *, duo: bool) -> Clock:
    """Return a stopped clock with the whole time."""
    return Clock(state="stopped", left=rulebook.call_after(duo=duo), grace=rulebook.grace_after(duo=duo))


def moment(match: Match) -> Moment:
    """Return where in the course of a game the match stands."""
    if match.phase == "over":
        return "over"
    if match.phase == "opening":
        if match.asked is not None:
            return "nearest"
        return "opening_rolls" if match.opened else "opening"
    if match.rolling is not None:
        return "rolls"
    if match.asked is not None:
        return "asked"
    return "release" if match.clock.state == "stopped" else "turn"


def at_table(match: Match) -> Side:
    """Return the side at the table; there is one in every game."""
    return cast("Side", match.turn)


def contestant_of(match: Match, side: Side) -> Contestant:
    """Return who plays the colour `side` in this game."""
    return "home" if side == match.home else "away"


def colour_of(match: Match, contestant: Contestant) -> Side:
    """Return the colour that `contestant` plays in this game."""
    return match.home if contestant == "home" else other(match.home)


def game_number(match: Match) -> int:
    """Return the number of the running game, or of the next one before its opening; from 1."""
    return match.games.home + match.games.away + 1


def games_needed(match: Match) -> int:
    """Return how many games win the match."""
    return match.best_of // 2 + 1


def kader(balls: BySide[int]) -> bool:
    """Say whether kader play is on with these counts (KAD-02)."""
    return 1 in (balls.red, balls.white)


def with_at(match: Match, t: Ns) -> Match:
    """Return the match as of the line at `t`."""
    return msgspec.structs.replace(match, at=t)
