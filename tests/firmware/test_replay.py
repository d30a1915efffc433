"""`kaderuhr replay`: scripts in, lines out, pictures beside them; and what it says when something is wrong."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from firmware.cli import main
from tests.firmware.evening import Line, press, pulse

ROOT = Path(__file__).parents[2]


def write(folder: Path, *lines: Line | str) -> str:
    """Write a script and return its name."""
    file = folder / "script.jsonl"
    file.write_text(
        "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines), "utf-8"
    )
    return str(file)


def played(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Return what was printed."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def whole_game() -> list[Line]:
    """An opening and a game in which red holes all its balls, by keys and sensors alone."""
    lines: list[Line] = [{"script": "game"}, press(2, "stroke"), press(6, "rest"), press(8, "red")]
    t = 10.0
    for left in range(5, 0, -1):
        lines += [press(t, "hand"), pulse(t + 2, "red")]
        if left == 1:
            lines.append(press(t + 3, "red"))
        lines.append(press(t + 5, "hand"))
        t += 12
    return lines


def test_a_whole_game_by_keys_and_sensors_leaves_pictures_a_person_can_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Through gpiozero's mock pins; the last picture says who won, the hall line the games."""
    frames = tmp_path / "frames"
    assert main(["replay", write(tmp_path, *whole_game()), "--frames", str(frames)]) == 0
    said = played(capsys)
    assert [one["game"] for one in said if one["out"] == "ruling"] == [None] * 4 + ["red"]
    shown = [one for one in said if one["out"] == "display"]
    assert {one["panel"] for one in shown} == {"oled", "led", "hall"}
    assert all(Path(one["frame"]).is_file() for one in shown)
    last = {one["panel"]: one["frame"] for one in shown}
    with Image.open(last["oled"]) as picture:
        assert (picture.size, picture.mode) == ((128, 64), "1")
    assert "0:1" in Path(last["hall"]).read_text("ascii")
    assert said[-1]["state"]["games"] == {"home": 0, "away": 1}


