"""Undo and corrections: the past comes back in exact reverse, to any depth, and the present stays right."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Match, Record, reports
from tests.rules.play import DUO, Table, again, at, in_a_game, rulings, signals, whys


def seen(match: Match) -> tuple[Any, ...]:
    """What displays show of a match."""
    return (
        match.turn,
        match.player,
        match.balls,
        match.games,
        match.spots,
        match.asked,
        match.phase,
        match.clock,
    )


def test_a_goal_a_miss_a_goal_and_a_foul_come_back_in_exact_reverse() -> None:
    """Reports E1, E2: undo reaches over changes of the player, and everything derived follows."""
    table = Table({**DUO, **in_a_game()})
    lines = [
        at(5, "stroke"), at(6, "drop", goal="red", ball="red"), at(9, "rest"),
        at(15, "stroke"), at(19, "rest"),
        at(25, "stroke"), at(26, "drop", goal="white", ball="white"), at(29, "rest"),
        at(35, "stroke"), at(36, "fault", fault="push_through"), at(39, "rest"), at(40, "choose", spot=2),
    ]  # fmt: skip
    states = []
    for line in lines:
        states.append(seen(table.match))
        table.play(line)
    for before in reversed(states):
        table.undo()
        assert seen(table.match) == before
    assert whys(table.undo()) == ["nothing"]


@pytest.mark.parametrize(
    "first",
    [
        at(1, "fault", fault="push_through"),
        at(1, "fault", fault="time_exceeded"),
        at(1, "fault", fault="aimed_behind_opponent"),
        at(1, "undo"),
        at(1, "correct", balls={"red": 1}),
        at(1, "correct", games={"home": 1}),
        at(1, "choose", spot=1),
        at(1, "cleared", side="red", spot=1),
        at(1, "recovered", dark=None),
        at(1, "concede", side="red"),
        at(1, "abandon"),
    ],
    ids=lambda line: "-".join(str(value) for value in line.values()),
)
@pytest.mark.parametrize("head", [{}, in_a_game(), DUO, {"clock_only": True}])
def test_whatever_comes_first_is_answered_and_can_be_taken_back(
    head: dict[str, Any], first: dict[str, Any]
) -> None:
    """Reports D12, E6: a foul, a correction or an undo as the very first report."""
    table = Table(head)
    before = seen(table.match)
    table.play(first)
    while reports(table.record):
        table.undo()
    if first["event"] != "recovered":
        assert seen(table.match) == before


def test_a_fault_stays_with_its_stroke_when_the_counts_are_corrected() -> None:
    """Report D13."""
    table = Table(in_a_game())
    table.play(
        at(5, "stroke"), at(6, "fault", fault="push_through"), at(7, "correct", balls={"red": 3, "white": 2})
    )
    table.play(at(9, "rest"))
    ruling = rulings(table.said)[-1]
    assert (ruling["clauses"], ruling["by"], ruling["balls"]) == (["DUR-01"], "red", {"red": 3, "white": 2})


@given(st.lists(st.tuples(st.sampled_from(["red", "white"]), st.sampled_from(["red", "white"])), max_size=12))
def test_counts_are_the_sum_of_what_was_ruled(drops: list[tuple[str, str]]) -> None:
    """Report D14, E3: ten balls are on the table or holed, whatever order they fell in."""
    table, now, holed = Table(in_a_game(5, 5)), 1, {"red": 0, "white": 0}
    for goal, ball in drops:
        by = table.match.turn
        table.play(at(now, "stroke"), at(now + 1, "drop", goal=goal, ball=ball), at(now + 2, "rest"))
        table.play(at(now + 3, "choose", spot=1), at(now + 4, "rest"))
        if not (ball == by and goal != by):
            holed[ball] += 1
        assert table.match.balls.red + holed["red"] == table.match.balls.white + holed["white"] == 5
        if table.match.phase == "opening":
            return
        now += 10


def test_undo_of_the_first_report_in_game_two_is_back_between_the_games() -> None:
    """Report E5."""
    table = Table()
    table.play(at(1, "opening", nearest="white"), at(2, "concede", side="red"))
    between = seen(table.match)
    table.play(at(10, "opening", nearest="red"), at(11, "undo"), at(999, "end"))
    assert seen(table.match) == between
    assert signals(table.said) == [(2, "game")]


def test_undo_sees_past_what_is_no_report() -> None:
    table = Table(in_a_game())
    table.play(at(5, "stroke"), at(6, "end"), at(7, "recovered", dark=0), at(8, "undo"), at(9, "undo"))
    assert (table.match.rolling, whys(table.said)) == (None, ["nothing"])


def test_undo_behind_two_restarts_pauses_as_of_the_first() -> None:
    table = Table(in_a_game())
    table.play(
        at(20, "stroke"), at(400, "recovered", dark=None), at(900, "recovered", dark=None), at(901, "undo")
    )
    assert table.state["clock"] == {"state": "paused", "left": 30.0, "grace": 10.0}


def test_undo_asks_again_what_it_opens_again() -> None:
    table = Table(in_a_game(2, 1))
    table.play(at(5, "stroke"), at(6, "fault", fault="played_opponent_ball"), at(9, "rest"))
    table.play(at(10, "choose", ball=2), at(11, "choose", spot=3))
    assert [line["ask"] for line in table.undo()] == ["spot"]
    assert [line["ask"] for line in table.undo()] == ["ball"]


def test_an_expiry_is_taken_back_as_one_report_and_its_question_with_it() -> None:
    table = Table(in_a_game(1, 3, "white"))
    table.play(at(61, "end"), at(62, "undo"), at(300, "end"))
    assert (table.match.turn, table.match.asked, table.state["clock"]["state"]) == ("white", None, "expired")
    assert signals(table.said) == [(50, "zeit"), (60, "expired")]


def test_a_call_that_came_due_behind_a_mistake_is_signalled_by_the_undo_once() -> None:
    table = Table(in_a_game())
    table.play(at(45, "stroke"), at(52, "undo"), at(53, "stroke"), at(54, "undo"), at(55, "end"))
    assert signals(table.said) == [(52, "zeit")]


@pytest.mark.parametrize(("t", "clock"), [(50, "running"), (60, "called")])
def test_a_state_at_the_instant_of_a_deadline_still_has_it_to_come(t: float, clock: str) -> None:
    """A deadline comes after all lines of its instant, so it is not lost with the state taken there."""
    table = Table(in_a_game())
    table.play(at(t, "blocked", side="red", spot=1))
    assert table.state["clock"]["state"] == clock
    taken = Table()
    taken.record = again(table.match, table.now)
    assert signals(taken.play(at(0, "end"))) == [(0, {"running": "zeit", "called": "expired"}[clock])]


def test_a_report_refused_is_none_for_undo() -> None:
    table = Table(in_a_game())
    table.play(at(5, "stroke"), at(6, "stroke"), at(7, "choose", spot=1))
    assert len(reports(table.record)) == 1


def test_what_is_taken_back_is_a_value_and_keeps_its_own_time() -> None:
    """Report E11: a record from before does not run on with the live match."""
    table = Table(in_a_game())
    table.play(at(5, "stroke"))
    kept = table.record
    table.play(at(9, "rest"), at(30, "pause"))
    assert kept == Record(match=kept.match, past=kept.past)
    assert kept.match.rolling is not None
    assert len(kept.past) == 1
