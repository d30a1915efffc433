"""What is true of every match: `check` lists each broken invariant in a sentence.

Lives here: the oracle of the property tests, and of a position from outside.
"""

from collections.abc import Iterator

from rules.facts import balls_reported
from rules.match import Match, games_needed, kader
from rules.spots import needs_choice
from rules.words import BALLS, CONTESTANTS, SIDES, other


def check(match: Match) -> tuple[str, ...]:
    """Return a sentence for each invariant that `match` breaks; an empty tuple for a sound match."""
    return (
        *_counts(match),
        *_games(match),
        *_course(match),
        *_questions(match),
        *_strokes(match),
        *_spots(match),
        *_clock(match),
        *_duo(match),
    )


def _counts(match: Match) -> Iterator[str]:
    for side in SIDES:
        balls = match.balls.of(side)
        if not 0 <= balls <= BALLS:
            yield f"{side} has {balls} balls, of 0 to {BALLS}"
        if match.phase in ("open", "kader") and balls == 0:
            yield f"{side} has no ball left in a game that is not over"
    if (
        match.phase in ("open", "kader")
        and not match.clock_only
        and kader(match.balls) != (match.phase == "kader")
    ):
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
    if match.opened and match.phase != "opening":
        yield "opening strokes roll outside an opening"
    if match.phase == "opening" and match.opening_goals is None:
        yield "an opening without its goals"
    if match.clock_only and match.phase != "open":
        yield f"phase {match.phase} in a training evening, which is open play"


def _questions(match: Match) -> Iterator[str]:
    asked = match.asked
    if asked is not None and (asked.ask == "nearest") != (match.phase == "opening"):
        yield f"asked {asked.ask} in phase {match.phase}"
    elif asked is not None and asked.ask != "nearest":
        if not match.laying:
            yield f"asked {asked.ask} with no ball to lay"
        elif asked.side != other(match.laying[0].side):
            yield f"asked {asked.side} for a ball of {match.laying[0].side}; the opponent chooses"
        elif (asked.ask == "ball") != needs_choice(match.laying[0]):
            yield f"asked {asked.ask}, but the first ball to be laid is {match.laying[0].which}"
    if match.laying and asked is None:
        yield "balls are to be laid, but nothing is asked"
    if match.laying and match.rolling is not None:
        yield "balls are to be laid while balls roll"
    for laid in match.laid:
        if laid.spot not in match.spots.of(laid.ball.side).on:
            yield f"{laid.ball.side} laid a ball on spot {laid.spot}, where none lies"


def _strokes(match: Match) -> Iterator[str]:
    for name, played in (("rolling", match.rolling), ("ruled", match.ruled)):
        if played is None:
            continue
        before = played.before
        if not match.clock_only and before.turn is None:
            yield f"{name}: a stroke that nobody had the turn for"
        if before.rolling is not None or before.ruled is not None or before.laying:
            yield f"{name}: a stroke out of another stroke"
        if (before.best_of, before.duo, before.clock_only) != (match.best_of, match.duo, match.clock_only):
            yield f"{name}: a stroke of another match"
        yield from (f"{name}: before it {broken}" for broken in check(before))
        for side in SIDES:
            if balls_reported(played, side) > before.balls.of(side):
                yield f"{name}: more balls of {side} reported than there were"
        if not 0 <= played.early_after <= len(played.reports):
            yield f"{name}: an early stroke after {played.early_after} of {len(played.reports)} reports"


def _spots(match: Match) -> Iterator[str]:
    for side in SIDES:
        spots, laying = match.spots.of(side), sum(ball.side == side for ball in match.laying)
        if match.phase in ("open", "kader") and len(spots.on) + laying > match.balls.of(side):
            balls = f"{match.balls.of(side)} balls, {laying} of them to be laid"
            yield f"{side} has {len(spots.on)} spots taken with {balls}"
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
