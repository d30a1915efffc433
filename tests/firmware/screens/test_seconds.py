"""One second for all displays: which it is, and when a picture next differs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.screens import hall, led, oled
from firmware.screens.samples import at, played, s, samples, seen
from firmware.screens.seconds import Shown, next_change, shown
from firmware.texts import Texts
from firmware.view import View
from rules import BOOK, SECOND, Ns, Pause, Rest, Stroke, new_match

TURN = seen(at(5, 4))
CALL = 50 * SECOND
EXPIRY = 60 * SECOND


def second_at(now: int, view: View = TURN) -> tuple[str, int]:
    of = shown(view, Ns(now))
    return of.style, of.seconds


@pytest.mark.parametrize(
    ("now", "style", "seconds"),
    [
        (0, "running", 50),
        (1, "running", 50),
        (SECOND - 1, "running", 50),
        (SECOND, "running", 49),
        (49 * SECOND, "running", 1),
        (CALL - 1, "running", 1),
        (CALL, "grace", 10),
        (CALL + SECOND - 1, "grace", 10),
        (CALL + SECOND, "grace", 9),
        (EXPIRY - 1, "grace", 1),
        (EXPIRY, "expired", 0),
        (EXPIRY + 300 * SECOND, "expired", 0),
    ],
)
def test_50_stands_for_the_first_second_1_for_the_last_and_0_only_when_all_is_over(
    now: int, style: str, seconds: int
) -> None:
    """Scenarios A7 and A8."""
    assert second_at(now) == (style, seconds)


@given(steps=st.lists(st.integers(1, SECOND), min_size=1, max_size=200))
def test_no_second_is_skipped_and_none_comes_again(steps: list[int]) -> None:
    """Scenarios A11 and A13: however late each look is, as long as one falls into each second."""
    order = [
        *(("running", n) for n in range(50, 0, -1)),
        *(("grace", n) for n in range(10, 0, -1)),
        ("expired", 0),
    ]
    now, place = 0, 0
    for step in steps:
        now += step
        place_now = order.index(second_at(now))
        assert place <= place_now <= place + 1
        place = place_now


def test_what_is_left_is_shown_while_the_clock_stands() -> None:
    paused = played(at(5, 4), Pause(t=s(21.3)), now=30)
    in_grace = played(at(5, 4), Pause(t=s(55.5)), now=70)
    rolling = played(at(5, 4), Stroke(t=s(11)), now=20)
    assert shown(*paused) == Shown(style="paused", seconds=29, counts="call")
    assert shown(*in_grace) == Shown(style="paused", seconds=5, counts="expiry")
    assert shown(*rolling) == Shown(style="stopped", seconds=39, counts="call")
    assert next_change(*rolling) is None


@pytest.mark.parametrize(
    "name", ["opening", "opening-rolls", "nearest", "game-won", "match-won", "abandoned"]
)
def test_no_clock_belongs_to_what_lies_between_games(name: str) -> None:
    """Scenario B8."""
    view, now = samples()[name]
    assert shown(view, now).style == "off"
    assert next_change(view, now) is None


def test_a_training_evening_has_the_clock_alone() -> None:
    view, now = played(new_match(BOOK, clock_only=True), Stroke(t=s(1)), Rest(t=s(3)), now=7)
    assert shown(view, now) == Shown(style="running", seconds=46, counts="call")


def test_a_view_may_be_younger_than_the_instant_it_is_drawn_for() -> None:
    view, _ = played(new_match(BOOK, clock_only=True), Stroke(t=s(1)), Rest(t=s(3)), now=3)
    assert shown(view, s(2.99)).seconds == 50


def test_a_worker_wakes_at_each_second_in_the_grace_at_each_half_and_then_never() -> None:
    wakes, now = [], Ns(0)
    while (at_next := next_change(TURN, now)) is not None:
        wakes.append(at_next)
        now = at_next
    halves = [CALL + n * SECOND // 2 for n in range(1, 21)]
    assert wakes == [*(n * SECOND for n in range(1, 51)), *halves]


def pictures(view: View, now: Ns) -> list[Any]:
    boards = [led.draw(view, now, width, height).tobytes() for width, height in ((64, 8), (64, 16))]
    return [oled.draw(view, now, Texts("de")).tobytes(), *boards, hall.line(view, now)]


@given(name=st.sampled_from(sorted(samples())), share=st.floats(0, 1), off=st.integers(0, 3 * SECOND))
def test_no_picture_differs_before_the_next_change(name: str, share: float, off: int) -> None:
    view, now = samples()[name]
    now = Ns(now + off)
    until = next_change(view, now)
    assert until is None or until > now
    last = now + 5 * SECOND if until is None else until - 1
    between = Ns(now + int((last - now) * share))
    assert pictures(view, between) == pictures(view, now)


@pytest.mark.parametrize("name", ["turn", "grace", "menu-held", "notice-drop"])
def test_a_picture_differs_at_the_next_change(name: str) -> None:
    view, now = samples()[name]
    until = next_change(view, now)
    assert until is not None
    assert pictures(view, until) != pictures(view, now)
