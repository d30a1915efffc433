"""What went wrong for others, held against ours: clocks, presses, sensors, undo. Virtual time throughout."""

import random

import pytest

from firmware.profile import load_profile
from firmware.view import Notice
from tests.firmware.evening import OPEN, Evening, Line, press, pulse
from tests.firmware.referee import Referee

FEW: Line = {"balls": {"red": 3, "white": 3}, "turn": "red"}


def notice(evening: Evening) -> Notice | None:
    return evening.stage.core.view().notice


def pin_of(name: str) -> int:
    return next(spec.pins[0] for spec in load_profile("desk").inputs() if spec.name == name)


def edges(pin: int, *spans: tuple[float, float]) -> list[Line]:
    """Return the pin lines of contacts that are closed from a to b seconds."""
    lines: list[Line] = []
    for begin, end in spans:
        lines += [{"t": begin, "pin": pin, "level": 0}, {"t": end, "pin": pin, "level": 1}]
    return lines


# Pause, resume, grace --------------------------------------------------------------------------------------


def test_pausing_twice_and_resuming_twice_keeps_the_time() -> None:
    """B1: each call is idempotent."""
    evening = Evening(position=OPEN).play(
        {"t": 10, "event": "pause"},
        {"t": 12, "event": "pause"},
        {"t": 20, "event": "resume"},
        {"t": 21, "event": "resume"},
    )
    assert evening.run(25).state["clock"] == {"state": "running", "left": 35.0, "grace": 10.0}


def test_a_new_turn_after_a_pause_has_the_whole_time() -> None:
    """B2, B14: the next stroke's rest starts 50 s, also for the side that goes on."""
    evening = Evening(position=OPEN).play(
        {"t": 10, "event": "pause"}, press(15, "stroke"), pulse(16, "red"), press(20, "rest")
    )
    assert evening.run(20.5).state["clock"]["left"] == pytest.approx(49.5)
    assert evening.state["turn"] == "red"


def test_an_expired_turn_signals_once_and_never_again() -> None:
    """B4: nobody acts for five minutes."""
    evening = Evening(position=OPEN).run(360)
    assert [(one["signal"], one["t"]) for one in evening.out("signal")] == [("zeit", 50.0), ("expired", 60.0)]


def test_undoing_a_turn_change_puts_side_and_clock_back_together() -> None:
    """B6: turn, running clock and count agree."""
    evening = Evening(position=OPEN).play(
        press(20, "stroke"), press(25, "rest"), press(30, "undo"), press(31, "undo")
    )
    evening.run(35)
    assert evening.state["turn"] == "red"
    assert evening.state["clock"] == {"state": "running", "left": 15.0, "grace": 10.0}


def test_while_balls_roll_no_clock_runs_and_undo_still_works() -> None:
    """B7."""
    evening = Evening(position=OPEN).play(press(20, "stroke")).run(200)
    assert evening.state["clock"]["state"] == "stopped"
    assert evening.out("signal", signal="zeit") == []
    evening.play(press(201, "undo")).run(202)
    assert evening.state["clock"]["state"] == "expired"


def test_after_the_last_ball_all_clocks_stand_and_are_silent() -> None:
    """B8, G15."""
    evening = Evening(
        position={"balls": {"red": 1, "white": 3}, "turn": "red", "games": {"home": 1, "away": 0}}
    )
    evening.play(press(5, "stroke"), pulse(6, "red"), press(7, "red"), press(9, "rest")).run(500)
    assert evening.state["match"] == "home"
    assert {one["signal"] for one in evening.out("signal")} == {"key", "game", "match"}


def test_a_pause_does_not_lengthen_the_grace() -> None:
    """B10: what is left of it stays what is left."""
    evening = (
        Evening(position=OPEN).play({"t": 55, "event": "pause"}, {"t": 300, "event": "resume"}).run(305.5)
    )
    assert [one["t"] for one in evening.out("signal", signal="expired")] == [305.0]


def test_a_stroke_just_after_the_expiry_shows_by_how_much_and_one_press_reverses_it() -> None:
    """B11: the press came 0.2 s too late; the rule decides, undo gives the turn back."""
    evening = Evening(position=OPEN).play(press(60.2, "stroke")).run(61)
    shown = notice(evening)
    assert shown is not None
    assert (shown.kind, shown.late_by) == ("late", 200_000_000)
    evening.play(press(62, "undo"), press(63, "stroke")).run(64)
    assert evening.state["turn"] == "red"
    assert evening.state["rolling"] is not None


