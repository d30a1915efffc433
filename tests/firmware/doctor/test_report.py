"""The whole examination: what is under which heading, what it says of a service, and how it ends."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from firmware.cli import main
from firmware.doctor.inputs import Input, inputs
from firmware.doctor.report import examine
from firmware.doctor.sources import FromPins, FromService, Seen, ask_service, socket_of
from firmware.doctor.watch import Watch
from firmware.link import LinkClient
from firmware.profile import Profile, load_profile
from firmware.service import Service
from tests.firmware.doctor.pi import club, raspberry
from tests.firmware.doctor.test_watch import message

DESK = (Path(__file__).parents[3] / "hardware/boards/desk.toml").read_text()


def board(folder: Path, more: str = "") -> Path:
    file = folder / "table.toml"
    file.write_text(f'{DESK}\n[state]\nfolder = "{folder}"\n{more}')
    return file


@contextmanager
def running(profile: Profile, socket: Path) -> Iterator[None]:
    service = Service(profile, socket)
    thread = Thread(target=service.run)
    thread.start()
    try:
        yield
    finally:
        service.stop()
        thread.join()


def runs(**told: object) -> Callable[[Path], Seen]:
    seen = Seen(board="club-table", troubles=(), inputs=message())
    return lambda _: replace(seen, **told)  # type: ignore[arg-type]


def test_a_club_table_that_is_well_has_nothing_wrong(tmp_path: Path) -> None:
    found = examine("club-table", raspberry(tmp_path), ask=runs())
    assert found.wrong == 0, found.text()
    assert found.text().endswith("Nothing is wrong.\n")
    assert list(found.parts) == [
        "Program", "Machine", "Configuration", "Libraries", "Disk", "Pins", "Displays", "Sound and hall", "Service",
        "Keys and sensors",
    ]  # fmt: skip


def test_every_pin_is_told_with_its_level_and_its_counters(tmp_path: Path) -> None:
    found = examine("club-table", raspberry(tmp_path), ask=runs())
    said = [finding.says for finding in found.parts["Keys and sensors"]]
    assert len(said) == 12
    assert said[0] == "red (GPIO 5) is open: 0 edges, 0 presses, 0 spikes left out, 0 bounces."
    assert said[-1].startswith("goal_white (GPIO 27) is free: ")


def test_a_key_that_is_held_and_a_goal_that_is_covered_are_wrong(tmp_path: Path) -> None:
    found = examine("club-table", raspberry(tmp_path), ask=runs(inputs=message(active=["ok", "goal_red"])))
    said = [finding.says for finding in found.parts["Keys and sensors"] if finding.state == "wrong"]
    assert [words.split(":")[0] for words in said] == [
        "ok (GPIO 17) is pressed",
        "goal_red (GPIO 4) is covered",
    ]


def test_many_spikes_are_a_cable_that_picks_up_noise(tmp_path: Path) -> None:
    noisy = message()
    noisy["inputs"][9]["spikes"] = 100
    found = examine("club-table", raspberry(tmp_path), ask=runs(inputs=noisy))
    (finding,) = [finding for finding in found.parts["Keys and sensors"] if finding.state == "wrong"]
    assert ("hand" in finding.says, "twisted pair" in finding.now) == (True, True)


@pytest.mark.parametrize("what", ["lost", "repaired"])
def test_edges_that_were_lost_are_wrong(what: str, tmp_path: Path) -> None:
    lossy = message()
    lossy["inputs"][0][what] = 2
    found = examine("club-table", raspberry(tmp_path), ask=runs(inputs=lossy))
    (finding,) = [finding for finding in found.parts["Keys and sensors"] if finding.state == "wrong"]
    assert ("red" in finding.says, "2 " in finding.says) == (True, True)


def test_what_a_service_complains_of_is_wrong(tmp_path: Path) -> None:
    found = examine("club-table", raspberry(tmp_path), ask=runs(troubles=("oled: it does not answer",)))
    assert found.wrong == 1
    assert "The service says: oled: it does not answer." in found.text()


def test_a_service_on_another_board_is_noted(tmp_path: Path) -> None:
    assert "--board desk" in examine("club-table", raspberry(tmp_path), ask=runs(board="desk")).text()


def test_a_box_whose_pins_nobody_holds_is_read_without_a_service(tmp_path: Path) -> None:
    with closing(FromPins(club("mock"))) as pins:
        told = pins.message(0.0)
    found = examine(
        "club-table",
        raspberry(tmp_path),
        ask=lambda path: f"no kaderuhr runs at {path}",
        read_pins=lambda _: inputs(told),
    )
    assert len(found.parts["Keys and sensors"]) == 12
    assert found.wrong == 0, found.text()


def test_every_mistake_of_a_profile_is_said_and_the_machine_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(DESK.replace("red = 5", "red = 99").replace('kind = "none"', 'kind = "nobody"'))
    found = examine(str(file), raspberry(tmp_path / "pi"), ask=runs())
    assert [finding.values["key"] for finding in found.parts["Configuration"]] == ["kind", "red"]
    assert "2 things are wrong." in found.text()
    assert "Raspberry Pi Zero 2 W" in found.text()


def test_the_mistakes_of_a_boards_rulebook_are_said_too(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text("call = 0\n")
    file = board(tmp_path, '[match]\nrulebook = "ours.toml"\n')
    found = examine(str(file), raspberry(tmp_path / "pi"), ask=lambda _: "nobody")
    assert found.wrong == 1
    assert "ours.toml: call = 0: wrong" in found.text()


def test_a_pi_that_is_looked_at_as_a_desk_is_told_to_name_its_board(tmp_path: Path) -> None:
    assert "--board NAME_OR_FILE" in examine("desk", raspberry(tmp_path), ask=lambda _: "nobody").text()


def test_json_is_one_object_with_the_same_findings(tmp_path: Path) -> None:
    found = examine("club-table", raspberry(tmp_path), ask=runs())
    told = json.loads(found.json())
    assert (told["board"], told["wrong"]) == ("club-table", 0)
    assert len(told["findings"]) == sum(map(len, found.parts.values()))
    red = next(each for each in told["findings"] if each["values"].get("input") == "red")
    assert (red["part"], red["state"], red["values"]["gpio"]) == ("Keys and sensors", "fine", "5")


def test_a_running_service_tells_its_board_and_its_inputs(tmp_path: Path) -> None:
    profile = load_profile(board(tmp_path))
    with running(profile, tmp_path / "link"):
        seen = ask_service(tmp_path / "link")
    assert isinstance(seen, Seen)
    assert (seen.board, seen.inputs is not None) == ("table", True)


def test_where_no_service_runs_the_reason_is_a_sentence(tmp_path: Path) -> None:
    assert ask_service(tmp_path / "link") == f"no kaderuhr runs at {tmp_path / 'link'}"


def test_a_ball_at_the_running_service_is_seen_with_its_width(tmp_path: Path) -> None:
    profile = load_profile(board(tmp_path))
    seen: list[str] = []
    with running(profile, tmp_path / "link"):
        watch, source, presser = Watch(profile), FromService(tmp_path / "link"), LinkClient(tmp_path / "link")
        answers = iter(presser)
        next(answers)
        drain = Thread(target=list, args=(answers,))
        drain.start()
        pulsed = False
        for told in source:
            if told["kind"] != "inputs":
                continue
            seen += watch.take(told)
            if not pulsed:
                pulsed = True
                presser.send({"pulse": "goal_red"})
            if seen:
                source.close()
        presser.close()
        drain.join()
    (line,) = seen
    assert line.startswith("goal_red: ")
    # 30 ms by the service's own clock; on a busy machine either end may be driven late.
    assert float(line.split()[1]) > 0


@pytest.mark.parametrize(("named", "found"), [("/run/x.sock", "/run/x.sock"), (None, "kaderuhr.sock")])
def test_the_socket_is_the_named_one_or_the_boards_own(named: str | None, found: str, tmp_path: Path) -> None:
    path = socket_of(load_profile(board(tmp_path)), Path(named) if named else None)
    assert path == (Path(found) if named else tmp_path / found)


def test_the_command_ends_with_1_where_something_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--board", "nowhere"]) == 1
    assert "there is no board of this name" in capsys.readouterr().out


def test_the_command_explains_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--explain"]) == 0
    out = capsys.readouterr().out
    assert "[sensors]" in out
    assert "  same_ball_ms\n      pulses at one goal within this time are one ball." in out


@pytest.mark.parametrize("what", ["--watch", "--bench"])
def test_a_board_that_cannot_be_read_is_said_before_anything_is_watched(
    what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", what, "--board", "nowhere"]) == 2
    assert "there is no board of this name" in capsys.readouterr().err


def test_mock_pins_without_a_service_cannot_be_watched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--watch", "--board", str(board(tmp_path))]) == 1
    assert "mock pins" in capsys.readouterr().err


def test_an_input_is_named_with_all_its_pins() -> None:
    goal = Input(
        name="goal_red",
        pins=(4, 27),
        active=False,
        edges=0,
        presses=0,
        spikes=0,
        bounces=0,
        late=0,
        lost=None,
        repaired=0,
    )
    assert (goal.place, goal.level) == ("goal_red (GPIO 4, 27)", "free")
