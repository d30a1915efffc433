"""What `check` calls unsound, sentence by sentence; and what a position may say and may not."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules import (
    BOOK,
    ByContestant,
    BySide,
    Drop,
    Match,
    NotationError,
    Ns,
    Out,
    Played,
    Question,
    Record,
    Spots,
    check,
    colour_of,
    contestant_of,
    counts_so_far,
    match_from,
    new_match,
)
from rules.match import Clock, Laid, Laying
from tests.rules.play import DUO, Table, at, in_a_game

GAME = Table(in_a_game()).match
OPENING = new_match(BOOK)
STOPPED = replace(GAME.clock, state="stopped")
STROKE = Played(at=Ns(0), before=replace(GAME, clock=STOPPED))
KADER = Table(in_a_game(1, 4)).match
FIVE_OUT = Out(t=Ns(0), ball="white", count=5)
CUE = Laying(side="red", which="cue")
RULED = replace(GAME, clock=STOPPED, ruled=STROKE)


def balls(red: int, white: int) -> BySide[int]:
    return BySide(red=red, white=white)


def games(home: int, away: int) -> ByContestant[int]:
    return ByContestant(home=home, away=away)


def asked(match: Match, ask: str, side: str | None = None, *laying: Laying) -> Match:
    question = Question(ask=ask, side=side)  # type: ignore[arg-type]
    return replace(match, clock=STOPPED, asked=question, laying=laying)


UNSOUND: list[tuple[str, Match]] = [
    ("red has 6 balls", replace(OPENING, balls=balls(6, 5))),
    ("no ball left", replace(GAME, balls=balls(4, 0))),
    ("kader play is one ball", replace(GAME, balls=balls(1, 4))),
    ("kader play is one ball", replace(GAME, phase="kader")),
    ("odd number", replace(OPENING, best_of=2)),
    ("but it is not over", replace(OPENING, games=games(2, 0))),
    ("both have won", replace(OPENING, games=games(2, 2))),
    ("without a game", replace(OPENING, phase="over", match="home")),
    ("a match is over when", replace(OPENING, phase="over")),
    ("a match is over when", replace(GAME, match="home", games=games(1, 0))),
    ("one side has the turn", replace(GAME, turn=None)),
    ("one side has the turn", replace(OPENING, turn="red")),
    ("a stroke rolls outside a game", replace(OPENING, rolling=STROKE)),
    ("opening strokes roll outside", replace(GAME, opened=True)),
    ("an opening without its goals", replace(OPENING, opening_goals=None)),
    ("training evening", replace(OPENING, clock_only=True)),
    ("asked nearest in phase open", asked(GAME, "nearest")),
    ("asked spot in phase opening", replace(OPENING, asked=Question(ask="spot"))),
    ("no ball to lay", asked(GAME, "spot", "white")),
    ("the opponent chooses", asked(GAME, "spot", "red", CUE)),
    ("the first ball to be laid is cue", asked(GAME, "ball", "white", CUE)),
    ("but nothing is asked", replace(GAME, clock=STOPPED, laying=(CUE,))),
    ("to be laid while balls roll", replace(RULED, rolling=STROKE, laying=(CUE,))),
    ("where none lies", replace(GAME, laid=(Laid(ball=CUE, spot=1),))),
    ("nobody had the turn for", replace(RULED, ruled=Played(at=Ns(0), before=OPENING))),
    ("out of another stroke", replace(RULED, ruled=Played(at=Ns(0), before=RULED))),
    ("of another match", replace(RULED, ruled=Played(at=Ns(0), before=replace(STROKE.before, best_of=5)))),
    ("before it red has 7 balls", replace(RULED, ruled=Played(at=Ns(0), before=replace(GAME, balls=balls(7, 4))))),
    ("more balls of white reported", replace(RULED, ruled=replace(STROKE, reports=(FIVE_OUT,)))),
    ("an early stroke after 1 of 0", replace(RULED, ruled=replace(STROKE, early_after=1))),
    ("red has 2 spots taken", replace(KADER, spots=BySide(red=Spots(on=(1, 2)), white=Spots()))),
    ("ascending, each once", replace(GAME, spots=BySide(red=Spots(faulty=(2, 1)), white=Spots()))),
    ("ascending, each once", replace(GAME, spots=BySide(red=Spots(blocked=(6,)), white=Spots()))),
    ("less than nothing", replace(OPENING, clock=Clock(state="stopped", left=Ns(-1), grace=Ns(0)))),
    ("while balls roll or a question is open", replace(GAME, rolling=STROKE)),
    ("in phase opening", replace(OPENING, clock=GAME.clock)),
    ("neither 0 nor 1", replace(GAME, duo=True, player=2)),
    ("a second player in singles", replace(GAME, player=1)),
    ("was to play for red", replace(GAME, duo=True, player=1)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("says", "match"), UNSOUND, ids=[f"{n}-{says}" for n, (says, _) in enumerate(UNSOUND)]
)
def test_an_unsound_match_is_called_so_in_a_sentence(says: str, match: Match) -> None:
    assert [sentence for sentence in check(match) if says in sentence]


@pytest.mark.parametrize("match", [GAME, OPENING, RULED])
def test_a_sound_match_breaks_nothing(match: Match) -> None:
    assert check(match) == ()


@pytest.mark.parametrize(
    ("position", "says"),
    [
        ({"balls": {"red": 4, "white": 4}}, "turn"),
        ({"balls": {"red": 4, "white": 0}, "turn": "red"}, "0 is a game already won"),
        ({"balls": {"red": 4, "white": 4}, "turn": "red", "games": {"home": 0, "away": 2}}, "0:2"),
        ({"balls": {"red": 4, "white": 4}, "turn": "red", "player": 1}, "singles"),
        ({"balls": {"red": 4, "white": 4}, "turn": "red", "asked": {"ask": "nearest"}}, "asked nearest"),
        ({"balls": {"red": 4, "white": 4}, "phase": "open"}, "one side has the turn"),
        ({"balls": {"red": 4, "white": 4}, "turn": "red", "nonsense": 1}, "'nonsense'"),
    ],
)
def test_a_position_that_cannot_be_says_why(position: dict[str, Any], says: str) -> None:
    with pytest.raises(NotationError, match=says):
        match_from(position, BOOK)


def test_a_position_keeps_the_ledgers_in_order() -> None:
    spots = {"red": {"on": [3, 1, 3], "faulty": [5, 2]}}
    match = match_from({"balls": {"red": 4, "white": 4}, "turn": "red", "spots": spots}, BOOK)
    assert match.spots.red == Spots(on=(1, 3), faulty=(2, 5))


def test_a_position_may_bring_its_clock() -> None:
    clock = {"state": "paused", "left": 12, "grace": 10}
    match = match_from({"balls": {"red": 4, "white": 4}, "turn": "red", "clock": clock}, BOOK)
    assert match.clock == Clock(state="paused", left=Ns(12_000_000_000), grace=Ns(10_000_000_000))


def test_colours_belong_to_contestants() -> None:
    assert [colour_of(OPENING, who) for who in ("home", "away")] == ["white", "red"]
    assert [contestant_of(OPENING, side) for side in ("white", "red")] == ["home", "away"]


def test_counts_so_far_follow_what_is_reported_until_it_is_ruled_on() -> None:
    table = Table(DUO)
    table.play(at(1, "drop", goal="red", ball="red"))
    assert counts_so_far(table.match) == balls(4, 5)
    table.play(at(2, "opening", nearest="red"), at(3, "stroke"), at(4, "drop", goal="white", ball="white"))
    assert (counts_so_far(table.match), table.match.balls) == (balls(4, 4), balls(4, 5))
    table.play(at(5, "drop", goal="white", ball="red"), at(6, "rest"))
    assert counts_so_far(table.match) == table.match.balls == balls(4, 4)


def test_a_drop_has_its_instant_in_a_played_stroke() -> None:
    played = replace(STROKE, reports=(Drop(t=Ns(2), goal="red", ball="red", at=Ns(1)),))
    assert check(replace(RULED, ruled=played)) == ()
    assert Record(match=GAME).past == ()
