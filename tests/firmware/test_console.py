"""What keys and sensors mean (replay.md, "press, sensor, pin")."""

import pytest

from tests.firmware.evening import OPEN, Evening, Line, press, pulse

FEW: Line = {"balls": {"red": 3, "white": 3}, "turn": "red"}
LAST: Line = {"balls": {"red": 1, "white": 3}, "turn": "red"}


def rolled(position: Line, *lines: Line) -> Evening:
    """Play lines between a stroke at 5 s and a rest at 20 s."""
    evening = Evening(position=position).play(press(5, "stroke"), *lines, press(20, "rest"))
    evening.end()
    return evening


def test_a_goal_needs_no_key_where_the_obvious_happened() -> None:
    evening = rolled(FEW, pulse(6, "red"))
    assert evening.rulings[0]["balls"] == {"red": 2, "white": 3}
    assert evening.rulings[0]["turn"] == "stays"


def test_the_other_colours_key_changes_the_latest_drop_and_keeps_its_stamp() -> None:
    evening = rolled(FEW, pulse(6, "red"), press(8, "white"))
    assert evening.rulings[0]["balls"] == {"red": 3, "white": 2}
    assert evening.state["ruled"]["reports"][0]["at"] == pytest.approx(6 - evening.stage.now / 1e9)


def test_the_same_colours_key_within_two_seconds_confirms_and_adds_none() -> None:
    evening = rolled(FEW, pulse(6, "red"), press(7.5, "red"))
    assert evening.rulings[0]["balls"] == {"red": 2, "white": 3}


def test_the_same_colours_key_later_is_another_ball() -> None:
    evening = rolled(FEW, pulse(6, "red"), press(9, "red"))
    assert evening.rulings[0]["balls"] == {"red": 1, "white": 3}


def test_without_a_sensor_a_colours_key_is_a_ball_in_its_own_goal() -> None:
    assert rolled(FEW, press(9, "red")).rulings[0]["balls"] == {"red": 2, "white": 3}


def test_a_colours_key_held_for_a_second_is_a_ball_in_the_other_goal() -> None:
    """TOR-03: red's own ball in red's defence goal."""
    evening = rolled(FEW, press(9, "red", hold=1.2))
    assert evening.rulings[0]["place"][0]["which"] == "own_goal"


def test_a_drop_of_a_colour_with_none_left_is_the_other_colours() -> None:
    """Red's only ball lies holed already; what falls into the red goal now is white."""
    evening = rolled(LAST, pulse(6, "red"), press(6.5, "red"), pulse(9, "red"), press(10, "white"))
    assert evening.rulings[0]["balls"] == {"red": 0, "white": 2}


def test_a_game_that_hangs_on_a_colour_is_asked_for_and_takes_no_rest_before_the_answer() -> None:
    """A11, D11: the sensor may be wrong about the last ball."""
    evening = Evening(position=LAST).play(press(5, "stroke"), pulse(6, "red"), press(8, "rest")).run(9)
    assert evening.out("ask", ask="colour", goal="red")
    assert evening.rulings == []
    evening.play(press(10, "white"), press(11, "rest")).run(12)
    assert evening.rulings[0]["game"] is None
    assert evening.rulings[0]["balls"] == {"red": 1, "white": 2}


def test_the_colour_confirmed_wins_the_game() -> None:
    evening = Evening(position=LAST).play(
        press(5, "stroke"), pulse(6, "red"), press(10, "red"), press(11, "rest")
    )
    evening.run(12)
    assert evening.rulings[0]["game"] == "red"


def test_one_ball_makes_one_drop() -> None:
    """Two pulses 100 ms apart at one goal are the same ball."""
    assert rolled(FEW, pulse(6, "red"), pulse(6.1, "red")).rulings[0]["balls"] == {"red": 2, "white": 3}


def test_a_doubtful_second_pulse_does_not_count_by_itself() -> None:
    assert rolled(FEW, pulse(6, "red"), pulse(6.5, "red")).rulings[0]["balls"] == {"red": 2, "white": 3}


def test_a_doubtful_second_pulse_is_taken_by_a_press_with_its_own_stamp() -> None:
    evening = rolled(FEW, pulse(6, "red"), pulse(6.5, "red"), press(9, "white"))
    assert evening.rulings[0]["balls"] == {"red": 2, "white": 2}
    now = evening.stage.now / 1e9
    assert [report["at"] + now for report in evening.state["ruled"]["reports"]] == pytest.approx([6, 6.5])


def test_a_doubtful_pulse_that_would_end_the_game_is_asked() -> None:
    evening = rolled(
        {"balls": {"red": 2, "white": 3}, "turn": "red"},
        pulse(6, "red"),
        press(6.2, "red"),
        pulse(6.5, "red"),
        press(9, "down"),
    )
    assert evening.out("ask", ask="second_ball", goal="red")
    assert evening.rulings[0]["balls"] == {"red": 1, "white": 3}


def test_a_stroke_pressed_after_the_ball_fell_takes_the_drops_instant() -> None:
    """The hand is later than the ball: the clock stopped where the ball fell."""
    evening = Evening(position=OPEN).play(pulse(10, "red"), press(11.5, "stroke"), press(14, "rest"))
    evening.end()
    assert evening.rulings[0]["balls"] == {"red": 3, "white": 4}
    assert evening.kept[0].t == 10_000_000_000


def test_a_drop_while_the_clock_runs_is_asked_about_after_two_seconds() -> None:
    evening = Evening(position=OPEN).play(pulse(10, "red")).run(12)
    assert [one["t"] for one in evening.out("ask", ask="stroke_played")] == [12.0]
    evening.play(press(13, "ok"), press(15, "rest")).run(16)
    assert evening.rulings[0]["balls"] == {"red": 3, "white": 4}
    assert evening.kept[0].t == 10_000_000_000


