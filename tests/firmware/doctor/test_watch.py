"""The live picture for whoever mounts the light barriers."""

from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest

from firmware.doctor.live import show
from firmware.doctor.watch import Watch
from tests.firmware.doctor.pi import club

MS = 1_000_000


def message(
    pulses: Sequence[tuple[int, str, float, float]] = (), *, active: Sequence[str] = ()
) -> dict[str, Any]:
    """One with these pulses: number, input, instant and width in milliseconds."""
    counters = dict.fromkeys(("edges", "presses", "spikes", "bounces", "late", "lost", "repaired"), 0)
    inputs = [
        {"input": spec.name, "pins": list(spec.pins), "active": spec.name in active, **counters}
        for spec in club().inputs()
    ]
    told = [
        {"n": n, "input": name, "at_ns": round(at * MS), "width_ns": round(width * MS)}
        for n, name, at, width in pulses
    ]
    return {"kind": "inputs", "at_ns": 0, "inputs": inputs, "pulses": told}


def said(watch: Watch) -> str:
    """What the picture says, in one line."""
    return " ".join(" ".join(watch.table()).split())


def balls(*widths_ms: float) -> str:
    """What is said after balls that covered the red goal's barrier for so long, a second apart."""
    watch = Watch(club())
    watch.take(message())
    for n, width in enumerate(widths_ms, 1):
        watch.take(message([(n, "goal_red", n * 1000, width)]))
    return said(watch)


def test_each_new_pulse_is_told_once_and_old_ones_never() -> None:
    watch = Watch(club())
    assert watch.take(message([(1, "red", 0, 90)])) == []
    assert watch.take(message([(1, "red", 0, 90), (2, "goal_red", 500, 12.4)])) == ["goal_red: 12.4 ms"]
    assert watch.take(message([(1, "red", 0, 90), (2, "goal_red", 500, 12.4)])) == []
    assert watch.take(message([(3, "goal_red", 900, 2)])) == ["goal_red: 2.0 ms, too short to count"]


def test_a_service_that_was_started_again_counts_anew() -> None:
    watch = Watch(club())
    watch.take(message([(70, "red", 0, 90)]))
    assert watch.take(message([(1, "red", 0, 50)])) == ["red: 50.0 ms"]


def test_the_table_has_every_input_with_its_gpio_and_level() -> None:
    watch = Watch(club())
    watch.take(message(active=["goal_white", "stroke"]))
    rows = {line.split()[0]: line.split() for line in watch.table() if line and line[0] != " "}
    assert rows["red"][1:3] == ["5", "open"]
    assert rows["stroke"][1:3] == ["23", "PRESSED"]
    assert rows["goal_red"][1:3] == ["4", "free"]
    assert rows["goal_white"][1:3] == ["27", "COVERED"]


def test_widths_are_counted_in_steps() -> None:
    watch = Watch(club())
    watch.take(message())
    watch.take(message([(n, "goal_red", n * 1000, width) for n, width in enumerate((1, 12, 13, 30, 400), 1)]))
    assert "  0-2 ms: 1, 2-8 ms: 0, 8-20 ms: 2, 20-50 ms: 1, 50-100 ms: 0, 100+ ms: 1" in watch.table()


def test_the_picture_fits_a_terminal_of_80_by_24_whatever_it_says() -> None:
    watch = Watch(club())
    watch.take(message())
    close = [
        (n, goal, n * 1000, 9.0 if n < 11 else 7.0)
        for n, goal in enumerate(("goal_red", "goal_white") * 11, 1)
    ]
    watch.take(message(close, active=[spec.name for spec in club().inputs()]))
    assert all(len(line) < 80 for line in watch.table())
    assert len(watch.table()) + 2 <= 24


@pytest.mark.parametrize(
    ("widths", "words"),
    [
        ((30,) * 4, "4 balls seen; drop 6 more"),
        ((30,) * 10, "right: 10 balls seen, each for 30.0 ms"),
        ((30,) * 9 + (7.9,), "1 of 10 balls covered the barrier for less than settle_ms = 8"),
        ((30,) * 9 + (9.0,), "1 of 10 balls were only just longer"),
    ],
)
def test_ten_balls_judge_a_light_barrier(widths: tuple[float, ...], words: str) -> None:
    assert words in balls(*widths)


def test_pulses_close_together_are_one_ball_and_its_longest_counts() -> None:
    watch = Watch(club())
    watch.take(message())
    pulses = [
        (2 * n + part, "goal_red", n * 1000 + part * 20, (3, 25)[part])
        for n in range(1, 11)
        for part in (0, 1)
    ]
    watch.take(message(pulses))
    assert "goal_red: right: 10 balls seen, each for 25.0 ms or longer. Did you drop 10?" in said(watch)


def test_a_longer_filter_needs_longer_pulses() -> None:
    watch = Watch(replace(club(), filter=replace(club().filter, settle_ms=20)))
    watch.take(message())
    assert watch.take(message([(1, "goal_red", 0, 15)])) == ["goal_red: 15.0 ms, too short to count"]


def test_into_a_file_it_writes_a_line_a_pulse_and_the_table_at_the_end() -> None:
    out = StringIO()
    messages = [message(), {"kind": "beat"}, message([(1, "goal_red", 0, 30)])]
    assert show(messages, club(), "the pins", out) == 0
    lines = out.getvalue().splitlines()
    assert lines[:2] == ["watching the pins; end with Ctrl-C", "goal_red: 30.0 ms"]
    assert lines[2].startswith("input")


class Screen(StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_it_draws_in_place() -> None:
    out = Screen()
    assert show([message(), message([(1, "goal_red", 0, 30)])], club(), "the pins", out) == 0
    assert out.getvalue().count("\x1b[H") == 2
    assert "goal_red: 30.0 ms" in out.getvalue()


def test_a_service_that_ends_ends_the_watching(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        show(
            [message(), {"kind": "link", "up": False, "why": "the service has ended"}], club(), "", StringIO()
        )
        == 1
    )
    assert capsys.readouterr().err == "the service has ended\n"
