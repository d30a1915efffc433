"""No text is clipped, no letter lacking: each screen, menu, notice and ruling, in all languages, with long names."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.console.faults import fault_menu
from firmware.console.law_asks import law_menu
from firmware.console.menus import Menu
from firmware.console.openings import Openings
from firmware.console.setup import Choices, Setup, setup_menu
from firmware.console.table import table_menu
from firmware.said import REFUSALS
from firmware.screens import frame, oled, wording
from firmware.screens.canvas import width_of, wrapped
from firmware.screens.samples import Sample, at, desk_of, played, s, samples, seen, with_shown
from firmware.texts import LANGUAGES, Texts
from firmware.view import Grid, Notice
from rules import (
    AALST,
    BOOK,
    FAULTS,
    SIDES,
    Abandon,
    AnyEvent,
    Blocked,
    ByContestant,
    Choose,
    Cleared,
    Concede,
    Correct,
    Drop,
    End,
    Fault,
    FaultName,
    Ns,
    Opening,
    Out,
    Pause,
    Record,
    Rest,
    Resume,
    Ruling,
    Stroke,
    Wedged,
    Why,
    new_match,
    take,
)  # fmt: skip
from rules.events import BallsGiven

NAMES = (
    "Jean-Baptiste Vandenbroucke-IJ",
    "Wilhelmina Großmüllersteinßßßß",
    "W" * 30,
    "Ĳsbrand van den Ĳsselsteijn Ñé",
    "home",
)
EACH = pytest.mark.parametrize("language", LANGUAGES)


def misfits(sample: Sample, language: str) -> set[str]:
    """Return the texts that do not fit and the characters without a glyph."""
    canvas = oled.paint(*sample, Texts(language))
    return canvas.clipped | canvas.lacking


def called(sample: Sample, name: str) -> Sample:
    both = (name, name) if sample.view.match.duo else (name,)
    return with_shown(sample, names=ByContestant(home=both, away=both))


@EACH
@pytest.mark.parametrize("sample", samples().values(), ids=samples().keys())
def test_every_screen_fits(sample: Sample, language: str) -> None:
    assert {name: misfits(called(sample, name), language) for name in NAMES} == {
        name: set() for name in NAMES
    }


@EACH
@pytest.mark.parametrize("why", REFUSALS)
def test_every_refusal_fits_in_two_lines(why: Why, language: str) -> None:
    notice = Notice(kind="refused", why=why, t=s(12), until=s(16))
    assert misfits(with_shown(samples()["turn"], notice=notice), language) == set()
    said = frame.sentences(notice, Texts(language))
    assert len([line for text in said for line in wrapped(text, frame.WIDTH - 6)]) <= 2


REPORTS: tuple[AnyEvent, ...] = (
    *(Drop(t=s(1), goal=goal, ball=ball) for goal in SIDES for ball in SIDES),
    *(Fault(t=s(1), fault=fault) for fault in FAULTS),
    *(Out(t=s(1), ball=side, count=5) for side in SIDES),
    *(Wedged(t=s(1), ball=side, between="cap_and_cushion") for side in SIDES),
    *(event(t=s(1), side="white", spot=4) for event in (Blocked, Cleared)),
    Choose(t=s(1), spot=1),
    Choose(t=s(1), ball=1),
    *(kind(t=s(1)) for kind in (Stroke, Rest, Pause, Resume, Abandon, End)),
    Concede(t=s(1), side="red"),
    Opening(t=s(1), nearest="red"),
)


@EACH
@pytest.mark.parametrize("event", REPORTS, ids=repr)
def test_what_undo_takes_back_fits_in_one_line(event: AnyEvent, language: str) -> None:
    assert width_of(wording.report(Texts(language), event)) <= frame.WIDTH - 6


@EACH
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_fits_below_the_rolling_balls(fault: FaultName, language: str) -> None:
    assert width_of(Texts(language)(wording.FAULTS[fault])) <= frame.WIDTH - 4


def reachable(first: Menu | None, most: int = 150) -> Iterator[Menu]:
    """Yield the menus that keys lead to from `first`, each once."""
    seen_grids: list[Grid] = []
    waiting = [] if first is None else [first]
    while waiting and len(seen_grids) < most:
        menu = waiting.pop(0)
        if menu.grid() in seen_grids:
            continue
        seen_grids.append(menu.grid())
        yield menu
        waiting += [after for entry in menu.entries.values() if (after := entry.act(s(20))) is not None]


def positions() -> list[Sample]:
    struck = Stroke(t=s(1))
    goal = Drop(t=s(2), goal="red", ball="red")
    return [
        played(at(5, 4), now=5),
        played(at(3, 1, spots={"red": {"on": [1, 3], "faulty": [2]}}), now=5),
        played(at(5, 4, duo=True, opening_goals=["red"]), now=5),
        played(at(5, 4), struck, goal, now=5),
        played(at(3, 1, spots={"red": {"on": [1, 2]}}), struck, goal, now=5),
        played(at(3, 1, duo=True), struck, goal, Fault(t=s(3), fault="interfered_own"), now=5),
        played(at(3, 1, spots={"red": {"on": [1, 2]}}), struck, Rest(t=s(3)), now=5),
        played(at(3, 1), now=62),
        played(new_match(BOOK), now=1),
        played(new_match(BOOK, duo=True), struck, Rest(t=s(3)), now=5),
    ]


@EACH
def test_every_menu_fits(language: str) -> None:
    choices = Choices(rulebooks=(BOOK, AALST), players=NAMES[:4])
    for sample in positions():
        desk = desk_of(sample.view)
        asked = sample.view.match.asked
        firsts = [fault_menu(desk, sample.now), table_menu(desk, lambda _: None)]
        if asked is not None and asked.ask != "nearest":
            firsts.append(law_menu(desk, asked, lambda _: None))
        if asked is not None and asked.ask == "nearest":
            firsts.append(Openings().nearest_menu(desk))
        if sample.view.match.phase == "opening":
            firsts.append(setup_menu(choices, Setup(rulebook=BOOK), lambda _, __: None))
        for first in firsts:
            for menu in reachable(first):
                assert misfits(with_shown(sample, grid=menu.grid()), language) == set(), menu.title


STROKES: Sequence[AnyEvent] = (
    *(Drop(t=Ns(0), goal=goal, ball=ball) for goal in SIDES for ball in SIDES),
    *(Out(t=Ns(0), ball=side, count=count) for side in SIDES for count in (1, 2)),
    *(Wedged(t=Ns(0), ball=side, between="cap_and_cushion") for side in SIDES),
    *(Wedged(t=Ns(0), ball=side, between="goal_caps", goal="white") for side in SIDES),
    *(Fault(t=Ns(0), fault=fault) for fault in FAULTS),
    Fault(t=Ns(0), fault="touch", ball="opponent"),
    Fault(t=Ns(0), fault="triangle_not_left", count=2),
    Fault(t=Ns(0), fault="in_attack_triangle", count=2),
)


@given(
    balls=st.tuples(st.integers(1, 5), st.integers(1, 5)),
    reports=st.lists(st.sampled_from(STROKES), max_size=6),
    language=st.sampled_from(LANGUAGES),
)
def test_every_ruling_fits(balls: tuple[int, int], reports: list[AnyEvent], language: str) -> None:
    record, ruling = Record(match=at(*balls)), None
    events = [
        Stroke(t=s(1)),
        *(replace(report, t=s(2 + n)) for n, report in enumerate(reports)),
        Rest(t=s(20)),
    ]
    for event in events:
        record, outcomes = take(BOOK, record, event)
        ruling = next((said for said in reversed(outcomes) if isinstance(said, Ruling)), ruling)
        assert misfits(Sample(seen(record.match, ruling=ruling), event.t), language) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_corrected_and_paused_game_fits(language: str) -> None:
    events = (Pause(t=s(2)), Correct(t=s(3), balls=BallsGiven(red=1)))
    assert misfits(played(at(5, 4), *events, now=4), language) == set()
