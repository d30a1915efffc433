"""Events: what the referee or a sensor reports, one frozen value for each line of the notation.

Lives here: the shape of a report and the domain of each key, as `replay.md` gives them. Never here:
whether a report is possible now (that is `step`).

Every event carries `t`, the instant of its line. Reading one from outside goes through `notation.py`,
which turns seconds into whole nanoseconds and says what is wrong with a bad key.
"""

from typing import Annotated, Literal

from msgspec import Meta

from rules.clauses import FaultName
from rules.words import ByContestant, Ns, Side, Value

Count = Annotated[int, Meta(ge=1, le=5)]
Player = Annotated[int, Meta(ge=0, le=1)]
SpotNumber = Annotated[int, Meta(ge=1, le=5)]
Games = Annotated[int, Meta(ge=0, le=99)]


class Event(Value, frozen=True, kw_only=True, tag_field="event", tag=str.lower):
    """One line of the notation; `t` never falls from one line to the next."""

    t: Ns


class Opening(Event, frozen=True, kw_only=True):
    """The opening strokes are over; the ball of `nearest` keeps the turn (DUO-01)."""

    nearest: Side
    home: Side | None = None
    openers: ByContestant[Player] | None = None


class Stroke(Event, frozen=True, kw_only=True):
    """The tip has struck: the clock stops."""

    on_spot: SpotNumber | None = None


class Rest(Event, frozen=True, kw_only=True):
    """All balls are at rest; or, before a release, play is released; or a paused clock goes on."""

    on_spot: SpotNumber | None = None


class Drop(Event, frozen=True, kw_only=True):
    """A ball of colour `ball` fell into the goal of colour `goal`; `at` is the sensor's stamp."""

    goal: Side
    ball: Side
    cue: bool | None = None
    by_fault: bool = False
    late: bool = False
    at: Ns | None = None

    def __post_init__(self) -> None:
        """Refuse a stamp from the future."""
        if self.at is not None and self.at > self.t:
            raise ValueError("at: a drop's stamp is not later than its line's t")


class Out(Event, frozen=True, kw_only=True):
    """Balls played off the table, or resting on cushion, cap or cover (FEH-06, 07, 10)."""

    ball: Side
    count: Count = 1
    cue: bool | None = None


class Wedged(Event, frozen=True, kw_only=True):
    """A ball stuck between the caps of `goal`, or between a cap and the short cushion (FEH-02 to 04)."""

    ball: Side
    between: Literal["goal_caps", "cap_and_cushion"]
    goal: Side | None = None
    cue: bool | None = None

    def __post_init__(self) -> None:
        """Require the goal whose caps hold the ball, and nothing where there is none."""
        if (self.between == "goal_caps") != (self.goal is not None):
            raise ValueError("goal: goes with between 'goal_caps', and only with it; red or white")


class Fault(Event, frozen=True, kw_only=True):
    """The referee calls a fault, by its name in the clause table."""

    fault: FaultName
    ball: Literal["own", "opponent"] | None = None
    with_stroke: bool = True
    count: Count = 1
    side: Side | None = None
    on_spot: SpotNumber | None = None


class Choose(Event, frozen=True, kw_only=True):
    """The opponent's choice: a penalty spot, or one of the offender's balls."""

    spot: SpotNumber | None = None
    ball: Count | None = None

    def __post_init__(self) -> None:
        """Require one of the two."""
        if (self.spot is None) == (self.ball is None):
            raise ValueError("a choice has either spot (1 to 5) or ball (1 to 5)")


class Blocked(Event, frozen=True, kw_only=True):
    """Other balls prevent a penalty spot of `side`, until the next stroke (STR-05)."""

    side: Side
    spot: SpotNumber


class Cleared(Event, frozen=True, kw_only=True):
    """The ball that lay on a penalty spot of `side` has gone."""

    side: Side
    spot: SpotNumber


class Pause(Event, frozen=True, kw_only=True):
    """The turn clock is held."""


class Resume(Event, frozen=True, kw_only=True):
    """The turn clock goes on."""


class Undo(Event, frozen=True, kw_only=True):
    """Takes back the last report. `record.py` answers it; the fold never sees it."""


class SpotsGiven(Value, frozen=True, kw_only=True):
    """The ledger of one side as a correction sets it."""

    on: tuple[SpotNumber, ...] = ()
    faulty: tuple[SpotNumber, ...] = ()


class BallsGiven(Value, frozen=True, kw_only=True):
    """Ball counts as a correction sets them; a side that is missing keeps its count."""

    red: Count | None = None
    white: Count | None = None


class GamesGiven(Value, frozen=True, kw_only=True):
    """Games won as a correction sets them; a contestant that is missing keeps its games."""

    home: Games | None = None
    away: Games | None = None


class SpotLedgersGiven(Value, frozen=True, kw_only=True):
    """The ledgers a correction sets; a side that is missing keeps its own."""

    red: SpotsGiven | None = None
    white: SpotsGiven | None = None


class Correct(Event, frozen=True, kw_only=True):
    """The referee sets by hand what is wrong."""

    balls: BallsGiven | None = None
    turn: Side | None = None
    player: Player | None = None
    games: GamesGiven | None = None
    left: Ns | None = None
    spots: SpotLedgersGiven | None = None

    def __post_init__(self) -> None:
        """Require something to correct, and a clock that is not below nothing."""
        given = (self.balls, self.turn, self.player, self.games, self.left, self.spots)
        if all(value is None for value in given):
            raise ValueError("a correction has one or more of: balls, turn, player, games, left, spots")
        if self.left is not None and self.left < 0:
            raise ValueError("left: seconds to the call, 0 or more")


class Concede(Event, frozen=True, kw_only=True):
    """A side gives up the game, or the match."""

    side: Side
    match: bool = False


class Abandon(Event, frozen=True, kw_only=True):
    """The match ends without a winner."""


class Recovered(Event, frozen=True, kw_only=True):
    """The program started again; nobody could hear or see anything for `dark` (None: unknown)."""

    dark: Ns | None

    def __post_init__(self) -> None:
        """Refuse a dark that ends before it begins."""
        if self.dark is not None and self.dark < 0:
            raise ValueError("dark: seconds nobody could hear or see anything, 0 or more, or null")


class End(Event, frozen=True, kw_only=True):
    """Lets time run on to `t`."""


AnyEvent = (
    Opening | Stroke | Rest | Drop | Out | Wedged | Fault | Choose | Blocked | Cleared | Pause
    | Resume | Undo | Correct | Concede | Abandon | Recovered | End
)  # fmt: skip
