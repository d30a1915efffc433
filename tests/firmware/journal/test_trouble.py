"""The card is full, read-only, gone, or another program's: the match goes on in memory and is written later."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from firmware.journal import Archive, damage, store
from firmware.journal.lines import Row
from firmware.journal.lock import FILE as LOCK
from rules import Opening, Rest, Stroke
from tests.firmware.journal.boxes import Box, FakeMachine, seconds

Trouble = Callable[[sqlite3.Connection], None]


def full(db: sqlite3.Connection) -> None:
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count = {pages}")


def read_only(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA query_only = ON")


@pytest.fixture
def card(mocker: MockerFixture) -> Iterator[list[Trouble]]:
    """Troubles of the card, from the next time that the file is opened; SQLite's own refusals."""
    troubles: list[Trouble] = []
    connect = store.connect

    def troubled(path: Path, *, uri: str = "mode=rw", create: bool = False) -> sqlite3.Connection:
        db = connect(path, uri=uri, create=create)
        for trouble in troubles:
            trouble(db)
        return db

    mocker.patch.object(store, "connect", troubled)
    yield troubles
    troubles.clear()


def playing(box: Box) -> Box:
    return box.take(Opening(t=seconds(3), nearest="red"))


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [(full, "The card is full; remove something."), (read_only, "The card is write-protected")],
)
def test_a_card_that_takes_nothing_is_named_and_everything_is_written_later(
    tmp_path: Path, card: list[Trouble], trouble: Trouble, sentence: str
) -> None:
    """F5, F10: the trouble stays as long as saving fails; then all reports are there, in order."""
    with Box(tmp_path) as box:
        playing(box).saved()
    with Box(tmp_path) as box:
        box.saved()
        card.append(trouble)
        box.journal._writer.let_go()  # noqa: SLF001 - the card is pulled and put back
        box.take(Stroke(t=seconds(9)))
        for n in range(40):  # more than the free bytes of a page
            box.take(Rest(t=seconds(10 + 4 * n))).take(Stroke(t=seconds(12 + 4 * n)))
        assert sentence in str(box.troubled())
        assert not box.is_saved()
        assert box.match.phase == "open"
        card.clear()
        box.saved()
        assert box.troubles[-1] is None
        assert len(Archive(tmp_path).match(1).events) == 1 + len(box.kept)


