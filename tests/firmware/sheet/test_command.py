"""The club's commands: listing, sheets, exports and back, pruning; and what is said of a wrong argument."""

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from firmware.cli import main
from firmware.journal import Archive
from firmware.replay import Player, read_source
from firmware.texts import Texts
from rules import BOOK, Opening, Rest, Stroke
from tests.firmware.journal.boxes import Box, FakeMachine, seconds
from tests.firmware.sheet.played import by_chance

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run a command on the board whose state is in `state`, or in another folder; give status, output and errors."""

    def call(*arguments: str, state: str = "state") -> tuple[int, str, str]:
        board = tmp_path / f"{state}.toml"
        desk = (files("hardware") / "boards" / "desk.toml").read_text(encoding="utf-8")
        board.write_text(f'{desk}\n[state]\nfolder = "{tmp_path / state}"\n', encoding="utf-8")
        status = main([*arguments, "--board", str(board), "--language", "en"])
        out, err = capfdbinary.readouterr()
        return status, out.decode("utf-8", "replace"), err.decode()

    return call


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """Two matches that are over and one that goes on."""
    machine = FakeMachine()
    with Box(tmp_path / "state", machine, home_names=("Anna", ""), away_names=("Bert", "")) as box:
        for seed in (4, 5):
            for event in by_chance(seed):
                box.take(event)
            box.saved()
            machine.monotonic_ns += 10**9
            box.new(home_names=("Cees", ""))
        box.take(Opening(t=seconds(2), nearest="red")).take(Stroke(t=seconds(9))).saved()
    return tmp_path / "state"


def test_matches_are_listed_by_number_with_what_came_of_them(evening: Path, run: Run) -> None:
    status, out, _ = run("matches")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert status == 0
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]
    assert lines[0].startswith("1 - Anna - Bert")
    assert "Winner:" in lines[0]
    assert lines[2].endswith("Cees - Visitors 0 : 0 Not finished")
    assert evening.is_dir()


@pytest.mark.parametrize("form", ["html", "pdf", "csv", "json"])
def test_a_sheet_comes_in_four_forms(evening: Path, run: Run, tmp_path: Path, form: str) -> None:
    assert evening.is_dir()
    out = tmp_path / f"sheet.{form}"
    assert run("sheet", "1", "--format", form, "--out", str(out)) == (0, "", "")
    begins = {"html": b"<!doctype html>", "pdf": b"%PDF-", "csv": b"\xef\xbb\xbfmatch", "json": b"{"}[form]
    assert out.read_bytes().startswith(begins)
    if form != "pdf":
        assert run("sheet", "1", "--format", form)[1].encode() == out.read_bytes()


def test_a_number_nobody_has_is_answered_with_those_there_are(evening: Path, run: Run) -> None:
    status, _, err = run("sheet", "12")
    assert status == 2
    assert err == f"{evening}/journal.sqlite3: Match 12 is not kept; there are 3, from 1 to 3.\n"


def test_without_a_journal_the_commands_say_so(run: Run) -> None:
    assert run("matches")[0] == 1
    assert "There is no journal here" in run("sheet", "1")[2]


def test_pruning_is_by_count_only_when_told_and_never_an_open_match(evening: Path, run: Run) -> None:
    assert run("matches", "--keep", "2") == (0, "Removed: 1\n", "")
    assert run("matches", "--keep", "1") == (0, "Removed: 2\n", "")
    assert run("matches", "--keep", "1") == (0, "Removed: -\n", "")
    assert run("matches", "--keep", "0")[0] == 2
    assert Archive(evening).numbers() == [3]


def test_an_open_match_survives_any_pruning(tmp_path: Path, run: Run) -> None:
    with Box(tmp_path / "state") as box:
        box.take(Opening(t=seconds(2), nearest="red")).saved()
        box.new()
        for event in by_chance(4):
            box.take(event)
        box.saved()
    assert run("matches", "--keep", "1")[1] == "Removed: -\n"
    assert Archive(tmp_path / "state").numbers() == [1, 2]


def test_a_pruned_name_is_gone_from_the_card(tmp_path: Path, run: Run) -> None:
    """Personal data: not merely unlinked, but overwritten, in the log too."""
    with Box(tmp_path / "state", home_names=("Xaveria Quist", "")) as box:
        for event in by_chance(4):
            box.take(event)
        box.saved()
        box.new()
        box.take(Opening(t=seconds(2), nearest="red")).saved()
        assert run("matches", "--keep", "1")[1] == "Removed: 1\n"
        raw = b"".join(path.read_bytes() for path in (tmp_path / "state").glob("journal.sqlite3*"))
        assert b"Xaveria" not in raw
        box.take(Stroke(t=seconds(9))).saved()


def test_an_export_read_back_gives_the_same_sheet_byte_for_byte(
    evening: Path, run: Run, tmp_path: Path
) -> None:
    assert evening.is_dir()
    export = tmp_path / "evening.jsonl"
    assert run("export", "--out", str(export)) == (0, "", "")
    taken = run("export", "--import", str(export), state="other")
    assert taken == (0, "".join(f"Match {n} was taken in as {n}.\n" for n in (1, 2, 3)), "")
    for form in ("html", "pdf", "csv", "json"):
        for number in ("1", "2", "3"):
            one, two = tmp_path / f"one.{form}", tmp_path / f"two.{form}"
            run("sheet", number, "--format", form, "--out", str(one))
            run("sheet", number, "--format", form, "--out", str(two), state="other")
            assert one.read_bytes() == two.read_bytes()
    assert run("export", "--import", str(export), state="other")[1].count("is here already") == 3


def test_an_export_replayed_gives_the_same_rulings_as_the_journal(
    evening: Path, run: Run, tmp_path: Path
) -> None:
    """Across a restart too: the open match went on after another boot."""
    machine = FakeMachine(boot="another")
    with Box(evening, machine) as box:
        box.take(Rest(t=box.now)).saved()
    export = tmp_path / "evening.jsonl"
    run("export", "--out", str(export))
    from firmware.profile import load_profile

    printed: list[dict[str, object]] = []
    player = Player(load_profile("desk"), Texts("en"), printed.append)
    player.play(read_source(str(export)), "export", BOOK)
    for number in (1, 2, 3):
        from firmware.journal import told
        from rules import Ruling, state, take, write

        read = told(Archive(evening).match(number))
        record, rulings = read.opened.record, []
        for event in read.events:
            record, outcomes = take(read.opened.rulebook, record, event)
            rulings += [write(said) for said in outcomes if isinstance(said, Ruling)]
        mine = [line for line in printed if line["script"] == f"match-{number}"]
        assert [
            {k: v for k, v in line.items() if k != "script"} for line in mine if line["out"] == "ruling"
        ] == rulings
        assert mine[-1]["state"] == state(record.match, record.match.at)


def test_a_match_whose_number_is_taken_gets_another(evening: Path, run: Run, tmp_path: Path) -> None:
    assert evening.is_dir()
    with Box(tmp_path / "other") as box:
        box.take(Opening(t=seconds(2), nearest="white")).saved()
    export = tmp_path / "one.jsonl"
    run("export", "1", "--out", str(export))
    assert run("export", "--import", str(export), state="other")[1] == "Match 1 was taken in as 2.\n"
    with Box(tmp_path / "other") as box:  # it is not the box's own match, so the box goes on with its own
        assert box.match.turn == "white"


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ({"script": "x"}, "the key 'journal' is missing"),
        ({"script": "x", "journal": {"number": 0}}, "number 0 is no number of a match"),
        ({"script": "x", "journal": {"number": 1, "size": 2}}, "unknown field `size`"),
        ({"script": "x", "bests_of": 3}, "unknown key 'bests_of'"),
    ],
)
def test_what_is_no_export_is_refused_with_file_and_line(
    run: Run, tmp_path: Path, line: dict[str, object], wrong: str
) -> None:
    file = tmp_path / "wrong.jsonl"
    file.write_text(json.dumps(line) + "\n")
    status, _, err = run("export", "--import", str(file))
    assert status == 2
    assert err.startswith(f"{file}:1: ")
    assert wrong in err


def test_presses_are_no_journal(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "wrong.jsonl"
    file.write_text('{"script":"x","journal":{"number":1}}\n\n{"t":1,"press":"ok"}\n')
    status, _, err = run("export", "--import", str(file))
    assert (status, err.startswith(f"{file}:3: a journal keeps events only")) == (2, True)
