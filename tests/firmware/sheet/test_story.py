"""What a sheet says is derived from what holds now: every undo and every correction is followed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.console.setup import Setup
from firmware.journal.kept import told
from firmware.sheet.sheet import Sheet, Turn
from firmware.sheet.story import sheet_of
from rules import (
    BOOK,
    AnyEvent,
    Concede,
    Correct,
    Drop,
    End,
    Fault,
    Ns,
    Opening,
    Pause,
    Recovered,
    Rest,
    Resume,
    Stroke,
    Undo,
    take,
)  # fmt: skip
from rules.events import BallsGiven, GamesGiven
from rules.words import SECOND
from tests.firmware.sheet.played import by_chance, kept, s, sheet

OPEN = Opening(t=s(10), nearest="white")
"""Anna (home, white) has the turn, and her clock runs from 10 s."""


def goal(t: float, side: str = "white") -> Drop:
    return Drop(
        t=s(t), goal="white" if side == "white" else "red", ball="white" if side == "white" else "red"
    )


def short(turn: Turn) -> tuple[object, ...]:
    return turn.contestant, turn.strokes, turn.goals, turn.used / SECOND, turn.ends


def test_a_turn_goes_on_with_every_goal_and_passes_without_one() -> None:
    told = sheet(
        OPEN, Stroke(t=s(22)), goal(23), Rest(t=s(25)), Stroke(t=s(40)), Rest(t=s(43)), Stroke(t=s(50.5)), Rest(t=s(53))
    )  # fmt: skip
    assert [short(turn) for turn in told.turns] == [
        ("home", 2, 1, 27.0, "passes"),
        ("away", 1, 0, 7.5, "passes"),
    ]
    anna, bert = told.players
    assert (anna.name, anna.turns, anna.strokes, anna.goals) == ("Anna", 1, 2, 1)
    assert (anna.mean, anna.longest) == (s(13.5), s(15))
    assert (bert.mean, bert.longest) == (s(7.5), s(7.5))


def test_a_call_and_an_expiry_are_counted_and_cost_the_turn() -> None:
    told = sheet(
        OPEN, End(t=s(60)), Stroke(t=s(65)), Rest(t=s(67)), End(t=s(117)), End(t=s(127)), Rest(t=s(130))
    )
    assert [(turn.contestant, turn.calls, turn.expiries, turn.used, turn.faults) for turn in told.turns] == [
        ("home", 1, 0, s(55), ()),
        ("away", 1, 1, s(60), ("ZEI-01",)),
    ]
    assert [(fault.clause, fault.contestant, fault.count) for fault in told.faults] == [("ZEI-01", "away", 1)]


def test_an_expiry_taken_back_is_none() -> None:
    told = sheet(
        OPEN, End(t=s(60)), End(t=s(70)), Undo(t=s(72)), Stroke(t=s(75)), goal(76), Rest(t=s(78)), Stroke(t=s(80))
    )  # fmt: skip
    assert [(turn.calls, turn.expiries, turn.goals) for turn in told.turns] == [(1, 0, 1)]
    assert told.players[0].expiries == 0
    assert [(c.kind, c.what, c.made) for c in told.corrections] == [("undo", "end", s(70))]


def test_time_paused_and_time_in_the_dark_are_nobodys() -> None:
    paused = sheet(OPEN, Pause(t=s(15)), Resume(t=s(100)), Stroke(t=s(107)), Rest(t=s(110)))
    assert paused.turns[0].used == s(12)
    dark = sheet(OPEN, Recovered(t=s(40), dark=None), Resume(t=s(60)), Stroke(t=s(63)), Rest(t=s(66)))
    assert dark.turns[0].used == s(3)
    assert [pause.known for pause in dark.pauses] == [False]
    crashed = sheet(OPEN, Recovered(t=s(20), dark=s(4)), Resume(t=s(60)), Stroke(t=s(63)), Rest(t=s(66)))
    assert crashed.turns[0].used == s(13)


def test_a_fault_called_late_replaces_the_ruling_and_the_time_after_it_is_nobodys() -> None:
    """The goal does not count, the turn is lost, and what the void next visit took is charged to no one."""
    told = sheet(
        OPEN, Stroke(t=s(20)), goal(21), Rest(t=s(23)), Fault(t=s(26), fault="foot_off_floor"), Rest(t=s(30)),
        Stroke(t=s(39)), Rest(t=s(41)),
    )  # fmt: skip
    assert [short(turn) for turn in told.turns] == [
        ("home", 1, 0, 10.0, "lost"),
        ("away", 1, 0, 9.0, "passes"),
    ]
    assert [(fault.clause, fault.count) for fault in told.faults] == [("FEH-01", 1)]


def test_a_stroke_before_the_rest_is_the_fault_of_whoever_played_it() -> None:
    """ZIE-03: the rolling stroke is ruled on by itself; the early one costs the other side its turn."""
    told = sheet(OPEN, Stroke(t=s(20)), Fault(t=s(21), fault="played_before_rest"), Rest(t=s(25)))
    assert [(turn.contestant, turn.ends) for turn in told.turns] == [("home", "passes"), ("away", "lost")]
    assert [(fault.clause, fault.contestant) for fault in told.faults] == [("ZIE-03", "away")]


def test_a_correction_in_the_middle_of_the_match_is_followed_by_every_total() -> None:
    """E9: the past is not edited; `undo` and `correct` mend it, and counts, games and figures follow."""
    told = sheet(
        OPEN, Stroke(t=s(20)), goal(21), Rest(t=s(23)), Stroke(t=s(30)), goal(31), Rest(t=s(33)),
        Undo(t=s(34)), Undo(t=s(35)), Rest(t=s(36)), Correct(t=s(38), balls=BallsGiven(red=2)), Rest(t=s(40)),
    )  # fmt: skip
    assert sum(turn.goals for turn in told.turns) == told.players[0].goals == 1
    kinds = [
        (correction.kind, correction.what, correction.old, correction.new) for correction in told.corrections
    ]
    assert kinds == [("undo", "rest", "", ""), ("undo", "drop", "", ""), ("correct", "balls", "5:4", "2:4")]


def test_a_match_corrected_after_its_end_is_another_result_and_the_correction_stays_to_be_seen() -> None:
    """E10: `correct` of games and `undo` reopen it; the sheet says who has won now."""
    won = (OPEN, Concede(t=s(20), side="red", match=True))
    assert (sheet(*won).result, sheet(*won).games_won.home) == ("home", 1)
    corrected = sheet(*won, Correct(t=s(60), games=GamesGiven(home=0, away=1)))
    assert (corrected.result, corrected.games_won.home, corrected.games_won.away) == (None, 0, 1)
    assert [(c.what, c.old, c.new) for c in corrected.corrections] == [("games", "1:0", "0:1")]
    undone = sheet(*won, Undo(t=s(60)))
    assert (undone.result, undone.games_won.home) == (None, 0)
    assert [game.winner for game in sheet(*won).games] == ["home"]


def test_a_recorded_time_does_not_run_on() -> None:
    """E11: the sheet of a match that goes on says the same whenever it is made."""
    match = kept((OPEN, Stroke(t=s(20)), Rest(t=s(23)), Stroke(t=s(30)), Rest(t=s(33))))
    assert sheet_of(match) == sheet_of(match)
    assert [turn.used for turn in sheet_of(match).turns] == [s(10), s(7)]


def test_only_the_new_value_is_announced() -> None:
    """E12: a correction says nothing of its own, and nothing of what stood before it."""
    match = kept((OPEN, Stroke(t=s(20)), goal(21), Rest(t=s(23))))
    read = told(match)
    record, outcomes = take(read.opened.rulebook, read.record(), Correct(t=s(25), balls=BallsGiven(white=5)))
    assert outcomes == ()
    assert record.match.balls.white == 5
    _, outcomes = take(read.opened.rulebook, record, Undo(t=s(26)))
    assert outcomes == ()


@pytest.mark.parametrize("seed", range(6))
def test_a_whole_match_adds_up(seed: int) -> None:
    """Turns, players, games and faults are the same match counted in different ways."""
    told = sheet_of(kept(by_chance(seed)))
    for contestant in ("home", "away"):
        mine = [player for player in told.players if player.contestant == contestant]
        turns = [turn for turn in told.turns if turn.contestant == contestant]
        assert sum(player.turns for player in mine) == len(turns)
        assert sum(player.strokes for player in mine) == sum(turn.strokes for turn in turns)
        assert sum(player.used for player in mine) == sum(turn.used for turn in turns)
        assert sum(player.expiries for player in mine) == sum(turn.expiries for turn in turns)
        faults = sum(fault.count for fault in told.faults if fault.contestant == contestant)
        assert sum(player.faults for player in mine) == faults
        assert told.games_won.of("home" if contestant == "home" else "away") == sum(
            game.winner == contestant for game in told.games
        )
    assert all(0 <= turn.longest <= s(60) for turn in told.turns)
    assert told.seen is None


def test_a_duo_counts_each_player_by_itself() -> None:
    setup = Setup(rulebook=BOOK, duo=True, home_names=("A", "B"), away_names=("C", "D"))
    told = sheet_of(kept(by_chance(3, setup), setup))
    assert [player.name for player in told.players] == ["A", "B", "C", "D"]
    assert sum(player.turns for player in told.players) == len(told.turns)
    assert min(player.turns for player in told.players) > 0


def test_a_training_evening_has_times_and_nothing_else() -> None:
    setup = Setup(rulebook=BOOK, clock_only=True)
    told = sheet(Rest(t=s(5)), Stroke(t=s(17)), Rest(t=s(20)), End(t=s(70)), Stroke(t=s(75)), setup=setup)
    assert [(visit.used, visit.call) for visit in told.visits] == [(s(12), False), (s(55), True)]
    assert told.games_won.home == 0
    assert told.faults == ()


REPORTS = st.lists(st.integers(0, 400), min_size=1, max_size=3)


def figures(told: Sheet) -> tuple[object, ...]:
    """Everything derived, without the corrections, which stay to be seen."""
    return told.turns, told.games, told.players, told.faults, told.games_won, told.result


@given(
    seed=st.integers(0, 30),
    cut=st.integers(2, 120),
    kind=st.sampled_from(["rest", "stroke", "fault", "concede"]),
)
def test_figures_after_an_undo_are_those_before_the_action(seed: int, cut: int, kind: str) -> None:
    """E16: whatever is reported by mistake and taken back has left nothing in any total."""
    events = by_chance(seed, until=cut)
    before = sheet_of(kept(events))
    t = Ns(max(event.t for event in events) + SECOND // 10)
    mistakes: dict[str, AnyEvent] = {
        "rest": Rest(t=t),
        "stroke": Stroke(t=t),
        "fault": Fault(t=t, fault="foot_off_floor"),
        "concede": Concede(t=t, side="red"),
    }
    mistake = mistakes[kind]
    made = kept([*events, mistake])
    if len(made.events) == len(kept(events).events):
        return  # refused: nothing to take back
    after = sheet_of(kept([*events, mistake, Undo(t=Ns(t + SECOND // 10))]))
    assert figures(after) == figures(before)
    assert len(after.corrections) == len(before.corrections) + 1