def test_a_full_card_that_has_room_again_is_no_reason_to_miss_anything(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    """A full card may refuse the mark that the file is complete and still take its log in: nothing is lost then."""
    with Box(tmp_path) as box:
        playing(box).saved()
        refused = mocker.patch.object(store, "unmark", side_effect=sqlite3.OperationalError("disk is full"))
        box.journal._writer.let_go()  # noqa: SLF001 - as after a failed write
        mocker.stop(refused)
        assert store.is_in_use(tmp_path / store.FILE)
        assert not store.has_log(tmp_path / store.FILE)
        box.take(Stroke(t=seconds(9))).saved()
        assert box.notes == []


_READER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN")
db.execute("SELECT * FROM line").fetchall()
print("reads", flush=True)
sys.stdin.read()
"""


def test_a_log_that_is_removed_after_a_failed_write_is_missed(tmp_path: Path, mocker: MockerFixture) -> None:
    """Another program reads, so SQLite does not take the log in; then somebody removes it."""
    path = tmp_path / store.FILE
    with Box(tmp_path) as box:
        playing(box).saved()
        command = [sys.executable, "-c", _READER, str(path)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "reads\n"
            refused = mocker.patch.object(store, "unmark", side_effect=sqlite3.OperationalError("full"))
            box.journal._writer.let_go()  # noqa: SLF001 - as after a failed write
            mocker.stop(refused)
            assert store.has_log(path)
            reader.kill()
        for ending in store.ALONGSIDE[1:]:
            path.with_name(path.name + ending).unlink()
        box.take(Stroke(t=seconds(9))).saved()
        assert [str(note) for note in box.notes] == [
            "The log with the last reports is gone; see what is missing."
        ]


def test_a_match_that_could_never_be_saved_is_written_when_the_box_ends_if_it_can_be(
    tmp_path: Path, card: list[Trouble]
) -> None:
    card.append(read_only)
    with Box(tmp_path) as box:
        playing(box).troubled()
        card.clear()
    assert len(Archive(tmp_path).match(1).events) == 1


def test_the_box_starts_on_a_read_only_card_with_the_match_that_is_on_it(
    tmp_path: Path, card: list[Trouble]
) -> None:
    """F10: what is read is a copy; the game runs from memory with a warning."""
    with Box(tmp_path) as box:
        playing(box).saved()
    card.append(read_only)
    with Box(tmp_path) as box:
        assert box.match.turn == "red"
        box.troubled()
        card.clear()
        box.saved()


def test_two_programs_on_one_journal_do_not_mix_their_matches(tmp_path: Path) -> None:
    """The second says so, plays in memory, and writes under a number of its own once the first has ended."""
    with Box(tmp_path) as first:
        playing(first).saved()
        with Box(tmp_path, FakeMachine(boot="other")) as second:
            assert second.found.came is None
            assert "Another program keeps matches here; end that" in str(second.troubled())
            assert second.found.notes == ()
            second.take(Opening(t=seconds(1), nearest="white"))
            first.take(Stroke(t=seconds(9))).saved()
            first.journal.close()
            second.saved()
    archive = Archive(tmp_path)
    assert [len(archive.match(number).events) for number in archive.numbers()] == [2, 1]


def test_a_journal_removed_under_the_running_box_is_written_anew(tmp_path: Path) -> None:
    with Box(tmp_path) as box:
        playing(box).saved()
        for path in tmp_path.glob("journal.sqlite3*"):
            path.unlink()
        box.take(Stroke(t=seconds(9))).saved()
        assert len(Archive(tmp_path).match(1).events) == 2


def test_a_journal_exchanged_for_an_older_one_gets_the_match_under_a_number_of_its_own(
    tmp_path: Path,
) -> None:
    """The card's image was restored, and there the number belongs to another match."""
    older, here = tmp_path / "older", tmp_path / "here"
    with Box(older) as box:
        box.take(Opening(t=seconds(2), nearest="white")).take(Stroke(t=seconds(8))).saved()
    with Box(here) as box:
        playing(box).saved()
        box.take(Stroke(t=seconds(9))).saved()
        for path in here.glob("journal.sqlite3*"):
            path.unlink()
        (older / store.FILE).rename(here / store.FILE)
        box.take(Rest(t=seconds(11))).saved()
        archive = Archive(here)
        assert [len(archive.match(number).events) for number in archive.numbers()] == [2, 3]


def test_a_journal_that_has_gone_is_missed(tmp_path: Path) -> None:
    """The lock file tells that there was one."""
    with Box(tmp_path) as box:
        playing(box).saved()
    (tmp_path / store.FILE).unlink()
    with Box(tmp_path) as box:
        assert [str(note) for note in box.found.notes] == [
            "The journal is gone from the card; a new one begins."
        ]
    assert (tmp_path / LOCK).exists()


def test_a_folder_that_cannot_be_made_is_named_and_the_match_goes_on(tmp_path: Path) -> None:
    """Wrong owner, or a file where the folder should be."""
    (tmp_path / "state").write_text("a file")
    with Box(tmp_path / "state") as box:
        assert "A file lies where the journal's folder should be" in str(box.troubled())
        playing(box)
        (tmp_path / "state").unlink()
        box.saved()
        assert box.troubles[-1] is None
    assert Archive(tmp_path / "state").numbers() == [1]


def test_a_file_that_is_damaged_while_the_box_runs_is_set_aside_and_the_match_is_whole(
    tmp_path: Path,
) -> None:
    """F11: quarantine and a new file; the older matches that can be read are in it."""
    with Box(tmp_path) as box:
        playing(box).saved()
        box.new()
        playing(box).saved()
        box.journal._writer.let_go()  # noqa: SLF001 - as after a failed write
        path = tmp_path / store.FILE
        path.write_bytes(b"\xff" * 100 + path.read_bytes()[100:])
        box.take(Stroke(t=seconds(9))).saved()
        assert "The journal was damaged" in str(box.notes[0])
        archive = Archive(tmp_path)
        assert [len(archive.match(number).events) for number in archive.numbers()] == [1, 2]
        assert (tmp_path / "journal.damaged-1.sqlite3").read_bytes().startswith(b"\xff" * 100)


def test_a_journal_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    with Box(tmp_path) as box:
        playing(box).saved()
    db = store.connect(tmp_path / store.FILE)
    with store.transaction(db):
        db.execute("PRAGMA user_version = 7")
        mark = Row(match=0, number=0, text='{"schema":7}')
        db.execute("UPDATE line SET text = ?, seal = ? WHERE id = 0", (mark.text, mark.seal))
    db.close()
    before = (tmp_path / store.FILE).read_bytes()
    with Box(tmp_path) as box:
        assert "a newer program's (schema 7, this one knows 1)" in str(box.troubled())
        playing(box)
    assert (tmp_path / store.FILE).read_bytes() == before


def test_an_older_schema_is_brought_up_to_date(tmp_path: Path, mocker: MockerFixture) -> None:
    with Box(tmp_path) as box:
        playing(box).saved()
    mocker.patch.object(store, "MIGRATIONS", (*store.MIGRATIONS, "ALTER TABLE line ADD COLUMN more TEXT"))
    mocker.patch.object(store, "VERSION", 2)
    with store.to_read(tmp_path / store.FILE) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (2,)
        assert len(store.lines_of(db, 1, tmp_path)) == 3
    assert damage.checked(tmp_path / store.FILE) == ()
