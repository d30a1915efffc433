"""Calling faults, balls off the table and wedged balls: the list of what can be called now, with its questions.

Lives here: the order of the list, and which answers a call needs. Never here: what a fault costs; the law is asked.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from firmware.console.desk import Desk, accepts, match_of, matters
from firmware.console.law_asks import SPOT_KEYS
from firmware.console.menus import Entry, Menu, on_keys
from rules import SIDES, Drop, Fault, FaultName, Ns, Out, Rest, Side, Wedged

FIRST: Final[tuple[FaultName, ...]] = (
    "touch", "push_through", "own_on_own", "no_ball_left_kader", "foot_off_floor", "played_before_rest", "wrong_order",
    "jumped_directly", "triangle_not_left", "played_opponent_ball",
)  # fmt: skip
"""The ten that a referee calls most, in that order."""
THEN: Final[tuple[FaultName, ...]] = (
    "lifted_over_cushion", "in_attack_triangle", "hard_stroke_below_line", "aimed_behind_opponent", "interfered_own",
    "interfered_opponent", "wrong_opener", "time_exceeded",
)  # fmt: skip
"""The rest, in the book's order."""
_COUNTED: Final = frozenset({"triangle_not_left", "in_attack_triangle"})

TEXTS: Final[dict[FaultName, str]] = {
    "touch": "touch",
    "push_through": "push-through",
    "own_on_own": "own on own",
    "no_ball_left_kader": "no ball left kader",
    "foot_off_floor": "foot off the floor",
    "played_before_rest": "played too early",
    "wrong_order": "wrong order",
    "jumped_directly": "jumped directly",
    "triangle_not_left": "triangle not left",
    "played_opponent_ball": "opponent's ball played",
    "lifted_over_cushion": "lifted over cushion",
    "in_attack_triangle": "in attack triangle",
    "hard_stroke_below_line": "hard stroke",
    "aimed_behind_opponent": "aimed behind opponent",
    "interfered_own": "own ball stopped",
    "interfered_opponent": "opponent's stopped",
    "wrong_opener": "wrong opener",
    "time_exceeded": "time exceeded",
}
"""Each fault's message id, short enough for a cell."""
Answers = list[tuple[str, tuple[tuple[str, str], ...], Fault]] | None
"""The possible answers to one question: a message id, its values, and the call with that answer; None: not asked."""
Asker = Callable[[Desk, Fault], Answers]
SIDE_TEXTS: Final[dict[Side, str]] = {"red": "red", "white": "white"}


def fault_menu(desk: Desk, at: Ns) -> Menu | None:
    """Return what can be called now, each at its own place always, or None where nothing can."""
    entries: list[Entry | None] = [_callable(desk, name, at) for name in FIRST]
    entries += _balls(desk)
    entries += [_callable(desk, name, at) for name in THEN]
    return on_keys("What happened?", entries) if any(entries) else None


def _balls(desk: Desk) -> list[Entry | None]:
    """Off the table, wedged, fell by itself: what is no fault, but has to be said while balls roll."""
    match = match_of(desk)
    if match.rolling is None:
        return [None, None, None]
    dropped = any(isinstance(report, Drop) for report in match.rolling.reports)
    return [
        Entry(text="ball off the table", act=lambda _: _out(desk)),
        Entry(text="wedged ball", act=lambda _: _wedged(desk)),
        Entry(text="fell by itself", act=lambda now: _late(desk, now)) if dropped else None,
    ]


def _variants(name: FaultName, t: Ns) -> list[Fault]:
    if name == "touch":
        return [Fault(t=t, fault=name, ball="own", with_stroke=with_stroke) for with_stroke in (True, False)]
    if name == "wrong_opener":
        return [Fault(t=t, fault=name, side=side) for side in SIDES]
    return [Fault(t=t, fault=name)]


def _callable(desk: Desk, name: FaultName, at: Ns) -> Entry | None:
    """Return the entry of a fault that the law would take now."""
    if not any(accepts(desk, variant) for variant in _variants(name, desk.instant(at))):
        return None
    return Entry(text=TEXTS[name], act=lambda at: _ask_on(desk, Fault(t=desk.instant(at), fault=name), ()))


def _ask_on(desk: Desk, fault: Fault, answered: tuple[Asker, ...]) -> Menu | None:
    """Ask what is still missing, one question after the other; then report the call."""
    for number, (title, asker) in enumerate(ASKERS):
        if asker in answered:
            continue
        answers = asker(desk, fault)
        if not answers:
            continue
        done = tuple(asker for _, asker in ASKERS[: number + 1])
        if len(answers) == 1:
            return _ask_on(desk, answers[0][2], done)
        entries = [
            Entry(text=text, values=values, act=_answer(desk, given, done)) for text, values, given in answers
        ]
        return on_keys(title, entries)
    desk.report(fault)
    return None


def _answer(desk: Desk, fault: Fault, done: tuple[Asker, ...]) -> Callable[[Ns], Menu | None]:
    return lambda at: _ask_on(desk, replace(fault, t=desk.instant(at)), done)


