"""Corrections: what the referee sets by hand. The past is not edited; old and new stay in the journal."""

from msgspec.structs import replace

from rules import clock as turn_clock
from rules.calls import Answer, refuse
from rules.events import Blocked, Cleared, Correct, GamesGiven, SpotsGiven
from rules.facts import balls_reported
from rules.match import Clock, Match, Played, Spots, games_needed, kader
from rules.outcomes import Why
from rules.rulebook import Rulebook
from rules.ruling import between_games
from rules.spots import forget_gone, free_surplus, lay
from rules.words import SIDES, ByContestant, BySide, other

__all__ = ["balls_reported", "correct"]


def correct(rulebook: Rulebook, match: Match, event: Correct) -> Answer:
    """Set what is given; an open question stays, the clock stands until the release."""
    if match.phase in ("opening", "over"):
        return _correct_games(rulebook, match, event)
    given = _with_given(match, event)
    why = _why_not(rulebook, match, given, event)
    if why is not None:
        return refuse(match, "correct", why, event.t)
    if match.rolling is not None:
        return replace(given, rolling=_with_before(match.rolling, given)), ()
    given = replace(_stopped(rulebook, match, given, event), ruled=None)
    return lay(rulebook, forget_gone(given), event.t)


def _with_given(match: Match, event: Correct) -> Match:
    balls, games, spots = match.balls, match.games, match.spots
    if event.balls is not None:
        balls = BySide(red=event.balls.red or balls.red, white=event.balls.white or balls.white)
        spots = free_surplus(spots, balls, match.laying)
    if event.games is not None:
        games = _games(match, event.games)
    if event.spots is not None:
        spots = BySide(
            red=_with_ledger(spots.red, event.spots.red), white=_with_ledger(spots.white, event.spots.white)
        )
    turn = event.turn or match.turn
    player = match.player
    if event.player is not None:
        player = event.player
    elif turn is not None and turn != match.turn:
        player = match.next.of(turn)
    turns = match.next.put(turn, player) if turn is not None and match.duo else match.next
    phase = match.phase if match.clock_only else "kader" if kader(balls) else "open"
    return replace(
        match, balls=balls, games=games, spots=spots, turn=turn, player=player, next=turns, phase=phase
    )


def _with_ledger(spots: Spots, given: SpotsGiven | None) -> Spots:
    if given is None:
        return spots
    return replace(spots, on=tuple(sorted(set(given.on))), faulty=tuple(sorted(set(given.faulty))))


def _why_not(rulebook: Rulebook, match: Match, given: Match, event: Correct) -> Why | None:
    if event.player == 1 and not match.duo:
        return "singles"
    if event.games is not None and _is_won(given):
        return "won"
    if event.left is not None and match.rolling is not None:
        return "rolling"
    if event.left is not None and event.left > rulebook.call_after(duo=match.duo):
        return "too_long"
    for side in SIDES:
        laying = sum(ball.side == side for ball in match.laying)
        if len(given.spots.of(side).on) > given.balls.of(side) - laying:
            return "too_many"
        if match.rolling is not None and balls_reported(match.rolling, side) > given.balls.of(side):
            return "too_many"
    return None


def _with_before(played: Played, given: Match) -> Played:
    """Return the stroke as played from the position `given`, with what was said of the spots since settled in it."""
    kept = [not isinstance(report, Blocked | Cleared) for report in played.reports]
    before = replace(
        played.before,
        balls=given.balls,
        games=given.games,
        spots=given.spots,
        turn=given.turn,
        player=given.player,
        next=given.next,
        phase=given.phase,
    )
    return replace(
        played,
        before=before,
        reports=tuple(report for report, keep in zip(played.reports, kept, strict=True) if keep),
        early_after=sum(kept[: played.early_after]),
    )


def _stopped(rulebook: Rulebook, match: Match, given: Match, event: Correct) -> Match:
    stopped = turn_clock.hold(given, event.t, "stopped")
    whole = turn_clock.whole(rulebook, given)
    if event.left is not None:
        clock: Clock = replace(whole.clock, left=event.left)
        return replace(given, clock=clock)
    if given.turn != match.turn or stopped.clock.lapsed:
        return whole
    return stopped


def _games(match: Match, given: GamesGiven) -> ByContestant[int]:
    home = match.games.home if given.home is None else given.home
    away = match.games.away if given.away is None else given.away
    return ByContestant(home=home, away=away)


def _is_won(match: Match) -> bool:
    games = match.games
    return max(games.home, games.away) >= games_needed(match)


def _correct_games(rulebook: Rulebook, match: Match, event: Correct) -> Answer:
    """Between games and after the match only the games are open; colours follow the number of the game.

    `home` is its colour in the last game of a match that was won, else in the game that comes or was broken off.
    """
    if event.games is None or event != Correct(t=event.t, games=event.games):
        return refuse(match, "correct", "over" if match.phase == "over" else "opening", event.t)
    games = _games(match, event.games)
    given = replace(match, games=games)
    if _is_won(given):
        return refuse(match, "correct", "won", event.t)
    fewer = match.games.home + match.games.away - (games.home + games.away)
    won = match.phase == "over" and match.match != "abandoned"
    turned = won != (fewer % 2 == 1)
    home = other(match.home) if turned else match.home
    if match.phase == "opening":
        return replace(given, home=home, ruled=None), ()
    again = between_games(rulebook, given)
    return replace(again, phase="opening", match=None, home=home, ruled=None), ()
