"""Flipped bytes, files cut short, empty files: the box starts, says what it lost, and deletes nothing."""

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.journal import Archive
from firmware.journal.lines import Row, places_in, sealed_lines, whole_matches
from firmware.journal.store import FILE
from rules import Drop, Opening, Rest, Stroke
from tests.firmware.journal.boxes import Box, FakeMachine, seconds

PLACES = 200


@dataclass(frozen=True, kw_only=True)
class Evening:
    """A state folder as the power left it, with a log, and the lines that were confirmed in it."""

    folder: Path
    texts: dict[int, tuple[str, ...]]


@pytest.fixture(scope="module")
def evening(memory: Path) -> Evening:
    top = memory / "evening"
    running, folder = top / "running", top / "cut"
    machine = FakeMachine()
    texts: dict[int, tuple[str, ...]] = {}
    for number in range(1, 13):
        with Box(running, machine) as box:
            if number > 1:
                box.new(home_names=("Jürgen", ""))
            box.take(Opening(t=seconds(3), nearest="red"))
            for turn in range(6):
                t = 10 + 12.345 * turn
                box.take(Stroke(t=seconds(t)))
                box.take(Drop(t=seconds(t + 1), goal="red", ball="red"))
                box.take(Rest(t=seconds(t + 3)))
                box.saved()
            if number == 12:  # the power goes here
                shutil.copytree(running, folder)
            machine.monotonic_ns += 10**9
    for number in Archive(running).numbers():
        texts[number] = Archive(running).match(number).events
    machine.reboot()
    return Evening(folder=folder, texts=texts)


def damaged(evening: Evening, to: Path, seed: int) -> tuple[Path, bytes, str]:
    """Copy the folder and damage one file in it; return that, its bytes, and how."""
    shutil.copytree(evening.folder, to)
    chance = random.Random(seed)  # noqa: S311 - the same places in every run
    file = to / chance.choice([FILE, FILE, f"{FILE}-wal"])
    raw = bytearray(file.read_bytes())
    how = chance.choice(["flip", "flip", "flip", "cut", "zeros", "empty"])
    at = chance.randrange(len(raw))
    if how == "flip":
        raw[at] ^= chance.randrange(1, 256)
    elif how == "cut":
        del raw[at:]
    elif how == "zeros":
        raw[at : at + 512] = bytes(len(raw[at : at + 512]))
    else:
        raw.clear()
    file.write_bytes(raw)
    return file, bytes(raw), how


