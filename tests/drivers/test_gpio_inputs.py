"""Inputs through gpiozero's own devices, on mock pins at given instants."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from gpiozero import OutputDevice
from hypothesis import given
from hypothesis import strategies as st

from drivers.factories import open_factory
from drivers.inputs import open_inputs
from drivers.mock_pins import ScriptedFactory
from drivers.ports import DeviceError, Edge, InputSpec

if TYPE_CHECKING:
    from pathlib import Path

MS = 1_000_000
STROKE = InputSpec(name="stroke", pins=(17,))
GOAL = InputSpec(name="goal_red", pins=(22, 23))


@pytest.fixture
def factory() -> ScriptedFactory:
    """A Pi Zero 2 W whose clock stands at 0."""
    return ScriptedFactory()


def test_an_edge_arrives_with_exactly_the_instant_at_which_the_pin_changed(factory: ScriptedFactory) -> None:
    """A key to ground: low is active; the stamp is the pin's, in nanoseconds."""
    edges: list[Edge] = []
    inputs = open_inputs([STROKE], factory=factory, on_edge=edges.append)
    factory.drive(17, level=0, at_ns=1_234_567_891)
    factory.drive(17, level=1, at_ns=1_334_567_891)
    inputs.close()
    assert edges == [
        Edge(input="stroke", at_ns=1_234_567_891, active=True),
        Edge(input="stroke", at_ns=1_334_567_891, active=False),
    ]


@given(at_ns=st.integers(1, 26 * 24 * 3600 * 1_000_000_000))
def test_instants_are_exact_for_26_days(at_ns: int) -> None:
    """gpiozero counts in floating-point seconds; the nanoseconds survive."""
    edges: list[Edge] = []
    factory = ScriptedFactory()
    inputs = open_inputs([STROKE], factory=factory, on_edge=edges.append)
    factory.drive(17, level=0, at_ns=at_ns)
    inputs.close()
    assert [edge.at_ns for edge in edges] == [at_ns]


def test_the_handlers_outlive_garbage_collection(factory: ScriptedFactory) -> None:
    """gpiozero holds handlers weakly; the inputs hold them as long as somebody holds the inputs."""
    edges: list[Edge] = []
    inputs = open_inputs([STROKE], factory=factory, on_edge=edges.append)
    gc.collect()
    factory.drive(17, level=0, at_ns=MS)
    assert len(edges) == 1
    inputs.close()


def test_raw_bounce_comes_through(factory: ScriptedFactory) -> None:
    """Nothing is filtered here: 1 us pulses arrive."""
    edges: list[Edge] = []
    inputs = open_inputs([STROKE], factory=factory, on_edge=edges.append)
    for number in range(10):
        factory.drive(17, level=number % 2, at_ns=MS + number * 1_000)
    inputs.close()
    assert [edge.at_ns for edge in edges] == [MS + number * 1_000 for number in range(10)]


def test_an_input_with_two_pins_is_active_while_either_is(factory: ScriptedFactory) -> None:
    """Two barriers under one goal: one edge when the first is shadowed, one when the last is free."""
    edges: list[Edge] = []
    inputs = open_inputs([GOAL], factory=factory, on_edge=edges.append)
    for at_ms, pin, level in ((1, 22, 0), (2, 23, 0), (3, 22, 1), (4, 23, 1)):
        factory.drive(pin, level=level, at_ns=at_ms * MS)
    inputs.close()
    assert edges == [
        Edge(input="goal_red", at_ns=1 * MS, active=True),
        Edge(input="goal_red", at_ns=4 * MS, active=False),
    ]


def test_polarity_and_pull_are_independent(factory: ScriptedFactory) -> None:
    """A contact that opens when pressed (active high, pulled up) and an open-collector sensor (floating)."""
    edges: list[Edge] = []
    specs = [
        InputSpec(name="normally_closed", pins=(5,), active_low=False, pull="up"),
        InputSpec(name="sensor", pins=(6,), active_low=True, pull="floating"),
        InputSpec(name="high", pins=(13,), active_low=False, pull="down"),
    ]
    factory.drive(5, level=0, at_ns=0)
    factory.drive(6, level=1, at_ns=0)
    inputs = open_inputs(specs, factory=factory, on_edge=edges.append)
    assert inputs.initial == {"normally_closed": False, "sensor": False, "high": False}
    for pin, level in ((5, 1), (6, 0), (13, 1)):
        factory.drive(pin, level=level, at_ns=MS)
    assert [(edge.input, edge.active) for edge in edges] == [
        ("normally_closed", True),
        ("sensor", True),
        ("high", True),
    ]


