"""Inputs, deadlines and the fold: who is in time, and what sounds when."""

import random

import pytest

from tests.firmware.evening import OPEN, Evening, press, pulse, seconds


@pytest.mark.parametrize("offset_ms", range(-10, 11))
def test_a_press_is_in_time_up_to_the_expiry_and_not_after_it(offset_ms: int) -> None:
    """ZEI-01: 10 s after the call the turn is lost; a stroke at that very instant is still in time."""
    evening = Evening(position=OPEN).play(press(60 + offset_ms / 1000, "stroke"))
    evening.run(61)
    if offset_ms <= 0:
        assert evening.out("signal", signal="expired") == []
        assert evening.state["rolling"]["t"] == pytest.approx(60 + offset_ms / 1000 - 61)
    else:
        assert [one["t"] for one in evening.out("signal", signal="expired")] == [60.0]
        assert evening.rulings[0]["t"] == 60.0
        assert evening.out("refused", event="stroke", why="release")


@pytest.mark.parametrize("bounce_ms", [0, 1, 3, 5])
def test_a_bouncing_press_counts_from_its_first_contact(bounce_ms: int) -> None:
    """The contact chatters before the expiry and is steady only after it: still in time."""
    evening = Evening(position=OPEN)
    pin = 0
    for spec in evening.stage._profile.inputs():  # noqa: SLF001 - the pin's number is the profile's affair
        if spec.name == "stroke":
            pin = spec.pins[0]
    t = 59.998
    lines = [{"t": t, "pin": pin, "level": 0}]
    for n in range(bounce_ms):
        lines += [
            {"t": t + n / 1000 + 0.0004, "pin": pin, "level": 1},
            {"t": t + n / 1000 + 0.0008, "pin": pin, "level": 0},
        ]
    evening.play(*lines, {"t": 60.2, "pin": pin, "level": 1}).run(61)
    assert evening.out("signal", signal="expired") == []
    assert evening.state["rolling"]["t"] == pytest.approx(t - 61)


def test_the_call_sounds_at_its_instant_and_a_press_just_before_it_is_still_in_order() -> None:
    """The call is never held back; the press that began 5 ms before it cuts it short."""
    evening = Evening(position=OPEN).play(press(49.995, "stroke")).run(55)
    assert [one["t"] for one in evening.out("signal", signal="zeit")] == [50.0]
    assert [type(event).__name__ for event in evening.kept] == ["Stroke"]
    assert evening.state["clock"]["left"] == pytest.approx(0.005)


def test_the_expiry_waits_only_until_the_inputs_are_known() -> None:
    """Nothing is pressed: the expiry is ruled on 2 ms after its instant, when an edge can no longer be on its way."""
    evening = Evening(position=OPEN).run(60.001)
    assert evening.rulings == []
    assert evening.run(60.002).rulings[0]["t"] == 60.0


def test_a_press_that_only_began_before_the_expiry_holds_it_until_it_is_known_to_be_a_spike() -> None:
    """A spike of 5 ms is no press; the expiry comes, at its own instant, once that is certain."""
    evening = Evening(position=OPEN).play(press(59.999, "stroke", hold=0.005)).run(60.04)
    assert evening.rulings[0]["t"] == 60.0


def test_calls_and_expiries_of_a_whole_evening_cost_no_time() -> None:
    """A1, A5: 20 turns of 60 s expire one after the other; the error does not add up."""
    evening = Evening(position=OPEN)
    t = 0.0
    for turn in range(20):
        evening.run(t + 60.5)
        assert evening.out("signal", signal="zeit")[-1]["t"] == t + 50
        assert evening.rulings[-1]["t"] == t + 60
        evening.play(press(t + 62.25, "rest")).run(t + 62.5)
        t += 62.25
        assert len(evening.rulings) == turn + 1


def test_the_time_used_is_charged_to_the_instant_of_the_press() -> None:
    """A3: 200 turns ended 0.05 to 0.9 s after a full second; each keeps exactly what was left."""
    evening, t = Evening(position=OPEN), 0.0
    chance = random.Random(3)  # noqa: S311 - a fixed sequence of presses
    for _ in range(200):
        used = round(chance.randrange(1, 40) + chance.uniform(0.05, 0.9), 3)
        evening.play(press(t + used, "stroke")).run(t + used + 0.5)
        assert evening.state["clock"]["left"] == pytest.approx(50 - used, abs=1e-9)
        t = round(t + used + 2, 3)
        evening.play(press(t, "rest")).run(t + 0.02)


def test_a_late_wake_up_rules_at_the_deadlines_own_instant() -> None:
    """A6: the caller slept through call and expiry; both still stand at their instants."""
    evening = Evening(position=OPEN)
    evening.stage.core.advance(seconds(75))
    assert [one["t"] for one in evening.out("signal")] == [50.0, 60.0]
    assert evening.rulings[0]["t"] == 60.0


def test_two_last_balls_are_ordered_by_their_sensors_stamps() -> None:
    """TOR-05: white's last ball fell 0.2 ms before red's; the pulses end in the other order."""
    evening = Evening(position={"balls": {"red": 1, "white": 1}, "turn": "red"}).play(
        press(5, "stroke"),
        pulse(6.0, "white", pulse=0.06),
        pulse(6.0002, "red", pulse=0.02),
        press(7, "white"),
        press(7.5, "red"),
        press(9, "rest"),
    )
    evening.end()
    assert evening.rulings[0]["game"] == "white"


def test_every_accepted_event_is_kept_and_gives_the_live_state_back() -> None:
    """The journal's events, folded again, are the match."""
    from rules import Record, take

    evening = Evening(position=OPEN).play(
        press(5, "stroke"),
        pulse(6, "red"),
        press(7, "rest"),
        press(8, "undo"),
        press(9, "rest"),
        {"t": 90, "event": "end"},
    )
    evening.end()
    record = Record(match=evening.stage.core._opened.record.match)  # noqa: SLF001 - the start of this very match
    for event in evening.kept:
        record, _ = take(evening.stage.core._opened.rulebook, record, event)  # noqa: SLF001
    assert record.match.clock == evening.stage.core.record.match.clock
    assert record.match.balls == evening.stage.core.record.match.balls
    assert record.past == evening.stage.core.record.past


def test_a_match_begun_anew_is_set_up_as_it_was_and_counts_from_now() -> None:
    """A box that is never switched off: after days of waiting the first stroke stands at its second of the evening."""
    days = 30 * 86_400
    evening = Evening(best_of=5, players={"home": ["Anna"], "away": ["Bert"]})
    evening.run(days)
    opened = evening.stage.core.renew(seconds(days))
    assert (opened.record.match.best_of, opened.names.home) == (5, ("Anna",))
    evening.stage.core.edge("stroke", seconds(days + 3), active=True)
    evening.stage.core.advance(seconds(days + 4))
    assert [(type(event).__name__, event.t) for event in evening.kept] == [("Stroke", seconds(3))]
