"""The opening of a game: its strokes, the balls holed in them, and who keeps the turn (DUO-01)."""

from msgspec.structs import replace

from rules import clock as turn_clock
from rules.calls import Answer, refuse
from rules.events import Drop, Opening, Rest, Stroke
from rules.match import FULL, NO_SPOTS, Match, contestant_of, game_number
from rules.outcomes import Question
from rules.rulebook import Rulebook
from rules.spots import ask_again
from rules.words import SIDES, ByContestant, BySide


def strike(_: Rulebook, match: Match, __: Stroke) -> Answer:
    """The opening strokes are played; with a stroke the last one of the game before is past ruling on."""
    return replace(match, opened=True, ruled=None), ()


def ask_nearest(_: Rulebook, match: Match, event: Rest) -> Answer:
    """The opening balls are at rest: which lies nearest?"""
    question = Question(ask="nearest")
    return replace(match, asked=question), (ask_again(question, event.t),)


def hole(_: Rulebook, match: Match, event: Drop) -> Answer:
    """Take a goal made in the opening: one a side, a ball in its own side's goal; the book rules on nothing else."""
    goals = match.opening_goals or ()
    if event.goal != event.ball:
        return refuse(match, "drop", "own_goal_only", event.t)
    if event.ball in goals:
        return refuse(match, "drop", "one_a_side", event.t)
    return replace(match, opening_goals=(*goals, event.ball)), ()


def begin(rulebook: Rulebook, match: Match, event: Opening) -> Answer:
    """Give the turn to the side whose ball lies nearest; its opener goes on only where the opening was a goal."""
    if event.openers is not None and not match.duo:
        return refuse(match, "opening", "singles", event.t)
    opened = replace(
        match,
        phase="open",
        home=match.home if event.home is None else event.home,
        openers=_openers(match, event.openers),
        turn=event.nearest,
        balls=FULL,
        spots=NO_SPOTS,
        asked=None,
        opened=False,
        ruled=None,
    )
    goals = match.opening_goals or ()
    turns: BySide[int] = BySide(red=0, white=0)
    for side in SIDES:
        if side in goals:
            opened = replace(opened, balls=opened.balls.put(side, opened.balls.of(side) - 1))
        if match.duo:
            opener = opened.openers.of(contestant_of(opened, side))
            goes_on = side == event.nearest and side in goals
            turns = turns.put(side, opener if goes_on else 1 - opener)
    opened = replace(opened, next=turns, player=turns.of(event.nearest))
    return turn_clock.start(rulebook, opened, event.t), ()


def _openers(match: Match, named: ByContestant[int] | None) -> ByContestant[int]:
    if named is not None:
        return named
    if match.duo and game_number(match) == 2:  # noqa: PLR2004 - in the second game the others open
        return ByContestant(home=1 - match.openers.home, away=1 - match.openers.away)
    return ByContestant(home=0, away=0)
