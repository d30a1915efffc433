"""Pronouncing a ruling: a verdict's effect on turn, counts, spots, clock, game and match.

Lives here: what every ruling has in common, whatever it rests on. Never here: how a verdict is reached
(`stroke.py` for a stroke, `calls.py` for a turn without one).
"""

from msgspec.structs import replace

from rules.clauses import ClauseId, PutBack, Where
from rules.clock import start, whole
from rules.match import Laying, Match, at_table, contestant_of, games_needed, kader
from rules.outcomes import Outcome, Place, Ruling, Signal, TurnRuled, Which
from rules.rulebook import Rulebook
from rules.spots import free_surplus, lay, offered_to_each
from rules.words import BySide, Contestant, Ns, Side, Value, opponent, other


class Putting(Value, frozen=True, kw_only=True):
    """One ball that the verdict puts somewhere; `cue`: it is the cue ball, `unused`: on the spot that STR-08 names."""

    ball: Side
    which: Which
    to: Where
    cue: bool = False
    unused: bool = False


class Verdict(Value, frozen=True, kw_only=True):
    """What was decided, before it takes effect: `balls` as they are after it, `winner` of the game if it ends it."""

    clauses: tuple[ClauseId, ...]
    by: Side
    turn: TurnRuled
    put_back: PutBack = "none"
    puts: tuple[Putting, ...] = ()
    balls: BySide[int]
    winner: Side | None = None
    faulty: bool = False
    """The stroke was faulty: the spot it was made from counts as used in kader play (STR-08)."""
    waits: bool = False
    """The clock waits for a release even if nothing is laid (a turn ruled on without a stroke)."""


def pronounce(rulebook: Rulebook, match: Match, verdict: Verdict, t: Ns) -> tuple[Match, tuple[Outcome, ...]]:
    """Let `verdict` take effect on `match` at `t`: the ruling, then the question it opens or the signals it ends with.

    `match` holds the spots as they lay before anything is laid. A ruling that wins a game keeps no penalty ball.
    """
    if verdict.winner is not None:
        return _win(rulebook, match, verdict, verdict.winner, t)
    laying = (*match.laying, *(_laying(put) for put in verdict.puts if put.to == "penalty"))
    spots = free_surplus(match.spots, verdict.balls, laying)
    offers = iter(offered_to_each(rulebook, spots, laying)[len(match.laying) :])
    place = tuple(_place(put, next(offers) if put.to == "penalty" else None) for put in verdict.puts)
    on = kader(verdict.balls)
    ruled = replace(
        match if verdict.turn == "stays" else pass_turn(match),
        balls=verdict.balls,
        spots=spots,
        laying=laying,
        phase="kader" if on else "open",
        rolling=None,
    )
    stops = bool(verdict.put_back != "none" or place or verdict.waits)
    ruled = whole(rulebook, ruled) if stops else start(rulebook, ruled, t)
    clauses = list(verdict.clauses)
    if on and match.phase == "open":
        clauses.append("KAD-02")
    if any(put.unused and put.to == "penalty" for put in verdict.puts):
        clauses.append("STR-08")
    ruling = Ruling(
        t=t,
        clauses=tuple(dict.fromkeys(clauses)),
        by=verdict.by,
        turn=verdict.turn,
        next=ruled.turn,
        player=ruled.player,
        put_back=verdict.put_back,
        place=place,
        balls=verdict.balls,
        kader=on,
        game=None,
        games=match.games,
        match=None,
    )
    laid, asks = lay(rulebook, ruled, t)
    return laid, (ruling, *asks)


def pass_turn(match: Match) -> Match:
    """Return the match with the turn passed to the other side, each duo's next player kept (DUO-02)."""
    by = at_table(match)
    turns = match.next.put(by, 1 - match.player) if match.duo else match.next
    to = other(by)
    return replace(match, turn=to, next=turns, player=turns.of(to))


def _laying(put: Putting) -> Laying:
    return Laying(side=put.ball, which=put.which, unused=put.unused)


def _place(put: Putting, spots: tuple[int, ...] | None) -> Place:
    return Place(ball=put.ball, which=put.which, to=put.to, spots=spots)


def _win(
    rulebook: Rulebook, match: Match, verdict: Verdict, winner: Side, t: Ns
) -> tuple[Match, tuple[Outcome, ...]]:
    place = tuple(_place(put, None) for put in verdict.puts if put.to != "penalty")
    won = end_game(rulebook, replace(match, balls=verdict.balls), contestant_of(match, winner))
    ruling = Ruling(
        t=t,
        clauses=tuple(dict.fromkeys(verdict.clauses)),
        by=verdict.by,
        turn=verdict.turn,
        next=None,
        player=0,
        put_back=verdict.put_back,
        place=place,
        balls=verdict.balls,
        kader=False,
        game=winner,
        games=won.games,
        match=winner_of(won),
    )
    return won, (ruling, *end_signals(won, t))


def winner_of(match: Match) -> Contestant | None:
    """Return the contestant who has won the match, if one has."""
    return None if match.match == "abandoned" else match.match


def end_signals(match: Match, t: Ns) -> tuple[Outcome, ...]:
    """Return the signals a won game ends with."""
    game = Signal(t=t, signal="game")
    return (game, Signal(t=t, signal="match")) if match.match is not None else (game,)


def end_game(rulebook: Rulebook, match: Match, winner: Contestant, *, whole_match: bool = False) -> Match:
    """Return the match with its game won by `winner`: before the next opening, with colours changed, or over."""
    games = match.games.put(winner, match.games.of(winner) + 1)
    over = whole_match or games.of(winner) >= games_needed(match)
    ended = replace(
        between_games(rulebook, match),
        games=games,
        phase="over" if over else "opening",
        match=winner if over else None,
    )
    return ended if over else replace(ended, home=other(match.home))


def between_games(rulebook: Rulebook, match: Match) -> Match:
    """Return the match with nothing running: no turn, no stroke, no question, a clock that stands."""
    return replace(
        whole(rulebook, match),
        turn=None,
        player=0,
        next=BySide(red=0, white=0),
        asked=None,
        laying=(),
        laid=(),
        rolling=None,
        opened=False,
        opening_goals=(),
    )


def concession(
    rulebook: Rulebook, match: Match, side: Side, t: Ns, *, whole_match: bool
) -> tuple[Match, tuple[Outcome, ...]]:
    """Let `side` give up the game, or the match: a ruling with no clause."""
    winner = opponent(contestant_of(match, side))
    ended = replace(end_game(rulebook, match, winner, whole_match=whole_match), ruled=None)
    ruling = Ruling(
        t=t,
        clauses=(),
        by=side,
        turn="game_lost",
        next=None,
        player=0,
        put_back="none",
        place=(),
        balls=match.balls,
        kader=False,
        game=other(side),
        games=ended.games,
        match=winner_of(ended),
    )
    return ended, (ruling, *end_signals(ended, t))