def test_a_clock_that_was_held_waits_for_the_referee() -> None:
    """B13."""
    assert (
        Evening(position=OPEN).play({"t": 10, "event": "pause"}).run(900).state["clock"]["state"] == "paused"
    )


# Double input, bounce, spikes ------------------------------------------------------------------------------


@pytest.mark.parametrize(("gap_ms", "strokes"), [(3, 1), (50, 1), (350, 2)])
def test_a_second_contact_counts_only_when_it_is_meant(gap_ms: int, strokes: int) -> None:
    """C1, C3: 3 and 50 ms later it is the same press, 350 ms later it acts (and is refused: the balls roll)."""
    pin, begin = pin_of("stroke"), 5.0
    second = begin + 0.04 + gap_ms / 1000
    evening = Evening(position=OPEN).play(*edges(pin, (begin, begin + 0.04), (second, second + 0.05))).run(6)
    acted = len(evening.kept) + len(evening.out("refused", event="stroke"))
    assert acted == strokes


@pytest.mark.parametrize("bounce_ms", [5, 8, 12, 20, 30])
def test_bounce_at_press_and_release_after_a_long_hold_is_one_press(bounce_ms: int) -> None:
    """C4."""
    pin, spans, t = pin_of("stroke"), [], 5.0
    chance = random.Random(bounce_ms)  # noqa: S311 - a fixed sequence
    for start, closed in ((5.0, True), (10.0, False)):
        t = start
        while t < start + bounce_ms / 1000:
            width = chance.uniform(0.0002, 0.002)
            spans.append((t, t + width))
            t += width + chance.uniform(0.0002, 0.002)
        if closed:
            spans.append((t, 10.0 - 0.001))
    evening = Evening(position=OPEN).play(*edges(pin, *spans)).run(11)
    assert len(evening.kept) == 1
    assert evening.out("refused") == []


def test_presses_of_40_to_400_ms_are_all_seen() -> None:
    """C5: 500 random presses of one key, every release seen too."""
    chance, t, lines = random.Random(5), 1.0, []  # noqa: S311 - a fixed sequence
    for _ in range(500):
        hold = chance.uniform(0.04, 0.4)
        lines.append(press(round(t, 4), "up", hold=round(hold, 4)))
        t += hold + chance.uniform(0.2, 0.3)
    evening = Evening(position=OPEN)
    evening.play({"t": 0, "event": "pause"}, *lines).end()
    assert evening.stage.core.counters["up"].presses == 500


def test_spikes_on_every_input_count_for_nothing() -> None:
    """C6, C7: 0.1 to 5 ms at 10 Hz, and a single one after long silence."""
    chance, lines = random.Random(6), []  # noqa: S311 - a fixed sequence
    names = [spec.name for spec in load_profile("desk").inputs()]
    for n in range(100):
        for name in names:
            t = 1 + n / 10 + names.index(name) * 0.007
            lines += edges(pin_of(name), (round(t, 6), round(t + chance.uniform(0.0001, 0.005), 6)))
    lines.sort(key=lambda line: float(line["t"]))
    lines += edges(pin_of("stroke"), (40.0, 40.003))
    evening = Evening(position=OPEN).play(*lines).run(45)
    assert evening.kept == []
    assert all(counter.presses == 0 for counter in evening.stage.core.counters.values())
    assert evening.stage.core.counters["stroke"].spikes == 101


def test_presses_of_60_ms_at_4_hz_are_all_seen() -> None:
    """C8."""
    evening = Evening(position=OPEN).play({"t": 0, "event": "pause"})
    evening.play(*(press(1 + n / 4, "up", hold=0.06) for n in range(40))).end()
    assert evening.stage.core.counters["up"].presses == 40


def test_a_spike_after_an_old_press_is_no_long_press() -> None:
    """C10, C11: a hold needs continuous contact."""
    pin = pin_of("ok")
    evening = Evening(position=OPEN).play(*edges(pin, (5.0, 5.1), (5.9, 5.903), (6.2, 6.203))).run(8)
    assert evening.kept == []


def test_a_key_held_at_the_start_is_said_to_be_stuck_and_the_rest_works() -> None:
    """C13."""
    pin = pin_of("rest")
    evening = Evening(position=OPEN)
    evening.play({"t": 0, "pin": pin, "level": 0})
    evening.play(press(5, "stroke")).run(6)
    assert [type(event).__name__ for event in evening.kept] == ["Stroke"]


