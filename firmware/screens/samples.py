"""Sample views: one for each screen, made by the law from a position and a few reports.

Lives here: what `make pictures` and the golden pictures show. Never here: drawing.
"""

from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from firmware.console.desk import Desk
from firmware.console.faults import fault_menu
from firmware.console.law_asks import law_menu
from firmware.console.menus import Menu
from firmware.console.setup import Choices, Setup, setup_menu
from firmware.console.table import table_menu
from firmware.script import Key
from firmware.view import Notice, Trouble, View
from rules import (
    BOOK,
    SECOND,
    Abandon,
    AnyEvent,
    Blocked,
    ByContestant,
    Choose,
    Concede,
    Correct,
    Drop,
    End,
    Fault,
    Match,
    Ns,
    Out,
    Pause,
    Record,
    Rest,
    Ruling,
    Stroke,
    Undo,
    Wedged,
    match_from,
    new_match,
    take,
)  # fmt: skip
from rules.events import BallsGiven

HOME: Final = ("Jean-Baptiste Vandenbroucke",)
AWAY: Final = ("Käthe Weiß",)
DUO: Final = ByContestant(home=("Jo Peeters", "Ann De Smet"), away=("Anaïs Lefèvre", "Bert Müller"))


class Sample(NamedTuple):
    """A view and the instant it is drawn for."""

    view: View
    now: Ns


def s(seconds: float) -> Ns:
    """Return an instant, seconds from the start, in whole nanoseconds."""
    return Ns(round(seconds * SECOND))


def played(match: Match, *events: AnyEvent, now: float, keep: bool = True) -> Sample:
    """Return the view after `events` at `now`; with `keep` the last ruling is still shown."""
    record, ruling = Record(match=match), None
    for event in (*events, End(t=s(now))):
        record, outcomes = take(BOOK, record, event)
        ruling = next((said for said in reversed(outcomes) if isinstance(said, Ruling)), ruling)
    return Sample(seen(record.match, ruling=ruling if keep else None), s(now))


def seen(match: Match, **shown: Any) -> View:  # noqa: ANN401 - any field of a view
    """Return a view of `match`, its balls counted as far as reported."""
    counts = match.balls
    if match.rolling is not None:
        for report in match.rolling.reports:
            if isinstance(report, Drop):
                counts = counts.put(report.ball, counts.of(report.ball) - 1)
    names = DUO if match.duo else ByContestant(home=HOME, away=AWAY)
    given: dict[str, Any] = {"match": match, "rulebook": BOOK, "names": names, "counts": counts, **shown}
    return View(**given)


def at(red: int, white: int, turn: str = "red", **more: Any) -> Match:  # noqa: ANN401 - keys of a position
    """Return a match inside its second game, the clock started at 0."""
    duo = more.pop("duo", False)
    position = {"balls": {"red": red, "white": white}, "turn": turn, "games": {"home": 1, "away": 0}, **more}
    return match_from(position, BOOK, duo=duo)


class _Table:
    """A desk for menus to be made at: a match to look at, and nothing that could be done to it."""

    def __init__(self, view: View) -> None:
        self.record = Record(match=view.match)
        self.rulebook = view.rulebook
        self.names = (view.names.home, view.names.away)

    def instant(self, at: Ns) -> Ns:
        return Ns(max(at, self.record.match.at))

    def report(self, event: AnyEvent) -> bool:  # noqa: ARG002 - nothing happens here
        return False

    def open(self, menu: Menu) -> None:
        pass


def desk_of(view: View) -> Desk:
    """Return a desk at which the menus of `view` can be made."""
    return _Table(view)


def with_law_menu(sample: Sample) -> Sample:
    """Return the sample with the answers to its open choice on keys."""
    asked = sample.view.match.asked
    if asked is None:
        return sample
    return with_shown(sample, grid=law_menu(desk_of(sample.view), asked, lambda _: None).grid())


