"""What the desk's keys and sensors may say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from firmware.link import KEYS, SENSORS, CommandError, Pulse, Push, read_command

if TYPE_CHECKING:
    from firmware.script import Key, Sensor


@pytest.mark.parametrize("name", [*KEYS, *SENSORS])
@pytest.mark.parametrize("active", [True, False])
def test_every_input_can_be_held_and_let_go(name: Key | Sensor, active: bool) -> None:
    assert read_command({"input": name, "active": active, "id": "a"}) == Push(name=name, active=active)


def test_there_are_the_ten_keys_and_two_sensors_of_the_board() -> None:
    assert KEYS == ("red", "up", "white", "fault", "ok", "undo", "stroke", "down", "rest", "hand")
    assert SENSORS == ("goal_red", "goal_white")


def test_a_sensor_can_be_pulsed() -> None:
    assert read_command({"pulse": "goal_red"}) == Pulse(name="goal_red")


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ({"input": "bell", "active": True}, "no input is called 'bell'; there are red, up, white, fault, ok"),
        ({"input": ["red"], "active": True}, r"no input is called \['red'\]"),
        ({"input": "red", "active": 1}, "active is true or false, not 1"),
        ({"input": "red"}, "a command holds input and active, or pulse; this one holds input"),
        ({}, "this one holds none of them"),
        ({"pulse": "red"}, "no sensor is called 'red'; there are goal_red, goal_white"),
        ({"pulse": "goal_red", "ms": 3}, "this one holds ms, pulse"),
    ],
)
def test_what_cannot_be_meant_is_answered_with_what_could_be(command: dict[str, object], error: str) -> None:
    with pytest.raises(CommandError, match=error):
        read_command(command)
