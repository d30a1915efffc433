"""The match sheet as values: what every form of it is made of.

Lives here: the shape. Instants and spans are nanoseconds of the match. Never here: how it is told (`story.py`), or how
it looks.
"""

from typing import Literal

from rules import ByContestant, BySide, ClauseId, Contestant, Ns, Side
from rules.outcomes import TurnRuled
from rules.words import Value, Winner


class Visit(Value, frozen=True, kw_only=True, omit_defaults=False):
    """One run of the turn clock and what came of it: a stroke and its ruling, or a turn lost without one.

    `goals`: own balls that counted; `balls`: left on the table after it; `turn` null: nothing was ruled (yet). Not
    `at_table`: a ruling on somebody whose turn it was not.
    """

    game: int
    side: Side | None
    contestant: Contestant | None
    player: int
    began: Ns
    used: Ns
    struck: Ns | None
    ended: Ns
    call: bool
    expiry: bool
    turn: TurnRuled | None
    clauses: tuple[ClauseId, ...]
    goals: int
    balls: BySide[int]
    won: Side | None = None
    at_table: bool = True


class Turn(Value, frozen=True, kw_only=True, omit_defaults=False):
    """One player's turn: visits until it passed, was lost or ended the game."""

    number: int
    game: int
    side: Side | None
    contestant: Contestant | None
    player: int
    began: Ns
    ended: Ns
    strokes: int
    goals: int
    used: Ns
    longest: Ns
    calls: int
    expiries: int
    faults: tuple[ClauseId, ...]
    ends: TurnRuled | None
    won: Side | None
    balls: BySide[int]


class Game(Value, frozen=True, kw_only=True, omit_defaults=False):
    """One game; `winner` null: not ended by a ruling."""

    number: int
    home: Side
    opener: Side | None
    began: Ns
    ended: Ns
    winner: Contestant | None
    balls: BySide[int]
    turns: int


class FaultCount(Value, frozen=True, kw_only=True):
    """How often one contestant was ruled on by one clause."""

    clause: ClauseId
    contestant: Contestant
    count: int


class Player(Value, frozen=True, kw_only=True, omit_defaults=False):
    """One player's figures. `used`, `mean` and `longest` are of the turn clock: mean and longest of one run of it."""

    contestant: Contestant
    player: int
    name: str
    turns: int
    strokes: int
    goals: int
    used: Ns
    mean: Ns
    longest: Ns
    calls: int
    expiries: int
    faults: int


class Correction(Value, frozen=True, kw_only=True):
    """What the referee took back (`made`: when that was reported) or set by hand: as it stood and as it was set."""

    t: Ns
    kind: Literal["undo", "correct"]
    what: str
    made: Ns | None = None
    old: str = ""
    new: str = ""


class Pause(Value, frozen=True, kw_only=True):
    """The program was away from `began` to `ended`; `known`: for how long, else instants stood still."""

    began: Ns
    ended: Ns
    known: bool


class Day(Value, frozen=True, kw_only=True):
    """When the match was, in seconds of the epoch; only where the world's time was known."""

    began_s: int
    ended_s: int | None


class Sheet(Value, frozen=True, kw_only=True, omit_defaults=False):
    """Everything a sheet says."""

    number: int
    rulebook: str
    program: tuple[str, ...]
    day: Day | None
    names: ByContestant[tuple[str, ...]]
    best_of: int
    duo: bool
    clock_only: bool
    result: Winner | None
    games_won: ByContestant[int]
    began: Ns
    ended: Ns
    games: tuple[Game, ...]
    turns: tuple[Turn, ...]
    visits: tuple[Visit, ...]
    players: tuple[Player, ...]
    faults: tuple[FaultCount, ...]
    corrections: tuple[Correction, ...]
    pauses: tuple[Pause, ...]
    problem: str | None = None
    seen: str | None = None
    """How the box saw the result, where this program's law does not come to the same."""
