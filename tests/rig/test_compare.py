"""Matching what a glass showed with what replay gives, and reading the board's logs."""

import struct
from pathlib import Path

import pytest

from tests.rig import compare, cuts, load, logs

A, B, C = b"a", b"b", b"c"
EXPECTED = [(0.0, A), (1.0, B), (2.0, C)]
MS = 1_000_000


def test_all_in_order_is_right() -> None:
    shown = compare.shown_in_order(EXPECTED, [(0, A), (1000, B), (2000, C)], end_ns=3000)
    assert shown.problems == ()
    assert shown.seen == ((0, 0), (1000, 1), (2000, 2))


def test_parts_on_the_way_are_no_pictures() -> None:
    states = [(0, A), (1000 * MS, b"half"), (1030 * MS, B), (2000 * MS, C)]
    assert compare.shown_in_order(EXPECTED, states, end_ns=3000 * MS).problems == ()


def test_another_picture_that_stands_is_wrong() -> None:
    states = [(0, A), (500 * MS, b"wrong"), (1000 * MS, B), (2000 * MS, C)]
    (problem,) = compare.shown_in_order(EXPECTED, states, end_ns=3000 * MS).problems
    assert "stood for 500 ms" in problem


def test_a_picture_that_never_came_is_wrong() -> None:
    shown = compare.shown_in_order(EXPECTED, [(0, A), (2000, B)], end_ns=3000)
    assert shown.problems == ("never seen: picture 2 of the script's second 2",)


def test_a_short_picture_may_be_overtaken() -> None:
    expected = [(0.0, A), (1.0, B), (1.05, C)]
    assert compare.shown_in_order(expected, [(0, A), (1000, C)], end_ns=2000).problems == ()


def test_lists_that_differ_say_where() -> None:
    assert list(compare.differences([1, 2], [1, 3], "line")) == ["line 2: replay gives 2, the board 3"]
    assert list(compare.differences([1, 2], [1], "line")) == ["line: replay gives 2, the board 1"]


def test_hall_lines_may_be_overtaken_only_where_they_pass() -> None:
    told = [(0.0, "3"), (1.0, "3"), (2.0, "0"), (2.002, "50")]
    assert list(compare.lines_in_order(told, ["3", "3", "0", "50"])) == []
    assert list(compare.lines_in_order(told, ["3", "50"])) == []
    assert len(list(compare.lines_in_order(told, ["3", "0"]))) == 1
    assert len(list(compare.lines_in_order(told, ["0", "50"]))) == 1
    assert len(list(compare.lines_in_order(told, ["3", "50", "49"]))) == 1


def test_a_bus_record_cut_short_is_left_out(tmp_path: Path) -> None:
    whole = struct.pack("<QH", 7, 2) + b"\x00\xaf"
    (tmp_path / "bus").write_bytes(whole + whole[:-1])
    assert list(logs.bus(tmp_path / "bus")) == [(7, b"\x00\xaf")]


def test_a_hall_line_is_read_from_the_kernels_trace(tmp_path: Path) -> None:
    text = b"G1   0:0  R5 W5 >R     3\r\n".ljust(32, b"\0")
    words = " ".join(f"b{n}=0x{int.from_bytes(text[8 * n : 8 * n + 8], 'little'):x}" for n in range(4))
    (tmp_path / "trace").write_text(
        f"  python3-201 [000] ..... 10.301862: hall: (uart_write+0x0/0x1e0) count=26 {words}\n"
    )
    assert logs.hall_lines(tmp_path / "trace") == [(10_301_862_000, "G1   0:0  R5 W5 >R     3")]


def test_a_sound_is_placed_by_the_pieces_after_it() -> None:
    # 10 ms lost in front of the sound: what came before it must not place it.
    silence, sound = [0] * 480, [9000] * 240
    pieces = ((240, 5 * MS), (480, 10 * MS), (720, 25 * MS))
    found = logs.Recording(rate=48_000, samples=silence + sound, pieces=pieces).onsets()
    assert found == [20 * MS]


def test_cost_is_counted_between_two_looks() -> None:
    first = load.Snap(at_ns=0, ticks=100, wakes=50, rss_kb=2048)
    last = load.Snap(at_ns=10_000_000_000, ticks=150, wakes=150, rss_kb=4096)
    assert load.between(first, last) == load.Cost(cpu=5.0, wakes=10.0, rss_mb=4.0)


@pytest.fixture(scope="module")
def expect(tmp_path_factory: pytest.TempPathFactory) -> cuts.Expected:
    return cuts.expected(tmp_path_factory.mktemp("cuts"))


def test_the_match_of_the_power_cuts_is_confirmed_report_by_report(expect: cuts.Expected) -> None:
    states = [(round(t * 1e9), picture) for t, picture in expect.pictures]
    assert cuts.confirmed(expect, []) == 0
    assert cuts.confirmed(expect, states[:1]) == 0
    assert cuts.confirmed(expect, states) == len(expect.reports)
    assert len(expect.reports) > 20


def test_a_report_that_was_confirmed_and_is_gone_is_wrong(expect: cuts.Expected) -> None:
    kept = ['{"event":"stroke","t":1.0}', '{"event":"recovered","t":1.0,"dark":null}']
    assert cuts.judge(expect, 1, kept, []).problems == ()
    (problem,) = cuts.judge(expect, 2, kept, []).problems
    assert problem == "2 reports were confirmed on the screen, 1 came back"
    assert "no prefix" in cuts.judge(expect, 0, ['{"event":"rest","t":1.0}', kept[1]], []).problems[0]
