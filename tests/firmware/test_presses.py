"""What each thing costs a referee in presses: the table in firmware/README.md, counted by doing it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware.evening import OPEN, Line
from tests.firmware.referee import Referee

README = Path(__file__).parents[2] / "firmware" / "README.md"
KADER: Line = {"balls": {"red": 1, "white": 3}, "turn": "red", "spots": {"red": {"on": [1], "faulty": []}}}
DUO = {"home": ["A", "B"], "away": ["C", "D"]}
Task = Callable[[Referee], None]


def rolling(referee: Referee) -> None:
    """Play a stroke, and count from here."""
    referee.wait(5)
    referee.key("stroke")
    referee.presses = 0


def called(name: str, **more: object) -> tuple[str, Line, Task]:
    """A fault called while the balls roll; in kader play, with all its questions."""

    def task(referee: Referee) -> None:
        rolling(referee)
        referee.report({"t": 6, "event": "fault", "fault": name, **more})

    start: Line = {"position": KADER}
    if name == "wrong_order":
        start["players"] = DUO
    return f"call {name.replace('_', ' ')}", start, task


def keys(*pressed: str) -> Task:
    def task(referee: Referee) -> None:
        referee.wait(5)
        for key in pressed:
            name, _, hold = key.partition(" ")
            referee.key(name, float(hold or 0.1))  # type: ignore[arg-type]  # a key's name

    return task


def after_rest(name: str, **more: object) -> Task:
    """A touch called late, in kader play, with everything that can be asked."""

    def task(referee: Referee) -> None:
        rolling(referee)
        referee.key("rest")
        referee.wait(20)
        referee.presses = 0
        referee.report({"t": 20, "event": "fault", "fault": name, **more})

    return task


def cells(*texts: str, values: dict[str, dict[str, str]] | None = None) -> Task:
    """The table menu, then cells by what they say."""

    def task(referee: Referee) -> None:
        referee.wait(5)
        referee.key("fault", 1.2)
        for text in texts:
            referee.cell(text, **(values or {}).get(text, {}))

    return task


def goal(*, other: bool) -> Task:
    def task(referee: Referee) -> None:
        rolling(referee)
        referee.ball("red")
        if other:
            referee.key("white")

    return task


TASKS: list[tuple[str, Line, Task]] = [
    ("say that the stroke is played", {"position": OPEN}, keys("stroke")),
    ("say that the balls are at rest", {"position": OPEN}, keys("stroke", "rest")),
    ("a goal with the ball of its colour", {"position": OPEN}, goal(other=False)),
    ("a goal with the other colour", {"position": OPEN}, goal(other=True)),
    ("pause, and go on", {"position": OPEN}, keys("ok 1.2", "ok 1.2")),
    ("take the last report back", {"position": OPEN}, keys("stroke", "undo")),
    called("touch", ball="own"),
    called("push_through"),
    called("own_on_own"),
    called("no_ball_left_kader"),
    called("foot_off_floor"),
    called("played_before_rest", side="red"),
    called("wrong_order"),
    called("jumped_directly"),
    called("triangle_not_left"),
    called("played_opponent_ball"),
    ("call a touch after the rest, with every question", {"position": KADER}, after_rest("touch", on_spot=1)),
    ("a game given up", {"position": OPEN}, cells("concede", "{who} game", values={"{who} game": {"who": "home"}})),
    ("the same match again", {"position": OPEN}, cells("new match", "as before")),
    ("a training evening", {"position": OPEN}, cells("new match", "clock only")),
]  # fmt: skip


def presses(start: Line, task: Task) -> int:
    referee = Referee(**start)
    task(referee)
    return referee.presses


@pytest.mark.parametrize(("what", "start", "task"), TASKS, ids=[what for what, _, _ in TASKS])
def test_the_table_in_the_readme_says_how_many_presses(what: str, start: Line, task: Task) -> None:
    """Count them, and hold the table against the count."""
    rows = dict(re.findall(r"^\| (.+?) \| (\d+) \|", README.read_text(encoding="utf-8"), re.MULTILINE))
    assert rows.get(what) == str(presses(start, task))


@pytest.mark.parametrize(("what", "start", "task"), [task for task in TASKS if task[0].startswith("call ")])
def test_the_ten_faults_take_at_most_five_presses(what: str, start: Line, task: Task) -> None:
    """Questions included, in kader play, with a ball on a penalty spot."""
    assert presses(start, task) <= 5, what
