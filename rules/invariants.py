"""What is true of every match: `check` lists each broken invariant in a sentence.

Lives here: the oracle of the property tests, and of a position from outside.
"""

from collections.abc import Iterator

from rules.match import Match, games_needed, kader
from rules.words import BALLS, CONTESTANTS, SIDES


def check(match: Match) -> tuple[str, ...]:
    """Return a sentence for each invariant that `match` breaks; an empty tuple for a sound match."""
    return (*_counts(match), *_games(match), *_course(match), *_spots(match), *_clock(match), *_duo(match))


def _counts(match: Match) -> Iterator[str]:
    for side in SIDES:
        balls = match.balls.of(side)
        if not 0 <= balls <= BALLS:
            yield f"{side} has {balls} balls, of 0 to {BALLS}"
        if match.phase in ("open", "kader") and balls == 0:
            yield f"{side} has no ball left in a game that is not over"
    if match.phase in ("open", "kader") and not match.clock_only and kader(match.balls) != (match.phase == "kader"):
        yield f"phase {match.phase} with {match.balls.red}:{match.balls.white} balls; kader play is one ball on a side"


def _games(match: Match) -> Iterator[str]:
    needed = games_needed(match)
    if match.best_of < 1 or match.best_of % 2 == 0:
        yield f"best of {match.best_of} is not an odd number of games"
    games = match.games
    if match.phase != "over" and max(games.home, games.away) >= needed:
        yield f"games {games.home}:{games.away} have won the match, but it is not over"
    if min(games.home, games.away) >= needed:
        yield f"games {games.home}:{games.away}: both have won a match to {needed}"
    for contestant in CONTESTANTS:
        if match.match == contestant and games.of(contestant) == 0:
            yield f"{contestant} has won the match without a game"
    if (match.match is not None) != (match.phase == "over"):
        yield f"phase {match.phase} with match {match.match}; a match is over when it has a winner or was abandoned"


def _course(match: Match) -> Iterator[str]:
    plays = match.phase in ("open", "kader") and not match.clock_only
    if plays != (match.turn is not None):
        yield f"phase {match.phase} with turn {match.turn}; one side has the turn in a game, none outside it"
    if match.rolling is not None and (match.phase not in ("open", "kader") or match.asked is not None):
        yield "a stroke rolls outside a game or beside an open question"
    if match.asked is not None and (match.asked.ask == "nearest") != (match.phase == "opening"):
        yield f"asked {match.asked.ask} in phase {match.phase}"
    if match.asked is not None and match.asked.ask != "nearest" and not match.laying:
        yield f"asked {match.asked.ask} with no ball to lay"
    if match.laying and match.asked is None:
        yield "balls are to be laid, but nothing is asked"
    if match.opened and match.phase != "opening":
        yield "opening strokes roll outside an opening"
    if match.phase == "opening" and match.opening_goals is None:
        yield "an opening without its goals"


def _spots(match: Match) -> Iterator[str]:
    for side in SIDES:
        spots, laying = match.spots.of(side), sum(ball.side == side for ball in match.laying)
        if len(spots.on) > max(0, match.balls.of(side) - laying) and match.phase in ("open", "kader"):
            yield f"{side} has {len(spots.on)} spots taken with {match.balls.of(side)} balls, {laying} of them to be laid"
        for name, numbers in (("on", spots.on), ("faulty", spots.faulty), ("blocked", spots.blocked)):
            if list(numbers) != sorted(set(numbers)) or not set(numbers) <= {1, 2, 3, 4, 5}:
                yield f"{side} {name} {list(numbers)}: spots 1 to 5, ascending, each once"


def _clock(match: Match) -> Iterator[str]:
    clock = match.clock
    if clock.left < 0 or clock.grace < 0:
        yield f"the clock holds less than nothing: {clock.left} ns and {clock.grace} ns"
    if clock.state != "stopped" and (match.rolling is not None or match.asked is not None):
        yield f"the clock is {clock.state} while balls roll or a question is open"
    if clock.state != "stopped" and match.phase not in ("open", "kader"):
        yield f"the clock is {clock.state} in phase {match.phase}"


def _duo(match: Match) -> Iterator[str]:
    players = {match.player, match.next.red, match.next.white, match.openers.home, match.openers.away}
    if not players <= {0, 1}:
        yield "a player is neither 0 nor 1"
    if not match.duo and players != {0}:
        yield "a second player in singles"
    if match.duo and match.turn is not None and match.next.of(match.turn) != match.player:
        yield f"player {match.player} is at the table, but {match.next.of(match.turn)} was to play for {match.turn}"