def with_shown(sample: Sample, **shown: Any) -> Sample:  # noqa: ANN401 - any field of a view
    """Return the sample with fields of its view replaced."""
    return Sample(replace(sample.view, **shown), sample.now)


def samples() -> dict[str, Sample]:
    """Return a sample of every screen, by name, in the order in which an evening meets them."""
    return {**_openings(), **_turns(), **_strokes(), **_rulings(), **_questions(), **_ends(), **_over_them()}


def _openings() -> dict[str, Sample]:
    fresh = new_match(BOOK)
    again = at(5, 5, games={"home": 0, "away": 0}, duo=True)
    return {
        "opening": played(fresh, now=0),
        "opening-duo-second": played(again, Concede(t=s(1), side="red"), now=2, keep=False),
        "opening-rolls": played(fresh, Stroke(t=s(1)), Drop(t=s(2), goal="red", ball="red"), now=3),
        "nearest": played(fresh, Stroke(t=s(1)), Rest(t=s(5)), now=6),
    }


def _turns() -> dict[str, Sample]:
    five = at(5, 4)
    silent = (Undo(t=s(63)),)
    return {
        "turn": played(five, now=12.5),
        "turn-first-second": played(five, now=0),
        "turn-last-second": played(five, now=49.5),
        "turn-kader": played(at(3, 1, "white"), now=43),
        "turn-duo": played(at(2, 2, duo=True), now=20),
        "turn-three-digits": played(replace(five, clock=replace(five.clock, left=s(180))), now=12),
        "grace": played(five, now=50),
        "grace-second-half": played(five, now=57.6),
        "expired": played(five, *silent, now=64),
        "paused": played(five, Pause(t=s(21.3)), now=30),
        "paused-in-grace": played(five, Pause(t=s(55.5)), now=60),
        "corrected": played(five, Correct(t=s(9), balls=BallsGiven(red=3)), now=10),
        "training": _training(now=7),
    }


def _training(now: float) -> Sample:
    return played(new_match(BOOK, clock_only=True), Stroke(t=s(1)), Rest(t=s(3)), now=now)


def _strokes() -> dict[str, Sample]:
    five = at(5, 4)
    goal = Drop(t=s(12), goal="red", ball="red")
    return {
        "rolling": played(five, Stroke(t=s(11)), now=11.5),
        "rolling-goal": played(five, Stroke(t=s(11)), goal, now=12.5),
        "rolling-fault": played(five, Stroke(t=s(11)), goal, Fault(t=s(13), fault="push_through"), now=14),
        "rolling-in-grace": played(five, Stroke(t=s(55.5)), now=57),
        "rolling-training": played(new_match(BOOK, clock_only=True), Stroke(t=s(1)), now=2),
    }


def _rulings() -> dict[str, Sample]:
    five, few = at(5, 4), at(3, 1, spots={"red": {"on": [1, 2]}})
    struck = Stroke(t=s(11))
    own_on_own = (struck, Fault(t=s(12), fault="own_on_own"), Rest(t=s(14)))
    many = (
        struck,
        Out(t=s(12), ball="red", count=2),
        Out(t=s(12.1), ball="white"),
        Drop(t=s(12.2), goal="white", ball="red"),
        Wedged(t=s(12.3), ball="white", between="cap_and_cushion"),
        Rest(t=s(14)),
    )
    return {
        "ruling-back": played(five, struck, Fault(t=s(12), fault="foot_off_floor"), Rest(t=s(14)), now=15),
        "ruling-laid": played(five, *own_on_own, Choose(t=s(16), spot=2), now=17),
        "ruling-one-spot": played(few, *own_on_own, now=15),
        "ruling-many": played(at(5, 5), *many, Choose(t=s(15), spot=1), Choose(t=s(16), spot=2), now=17),
        "ruling-time": played(five, now=62),
        "ruling-late-drop": played(five, Drop(t=s(9), goal="white", ball="white"), now=10),
    }


