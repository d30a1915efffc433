"""After a crash or a power cut the match stands as it stood; the clock takes nothing from a player."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.console import setup_of
from firmware.journal import Archive, CameBack
from firmware.journal.kept import KeptMatch, Run, event_text, start_text, told
from firmware.journal.recovery import Here, come_back, comes_back
from rules import (
    SIDES,
    Abandon,
    AnyEvent,
    Concede,
    Correct,
    End,
    Match,
    Ns,
    Opening,
    Recovered,
    Rest,
    Resume,
    Side,
    Stroke,
    Undo,
    game_number,
    moment,
    read,
    standing_ruling,
    take,
)
from rules.events import BallsGiven, GamesGiven
from rules.words import SECOND
from tests.firmware.journal.boxes import BOOK_MATCH, RELEASED, REPORTS, Box, FakeMachine, seconds

ORIGIN = 100 * SECOND


def kept(*events: AnyEvent, boot: str = "boot", known: bool = False) -> KeptMatch:
    run = Run(at_ns=0, boot=boot, origin_ns=ORIGIN, utc_s=RELEASED, known=known, program="0.1.0")
    texts = tuple(event_text(event) for event in events)
    return KeptMatch(number=1, start=start_text(BOOK_MATCH, "match-1"), runs=(run,), events=texts)


def back(match: KeptMatch, *, at: float = 0.0, boot: str = "boot", utc_s: int | None = None) -> CameBack:
    """Come back at `at` seconds of the match, in this boot or another."""
    here = Here(boot=boot, monotonic_ns=ORIGIN + seconds(at), utc_s=utc_s)
    return come_back(match, told(match), here)


def clock(came: CameBack) -> tuple[str, float, float]:
    reading = read(came.opened.record.match.clock, came.recovered.t)
    return reading.state, reading.left / SECOND, reading.grace / SECOND


TURN = Opening(t=seconds(5), nearest="red")
"""The clock runs from 5 s: the call at 55 s, the expiry at 65 s."""


@pytest.mark.parametrize(("at", "left"), [(5, 50), (15, 40), (45, 10), (54, 1), (55, 0)])
def test_after_a_crash_the_clock_stands_where_it_would_be(at: float, left: float) -> None:
    """F8: restarted at 50, 40, 10, 1 and 0 s: paused with the time that is left, and `resume` goes on."""
    came = back(kept(TURN), at=at)
    assert came.recovered == Recovered(t=seconds(at), dark=seconds(at - 5))
    assert clock(came) == ("paused", left, 10)
    record, outcomes = take(came.opened.rulebook, came.opened.record, Resume(t=seconds(at + 1)))
    assert record.match.clock.state == "running"
    assert outcomes == ()


@pytest.mark.parametrize(("at", "grace"), [(55, 10), (58, 7), (64, 1), (65, 0), (900, 0)])
def test_in_the_grace_it_stands_in_the_grace_and_no_expiry_is_ruled(at: float, grace: float) -> None:
    """F8, F9: the call was heard and has its line; an expiry nobody could hear is never ruled."""
    came = back(kept(TURN, End(t=seconds(55))), at=at)
    assert clock(came) == ("paused", 0, grace)
    assert came.opened.record.match.turn == "red"


def test_a_call_that_fell_in_the_dark_holds_the_clock_there() -> None:
    """It is called when play resumes, and the grace is whole."""
    came = back(kept(TURN), at=200)
    assert clock(came) == ("paused", 0, 10)
    _, outcomes = take(came.opened.rulebook, came.opened.record, Resume(t=seconds(201)))
    record, _ = take(came.opened.rulebook, came.opened.record, Resume(t=seconds(201)))
    _, signals = take(came.opened.rulebook, record, End(t=seconds(201)))
    assert [getattr(said, "signal", None) for said in (*outcomes, *signals)] == ["zeit"]


def test_after_another_boot_it_stands_as_of_the_last_line() -> None:
    """The player gains: nobody knows how long it was dark."""
    came = back(kept(TURN, End(t=seconds(20))), boot="another")
    assert came.recovered == Recovered(t=seconds(20), dark=None)
    assert clock(came) == ("paused", 35, 10)


def test_instants_go_on_and_never_back() -> None:
    came = back(kept(TURN), at=42, boot="another")
    now = Ns(ORIGIN + seconds(42) - came.origin_ns)
    assert now == came.recovered.t == seconds(5)
    same = back(kept(TURN), at=42)
    assert same.origin_ns == ORIGIN


def test_a_monotonic_clock_that_went_back_is_another_boot() -> None:
    """Containers may keep the boot id: then nothing is concluded from the clock."""
    assert back(kept(TURN, End(t=seconds(30))), at=10).recovered == Recovered(t=seconds(30), dark=None)


@pytest.mark.parametrize(
    ("came", "sentence"),
    [
        (back(kept(TURN), at=9), "The program started again; for 4 s nobody saw anything."),
        (
            back(kept(TURN, known=True), boot="another", utc_s=RELEASED + 5 + 720),
            "All stands as it stood 12 min ago; check clock and counts.",
        ),
        (
            back(kept(TURN), boot="another", utc_s=RELEASED + 900),
            "All stands as of the last report, how long ago is not known; check clock and counts.",
        ),
        (
            back(kept(TURN, known=True), boot="another"),
            "All stands as of the last report, how long ago is not known; check clock and counts.",
        ),
    ],
)
def test_the_screen_says_how_old_it_is(came: CameBack, sentence: str) -> None:
    """F5: the age of the restored state is shown, or that nobody knows it."""
    assert str(came.back.note()) == sentence


def test_a_match_that_is_over_comes_back_in_the_same_boot() -> None:
    """A crash must not take the result off the board; the next evening begins with a new match."""
    over = kept(TURN, Concede(t=seconds(9), side="red", match=True))
    last = told(over).record().match
    assert comes_back(over, Here(boot="boot", monotonic_ns=ORIGIN + seconds(20)), last)
    assert not comes_back(over, Here(boot="another", monotonic_ns=0), last)
    assert not comes_back(kept(TURN, Abandon(t=seconds(9))), Here(boot="another", monotonic_ns=0), last)


@pytest.mark.parametrize(("later_s", "comes"), [(0, True), (1800, True), (1801, False), (-60, False)])
def test_a_match_that_was_just_over_comes_back_after_a_power_cut_where_the_time_is_known(
    later_s: int, *, comes: bool
) -> None:
    """Its result is still looked at, and may have been a mistake: it can be reopened for half an hour."""
    over = kept(TURN, Concede(t=seconds(9), side="red", match=True), known=True)
    here = Here(boot="another", monotonic_ns=0, utc_s=RELEASED + 9 + later_s)
    assert comes_back(over, here, told(over).record().match) is comes


def test_the_last_ruling_is_on_the_screen_again_and_an_undo_finds_the_one_before(tmp_path: Path) -> None:
    machine = FakeMachine()
    with Box(tmp_path, machine) as box:
        box.take(TURN)
        for at in (10, 30):  # two strokes without a goal: two turns that pass
            box.take(Stroke(t=seconds(at))).take(Rest(t=seconds(at + 5)))
        stood, before = standing_ruling(box.record), box.match
        box.saved()
    machine.reboot()
    with Box(tmp_path, machine) as box:
        assert before.turn == "red"
        assert stood is not None
        assert (stood.t, stood.by, stood.next) == (seconds(35), "white", "red")
        assert standing_ruling(box.record) == stood
        box.take(Undo(t=box.now)).take(Undo(t=box.now))
        earlier = standing_ruling(box.record)
        assert earlier is not None
        assert (earlier.t, earlier.by, earlier.next) == (seconds(15), "red", "white")


@pytest.mark.parametrize("home", SIDES)
def test_the_colour_set_up_for_home_outlives_a_restart_before_the_opening(tmp_path: Path, home: Side) -> None:
    machine = FakeMachine()
    with Box(tmp_path, machine) as box:
        box.new(home=home)
        box.saved()
    machine.reboot()
    with Box(tmp_path, machine) as box:
        assert box.found.came is not None
        assert box.match.home == home
        assert setup_of(box.opened).home == home
        box.take(Opening(t=seconds(5), nearest="white"))
        assert box.match.home == home


def test_a_match_from_another_box_never_goes_on_here() -> None:
    run = Run(
        at_ns=0, boot="boot", origin_ns=ORIGIN, utc_s=RELEASED, known=True, program="0.1.0", imported=True
    )
    theirs = KeptMatch(number=1, start=start_text(BOOK_MATCH, "m"), runs=(run,), events=(event_text(TURN),))
    assert not comes_back(theirs, Here(boot="boot", monotonic_ns=ORIGIN * 2), told(theirs).record().match)


def test_a_game_set_by_hand_goes_on_with_the_right_numbers(tmp_path: Path) -> None:
    """E15: games and counts restored by hand, then a crash: the next game is the third, balls as set."""
    machine = FakeMachine()
    with Box(tmp_path, machine) as box:
        box.take(Correct(t=seconds(1), games=GamesGiven(home=1, away=1)))
        box.take(Opening(t=seconds(4), nearest="white"))
        box.take(Correct(t=seconds(6), balls=BallsGiven(red=2, white=4), turn="red")).saved()
    machine.reboot()
    with Box(tmp_path, machine) as box:
        assert (game_number(box.match), box.match.turn) == (3, "red")
        assert (box.match.balls.red, box.match.balls.white) == (2, 4)


def test_what_was_taken_back_before_the_crash_stays_taken_back_and_more_can_be(tmp_path: Path) -> None:
    machine = FakeMachine()
    with Box(tmp_path, machine) as box:
        box.take(TURN).take(Stroke(t=seconds(9))).take(Undo(t=seconds(10))).take(
            Stroke(t=seconds(12))
        ).saved()
    machine.reboot()
    with Box(tmp_path, machine) as box:
        assert moment(box.match) == "rolls"
        box.take(Undo(t=box.now))
        assert moment(box.match) == "turn"
        assert (box.match.clock.state, box.match.clock.left) == ("paused", 43 * SECOND)


def test_many_crashes_in_a_row_change_nothing_but_the_pause(tmp_path: Path) -> None:
    machine = FakeMachine()
    with Box(tmp_path, machine) as box:
        box.take(TURN).saved()
        machine.monotonic_ns += 3 * SECOND
    for _ in range(5):
        machine.reboot()
        with Box(tmp_path, machine) as box:
            box.saved()
            assert (box.match.clock.state, box.match.clock.left) == ("paused", 50 * SECOND)
    assert len(Archive(tmp_path).match(1).runs) == 6


def settled(match: Match) -> tuple[object, ...]:
    """What stands, without the clock and the instant of the last line."""
    return (
        match.phase,
        match.balls,
        match.games,
        match.spots,
        match.turn,
        match.player,
        match.rolling,
        match.asked,
    )


STEPS = st.lists(
    st.tuples(st.sampled_from(sorted(REPORTS)), st.integers(0, 70 * SECOND), st.sampled_from(SIDES)),
    max_size=25,
)


@given(steps=STEPS, dark=st.integers(0, 200 * SECOND), reboots=st.booleans())
def test_whatever_happened_the_match_comes_back_and_no_clock_has_less(
    steps: list[tuple[str, int, Side]], dark: int, reboots: bool
) -> None:
    """F9: counts, games, turn, questions, rolling balls: all as of the last line, and no ruling is made in the dark."""
    opened = BOOK_MATCH
    record = opened.record
    events: list[AnyEvent] = []
    t = 0
    for kind, wait, side in steps:
        t += wait
        event = REPORTS[kind](Ns(t), side)
        before = record.match
        record, _ = take(opened.rulebook, record, event)
        if record.match is not before:
            events.append(event)
    last = record.match
    here = ORIGIN + last.at + dark
    came = come_back(
        kept(*events), told(kept(*events)), Here(boot="another" if reboots else "boot", monotonic_ns=here)
    )
    now = came.opened.record.match
    assert settled(now) == settled(last)
    assert now.clock.state != "running"
    would = read(last.clock, last.at if reboots else Ns(last.at + dark))
    assert now.clock.left >= would.left
    assert now.clock.grace >= would.grace
