"""The words of the book as message ids: sides, keys, faults, reports, and what a ruling does with a ball.

Lives here: which message a value of the law is spoken with; menus and screens share it. Never here: translations
(`locale/`), places on a screen.
"""

from typing import Final, Literal

from firmware.texts import N_, Texts
from rules import (
    Abandon,
    AnyEvent,
    Blocked,
    Choose,
    Cleared,
    Concede,
    Correct,
    Drop,
    End,
    Fault,
    FaultName,
    Opening,
    Out,
    Pause,
    Recovered,
    Rest,
    Resume,
    Side,
    Stroke,
    Undo,
    Wedged,
)  # fmt: skip
from rules.outcomes import Which

TIMES: Final = "\u00d7"
KeyCap = Literal["red", "up", "white", "fault", "ok", "undo", "stroke", "down", "rest"]

SIDES: Final[dict[Side, str]] = {"red": N_("Red"), "white": N_("White")}

TROUBLES: Final = (N_("sensor is covered"), N_("sensor switched off, use the keys"), N_("key is stuck"))
"""What the box itself finds wrong with its inputs; what a device or the journal says comes as a sentence."""
PLACES: Final = {"goal_red": N_("red goal"), "goal_white": N_("white goal")}
"""What the inputs under the goals are called."""

KEYS: Final[dict[KeyCap, str]] = {
    "red": N_("Red"), "up": "▲", "white": N_("White"),
    "fault": N_("Fault"), "ok": "OK", "undo": N_("Undo"),
    "stroke": N_("Stroke"), "down": "▼", "rest": N_("Rest"),
}  # fmt: skip
"""What stands on the keys."""

FAULTS: Final[dict[FaultName, str]] = {
    "foot_off_floor": N_("No foot on the floor"),
    "jumped_directly": N_("Jumped directly"),
    "lifted_over_cushion": N_("Lifted over the cushion"),
    "in_attack_triangle": N_("In the attack triangle"),
    "hard_stroke_below_line": N_("Hard below the stroke line"),
    "aimed_behind_opponent": N_("Aimed behind opponent's ball"),
    "played_opponent_ball": N_("Played opponent's ball"),
    "played_before_rest": N_("Played before rest"),
    "touch": N_("Touch"),
    "interfered_own": N_("Interfered with own ball"),
    "interfered_opponent": N_("Interfered with opponent's ball"),
    "push_through": N_("Push-through"),
    "own_on_own": N_("Own ball on own ball"),
    "triangle_not_left": N_("Triangle not left"),
    "no_ball_left_kader": N_("No ball left its kader"),
    "wrong_opener": N_("Wrong opener"),
    "wrong_order": N_("Wrong order"),
    "time_exceeded": N_("Time exceeded"),
}
"""Each fits the width of the referee's screen."""

WHICH: Final[dict[Which, str]] = {
    "cue": N_("cue ball"),
    "touched": N_("touched ball"),
    "out": N_("off the table"),
    "wedged": N_("wedged ball"),
    "own_goal": N_("from defence goal"),
    "in_triangle": N_("in the triangle"),
    "chosen": N_("named ball"),
    "late": N_("fell late"),
}
"""Which ball a ruling lays."""

BALL_IN_GOAL: Final[dict[Side, str]] = {
    "red": N_("{ball} in the red goal"),
    "white": N_("{ball} in the white goal"),
}

REPORTS: Final[dict[type[AnyEvent], str]] = {
    Opening: N_("Opening"),
    Stroke: N_("Stroke"),
    Rest: N_("Rest"),
    Pause: N_("Pause"),
    Resume: N_("Clock goes on"),
    Undo: N_("Undo"),
    Correct: N_("Correction"),
    Concede: N_("Concession"),
    Abandon: N_("Match abandoned"),
    Recovered: N_("Restart"),
    End: N_("Time exceeded"),
}
"""Reports that need no more than their name; an expiry is reported by an `end`."""


def side(texts: Texts, of: Side) -> str:
    """Return the word for a colour."""
    return texts(SIDES[of])


def drop(texts: Texts, ball: Side, goal: Side) -> str:
    """Return which ball fell into which goal."""
    return texts(BALL_IN_GOAL[goal], ball=side(texts, ball))


def report(texts: Texts, event: AnyEvent) -> str:
    """Return a report in a few words, as undo names it."""
    match event:
        case Drop():
            return drop(texts, event.ball, event.goal)
        case Out():
            return texts("{ball} off the table", ball=_counted(texts, event.ball, event.count))
        case Wedged():
            return texts("{ball} wedged", ball=side(texts, event.ball))
        case Fault():
            return texts(FAULTS[event.fault])
        case Choose():
            return texts("Choice of spot") if event.ball is None else texts("Choice of ball")
        case Blocked():
            return texts("Spot {spot} blocked", spot=str(event.spot))
        case Cleared():
            return texts("Spot {spot} free", spot=str(event.spot))
        case _:
            return texts(REPORTS[type(event)])


def _counted(texts: Texts, ball: Side, count: int) -> str:
    return side(texts, ball) if count == 1 else f"{count} {TIMES} {side(texts, ball)}"