def _questions() -> dict[str, Sample]:
    five, few = at(5, 4), at(1, 3, "white", spots={"white": {"on": [2]}})
    fault = (Stroke(t=s(11)), Fault(t=s(12), fault="push_through"), Rest(t=s(14)))
    spot = played(five, *fault, now=15)
    held = played(five, now=42)
    rolls = played(at(2, 2), Stroke(t=s(1)), Drop(t=s(2), goal="red", ball="red"), now=3)
    return {
        "ask-spot": with_law_menu(spot),
        "ask-spot-blocked": with_law_menu(
            played(at(1, 3, "white"), *fault, Blocked(t=s(15), side="white", spot=1), now=16)
        ),
        "ask-spot-one-taken": with_law_menu(played(few, *fault, now=16)),
        "ask-ball": with_law_menu(played(at(3, 1), now=62)),
        "ask-stroke": with_shown(held, question="stroke_played"),
        "ask-stroke-drop": with_shown(held, question="stroke_played", question_goal="red"),
        "ask-stroke-in-grace": with_shown(played(five, now=55), question="stroke_played"),
        "ask-colour": with_shown(rolls, question="colour", question_goal="red"),
        "ask-second-ball": with_shown(rolls, question="second_ball", question_goal="white"),
    }


def _ends() -> dict[str, Sample]:
    last = at(1, 2, games={"home": 0, "away": 0})
    decider = at(1, 2, "red")
    goal = (Stroke(t=s(5)), Drop(t=s(6), goal="red", ball="red"), Rest(t=s(9)))
    return {
        "game-won": played(last, *goal, now=10),
        "match-won": played(decider, *goal, now=10),
        "match-conceded": played(decider, Concede(t=s(3), side="red", match=True), now=4),
        "match-won-duo": played(at(1, 2, duo=True), *goal, now=10),
        "abandoned": played(at(5, 4), Abandon(t=s(3)), now=4),
    }


def _over_them() -> dict[str, Sample]:
    turn, rolling = played(at(5, 4), now=12.5), played(at(3, 1), Stroke(t=s(11)), now=12.5)
    calls = fault_menu(desk_of(rolling.view), rolling.now)
    table = table_menu(desk_of(turn.view), lambda _: None)
    setup = setup_menu(Choices(rulebooks=(BOOK,)), Setup(rulebook=BOOK), lambda _, __: None)
    troubles = (Trouble(kind="device", name="led", what="no answer on SPI 0.0"),)
    drop = Drop(t=s(11), goal="red", ball="white")
    notices = {
        "refused": _noted(kind="refused", why="own_goal_only"),
        "undone": _noted(kind="undone", event=Fault(t=s(11), fault="no_ball_left_kader")),
        "drop": _noted(kind="drop", goal="red", ball="white", event=drop),
        "seen": _noted(kind="seen", goal="red"),
        "late": _noted(kind="late", late_by=s(0.234)),
        "hold": _noted(kind="hold"),
        "confirmed": _noted(kind="confirmed", ball="red"),
        "ignored": _noted(kind="ignored"),
    }
    return {
        "menu-faults": with_shown(rolling, grid=calls.grid() if calls is not None else None),
        "menu-table": with_shown(turn, grid=table.grid()),
        "menu-in-grace": with_shown(played(at(5, 4), now=55), grid=table.grid()),
        "menu-held": with_shown(turn, grid=table.grid(_abandoning(table), s(11))),
        "menu-setup": with_shown(played(new_match(BOOK), now=0), grid=setup.grid()),
        **{f"notice-{name}": with_shown(turn, notice=notice) for name, notice in notices.items()},
        "trouble": with_shown(turn, troubles=troubles, unsaved=True),
        "trouble-between": with_shown(played(new_match(BOOK), now=0), troubles=troubles),
        "unsaved": with_shown(turn, unsaved=True),
    }


def _noted(**what: Any) -> Notice:  # noqa: ANN401 - any field of a notice
    return Notice(t=s(12), until=s(16), **what)


def _abandoning(menu: Menu) -> Key | None:
    return next((key for key, entry in menu.entries.items() if entry.hold), None)