def test_only_a_run_of_presses_that_began_before_the_expiry_ends_with_it() -> None:
    """A nervous thumb on `rest`: its run is one action; every other key acts at once."""
    run = [press(round(59.5 + n * 0.2, 1), "up", hold=0.05) for n in range(8)]
    evening = Evening(position=OPEN).play(*run).run(62)
    assert [one["t"] for one in evening.out("signal", signal="expired")] == [60.0]
    evening.play(press(62, "rest")).run(63)
    assert evening.state["clock"]["state"] == "running"


# Sensors ---------------------------------------------------------------------------------------------------


def test_a_sensor_that_is_always_covered_makes_one_event_and_a_warning_and_keys_still_do() -> None:
    """D4."""
    evening = Evening(position=FEW).play(press(5, "stroke"), pulse(6, "red", pulse=60)).run(20)
    assert [trouble.what for trouble in evening.stage.core.view().troubles] == ["sensor is covered"]
    evening.play(press(21, "white"), press(25, "rest")).run(26)
    assert evening.rulings[0]["balls"] == {"red": 3, "white": 2}


def test_a_loose_cable_is_switched_off_and_never_counts_more_balls_than_there_are() -> None:
    """D5: 20 pulses in 5 s."""
    evening = Evening(position=FEW).play(press(5, "stroke"))
    evening.play(*(pulse(round(6 + n / 4, 2), "red") for n in range(20))).run(12)
    troubles = [trouble.what for trouble in evening.stage.core.view().troubles]
    assert troubles == ["sensor switched off, use the keys"]
    counts = evening.stage.core.view().counts
    assert 0 <= counts.red <= 3
    assert 0 <= counts.white <= 3


def test_a_fault_as_the_very_first_action_is_answered() -> None:
    """D12: fault, undo, correction before anything happened."""
    for key in ("fault", "undo"):
        evening = Evening().play(press(1, key)).run(2)
        assert notice(evening) is not None
    assert Evening().play({"t": 1, "event": "correct", "balls": {"red": 3}}).out("refused", event="correct")


# Undo ------------------------------------------------------------------------------------------------------


def test_undo_goes_back_in_exact_reverse_through_goals_misses_and_faults() -> None:
    """E1, E2: states, counts, turn and clock, step by step to the start."""
    referee = Referee(position=OPEN)
    states = []
    for line in (
        {"t": 5, "event": "stroke"},
        {"t": 6, "event": "drop", "goal": "red", "ball": "red"},
        {"t": 9, "event": "rest"},
        {"t": 12, "event": "stroke"},
        {"t": 15, "event": "rest"},
        {"t": 20, "event": "stroke"},
        {"t": 21, "event": "fault", "fault": "push_through"},
        {"t": 25, "event": "rest"},
    ):
        match = referee.stage.core.record.match
        states.append((match.turn, match.balls, match.phase, match.clock, match.rolling, match.asked))
        referee.report(line)
    for before in reversed(states):
        referee.wait(referee.clock + 1)
        referee.key("undo")
        match = referee.stage.core.record.match
        assert (match.turn, match.balls, match.phase, match.clock, match.rolling, match.asked) == before


def test_undo_of_the_first_action_of_the_second_game_is_before_its_opening() -> None:
    """E5, E6."""
    referee = Referee(position={"balls": {"red": 1, "white": 3}, "turn": "red"})
    referee.report({"t": 5, "event": "stroke"})
    referee.report({"t": 6, "event": "drop", "goal": "red", "ball": "red"})
    referee.report({"t": 9, "event": "rest"})
    referee.wait(20)
    referee.key("stroke")
    referee.key("undo")
    assert referee.state["phase"] == "opening"
    assert "opened" not in referee.state
    assert referee.state["clock"]["state"] == "stopped"


def test_undo_says_what_it_took_back() -> None:
    """E: nobody has to guess."""
    evening = Evening(position=OPEN).play(press(5, "stroke"), press(9, "rest"), press(12, "undo")).run(12.5)
    shown = notice(evening)
    assert shown is not None
    assert shown.kind == "undone"
    assert type(shown.event).__name__ == "Rest"


@pytest.mark.parametrize(("gap", "taken_back"), [(0.12, 1), (0.4, 2)])
def test_undo_again_within_150_ms_is_bounce_and_later_is_meant(gap: float, taken_back: int) -> None:
    evening = Evening(position=OPEN).play(press(5, "stroke"), pulse(6, "red"), press(9, "rest"))
    evening.play(press(12, "undo", hold=0.05), press(12 + gap, "undo", hold=0.05)).run(13)
    assert sum(type(event).__name__ == "Undo" for event in evening.kept) == taken_back


