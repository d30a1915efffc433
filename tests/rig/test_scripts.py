"""Scripts for the rig: keys to pins, plans, and that pins alone say the same to replay as keys."""

import json
from pathlib import Path

import pytest

from firmware.profile import load_profile
from firmware.rulebooks import load_rulebook
from firmware.script import Opened, read_lines
from rules import BOOK
from tests.rig import edges, scripts
from tests.rig.board import HERE

INPUTS = load_profile(HERE / "board.toml").inputs()


def test_a_press_becomes_two_edges_in_the_order_of_time() -> None:
    lines: list[scripts.Line] = [
        {"script": "x"},
        {"t": 1, "press": "ok", "hold": 0.5},
        {"t": 1.2, "sensor": "goal_red"},
    ]
    assert scripts.to_pins(lines, INPUTS) == [
        {"script": "x"},
        {"t": 1, "pin": 17, "level": 0},
        {"t": 1.2, "pin": 4, "level": 0},
        {"t": 1.23, "pin": 4, "level": 1},
        {"t": 1.5, "pin": 17, "level": 1},
    ]


def test_a_plan_is_in_nanoseconds() -> None:
    assert scripts.plan([{"script": "x"}, {"t": 1.25, "pin": 17, "level": 0}]) == "1250000000 17 0\n"


def test_a_plan_refuses_what_no_pin_can_do() -> None:
    with pytest.raises(ValueError, match="a board takes only press, sensor and pin lines"):
        scripts.plan([{"t": 1, "event": "pause"}])


def test_the_rulebook_of_the_scripts_is_the_boards_file() -> None:
    lines = [json.dumps(line) for line in scripts.short_match().lines]
    opened = next(item for _, item in read_lines(lines, "short", BOOK))
    assert isinstance(opened, Opened)
    assert opened.rulebook == load_rulebook(HERE / "quick.toml")


def test_a_plan_of_pairs_has_what_it_says() -> None:
    text, firsts = edges.pair_plan(50, (4, 27))
    rows = [tuple(map(int, line.split())) for line in text.splitlines()]
    falls = [(at, pin) for at, pin, level in rows if level == 0]
    assert [pin for _, pin in falls[::2]] == firsts
    gaps = [later - first for (first, _), (later, _) in zip(falls[::2], falls[1::2], strict=True)]
    assert min(gaps) >= 100_000
    assert max(gaps) <= 5_000_000


def test_a_plan_of_presses_ends_idle_on_every_pin() -> None:
    text, wanted, length = edges.press_plan(40, (5, 6, 12))
    assert sum(wanted.values()) == 40
    rows = [tuple(map(int, line.split())) for line in text.splitlines()]
    assert rows == sorted(rows)
    assert all([level for _, pin, level in rows if pin == wanted_pin][-1] == 1 for wanted_pin in wanted)
    assert rows[-1][0] < length


def test_what_the_board_runs_is_in_the_tree() -> None:
    for name in ("init", "prepare.sh", "vbus.c", "guest/rigtool.c", "guest/lib.sh", "guest/pid1.sh"):
        assert (Path(HERE) / name).is_file()
