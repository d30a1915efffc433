"""The turn clock in virtual time: nothing is lost, nothing is heard twice, nothing runs on unattended."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import AALST, BOOK, Ns, Rulebook, lapsed, new_match, next_deadline, read
from rules.clock import hold, run, start
from rules.words import SECOND
from tests.rules.play import DUO, Table, at, in_a_game, rulings, signals

LONGEST = 100_000 * SECOND


@given(began=st.integers(0, LONGEST), passed=st.integers(0, 60 * SECOND - 1))
def test_a_reading_depends_on_what_has_passed_alone(began: int, passed: int) -> None:
    """A wall clock that jumps by hours has nothing here to jump with (reports A1, A16)."""
    clock = start(BOOK, new_match(BOOK), Ns(began)).clock
    reading = read(clock, Ns(began + passed))
    assert reading.left + reading.grace == 60 * SECOND - passed
    assert reading == read(replace(clock, since=Ns(0)), Ns(passed))


@given(st.lists(st.integers(0, 5 * SECOND), max_size=20))
def test_holding_and_running_on_loses_no_nanosecond(steps: list[int]) -> None:
    match, now, ran = start(BOOK, new_match(BOOK), Ns(0)), Ns(0), 0
    for index, step in enumerate(steps):
        now = Ns(now + step)
        if index % 2:
            match = run(match, now)
        else:
            match, ran = hold(match, now, "paused"), ran + step
    assert match.clock.state == ("paused" if len(steps) % 2 else "running")
    held = hold(match, now, "paused").clock
    assert held.left + held.grace == max(0, 60 * SECOND - ran)


def test_time_used_is_press_minus_start_whenever_the_press_comes() -> None:
    """200 strokes 0.05 to 0.9 s after a full second (report A3)."""
    table, now = Table(in_a_game()), 0.0
    draw = random.Random(3)  # noqa: S311 - the same presses in every run
    for _ in range(200):
        used = draw.randrange(50) + draw.randrange(50, 900) / 1000
        table.play(at(now + used, "stroke"))
        assert table.match.clock.left == pytest.approx((50 - used) * SECOND, abs=1000)
        now += used + 3
        table.play(at(now, "rest"))


def test_ten_turns_that_run_out_add_up_to_no_error() -> None:
    """Report A5: each call 50 s after its start, each expiry 10 s after its call, to the nanosecond."""
    table = Table(in_a_game())
    for turn in range(10):
        table.play(at(60 * turn + 60, "end"), at(60 * turn + 60, "rest"))
    assert signals(table.said) == [
        (60 * turn + after, name) for turn in range(10) for after, name in ((50, "zeit"), (60, "expired"))
    ]


@pytest.mark.parametrize("late", [0.3, 30, 3600])
def test_a_late_wake_up_is_processed_at_the_deadlines_own_instant(late: float) -> None:
    """Report A6."""
    table = Table(in_a_game())
    table.play(at(60 + late, "end"))
    assert signals(table.said) == [(50, "zeit"), (60, "expired")]
    assert rulings(table.said)[0]["t"] == 60


@pytest.mark.parametrize(
    ("head", "rulebook", "call", "expiry"),
    [
        (in_a_game(), BOOK, 50, 60),
        ({**DUO, **in_a_game()}, BOOK, 50, 60),
        (in_a_game(), AALST, 30, 40),
        ({**DUO, **in_a_game()}, AALST, 40, 50),
    ],
)
def test_deadlines_are_the_rulebooks(
    head: dict[str, object], rulebook: Rulebook, call: float, expiry: float
) -> None:
    table = Table(head, rulebook)
    assert list(table.deadlines(1000)) == [call, expiry]
    assert signals(table.said) == [(call, "zeit"), (expiry, "expired")]


def test_seconds_go_from_fifty_to_one_and_grace_from_ten_to_one() -> None:
    """Rounded up, each number stands for a whole second, and none is skipped or comes back (reports A7, A11, A13)."""
    clock = start(BOOK, new_match(BOOK), Ns(0)).clock
    draw = random.Random(11)  # noqa: S311 - the same jitter in every run
    shown, now = list[tuple[str, int]](), 0
    while now < 60 * SECOND:
        reading = read(clock, Ns(now))
        left = reading.left if reading.state == "running" else reading.grace
        seconds = -(-left // SECOND)
        if not shown or shown[-1] != (reading.state, seconds):
            shown.append((reading.state, seconds))
        now += draw.randrange(1, 900_000_000)
    assert shown == [*(("running", n) for n in range(50, 0, -1)), *(("called", n) for n in range(10, 0, -1))]


def test_a_corrected_time_is_what_the_next_deadline_is_reckoned_from() -> None:
    """Report A14."""
    table = Table(in_a_game())
    table.play(at(20.25, "correct", left=12.5), at(30.75, "rest"))
    assert list(table.deadlines(200)) == [43.25, 53.25]


def test_pausing_and_resuming_twice_counts_once() -> None:
    """Report B1."""
    table = Table(in_a_game())
    table.play(at(10, "pause"), at(12, "pause"), at(20, "resume"), at(25, "resume"))
    assert [line["why"] for line in table.said] == ["no_clock", "not_paused"]
    assert next_deadline(table.match) == 60 * SECOND


def test_a_turn_reset_while_paused_has_its_whole_time() -> None:
    """Report B2."""
    table = Table(in_a_game())
    table.play(at(10, "pause"), at(12, "correct", left=50), at(20, "rest"))
    assert next_deadline(table.match) == 70 * SECOND


def test_a_new_turn_owes_nothing_to_the_old_ones_pause_or_grace() -> None:
    """Report B3."""
    table = Table(in_a_game())
    table.play(at(55, "pause"), at(56, "stroke"), at(58, "rest"))
    assert list(table.deadlines(1000)) == [108, 118]


def test_an_expiry_is_heard_once_however_long_nobody_acts() -> None:
    """Report B4: nobody does anything for five minutes."""
    table = Table(in_a_game())
    table.play(at(360, "end"))
    assert signals(table.said) == [(50, "zeit"), (60, "expired")]
    assert next_deadline(table.match) is None


def test_an_undone_change_of_turn_gives_back_turn_and_clock() -> None:
    """Report B6."""
    table = Table(in_a_game())
    table.play(at(5, "stroke"), at(9, "rest"), at(10, "undo"), at(11, "undo"))
    assert table.match.turn == "red"
    assert next_deadline(table.match) == 50 * SECOND


def test_no_clock_runs_behind_an_undo_to_rolling_balls() -> None:
    """Report B7."""
    table = Table(in_a_game())
    table.play(at(5, "stroke"), at(9, "rest"), at(10, "undo"), at(900, "end"))
    assert (signals(table.said), table.state["clock"]["state"]) == ([], "stopped")
    table.play(at(901, "rest"))
    assert rulings(table.said)[-1]["next"] == "white"


def test_after_the_last_ball_nothing_falls_due() -> None:
    """Report B8."""
    table = Table(in_a_game(1, 3))
    table.play(at(5, "stroke"), at(6, "drop", goal="red", ball="red"), at(9, "rest"))
    assert next_deadline(table.match) is None
    table.play(at(9000, "end"))
    assert signals(table.said) == [(9, "game")]


def test_a_pause_cannot_stretch_the_grace() -> None:
    """Report B10."""
    table = Table(in_a_game())
    table.play(at(53, "pause"), at(100, "resume"), at(103, "pause"), at(200, "resume"))
    assert list(table.deadlines(1000)) == [204]


def test_a_pause_ends_by_the_referee_alone() -> None:
    """Report B13."""
    table = Table(in_a_game())
    table.play(at(10, "pause"))
    assert next_deadline(table.match) is None


def test_a_goal_gives_the_same_player_a_fresh_time_also_after_an_undo() -> None:
    """Report B14."""
    table = Table(in_a_game())
    table.play(at(40, "stroke"), at(41, "drop", goal="red", ball="red"), at(45, "rest"))
    assert next_deadline(table.match) == 95 * SECOND
    table.play(at(46, "undo"), at(47, "rest"))
    assert (table.match.turn, next_deadline(table.match)) == ("red", 97 * SECOND)


def test_a_stroke_in_the_last_instant_is_in_time_and_one_after_it_is_not() -> None:
    """Report B11: the rule decides, both instants are known, and one undo reverses it."""
    in_time, late = Table(in_a_game()), Table(in_a_game())
    in_time.play(at(60, "stroke"))
    assert signals(in_time.said) == [(50, "zeit")]
    late.play(at(60.000000001, "stroke"))
    assert [line["out"] for line in late.said] == ["signal", "signal", "ruling", "refused"]
    late.play(at(60.5, "undo"), at(60.6, "stroke"))
    assert late.match.rolling is not None


def test_an_expired_clock_stays_silent_until_it_is_started_afresh() -> None:
    table = Table(in_a_game())
    table.play(at(61, "undo"))
    assert lapsed(table.match)
    table.play(at(62, "pause"), at(62, "resume"), at(62, "rest"))
    assert not lapsed(table.match)
    assert list(table.deadlines(1000)) == [112, 122]


def test_a_whole_evening_of_calls_and_expiries_takes_well_under_a_second() -> None:
    table, began, now = Table({"best_of": 99}), time.process_time(), 0.0
    for _ in range(5):
        table.play(at(now + 5, "opening", nearest="white"))
        for _ in range(20):
            table.play(at(now + 70, "rest"), at(now + 125, "stroke"), at(now + 130, "rest"))
            now += 130
        table.play(at(now + 1, "concede", side="red"))
    assert len(signals(table.said)) > 250
    assert time.process_time() - began < 1
