"""The message `inputs`: levels, counters and pulse widths, told to whoever asked, and to nobody else."""

from collections.abc import Mapping
from typing import Any

from drivers.contacts import Counters
from drivers.ports import Edge, InputSpec
from firmware.link import WATCH, is_watch
from firmware.pulses import Pulses

MS = 1_000_000
SPECS = (InputSpec(name="red", pins=(5,)), InputSpec(name="goal_red", pins=(4, 27)))


def pulses(**active: bool) -> Pulses:
    return Pulses(SPECS, {"red": False, "goal_red": False} | active, 0)


def told(of: Pulses, at_ns: int = 0) -> Mapping[str, Any]:
    return of.message({"red": Counters(edges=3, presses=1, spikes=1)}, at_ns)


def test_it_tells_levels_pins_and_counters() -> None:
    red, goal = told(pulses(goal_red=True), 7)["inputs"]
    assert red == {
        "input": "red", "pins": [5], "active": False, "edges": 3, "presses": 1, "spikes": 1, "bounces": 0, "late": 0,
        "lost": None, "repaired": 0,
    }  # fmt: skip
    assert (goal["pins"], goal["active"], goal["edges"]) == ([4, 27], True, 0)


def test_a_pulse_is_as_wide_as_the_line_was_active() -> None:
    seen = pulses()
    for at_ms, active in ((10, True), (22, False), (23, True), (24, False)):
        seen.edge(Edge(input="goal_red", at_ns=at_ms * MS, active=active))
    assert told(seen)["pulses"] == [
        {"n": 1, "input": "goal_red", "at_ns": 10 * MS, "width_ns": 12 * MS},
        {"n": 2, "input": "goal_red", "at_ns": 23 * MS, "width_ns": 1 * MS},
    ]


def test_an_edge_that_repeats_the_level_changes_nothing() -> None:
    seen = pulses()
    for at_ms, active in ((1, False), (10, True), (15, True), (22, False), (25, False)):
        seen.edge(Edge(input="red", at_ns=at_ms * MS, active=active))
    assert [pulse["width_ns"] for pulse in told(seen)["pulses"]] == [12 * MS]


def test_the_last_32_are_told_with_their_numbers() -> None:
    seen = pulses()
    for number in range(40):
        seen.edge(Edge(input="red", at_ns=number * 10 * MS, active=True))
        seen.edge(Edge(input="red", at_ns=(number * 10 + 1) * MS, active=False))
    assert [pulse["n"] for pulse in told(seen)["pulses"]] == list(range(9, 41))


def test_nothing_is_told_before_somebody_asks() -> None:
    assert not pulses().wants(5_000 * MS)


def test_who_asks_is_told_at_once_then_every_50_ms_and_for_2_s() -> None:
    seen = pulses()
    seen.watched(1000 * MS)
    at_ms = [time for time in range(1000, 4000, 10) if seen.wants(time * MS)]
    assert at_ms == list(range(1000, 3000, 50))


def test_who_asks_again_is_told_on() -> None:
    seen = pulses()
    seen.watched(0)
    assert seen.wants(0)
    seen.watched(1000 * MS)
    assert seen.wants(2900 * MS)
    assert not seen.wants(3000 * MS)


def test_asking_is_a_command_that_drives_nothing() -> None:
    assert is_watch({**WATCH, "id": "1", "at_ns": 5})
    assert not is_watch({**WATCH, "input": "red", "active": True})
    assert not is_watch({"pulse": "goal_red"})
