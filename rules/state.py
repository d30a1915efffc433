"""The state object of the notation: a match as of an instant, and a match from a position, both ways.

Lives here: what the `end` line prints and `position` takes back whole. Instants in it count from the state: those of
a running stroke lie before it and so are negative.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from rules import clock as turn_clock
from rules.events import Drop, Fault, Games, Player, SpotNumber
from rules.invariants import check
from rules.match import Clock, Laid, Laying, Match, Played, Report, Spots, games_needed, kader, new_match
from rules.notation import NotationError, Raw, read, write
from rules.outcomes import Question
from rules.rulebook import Rulebook
from rules.words import SECOND, ByContestant, BySide, Ns, Phase, Side, Value, Winner

RunningState = Literal["running", "called", "expired"]
OnTable = Annotated[int, Meta(ge=0, le=5)]


class ClockState(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The clock as the notation gives it; one that stands may be `called`, or `lapsed`: expired silently."""

    state: Literal["stopped", "running", "called", "expired", "paused"]
    left: Ns
    grace: Ns
    called: bool = False
    lapsed: bool = False


class SpotsState(Value, frozen=True, kw_only=True):
    """The ledger of one side."""

    on: tuple[SpotNumber, ...] = ()
    faulty: tuple[SpotNumber, ...] = ()
    blocked: tuple[SpotNumber, ...] = ()


class SpotsOfSides(Value, frozen=True, kw_only=True):
    """The ledgers of both sides; one that is missing is empty."""

    red: SpotsState = SpotsState()
    white: SpotsState = SpotsState()


class PlayedState(Value, frozen=True, kw_only=True):
    """A stroke's facts; `t` is the instant of the stroke."""

    t: Ns
    before: "Position"
    reports: tuple[Report, ...] = ()
    fault: Fault | None = None
    early: Fault | None = None
    early_after: int = 0
    on_spot: SpotNumber | None = None


class Position(Value, frozen=True, kw_only=True):
    """A position or a whole state, as a script gives it."""

    balls: BySide[OnTable]
    turn: Side | None = None
    player: Player = 0
    games: ByContestant[Games] | None = None
    spots: SpotsOfSides = SpotsOfSides()
    phase: Phase | None = None
    clock: ClockState | None = None
    asked: Question | None = None
    home: Side | None = None
    openers: ByContestant[Player] | None = None
    next: BySide[Player] | None = None
    match: Winner | None = None
    opened: bool = False
    opening_goals: tuple[Side, ...] | None = None
    rolling: PlayedState | None = None
    ruled: PlayedState | None = None
    laying: tuple[Laying, ...] = ()
    laid: tuple[Laid, ...] = ()


def state(match: Match, now: Ns) -> Raw:
    """Return the state object of `match` as of `now`."""
    shown: Raw = {
        "phase": match.phase,
        "turn": match.turn,
        "player": match.player,
        "balls": write(match.balls),
        "games": write(match.games),
        "clock": write(_clock_shown(match, now)),
        "spots": {"red": _spots(match.spots.red), "white": _spots(match.spots.white)},
        "asked": None if match.asked is None else write(match.asked),
        "home": match.home,
        "openers": write(match.openers),
        "next": write(match.next),
        "match": match.match,
    }
    if match.opened:
        shown["opened"] = True
    if match.opening_goals is not None:
        shown["opening_goals"] = list(match.opening_goals)
    for key, played in (("rolling", match.rolling), ("ruled", match.ruled)):
        if played is not None:
            shown[key] = _played(played, now)
    if match.laying:
        shown["laying"] = [write(ball) for ball in match.laying]
    if match.laid:
        shown["laid"] = [write(laid) for laid in match.laid]
    return shown


def _clock_shown(match: Match, now: Ns) -> ClockState:
    """Return the clock at `now`; a call or expiry that has not happened yet is still to come, at that instant too."""
    reading = turn_clock.read(match.clock, now)
    called = turn_clock.call_heard(match)
    if reading.state in ("stopped", "paused"):
        lapsed = match.clock.lapsed
        return ClockState(
            state=reading.state, left=reading.left, grace=reading.grace, called=called, lapsed=lapsed
        )
    state: RunningState = "expired" if turn_clock.lapsed(match) else "called" if called else "running"
    return ClockState(state=state, left=reading.left, grace=reading.grace)


def _spots(spots: Spots) -> Raw:
    shown: Raw = {"on": list(spots.on), "faulty": list(spots.faulty)}
    if spots.blocked:
        shown["blocked"] = list(spots.blocked)
    return shown


