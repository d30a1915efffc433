"""A screen rests between matches, and never during one; what was left alone for half a day begins anew."""

import pytest
from msgspec.structs import replace

from firmware.resting import EVENING, is_left, may_rest
from firmware.screens.samples import samples
from rules import BOOK, Ns, Record, Rest, new_match, take

MAY = {"opening", "trouble-between"}


@pytest.mark.parametrize("name", sorted(samples()))
def test_only_a_match_that_has_not_begun_or_is_over_lets_the_screen_rest(name: str) -> None:
    match = samples()[name].view.match
    if match.clock_only:
        assert may_rest(samples()[name].view) == (match.clock.state == "stopped" and match.rolling is None)
    elif match.phase == "over":
        assert may_rest(samples()[name].view)
    elif match.phase in ("open", "kader") or match.opened or match.asked is not None:
        assert not may_rest(samples()[name].view)


def test_between_two_games_of_a_match_it_stays_awake() -> None:
    view = samples()["opening"].view
    assert may_rest(view)
    assert not may_rest(replace(view, match=replace(view.match, at=Ns(1))))
    later = replace(view.match, games=replace(view.match.games, home=1))
    assert not may_rest(replace(view, match=later))


def test_a_match_that_nobody_began_is_left_after_half_a_day() -> None:
    view = replace(samples()["opening"].view, started=Ns(7))
    assert not is_left(view, Ns(7 + EVENING - 1))
    assert is_left(view, Ns(7 + EVENING))


@pytest.mark.parametrize("name", sorted(samples()))
def test_a_match_that_was_begun_or_is_over_is_never_left(name: str) -> None:
    view = samples()[name].view
    if not view.match.clock_only and (view.match.at > 0 or view.match.phase == "over"):
        assert not is_left(view, Ns(view.started + view.match.at + 100 * EVENING))


def test_a_training_evening_is_left_half_a_day_after_its_last_line() -> None:
    record, _ = take(BOOK, Record(match=new_match(BOOK, clock_only=True)), Rest(t=Ns(5)))
    running = replace(samples()["opening"].view, match=record.match)
    assert not is_left(running, Ns(5 + EVENING))
    stopped = replace(running, match=replace(record.match, clock=new_match(BOOK, clock_only=True).clock))
    assert is_left(stopped, Ns(5 + EVENING))
