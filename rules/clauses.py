"""The clause table: the 49 clauses of the book as data, in its order.

Lives here: which fault a clause describes and what its ruling must say, in open and in kader play. Never
here: code that decides. The same table as `tests/law/law.toml`; a test holds the two against each other.

`place` keeps the order in which the ruling lays balls: `cue` is the ball played, `ball` the one named by
the call, `choice` one of the offender's balls that the opponent chooses.
"""

from typing import Literal, get_args

from rules.words import Value

FaultName = Literal[
    "foot_off_floor", "jumped_directly", "lifted_over_cushion", "in_attack_triangle", "hard_stroke_below_line",
    "aimed_behind_opponent", "played_opponent_ball", "played_before_rest", "touch", "interfered_own",
    "interfered_opponent", "push_through", "own_on_own", "triangle_not_left", "no_ball_left_kader",
    "wrong_opener", "wrong_order", "time_exceeded",
]  # fmt: skip
FAULTS: tuple[FaultName, ...] = get_args(FaultName)

ClauseId = str
Turn = Literal["lost", "game_lost"]
PutBack = Literal["none", "moved", "moved_by_fault"]
What = Literal["cue", "ball", "choice"]
Where = Literal["penalty", "goal", "free", "back"]


class Effect(Value, frozen=True, kw_only=True):
    """What a ruling must say. A missing `turn` follows TOR-04; `turn_with_goal` holds beside a valid goal."""

    turn: Turn | None = None
    turn_with_goal: Turn | None = None
    put_back: PutBack = "none"
    place: tuple[tuple[What, Where], ...] = ()


class Clause(Value, frozen=True, kw_only=True):
    """One clause: its id, the fault a referee calls by it, and its effects where it has any."""

    id: ClauseId
    fault: FaultName | None = None
    effect: Effect | None = None
    kader: Effect | None = None
    without_stroke: Effect | None = None
    late: Effect | None = None


_LOST = Effect(turn="lost")
_BACK = Effect(turn="lost", put_back="moved")
_BACK_CUE = Effect(turn="lost", put_back="moved", place=(("cue", "penalty"),))
_BACK_CHOICE = Effect(turn="lost", put_back="moved", place=(("choice", "penalty"),))
_CHOICE = Effect(turn="lost", place=(("choice", "penalty"),))
_CUE = Effect(turn="lost", place=(("cue", "penalty"),))
_BACK_BALL = Effect(turn="lost", put_back="moved", place=(("ball", "penalty"),))

CLAUSES: tuple[Clause, ...] = (
    Clause(id="FEH-01", fault="foot_off_floor", effect=_BACK, kader=_BACK_CUE),
    Clause(id="FEH-02", effect=Effect(place=(("ball", "goal"),))),
    Clause(id="FEH-03", effect=Effect(place=(("ball", "free"),))),
    Clause(id="FEH-04", effect=Effect(place=(("ball", "penalty"),))),
    Clause(id="FEH-05", fault="jumped_directly", effect=_BACK_CUE),
    Clause(id="FEH-06", effect=Effect(turn_with_goal="lost", place=(("ball", "penalty"),))),
    Clause(id="FEH-07", effect=Effect(turn_with_goal="lost", place=(("ball", "goal"), ("cue", "penalty")))),
    Clause(id="FEH-08", effect=Effect(turn="game_lost")),
    Clause(id="FEH-09"),
    Clause(id="FEH-10"),
    Clause(id="FEH-11", fault="lifted_over_cushion", effect=_BACK_CUE),
    Clause(id="FEH-12", fault="in_attack_triangle", effect=Effect(place=(("ball", "penalty"),))),
    Clause(id="TOR-01", late=Effect(place=(("ball", "back"),))),
    Clause(id="TOR-02"),
    Clause(id="TOR-03", effect=Effect(turn="lost", place=(("ball", "penalty"),))),
    Clause(id="TOR-04"),
    Clause(id="TOR-05"),
    Clause(id="TOR-06"),
    Clause(id="TOR-07"),
    Clause(id="TOR-08", fault="hard_stroke_below_line", effect=_BACK_CUE),
    Clause(id="ZIE-01", fault="aimed_behind_opponent", effect=_LOST, kader=_CHOICE),
    Clause(id="ZIE-02", fault="played_opponent_ball", effect=_BACK, kader=_BACK_CHOICE),
    Clause(id="ZIE-03", fault="played_before_rest", effect=_BACK, kader=_BACK_CUE),
    Clause(id="BER-01", fault="touch", effect=_BACK_CUE, without_stroke=_BACK),
    Clause(id="BER-02", fault="touch", kader=_BACK_CUE),
    Clause(id="BER-03", fault="touch", kader=_BACK_CHOICE),
    Clause(
        id="BER-04",
        fault="interfered_own",
        effect=Effect(turn="lost", put_back="moved_by_fault", place=(("ball", "penalty"),)),
    ),
    Clause(
        id="BER-05",
        fault="interfered_opponent",
        effect=Effect(turn="lost", put_back="moved_by_fault", place=(("cue", "penalty"), ("ball", "goal"))),
    ),
    Clause(id="DUR-01", fault="push_through", effect=_BACK_CUE),
    Clause(id="DUR-02"),
    Clause(id="DUR-03"),
    Clause(id="EIG-01", fault="own_on_own", effect=_BACK_CUE),
    Clause(id="DRE-01", fault="triangle_not_left", effect=_BACK_BALL),
    Clause(id="DRE-02", fault="triangle_not_left", effect=_BACK_BALL),
    Clause(id="KAD-01"),
    Clause(id="KAD-02"),
    Clause(id="KAD-03", fault="no_ball_left_kader", kader=_CUE),
    Clause(id="STR-01"),
    Clause(id="STR-02"),
    Clause(id="STR-03"),
    Clause(id="STR-04"),
    Clause(id="STR-05"),
    Clause(id="STR-06"),
    Clause(id="STR-07"),
    Clause(id="STR-08"),
    Clause(id="DUO-01", fault="wrong_opener", effect=_CUE),
    Clause(id="DUO-02", fault="wrong_order", effect=_BACK, kader=_BACK_CUE),
    Clause(id="DUO-03"),
    Clause(id="ZEI-01", fault="time_exceeded", effect=_LOST, kader=_CHOICE),
)

BY_ID: dict[ClauseId, Clause] = {clause.id: clause for clause in CLAUSES}