def test_a_drop_that_fell_by_itself_is_late() -> None:
    """TOR-01: out of the goal, back where it lay; the clock waits."""
    evening = Evening(position=OPEN).play(pulse(10, "red"), press(13, "down")).run(14)
    assert evening.rulings[0]["clauses"] == ["TOR-01"]
    assert evening.state["clock"] == {"state": "paused", "left": 40.0, "grace": 10.0}


def test_an_unanswered_drop_is_late_after_five_seconds() -> None:
    evening = Evening(position=OPEN).play(pulse(10, "red")).run(14.9)
    assert evening.rulings == []
    assert evening.run(15).rulings[0]["clauses"] == ["TOR-01"]


def test_the_expiry_waits_for_a_ball_that_fell_before_it() -> None:
    """The ball fell 0.2 s before the end of the grace, the hand came 1 s later: the stroke was in time."""
    evening = Evening(position=OPEN).play(pulse(59.8, "red"), press(60.8, "stroke"), press(63, "rest"))
    evening.end()
    assert evening.out("signal", signal="expired") == []
    assert evening.rulings[0]["turn"] == "stays"


def test_rest_while_the_clock_runs_asks_whether_the_stroke_was_played() -> None:
    evening = Evening(position=OPEN).play(press(10, "rest"), press(12, "ok")).run(13)
    assert evening.out("ask", ask="stroke_played")
    assert [type(event).__name__ for event in evening.kept] == ["Stroke", "Rest"]
    assert {event.t for event in evening.kept} == {10_000_000_000}


def test_an_unanswered_rest_was_nothing() -> None:
    evening = Evening(position=OPEN).play(press(10, "rest")).run(16)
    assert evening.kept == []
    assert evening.state["clock"]["state"] == "running"


def test_the_hand_is_stroke_while_the_clock_runs_and_rest_while_balls_roll_and_nothing_else() -> None:
    evening = Evening(position=OPEN).play(
        press(5, "hand"), press(8, "hand"), press(9, "ok", hold=1.2), press(12, "hand")
    )
    evening.end()
    assert [type(event).__name__ for event in evening.kept] == ["Stroke", "Rest", "Pause"]


def test_ok_held_for_a_second_pauses_and_resumes() -> None:
    evening = Evening(position=OPEN).play(press(9, "ok", hold=1.5), press(20, "ok", hold=1.5)).run(25)
    assert [(type(event).__name__, event.t) for event in evening.kept] == [
        ("Pause", 10_000_000_000),
        ("Resume", 21_000_000_000),
    ]


def test_before_the_opening_drops_count_from_two_seconds_before_the_stroke() -> None:
    """D3: balls put away at the start of a game are no goals."""
    evening = Evening().play(
        pulse(1, "white"), pulse(9, "red"), press(10, "stroke"), press(14, "rest"), press(15, "red")
    )
    evening.end()
    assert evening.state["balls"] == {"red": 4, "white": 5}
    assert evening.state["turn"] == "red"
    assert evening.out("ask", ask="nearest")


def test_undo_takes_back_what_a_key_reported() -> None:
    evening = Evening(position=OPEN).play(
        press(5, "stroke"), pulse(6, "red"), press(8, "undo"), press(9, "rest")
    )
    evening.end()
    assert evening.rulings[0]["balls"] == {"red": 4, "white": 4}


def test_undo_first_takes_back_what_is_not_known_yet() -> None:
    evening = Evening(position=OPEN).play(pulse(10, "red"), press(11, "undo")).run(20)
    assert evening.kept == []
    assert evening.state["clock"]["state"] == "running"


def test_a_spot_is_chosen_with_the_key_at_its_place() -> None:
    """Spots 1 and 2 lie left and right, 3 between them."""
    evening = rolled(FEW, press(9, "red", hold=1.2))
    evening.play(press(25, "up"), press(30, "rest")).end()
    assert evening.state["spots"]["red"]["on"] == [3]
    assert evening.state["clock"]["state"] == "running"


@pytest.mark.parametrize(
    "key", ["red", "up", "white", "fault", "ok", "undo", "stroke", "down", "rest", "hand"]
)
@pytest.mark.parametrize(
    "moment", ["opening", "rolls", "turn", "nearest", "paused", "expired", "asked", "over"]
)
def test_every_key_at_every_moment_has_an_effect_or_says_not_now(key: str, moment: str) -> None:
    """I12: never silence, never an exception."""
    starts: dict[str, tuple[Line, list[Line]]] = {
        "opening": ({}, []),
        "rolls": ({"position": OPEN}, [press(1, "stroke")]),
        "turn": ({"position": OPEN}, []),
        "nearest": ({}, [press(1, "stroke"), press(3, "rest")]),
        "paused": ({"position": OPEN}, [{"t": 1, "event": "pause"}]),
        "expired": ({"position": OPEN}, [{"t": 61, "event": "end"}, {"t": 62, "event": "undo"}]),
        "asked": ({"position": OPEN}, [press(1, "stroke"), press(2, "red", hold=1.2), press(5, "rest")]),
        "over": ({"position": OPEN}, [{"t": 1, "event": "abandon"}]),
    }
    start, lines = starts[moment]
    evening = Evening(**start).play(*lines)
    evening.run(69)
    before, said = evening.stage.core.view(), len(evening.said)
    evening.play(press(70, key)).run(70.5)
    after = evening.stage.core.view()
    assert after.notice != before.notice or after.match != before.match or len(evening.said) > said
