"""What is confirmed is on the card, in order, in the notation; and nothing else is written."""

import json
import random
from pathlib import Path

from firmware.journal import Archive, Patience, told
from firmware.journal.store import FILE
from rules import SIDES, Drop, End, Match, Ns, Opening, Record, Rest, Stroke, check, take
from rules.words import SECOND
from tests.firmware.journal.boxes import REPORTS, Box, FakeMachine, seconds


def a_turn(box: Box, t: float) -> Box:
    return box.take(Opening(t=seconds(t), nearest="red")).take(Stroke(t=seconds(t + 9.25)))


def test_what_is_confirmed_stands_in_the_file_in_the_notation_and_in_order(tmp_path: Path) -> None:
    with Box(tmp_path) as box:
        a_turn(box, 3).take(Drop(t=seconds(13), goal="red", ball="red")).take(Rest(t=seconds(15))).saved()
        lines = [json.loads(text) for text in Archive(tmp_path).match(1).events]
    assert lines == [
        {"event": "opening", "t": 3.0, "nearest": "red"},
        {"event": "stroke", "t": 12.25},
        {"event": "drop", "t": 13.0, "goal": "red", "ball": "red"},
        {"event": "rest", "t": 15.0},
    ]


def test_a_call_has_a_line_at_its_own_instant(tmp_path: Path) -> None:
    """The core keeps an `end` where a call or an expiry fell; the journal keeps what the core keeps."""
    with Box(tmp_path) as box:
        box.take(Opening(t=seconds(1), nearest="red")).take(End(t=seconds(51))).saved()
        assert json.loads(Archive(tmp_path).match(1).events[-1]) == {"event": "end", "t": 51.0}


def test_a_match_says_by_which_program_and_clock_it_was_kept(tmp_path: Path) -> None:
    with Box(tmp_path) as box:
        a_turn(box, 1).saved()
    (run,) = Archive(tmp_path).match(1).runs
    assert (run.boot, run.origin_ns, run.known, run.program) == ("boot-1", 100 * SECOND, False, "0.1.0")


def test_the_date_is_noted_once_it_is_known(tmp_path: Path) -> None:
    """A box with a network learns the time a minute after the first stroke."""
    with Box(tmp_path) as box:
        a_turn(box, 1).saved()
        box.machine.wall.known = True
        box.take(Rest(t=seconds(70))).saved().take(Rest(t=seconds(71))).saved()
    assert [run.known for run in Archive(tmp_path).match(1).runs] == [False, True]


def test_a_match_the_box_began_by_itself_leaves_nothing_before_it_is_played(tmp_path: Path) -> None:
    with Box(tmp_path, wanted=False):
        pass
    with Box(tmp_path) as box:
        assert box.found.number == 1
        a_turn(box, 1).saved()
    assert Archive(tmp_path).numbers() == [1]


def test_of_matches_the_box_began_by_itself_only_the_one_that_is_played_is_kept(tmp_path: Path) -> None:
    """A box that waits for months begins its match anew now and then."""
    with Box(tmp_path, wanted=False) as box:
        for _ in range(5):
            box.machine.monotonic_ns += 12 * 3600 * SECOND
            box.new(wanted=False, best_of=7)
        a_turn(box, 1).saved()
    (run,) = Archive(tmp_path).match(1).runs
    assert run.origin_ns == (100 + 5 * 12 * 3600) * SECOND
    assert Archive(tmp_path).numbers() == [1]


def test_a_match_set_up_on_the_keys_is_kept_at_once(tmp_path: Path) -> None:
    """F12: power lost right after the set-up finds the set-up, not the defaults."""
    with Box(tmp_path, best_of=5, home_names=("Anna", ""), away_names=("Bert", "")) as box:
        box.saved()
    with Box(tmp_path) as box:
        assert (box.match.best_of, box.opened.names.home, box.opened.names.away) == (5, ("Anna",), ("Bert",))


def test_a_new_match_takes_nothing_from_the_one_before_it(tmp_path: Path) -> None:
    """F13: its lines bear its number, although the old one is still being written."""
    with Box(tmp_path) as box:
        a_turn(box, 1)
        box.new(home_names=("Cees", ""))
        box.take(Opening(t=seconds(2), nearest="white")).saved()
    archive = Archive(tmp_path)
    assert archive.numbers() == [1, 2]
    assert [len(archive.match(number).events) for number in (1, 2)] == [2, 1]
    assert told(archive.match(2)).opened.names.home == ("Cees",)


def test_nothing_is_written_while_nothing_happens(tmp_path: Path) -> None:
    with Box(tmp_path) as box:
        a_turn(box, 1).saved()
        before = [(path.name, path.stat().st_mtime_ns) for path in sorted(tmp_path.iterdir())]
        box.machine.monotonic_ns += 3600 * SECOND
        assert box.is_saved()
        assert [(path.name, path.stat().st_mtime_ns) for path in sorted(tmp_path.iterdir())] == before


def test_the_file_is_what_was_displayed_after_each_of_1000_reports(tmp_path: Path) -> None:
    """F7: whatever was accepted, folding the file gives the very match that every display showed."""
    chance = random.Random(5)  # noqa: S311 - a fixed evening
    seen: list[Match] = []
    kinds = [*(kind for kind in REPORTS if kind != "concede"), "stroke", "rest", "stroke", "rest"]
    with Box(tmp_path) as box:
        while len(box.kept) < 1000:
            t = Ns(box.match.at + chance.randrange(0, 30) * SECOND // 7)
            side = chance.choice(SIDES)
            event = REPORTS[chance.choice(kinds)](t, side)
            box.take(event)
            if box.kept and box.kept[-1] is event:
                seen.append(box.match)
        box.saved()
        kept = told(Archive(tmp_path).match(1))
    record = Record(match=kept.opened.record.match)
    folded = []
    for event in kept.events:
        record, _ = take(kept.opened.rulebook, record, event)
        folded.append(record.match)
    assert folded == seen
    assert [check(match) for match in seen if check(match)] == []


def test_a_file_that_is_there_is_whole(tmp_path: Path) -> None:
    """F3: a new journal is made beside and renamed; what was cut off on the way is no journal."""
    (tmp_path / f"{FILE}.new").write_bytes(b"half of a page")
    with Box(tmp_path) as box:
        a_turn(box, 1).saved()
        assert box.found.notes == ()
    assert Archive(tmp_path).numbers() == [1]


def test_the_mark_of_an_unsaved_report_is_named_after_two_seconds_and_not_before() -> None:
    patience = Patience()
    patience.look(0, unsaved=True)
    patience.look(SECOND, unsaved=True)
    assert patience.due_ns(SECOND) == 2 * SECOND
    assert patience.note(2 * SECOND - 1) is None
    assert "not on the card yet" in str(patience.note(2 * SECOND))
    patience.look(2 * SECOND, unsaved=False)
    assert patience.note(9 * SECOND) is None
    assert patience.due_ns(9 * SECOND) is None


def test_a_machine_can_be_faked_only_with_its_clocks_set() -> None:
    assert FakeMachine().machine().wall.now(0).known is False
