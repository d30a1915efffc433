"""Edges that never came: a look at the levels once a second finds and tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpiozero.pins.mock import MockPin
from hypothesis import given
from hypothesis import strategies as st

from drivers.inputs import LOOK_AGAIN_NS, LOOK_EVERY_NS, open_inputs
from drivers.mock_pins import ScriptedFactory
from drivers.ports import Edge, InputSpec, Losses

if TYPE_CHECKING:
    import pytest

MS = 1_000_000
SECOND = 1_000 * MS
SPECS = (InputSpec(name="stroke", pins=(17,)), InputSpec(name="goal_red", pins=(22, 23)))


class Board:
    """Two inputs on mock pins, which can miss edges."""

    def __init__(self) -> None:
        """Open them."""
        self.edges: list[Edge] = []
        self.factory = ScriptedFactory()
        self.inputs = open_inputs(SPECS, factory=self.factory, on_edge=self.edges.append)

    def miss(self, pin: int, *, level: int) -> None:
        """Change a level without an edge, as a kernel does that misses one."""
        self.factory.pin(pin)._state = bool(level)  # noqa: SLF001  no mock pin misses an edge when told to


def test_a_press_whose_edge_was_missed_is_told_at_the_second_look() -> None:
    """lg#18. The instant is that of the look: later than the press, never earlier."""
    board = Board()
    board.miss(17, level=0)
    assert board.inputs.reconcile(5 * SECOND) == 5 * SECOND + LOOK_AGAIN_NS
    assert board.edges == []
    assert board.inputs.reconcile(5 * SECOND + LOOK_AGAIN_NS) == 5 * SECOND + LOOK_AGAIN_NS + LOOK_EVERY_NS
    assert board.edges == [Edge(input="stroke", at_ns=5 * SECOND + LOOK_AGAIN_NS, active=True)]
    assert board.inputs.losses == {
        "stroke": Losses(lost=0, repaired=1),
        "goal_red": Losses(lost=0, repaired=0),
    }
    assert board.inputs.active == {"stroke": True, "goal_red": False}


def test_an_edge_that_is_only_late_keeps_its_own_instant() -> None:
    """The look saw the new level before the edge was told: the edge wins, and nothing is counted."""
    board = Board()
    board.miss(17, level=0)
    board.inputs.reconcile(5 * SECOND)
    board.miss(17, level=1)
    board.factory.drive(17, level=0, at_ns=4_999 * MS)
    assert board.inputs.reconcile(5 * SECOND + LOOK_AGAIN_NS) == 5 * SECOND + LOOK_AGAIN_NS + LOOK_EVERY_NS
    assert board.edges == [Edge(input="stroke", at_ns=4_999 * MS, active=True)]
    assert board.inputs.losses["stroke"].repaired == 0


def test_an_edge_that_comes_after_its_repair_is_not_told_twice() -> None:
    """It says nothing new."""
    board = Board()
    board.miss(17, level=0)
    for now_ns in (5 * SECOND, 5 * SECOND + LOOK_AGAIN_NS):
        board.inputs.reconcile(now_ns)
    board.inputs._pins[0]._changed(4.9, 0)  # type: ignore[attr-defined]  # noqa: SLF001  as the factory would
    assert len(board.edges) == 1


def test_a_noisy_line_is_not_repaired_in_the_middle_of_its_edges() -> None:
    """Between two looks it had edges, so nobody has stopped listening."""
    board = Board()
    for number in range(4):
        board.factory.drive(17, level=number % 2, at_ns=number + 1)
        board.miss(17, level=number % 2)
        board.miss(17, level=1 - number % 2)
        board.inputs.reconcile(SECOND * (number + 1))
        board.miss(17, level=number % 2)
    assert board.inputs.losses["stroke"].repaired == 0


def test_one_of_two_pins_of_an_input_is_repaired_by_itself() -> None:
    """Two barriers under one goal: the input changes when the first or last of them does."""
    board = Board()
    board.factory.drive(22, level=0, at_ns=1)
    board.miss(23, level=0)
    for now_ns in (SECOND, SECOND + LOOK_AGAIN_NS):
        board.inputs.reconcile(now_ns)
    board.factory.drive(22, level=1, at_ns=2 * SECOND)
    assert [edge.active for edge in board.edges] == [True]
    board.factory.drive(23, level=1, at_ns=3 * SECOND)
    assert [edge.active for edge in board.edges] == [True, False]
    assert board.inputs.losses["goal_red"].repaired == 1


def test_a_pin_that_cannot_be_read_is_told_as_long_as_that_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the others are still looked after."""
    board = Board()
    real = MockPin._get_state  # noqa: SLF001  gpiozero's own hook

    def break_17(pin: MockPin) -> object:
        if pin.info.name == "GPIO17":
            message = "gone"
            raise OSError(message)
        return real(pin)

    monkeypatch.setattr(MockPin, "_get_state", break_17)
    board.miss(22, level=0)
    for now_ns in (SECOND, SECOND + LOOK_AGAIN_NS):
        board.inputs.reconcile(now_ns)
    assert board.inputs.fault is not None
    assert str(board.inputs.fault).startswith("input stroke: GPIO17 cannot be read (gone)")
    assert [edge.input for edge in board.edges] == ["goal_red"]
    monkeypatch.setattr(MockPin, "_get_state", real)
    board.inputs.reconcile(3 * SECOND)
    assert board.inputs.fault is None


@given(missed=st.lists(st.tuples(st.sampled_from([17, 22, 23]), st.booleans()), max_size=30))
def test_after_two_quiet_looks_what_is_told_is_what_is_there(missed: list[tuple[int, bool]]) -> None:
    """Whatever was missed in between; and edges alternate."""
    board = Board()
    levels = {17: 1, 22: 1, 23: 1}
    now_ns = SECOND
    for pin, level in missed:
        levels[pin] = int(level)
        board.miss(pin, level=level)
        now_ns = board.inputs.reconcile(now_ns)
    for _ in range(2):
        now_ns = board.inputs.reconcile(now_ns)
    assert board.inputs.active == {"stroke": levels[17] == 0, "goal_red": 0 in (levels[22], levels[23])}
    for name in ("stroke", "goal_red"):
        told = [edge.active for edge in board.edges if edge.input == name]
        assert told == [index % 2 == 0 for index in range(len(told))]
