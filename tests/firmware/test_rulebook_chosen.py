"""Which rulebook a match is begun with: the command line's, the board's, the last match's."""

import json
from pathlib import Path

import pytest

from firmware.box import run_service
from firmware.cli import main
from firmware.core import SHIPPED, offered_first
from firmware.journal import Journal
from firmware.profile import ProfileErrors, load_profile
from firmware.rulebooks import load_rulebook
from firmware.service import Service
from rules import AALST, BOOK, Rulebook

DESK = (Path(__file__).parents[2] / "hardware/boards/desk.toml").read_text()


def board(folder: Path, rulebook: str) -> Path:
    file = folder / "table.toml"
    file.write_text(f"{DESK}\n[match]\nrulebook = {json.dumps(rulebook)}\n")
    return file


def quick(folder: Path) -> Path:
    file = folder / "quick.toml"
    file.write_text("call = 5\n")
    return file


def test_a_board_that_names_no_rulebook_leaves_it_to_the_last_match() -> None:
    assert load_profile("desk").match.rulebook is None


def test_a_board_names_a_rulebook_that_ships(tmp_path: Path) -> None:
    assert load_profile(board(tmp_path, "aalst")).match.rulebook == "aalst"


def test_a_clubs_own_rulebook_lies_beside_its_board(tmp_path: Path) -> None:
    quick(tmp_path)
    named = load_profile(board(tmp_path, "quick.toml")).match.rulebook
    assert named == tmp_path / "quick.toml"
    assert load_rulebook(named).call == 5


def test_a_rulebook_may_lie_elsewhere(tmp_path: Path) -> None:
    assert load_profile(board(tmp_path, "/srv/ours.toml")).match.rulebook == Path("/srv/ours.toml")


@pytest.mark.parametrize("value", ["", " ", 1, True])
def test_what_names_no_rulebook_is_refused(value: object, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f"{DESK}\n[match]\nrulebook = {json.dumps(value)}\n")
    with pytest.raises(ProfileErrors, match=r'\[match\] rulebook = .*"book" or "aalst"'):
        load_profile(file)


def test_the_rulebook_chosen_is_offered_before_those_that_ship() -> None:
    ours = Rulebook(name="ours")
    assert offered_first(ours).rulebooks == (ours, BOOK, AALST)
    assert offered_first(AALST).rulebooks == (AALST, BOOK)
    assert SHIPPED.rulebooks == (BOOK, AALST)


@pytest.mark.parametrize("by_file", [True, False])
def test_replay_plays_by_the_rulebook_it_is_given(
    by_file: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script.jsonl"
    lines = (
        {"script": "x", "position": {"balls": {"red": 5, "white": 5}, "turn": "red"}},
        {"t": 1, "event": "stroke"},
        {"t": 2, "event": "rest"},
        {"t": 60, "event": "end"},
    )
    script.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    named = str(quick(tmp_path)) if by_file else "aalst"
    assert main(["replay", str(script), "--rulebook", named]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    calls = [line["t"] for line in said if line["out"] == "signal" and line["signal"] == "zeit"]
    assert calls[0] == (7 if by_file else 32)


@pytest.mark.parametrize("command", [["replay", "-"], ["run", "--board", "desk"]])
def test_a_rulebook_that_is_not_there_is_said_before_anything_starts(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--rulebook", "alst"]) == 2
    assert "there is no rulebook of this name" in capsys.readouterr().err


def test_the_boards_rulebook_is_checked_at_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ours.toml").write_text("call = 0\ngrace = 0\n")
    assert run_service(str(board(tmp_path, "ours.toml"))) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_the_service_begins_a_match_by_it_and_goes_on_with_what_was_begun(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f'{DESK}\n[state]\nfolder = "{tmp_path}"\n')
    profile = load_profile(file)
    begun = []
    for rulebook in (AALST, None):
        service = Service(profile, tmp_path / "link", rulebook)
        service.stop()
        service.run()
        journal = Journal(
            tmp_path, on_saved=lambda _: None, on_trouble=lambda _: None, on_note=lambda _: None
        )
        found = journal.recover()
        journal.close()
        opened = found.last if found.came is None else found.came.opened
        begun.append(opened and opened.rulebook)
    assert begun == [AALST, AALST]