def test_a_new_match_begins_with_nothing_of_the_last_one_on_the_screen() -> None:
    """H19: faults, rulings and questions are gone; `as before` is one key."""
    referee = Referee(position=FEW, players={"home": ["Anna"], "away": ["Ben"]})
    referee.report({"t": 5, "event": "stroke"})
    referee.report({"t": 7, "event": "fault", "fault": "push_through"})
    referee.report({"t": 9, "event": "rest"})
    referee.key("fault", 1.2)
    referee.cell("new match")
    referee.cell("as before")
    view = referee.stage.core.view()
    assert view.match.phase == "opening"
    assert view.ruling is None
    assert view.grid is None
    assert view.names.home == ("Anna",)
    assert referee.state["balls"] == {"red": 5, "white": 5}


def test_clock_only_on_the_keys() -> None:
    """A training evening: stroke, rest, call, grace; nothing else."""
    referee = Referee()
    referee.wait(1)
    referee.key("fault", 1.2)
    referee.cell("new match")
    referee.cell("clock only")
    start = referee.clock
    referee.key("rest")
    referee.wait(start + 50.5)
    assert len(referee.out("signal", signal="zeit")) == 1
    referee.key("stroke")
    assert referee.stage.core.view().match.clock.state == "stopped"


def test_a_duo_match_set_up_on_the_keys_asks_who_opened() -> None:
    referee = Referee()
    referee.wait(1)
    referee.key("fault", 1.2)
    referee.cell("new match")
    referee.cell("singles")
    referee.cell("START")
    referee.wait(5)
    referee.key("stroke")
    referee.key("rest")
    referee.cell("red")
    referee.cell("{name}", name="home 2")
    referee.cell("{name}", name="away 1")
    match = referee.stage.core.record.match
    assert (match.openers.home, match.openers.away) == (1, 0)
    assert (match.turn, match.player) == ("red", 1)


def test_counts_are_corrected_on_the_keys() -> None:
    referee = Referee(position=OPEN)
    referee.wait(5)
    referee.key("fault", 1.2)
    referee.cell("balls")
    referee.cell("red {n}", n="4")
    referee.cell("red {n}", n="3")
    referee.cell("set")
    assert referee.state["balls"] == {"red": 2, "white": 4}
    assert referee.state["clock"]["state"] == "stopped"


def test_what_destroys_needs_a_hold_of_three_seconds() -> None:
    referee = Referee(position=OPEN)
    referee.wait(5)
    referee.key("fault", 1.2)
    grid = referee.stage.core.view().grid
    assert grid is not None
    key = next(cell.key for cell in grid.cells if cell.text == "abandon")
    referee.key(key, 2.5)
    assert referee.state["match"] is None
    referee.key(key, 3.1)
    assert referee.state["match"] == "abandoned"


def test_the_visitor_chooses_the_colour_of_a_decider_where_the_rulebook_says_so() -> None:
    """Row 24 of the federations' variants (Aalst)."""
    referee = Referee(rulebook="aalst", position={"phase": "opening", "balls": {"red": 5, "white": 5},
                                                  "games": {"home": 1, "away": 1}})  # fmt: skip
    referee.wait(5)
    referee.cell("white")
    referee.key("stroke")
    referee.key("rest")
    referee.cell("red")
    assert referee.state["home"] == "red"


# Found by a stranger at the table ------------------------------------------------------------------------------


def test_the_colour_key_answers_the_question_before_a_doubtful_second_pulse() -> None:
    """One white ball passed the red goal and bounced in the sensor: white has one left, nobody has won."""
    evening = Evening(position={"balls": {"red": 1, "white": 2}, "turn": "red"}).play(
        press(1, "stroke"),
        pulse(2, "red"),
        pulse(2.3, "red"),
        press(4, "white"),
        press(5, "down"),
        press(7, "rest"),
    )
    evening.run(8)
    assert [(one["balls"], one["game"]) for one in evening.rulings] == [({"red": 1, "white": 1}, None)]


def test_two_last_balls_may_have_changed_colours_and_one_key_says_so() -> None:
    """The white ball fell first, into the red goal; then the red one into the white goal: white has won."""
    evening = Evening(position={"balls": {"red": 1, "white": 1}, "turn": "red"}).play(
        press(1, "stroke"), pulse(1.5, "red"), pulse(2, "white"), press(4, "rest")
    )
    evening.run(4.5)
    assert evening.rulings == []
    evening.play(press(5, "white")).run(6)
    reports = evening.state["rolling"]["reports"]
    assert [(report["goal"], report["ball"]) for report in reports] == [("red", "white"), ("white", "red")]
    evening.play({"t": 7, "event": "rest"}).run(8)
    assert evening.rulings[-1]["game"] == "white"