def test_a_picture_is_written_only_when_it_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five running seconds are five pictures of each board, not more."""
    position = {"balls": {"red": 4, "white": 4}, "turn": "red"}
    script = write(tmp_path, {"script": "a", "position": position}, {"t": 4.5, "event": "end"})
    assert main(["replay", script, "--frames", str(tmp_path / "frames")]) == 0
    shown = [(one["panel"], one["t"]) for one in played(capsys) if one["out"] == "display"]
    assert [t for panel, t in shown if panel == "oled"] == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert [t for panel, t in shown if panel == "hall"] == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_several_scripts_in_several_files_are_independent_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position = {"balls": {"red": 4, "white": 4}, "turn": "red"}
    one = {"script": "one", "position": position}
    first = write(tmp_path, one, {"t": 5, "event": "stroke"}, {**one, "script": "two"})
    assert main(["replay", first, first]) == 0
    ends = [line for line in played(capsys) if line["out"] == "end"]
    assert [line["script"] for line in ends] == ["one", "two", "one", "two"]
    assert [line["state"]["clock"]["state"] for line in ends] == ["stopped", "running"] * 2


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["{"], [":1:", "JSON"]),
        (['{"t": 1, "event": "end"}'], [":1:", "script"]),
        (['{"script": "a"}', '{"t": 1, "press": "bell"}'], [":2:", "bell", "stroke", "hand"]),
        (['{"script": "a"}', '{"t": 1, "sensor": "goal_green"}'], [":2:", "goal_green", "goal_red"]),
        (['{"script": "a"}', '{"t": 1, "pin": 99, "level": 0}'], [":2:", "99", "23"]),
        (['{"script": "a"}', '{"t": 1, "pin": 23, "level": 2}'], [":2:", "level", "2"]),
        (['{"script": "a"}', '{"t": 1, "press": "ok", "hold": -1}'], [":2:", "hold", "-1"]),
        (['{"script": "a"}', '{"t": 1}'], [":2:", "event", "press", "sensor", "pin"]),
        (['{"script": "a"}', '{"t": 1, "event": "rest", "press": "rest"}'], [":2:", "event", "press"]),
        (['{"script": "a"}', '{"t": 1e300, "event": "end"}'], [":2:", "t"]),
        (['{"script": "a"}', '{"t": -1, "event": "end"}'], [":2:", "t", "-1"]),
        (['{"script": "a"}', '{"t": true, "event": "end"}'], [":2:", "t", "True"]),
        (['{"script": "a"}', "[1, 2]"], [":2:", "object"]),
        (['{"script": "a", "players": {"home": ["A", "B"]}}'], [":1:", "name"]),
        (['{"script": "a", "players": {"home": ["A", 3], "away": ["B"]}}'], [":1:", "3"]),
        (['{"script": "a", "colour": "blue"}'], [":1:", "colour", "rulebook"]),
        (['{"script": 7}'], [":1:", "7"]),
        (['{"script": "a"}', '{"t": 1, "t": 2, "event": "end"}'], [":2:", "'t' stands twice"]),
        (['{"script": "a", "position": {"turn": "red", "turn": "white"}}'], [":1:", "'turn' stands twice"]),
        (["[" * 5000], [":1:", "nested"]),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place_and_the_valid_choices(
    lines: list[str], says: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, one line on standard error, no end line for the script that failed."""
    assert main(["replay", write(tmp_path, *lines)]) == 2
    printed = capsys.readouterr()
    assert printed.err.count("\n") == 1
    assert all(word in printed.err for word in says), printed.err
    assert '"out":"end"' not in printed.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere.jsonl"], ["nowhere.jsonl"]),
        (["--board", "nowhere", "-"], ["nowhere", "desk"]),
        (["--rulebook", "snooker", "-"], ["snooker", "book", "aalst"]),
    ],
)
def test_a_wrong_argument_names_the_valid_ones(
    arguments: list[str], says: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", *arguments]) == 2
    error = capsys.readouterr().err
    assert all(word in error for word in says), error


def test_a_file_that_is_no_text_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes(b'{"script": "a"}\n\xff\xfe\n')
    assert main(["replay", str(file)]) == 2
    assert f"{file}:2: no UTF-8" in capsys.readouterr().err


def test_a_byte_order_mark_and_windows_line_ends_are_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "windows.jsonl"
    file.write_bytes('\ufeff{"script": "a"}\r\n\r\n{"t": 1, "event": "end"}\r\n'.encode())
    assert main(["replay", str(file)]) == 0
    assert played(capsys)[-1]["out"] == "end"


def test_standard_input_is_a_dash_and_a_reader_that_has_gone_is_no_fault(tmp_path: Path) -> None:
    """`kaderuhr replay - < script | head -1`."""
    position = {"balls": {"red": 4, "white": 4}, "turn": "red"}
    turns = [{"t": t, "event": event} for t in range(1, 4000) for event in (("stroke", "rest")[t % 2 - 1],)]
    script = write(tmp_path, {"script": "a", "position": position}, *turns)
    with (
        Path(script).open("rb") as source,
        subprocess.Popen(
            [sys.executable, "-m", "firmware.cli", "replay", "-"],
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as run,
    ):
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == b""


def test_nothing_below_the_service_knows_the_wall_clock() -> None:
    """A1, A16: a stepped clock or a change to summer time cannot reach the turn clock; instants are handed in."""
    below = [*ROOT.glob("rules/*.py"), *ROOT.glob("firmware/console/*.py")]
    below += [ROOT / "firmware" / name for name in ("core.py", "stage.py", "view.py", "script.py", "said.py")]
    below += [ROOT / "drivers" / name for name in ("contact.py", "contacts.py")]
    for file in below:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"time", "datetime", "zoneinfo"} & set(names), file
    services = (ROOT / "firmware" / "service.py").read_text("utf-8")
    assert "time.time(" not in services
    assert "monotonic_ns" in services


def test_a_folder_for_pictures_that_cannot_be_made_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("a file")
    assert main(["replay", write(tmp_path, {"script": "a"}), "--frames", str(tmp_path / "taken")]) == 2
    assert "taken" in capsys.readouterr().err