def _with_stroke(desk: Desk, fault: Fault) -> Answers:
    """A touch, or too early: in a stroke, or only aiming."""
    if fault.fault == "touch":
        ball = replace(fault, ball="own")
        possible = [w for w in (True, False) if accepts(desk, replace(ball, with_stroke=w))]
        return [
            ("with the stroke" if w else "without a stroke", (), replace(fault, with_stroke=w))
            for w in possible
        ]
    if fault.fault == "played_before_rest":
        both = [fault, replace(fault, with_stroke=False)]
        if match_of(desk).rolling is not None or matters(desk, [[one] for one in both]):
            return [("played", (), both[0]), ("only aimed", (), both[1])]
    return None


def _which_ball(desk: Desk, fault: Fault) -> Answers:
    if fault.fault != "touch":
        return None
    own, opponents = replace(fault, ball="own"), replace(fault, ball="opponent")
    if match_of(desk).rolling is None and not matters(desk, [[own], [opponents]]):
        return [("own ball", (), own)]
    played = match_of(desk).rolling
    if played is not None and played.before.phase != "kader":
        return [("own ball", (), own)]
    return [("own ball", (), own), ("opponent's ball", (), opponents)]


def _how_many(desk: Desk, fault: Fault) -> Answers:
    if fault.fault not in _COUNTED:
        return None
    counts = [n for n in range(1, 6) if accepts(desk, replace(fault, count=n))]
    return [("{count}", (("count", str(n)),), replace(fault, count=n)) for n in counts]


def _which_side(desk: Desk, fault: Fault) -> Answers:
    if fault.fault not in ("wrong_opener", "played_before_rest"):
        return None
    sides = [side for side in SIDES if accepts(desk, replace(fault, side=side))]
    return [(SIDE_TEXTS[side], (), replace(fault, side=side)) for side in sides]


def _from_spot(desk: Desk, fault: Fault) -> Answers:
    """From which penalty spot? Only where the ruling hangs on it now; while balls roll the rest asks."""
    match = match_of(desk)
    played = match.ruled
    if match.rolling is not None or played is None or played.on_spot is not None:
        return None
    side = fault.side or played.before.turn
    on = () if side is None else played.before.spots.of(side).on
    spots = tuple(SPOT_KEYS) if played.before.phase == "kader" else on
    variants = [fault, *(replace(fault, on_spot=n) for n in spots)]
    if len(variants) == 1 or not matters(desk, [[one] for one in variants]):
        return None
    none = ("from none", (), fault)
    return [*(("spot {spot}", (("spot", str(one.on_spot)),), one) for one in variants[1:]), none]


ASKERS: Final[tuple[tuple[str, Asker], ...]] = (
    ("How?", _with_stroke),
    ("Which ball?", _which_ball),
    ("How many balls?", _how_many),
    ("Who?", _which_side),
    ("From which spot?", _from_spot),
)


def _out(desk: Desk) -> Menu:
    entries = [Entry(text=SIDE_TEXTS[side], act=_out_of(desk, side)) for side in SIDES]
    return on_keys("Which ball is off?", entries)


def _out_of(desk: Desk, side: Side) -> Callable[[Ns], Menu | None]:
    def act(at: Ns) -> Menu | None:
        event = Out(t=desk.instant(at), ball=side)
        played = match_of(desk).rolling
        if played is not None and side == played.before.turn and played.before.balls.of(side) > 1:
            rest = Rest(t=event.t)
            if matters(desk, [[replace(event, cue=True), rest], [replace(event, cue=False), rest]]):
                return _ask_cue(desk, replace(event, cue=True), replace(event, cue=False))
        desk.report(event)
        return None

    return act


def _ask_cue(desk: Desk, yes: Out | Wedged, no: Out | Wedged) -> Menu:
    def report(event: Out | Wedged) -> Callable[[Ns], Menu | None]:
        def act(at: Ns) -> None:
            desk.report(replace(event, t=desk.instant(at)))

        return act

    return on_keys(
        "Was it the cue ball?", [Entry(text="yes", act=report(yes)), Entry(text="no", act=report(no))]
    )


def _wedged(desk: Desk) -> Menu:
    entries = [Entry(text=SIDE_TEXTS[side], act=_wedged_where(desk, side)) for side in SIDES]
    return on_keys("Which ball is wedged?", entries)


def _wedged_where(desk: Desk, side: Side) -> Callable[[Ns], Menu]:
    def reports(goal: Side | None) -> Callable[[Ns], Menu | None]:
        def act(at: Ns) -> None:
            t = desk.instant(at)
            if goal is None:
                desk.report(Wedged(t=t, ball=side, between="cap_and_cushion"))
            else:
                desk.report(Wedged(t=t, ball=side, between="goal_caps", goal=goal))

        return act

    return lambda _: on_keys(
        "Wedged where?",
        [
            Entry(text="red goal", act=reports("red")),
            Entry(text="cap and cushion", act=reports(None)),
            Entry(text="white goal", act=reports("white")),
        ],
    )


def _late(desk: Desk, at: Ns) -> Menu | None:
    """The latest drop fell by itself from the rim, not touched by this stroke (TOR-01)."""
    played = match_of(desk).rolling
    drops = [] if played is None else [report for report in played.reports if isinstance(report, Drop)]
    if drops:
        last = drops[-1]
        desk.report(replace(last, t=desk.instant(at), at=last.t if last.at is None else last.at, late=True))
    return None