def test_counts_corrected_while_balls_roll_are_the_counts_on_the_screen() -> None:
    """Red has 2 and holes one: the menu says 1, and setting it changes nothing."""
    referee = Referee(position={"balls": {"red": 2, "white": 3}, "turn": "red"})
    referee.wait(1)
    referee.key("stroke")
    referee.ball("red")
    referee.key("fault", 1.2)
    referee.cell("balls")
    referee.cell("red {n}", n="1")
    for _ in range(4):
        referee.cell("red {n}", n=str(5 - _))
    referee.cell("set")
    referee.key("rest")
    assert referee.state["balls"] == {"red": 1, "white": 3}


def test_a_colour_chosen_for_home_is_shown_in_the_opening_and_survives_undo() -> None:
    referee = Referee()
    referee.wait(1)
    referee.key("fault", 1.2)
    referee.cell("new match")
    referee.cell("home is white")
    referee.cell("START")
    assert referee.stage.core.view().match.home == "red"
    for _ in range(2):
        referee.key("stroke")
        referee.key("rest")
        referee.cell("white")
        assert referee.state["home"] == "red"
        for _ in range(3):
            referee.key("undo")


def test_a_sensor_that_is_switched_off_leaves_nothing_behind_for_the_keys() -> None:
    """Doubtful pulses of a mad sensor are forgotten: a red ball in the red goal is one."""
    evening = Evening(position=OPEN).play(press(1, "stroke"))
    evening.play(*(pulse(round(2 + n * 0.15, 2), "white", pulse=0.02) for n in range(12)))
    evening.play(press(9, "red"), press(12, "rest")).run(13)
    assert evening.rulings[0]["balls"]["red"] == 3
    assert "TOR-03" not in evening.rulings[0]["clauses"]


def test_undo_puts_the_ruling_back_on_the_screen() -> None:
    referee = Referee(position=OPEN)
    referee.report({"t": 1, "event": "stroke"})
    referee.report({"t": 2, "event": "fault", "fault": "push_through"})
    referee.report({"t": 5, "event": "rest"})
    ruling = referee.stage.core.view().ruling
    referee.report({"t": 8, "event": "choose", "spot": 1})
    referee.key("rest")
    referee.key("undo")
    assert referee.stage.core.view().ruling == ruling


def test_a_menu_closes_when_the_match_moves_on_and_stroke_is_taken_where_no_cell_takes_it() -> None:
    evening = Evening(position=OPEN).play(press(1, "fault"), press(2, "hand")).run(3)
    assert evening.stage.core.view().grid is None
    evening = Evening(position=OPEN).play(press(1, "fault"), press(4, "stroke")).run(5)
    assert type(evening.kept[0]).__name__ == "Stroke"


def test_a_question_comes_before_an_open_menu() -> None:
    evening = Evening(position=OPEN).play(press(1, "fault", hold=1.2), pulse(3, "white")).run(5.5)
    assert evening.stage.core.view().question == "stroke_played"
    assert evening.stage.core.view().grid is None
    evening.play(press(6, "ok")).run(7)
    assert [type(event).__name__ for event in evening.kept] == ["Stroke", "Drop"]


def test_a_rest_that_asked_is_over_when_something_else_was_ruled_on() -> None:
    evening = (
        Evening(position=OPEN)
        .play(press(1, "rest"), {"t": 2, "event": "fault", "fault": "time_exceeded"})
        .run(3)
    )
    assert evening.stage.core.view().question is None


def test_a_blocked_spot_lies_on_the_key_it_is_chosen_with() -> None:
    referee = Referee(position=FEW)
    referee.report({"t": 1, "event": "stroke"})
    referee.report({"t": 2, "event": "out", "ball": "red"})
    referee.report({"t": 5, "event": "rest"})
    chosen = {
        cell.key: dict(cell.values)
        for cell in (referee.stage.core.view().grid or pytest.fail("no grid")).cells
    }
    referee.cell("blocked")
    blocked = {
        cell.key: dict(cell.values)
        for cell in (referee.stage.core.view().grid or pytest.fail("no grid")).cells
    }
    assert {key: value for key, value in chosen.items() if value} == {
        key: blocked[key] for key, value in chosen.items() if value
    }


def test_after_the_match_one_key_leads_to_the_next() -> None:
    referee = Referee(position=OPEN)
    referee.report({"t": 1, "event": "abandon"})
    referee.key("ok")
    referee.cell("as before")
    assert referee.state["phase"] == "opening"