def _played(played: Played, now: Ns) -> Raw:
    moved = shift(played, -now)
    shown: Raw = {"t": moved.at / SECOND, "before": state(played.before, played.at)}
    if moved.reports:
        shown["reports"] = [write(report) for report in moved.reports]
    for key, call in (("fault", moved.fault), ("early", moved.early)):
        if call is not None:
            shown[key] = write(call)
    if moved.early_after:
        shown["early_after"] = moved.early_after
    if moved.on_spot is not None:
        shown["on_spot"] = moved.on_spot
    return shown


def shift(played: Played, by: int) -> Played:
    """Return a stroke's facts with every instant moved."""

    def moved(report: Any) -> Any:  # noqa: ANN401 - any report, and the same kind again
        times = {"t": Ns(report.t + by)}
        if isinstance(report, Drop) and report.at is not None:
            times["at"] = Ns(report.at + by)
        return replace(report, **times)

    return replace(
        played,
        at=Ns(played.at + by),
        reports=tuple(moved(report) for report in played.reports),
        fault=None if played.fault is None else moved(played.fault),
        early=None if played.early is None else moved(played.early),
    )


def match_from(
    raw: Any,  # noqa: ANN401 - any JSON value
    rulebook: Rulebook,
    *,
    best_of: int = 3,
    duo: bool = False,
    clock_only: bool = False,
) -> Match:
    """Return the match that a `position` describes, at t = 0. Raises `NotationError`.

    With `phase` it is a whole state; without, a position inside a game: balls at rest, nobody has won, a fresh clock.
    """
    given: Position = read(Position, raw)
    start = new_match(rulebook, best_of=best_of, duo=duo, clock_only=clock_only)
    match = _whole(given, start) if given.phase is not None else _inside_a_game(given, start, rulebook)
    broken = check(match)
    if broken:
        raise NotationError("position: " + "; ".join(broken))
    return match


def _inside_a_game(given: Position, start: Match, rulebook: Rulebook) -> Match:
    if given.turn is None:
        raise NotationError("position: the key 'turn' is missing; red or white")
    if 0 in (given.balls.red, given.balls.white):
        raise NotationError("balls: 0 is a game already won; 1 to 5 of each side")
    games = given.games or start.games
    if max(games.home, games.away) >= games_needed(start):
        raise NotationError(
            f"games: {games.home}:{games.away} is a match already won (best of {start.best_of})"
        )
    home: Side = "white" if (games.home + games.away) % 2 == 0 else "red"
    turns = given.next or BySide(red=0, white=0).put(given.turn, given.player)
    inside = replace(
        _whole(given, start),
        phase="kader" if kader(given.balls) else "open",
        home=given.home or home,
        next=turns,
        opening_goals=given.opening_goals,
    )
    return inside if given.clock is not None else turn_clock.start(rulebook, inside, Ns(0))


def _whole(given: Position, start: Match) -> Match:
    return replace(
        start,
        phase=given.phase or "open",
        turn=given.turn,
        player=given.player,
        balls=given.balls,
        games=given.games or start.games,
        clock=start.clock if given.clock is None else _clock(given.clock),
        spots=BySide(red=_ledger(given.spots.red), white=_ledger(given.spots.white)),
        asked=given.asked,
        home=given.home or start.home,
        openers=given.openers or start.openers,
        next=given.next or start.next,
        match=given.match,
        opened=given.opened,
        opening_goals=() if given.phase == "opening" and given.opening_goals is None else given.opening_goals,
        rolling=None if given.rolling is None else _stroke(given.rolling, start),
        ruled=None if given.ruled is None else _stroke(given.ruled, start),
        laying=given.laying,
        laid=given.laid,
    )


def _clock(given: ClockState) -> Clock:
    stands = given.state if given.state in ("stopped", "paused") else "running"
    return Clock(
        state=stands,
        left=given.left,
        grace=given.grace,
        called=given.called or given.state in ("called", "expired"),
        lapsed=given.lapsed or given.state == "expired",
    )


def _ledger(given: SpotsState) -> Spots:
    return Spots(
        on=tuple(sorted(set(given.on))),
        faulty=tuple(sorted(set(given.faulty))),
        blocked=tuple(sorted(set(given.blocked))),
    )


def _stroke(given: PlayedState, start: Match) -> Played:
    return Played(
        at=given.t,
        before=_whole(given.before, start),
        reports=given.reports,
        fault=given.fault,
        early=given.early,
        early_after=given.early_after,
        on_spot=given.on_spot,
    )
