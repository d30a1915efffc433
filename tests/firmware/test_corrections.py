"""Corrections at the table: all displays follow at once, and what was ruled stays to be seen."""

import pytest

from firmware.screens import hall
from firmware.screens.seconds import shown
from tests.firmware.evening import OPEN, Evening, press, seconds


@pytest.mark.parametrize("left", [36, 37, 38])
def test_after_a_change_of_the_time_every_display_shows_the_same_second(left: int) -> None:
    """E14: 37 s are on the boards; the referee sets one more, the same, and one less."""
    evening = Evening(position=OPEN).play(
        {"t": 12.5, "event": "pause"},
        {"t": 14, "event": "correct", "left": left},
        {"t": 16, "event": "rest"},
    )
    evening.run(16.0)
    view = evening.stage.core.view()
    for at, second in ((16.0, left), (16.999, left), (17.0, left - 1)):
        now = seconds(at)
        assert shown(view, now).seconds == second
        assert int(hall.line(view, now)[-3:]) == second


def test_a_ruling_stays_to_be_seen_when_the_clock_starts_with_it() -> None:
    """E13: the clock of the next turn runs at once; the ruling is there until that turn's stroke."""
    evening = Evening(position=OPEN).play(press(5, "stroke"), press(9, "rest"))
    evening.run(20)
    view = evening.stage.core.view()
    assert view.match.clock.state == "running"
    assert view.ruling is not None
    assert view.ruling.turn == "passes"
    evening.play(press(22, "stroke")).run(23)
    assert evening.stage.core.view().ruling is None


def test_a_correction_is_seen_at_once_and_nothing_of_the_old_value_is_said() -> None:
    """E12: no ruling and no signal comes of it; counts and hall line have the new value."""
    evening = Evening(position=OPEN)
    evening.run(3)
    before = len(evening.said)
    evening.play({"t": 4, "event": "correct", "balls": {"red": 2}})
    evening.run(4.1)
    assert evening.said[before:] == []
    assert "R2" in hall.line(evening.stage.core.view(), seconds(4.1))


def test_a_match_corrected_after_its_end_is_on_every_display() -> None:
    """E10: the games change, nobody has won any more, and the hall shows it."""
    evening = Evening(best_of=3).play(
        {"t": 1, "event": "opening", "nearest": "red"},
        {"t": 5, "event": "concede", "side": "red", "match": True},
    )
    evening.run(6)
    assert hall.line(evening.stage.core.view(), seconds(6)).startswith("END")
    evening.play({"t": 9, "event": "correct", "games": {"home": 0, "away": 1}}).run(10)
    assert evening.state["match"] is None
    assert "0:1" in hall.line(evening.stage.core.view(), seconds(10))