def test_levels_at_the_start_are_told_and_are_no_edges(factory: ScriptedFactory) -> None:
    """C13: a key held while the box starts."""
    edges: list[Edge] = []
    factory.drive(17, level=0, at_ns=0)
    inputs = open_inputs([STROKE, GOAL], factory=factory, on_edge=edges.append)
    assert inputs.initial == {"stroke": True, "goal_red": False}
    assert edges == []
    factory.drive(17, level=1, at_ns=MS)
    assert edges == [Edge(input="stroke", at_ns=MS, active=False)]


def test_an_exception_in_the_callback_is_kept_and_the_other_inputs_live(factory: ScriptedFactory) -> None:
    """On a board it would end the one thread that serves every pin."""
    edges: list[Edge] = []

    def fragile(edge: Edge) -> None:
        if edge.input == "stroke":
            raise KeyError(edge.input)
        edges.append(edge)

    inputs = open_inputs([STROKE, GOAL], factory=factory, on_edge=fragile)
    assert inputs.fault is None
    factory.drive(17, level=0, at_ns=MS)
    factory.drive(22, level=0, at_ns=2 * MS)
    assert [edge.input for edge in edges] == ["goal_red"]
    assert inputs.fault is not None
    assert str(inputs.fault).startswith("input stroke: its edge could not be handed on (KeyError('stroke'))")
    assert isinstance(inputs.fault.__cause__, KeyError)


def test_after_close_no_edge_comes_and_the_pins_are_free_again(factory: ScriptedFactory) -> None:
    """Close and reopen 50 times."""
    edges: list[Edge] = []
    for number in range(50):
        inputs = open_inputs([STROKE, GOAL], factory=factory, on_edge=edges.append)
        inputs.close()
        inputs.close()
        factory.drive(17, level=number % 2, at_ns=number * MS)
    assert edges == []


def test_a_pin_in_use_is_named_and_nothing_stays_half_open(factory: ScriptedFactory) -> None:
    """The lamp has GPIO23; the goal's other pin and the key are given back."""
    lamp = OutputDevice(23, pin_factory=factory)
    with pytest.raises(
        DeviceError, match=r"input goal_red: GPIO23 cannot be opened \(pin GPIO23 is already in use"
    ):
        open_inputs([STROKE, GOAL], factory=factory, on_edge=print)
    lamp.close()
    open_inputs([STROKE, GOAL], factory=factory, on_edge=print).close()


def test_a_pin_the_board_does_not_have_is_named(factory: ScriptedFactory) -> None:
    """A profile can be wrong."""
    with pytest.raises(DeviceError, match="GPIO99 cannot be opened"):
        open_inputs([InputSpec(name="bell", pins=(99,))], factory=factory, on_edge=print)


def test_the_mock_factory_is_opened_by_name() -> None:
    """The desk board names it like any other."""
    assert isinstance(open_factory("mock"), ScriptedFactory)


@pytest.mark.parametrize("name", ["native", "pigpio", "GPIOD", ""])
def test_a_factory_that_is_not_there_is_refused_with_those_that_are(name: str) -> None:
    """Never another one instead: gpiozero's own fall-back ends at one whose inputs are dead (gpiozero#1137)."""
    with pytest.raises(DeviceError, match="name one of gpiod, lgpio, rpigpio, mock in the board profile"):
        open_factory(name)


def test_lgpio_off_a_pi_is_refused_in_words_and_leaves_the_working_folder_alone(tmp_path: Path) -> None:
    """lgpio makes a FIFO where it is imported and moves the process there; neither may reach the working folder."""
    script = (
        "import os\n"
        "from drivers.factories import open_factory\n"
        "from drivers.ports import DeviceError\n"
        "try:\n    open_factory('lgpio')\n"
        "except DeviceError as error:\n    print(error.device, '|', error.remedy, '|', os.getcwd())\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "LG_WD"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("pins (lgpio) | ")
    assert done.stdout.strip().endswith(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