@pytest.mark.parametrize("tenth", range(10))
def test_the_box_starts_and_says_what_it_lost(evening: Evening, tmp_path: Path, tenth: int) -> None:
    """At 200 places: each match is a prefix of what it was, and where it is shorter the box has said so."""
    for seed in range(tenth * PLACES // 10, (tenth + 1) * PLACES // 10):
        folder = tmp_path / str(seed)
        file, raw, how = damaged(evening, folder, seed)
        with Box(folder, FakeMachine(boot="another")) as box:
            notes = [str(note) for note in box.found.notes]
            box.saved() if box.found.came else None
            archive = Archive(folder)
            numbers = archive.numbers()
            lost = [n for n in evening.texts if n not in numbers]
            for number in numbers:
                texts, whole = archive.match(number).events, evening.texts[number]
                texts = texts[: len(whole)]  # the open match goes on with its `recovered`
                assert list(texts) == list(whole[: len(texts)]) or texts[-1].startswith(
                    '{"event":"recovered"'
                )
                if len([text for text in texts if text in whole]) < len(whole):
                    lost.append(number)
        place = f"seed {seed}: {how} in {file.name}, {len(raw)} bytes left"
        if lost:
            assert notes, f"{place}: matches {lost} are shorter and nobody says so"
        if any("was kept as" in note for note in notes):
            aside = sorted(path for path in folder.iterdir() if ".damaged-" in path.name)
            assert raw in [path.read_bytes() for path in aside], f"{place}: the damaged bytes are gone"


def test_a_match_that_was_not_hit_is_whole(evening: Evening, tmp_path: Path) -> None:
    """The newest page is torn off: eleven of twelve matches are as they were."""
    shutil.copytree(evening.folder, tmp_path / "x")
    (tmp_path / "x" / f"{FILE}-wal").unlink()
    file = tmp_path / "x" / FILE
    file.write_bytes(file.read_bytes()[:-1024])
    with Box(tmp_path / "x") as box:
        assert "known lines lost" in str(box.found.notes[0])
    whole = [n for n in evening.texts if n in Archive(tmp_path / "x").numbers()]
    assert sum(Archive(tmp_path / "x").match(n).events == evening.texts[n] for n in whole) >= 10


def test_what_is_no_journal_at_all_is_set_aside(tmp_path: Path) -> None:
    """F4: a file with wrong content does not stop the box."""
    (tmp_path / FILE).write_text("settings from another program\n" * 100)
    with Box(tmp_path) as box:
        box.take(Opening(t=seconds(1), nearest="red")).saved()
        assert "nothing in it can be read; it was kept as journal.damaged-1.sqlite3" in str(
            box.found.notes[0]
        )
    assert (tmp_path / "journal.damaged-1.sqlite3").read_text().startswith("settings from")


def test_a_database_of_another_program_is_set_aside(tmp_path: Path) -> None:
    import sqlite3

    db = sqlite3.connect(tmp_path / FILE)
    db.execute("CREATE TABLE song (name TEXT)")
    db.close()
    with Box(tmp_path) as box:
        assert len(box.found.notes) == 1
        box.take(Opening(t=seconds(1), nearest="red")).saved()


def test_the_next_start_says_nothing_more(evening: Evening, tmp_path: Path) -> None:
    shutil.copytree(evening.folder, tmp_path / "x")
    (tmp_path / "x" / FILE).write_bytes(b"")
    with Box(tmp_path / "x") as box:
        assert box.found.notes
    with Box(tmp_path / "x") as box:
        assert box.found.notes == ()


@pytest.mark.parametrize("renamed", [0, 1, 2])
def test_power_lost_while_a_damaged_file_is_exchanged_loses_nothing(
    evening: Evening, tmp_path: Path, renamed: int
) -> None:
    """The new journal was made; of the old one's files so many had their new names already."""
    from firmware.journal import store

    folder = tmp_path / "x"
    shutil.copytree(evening.folder, folder)
    with store.to_read(folder / FILE) as db:
        rows = [row for n in store.numbers(db) for row in store.lines_of(db, n, folder / FILE)]
    shutil.rmtree(folder)
    shutil.copytree(evening.folder, folder)
    store.make(folder / FILE, rows)
    for ending in store.ALONGSIDE[:renamed]:
        if (folder / f"{FILE}{ending}").exists():
            (folder / f"{FILE}{ending}").rename(folder / f"journal.damaged-1.sqlite3{ending}")
    with Box(folder, FakeMachine(boot="another")) as box:
        box.saved()
        for number, texts in evening.texts.items():
            assert Archive(folder).match(number).events[: len(texts)] == texts


ROWS = st.lists(
    st.builds(
        lambda match, number, name: Row(
            match=match, number=number, text=f'{{"t":{number}.5,"who":"{name}"}}'
        ),
        st.integers(1, 99),
        st.integers(0, 500),
        st.text("abé{}1.:", max_size=12),
    ),
    max_size=8,
    unique_by=lambda row: row.id,
)


@given(rows=ROWS, between=st.lists(st.binary(max_size=40), min_size=9, max_size=9))
def test_sealed_lines_are_found_whatever_lies_between_them(rows: list[Row], between: list[bytes]) -> None:
    raw = between[0]
    for row, noise in zip(rows, between[1:], strict=False):
        raw += row.text.encode() + row.seal.encode() + b"\x00" + noise
    found = sealed_lines(raw)
    assert {row.id: row for row in rows}.items() <= found.items()
    assert {row.id for row in rows} <= places_in(raw)


@given(rows=ROWS, data=st.data())
def test_a_changed_line_is_never_taken_for_a_whole_one(rows: list[Row], data: st.DataObject) -> None:
    for row in rows:
        raw = bytearray(row.text.encode() + row.seal.encode())
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at] ^= data.draw(st.integers(1, 255))
        assert sealed_lines(bytes(raw)).get(row.id) in (None, row)


def test_a_match_counts_up_to_its_first_missing_line() -> None:
    rows = [Row(match=1, number=n, text="{}") for n in (0, 1, 3, 4)] + [Row(match=2, number=1, text="{}")]
    assert {match: [row.number for row in lines] for match, lines in whole_matches(rows).items()} == {
        1: [0, 1]
    }
