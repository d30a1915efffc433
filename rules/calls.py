"""Calling a fault: when it is possible, and the ruling on a turn without a stroke.

Lives here: which stroke or turn a call belongs to (replay.md, "When a fault may be called"). Never here: the facts
of a stroke.
"""

from msgspec.structs import replace

from rules.events import Fault
from rules.faults import clause_of, concerns_turn, effect_of
from rules.match import Match, Played, game_number, moment
from rules.outcomes import Outcome, Refused, Signal, Why
from rules.rulebook import Rulebook
from rules.ruling import Putting, Verdict, pronounce
from rules.spots import play_from
from rules.stroke import judge, ruled_out, spots_after, striker
from rules.words import Ns, Side

Answer = tuple[Match, tuple[Outcome, ...]]


def refuse(match: Match, event: str, why: Why, t: Ns) -> Answer:
    """Return the same match and why the report is not possible now."""
    return match, (Refused(t=t, event=event, why=why),)


def call(rulebook: Rulebook, match: Match, fault: Fault) -> Answer:
    """Take the call of a fault, or refuse it; one that is taken sounds at once."""
    why = _why_not(rulebook, match, fault)
    if why is not None:
        return refuse(match, "fault", why, fault.t)
    if fault.fault == "played_before_rest":
        ruled, outcomes = _call_early(rulebook, match, fault)
    elif concerns_turn(fault):
        side = match.turn if fault.fault != "wrong_opener" or fault.side is None else fault.side
        ruled, outcomes = rule_on_turn(rulebook, match, fault, side or "red", fault.t)
        ruled = replace(ruled, ruled=None)
    elif match.rolling is not None:
        ruled, outcomes = replace(match, rolling=_with_fault(match.rolling, fault)), ()
    elif match.ruled is not None:
        ruled, outcomes = rule_on_stroke(rulebook, match, _with_fault(match.ruled, fault), fault.t)
    else:
        return refuse(match, "fault", "no_stroke", fault.t)
    return ruled, (Signal(t=fault.t, signal="fault"), *outcomes)


def _with_fault(played: Played, fault: Fault) -> Played:
    on_spot = played.on_spot if fault.on_spot is None else fault.on_spot
    return replace(played, fault=fault, on_spot=on_spot)


def _why_not(rulebook: Rulebook, match: Match, fault: Fault) -> Why | None:
    if fault.fault in ("wrong_order", "wrong_opener") and not match.duo:
        return "singles"
    if fault.fault == "played_before_rest":
        return _why_not_early(match)
    if concerns_turn(fault):
        return _why_not_in_turn(match, fault)
    played = match.rolling or match.ruled
    if played is None:
        return "over" if match.phase == "over" else "no_stroke"
    kader = played.before.phase == "kader"
    if fault.fault == "no_ball_left_kader" and not kader:
        return "open_play"
    if fault.fault == "touch" and kader and fault.ball is None:
        return "which_ball"
    if played.fault is not None:
        return "second_fault"
    if fault.count > played.before.balls.of(striker(played)):
        return "too_many"
    return "fact" if ruled_out(rulebook, played, fault) else None


def _why_not_early(match: Match) -> Why | None:
    played = match.rolling or match.ruled
    if match.phase == "over":
        return "over"
    if played is None or match.phase == "opening":
        return "no_stroke"
    return "second_fault" if played.early is not None else None


def _why_not_in_turn(match: Match, fault: Fault) -> Why | None:
    now = moment(match)
    if now != "turn":
        whys: dict[str, Why] = {"rolls": "rolling", "asked": "asked", "release": "release", "over": "over"}
        return whys.get(now, "opening")
    if fault.fault == "touch" and match.phase == "kader" and fault.ball is None:
        return "which_ball"
    if fault.fault == "wrong_opener" and game_number(match) != 2:  # noqa: PLR2004 - the second game
        return "not_game_2"
    if fault.fault == "wrong_opener" and match.opening_goals is None:
        return "too_late"
    return None


def _call_early(rulebook: Rulebook, match: Match, fault: Fault) -> Answer:
    """ZIE-03: beside a stroke whose balls still roll it waits for the rest, with the balls at rest it is ruled on at once."""
    if match.rolling is not None:
        early = replace(match.rolling, early=fault, early_after=len(match.rolling.reports))
        return replace(match, rolling=early), ()
    ruled, outcomes = rule_on_turn(rulebook, match, fault, fault.side or match.turn or "red", fault.t)
    if match.ruled is not None:
        noted = replace(match.ruled, early=fault, early_after=len(match.ruled.reports))
        ruled = replace(ruled, ruled=noted)
    return ruled, outcomes


def rule_on_stroke(rulebook: Rulebook, match: Match, played: Played, t: Ns) -> Answer:
    """Rule on a stroke at its rest, or anew after a late call; then on the early stroke called beside it."""
    verdict, fell_away = judge(rulebook, played)
    outcomes: tuple[Outcome, ...] = ()
    if fell_away is not None:
        outcomes = (Refused(t=t, event="fault", why="fact"),)
        played = replace(played, fault=None)
    base = replace(
        played.before, spots=spots_after(played, verdict), called=match.called, lapsed=match.lapsed, at=match.at
    )
    ruled, ruling = pronounce(rulebook, base, verdict, t)
    ruled, outcomes = replace(ruled, ruled=played), (*outcomes, *ruling)
    if played.early is None:
        return ruled, outcomes
    if ruled.turn is None:  # the stroke ended the game: nobody is left to have played too early
        return replace(ruled, ruled=replace(played, early=None)), (
            *outcomes,
            Refused(t=t, event="fault", why="fact"),
        )
    again, early = rule_on_turn(rulebook, ruled, played.early, played.early.side or ruled.turn, t)
    return replace(again, ruled=played), (*outcomes, *early)


def rule_on_turn(rulebook: Rulebook, match: Match, fault: Fault, side: Side, t: Ns) -> Answer:
    """Rule on `side` for a fault without a stroke of its own; a side that has no turn to lose loses none."""
    kader = match.phase == "kader"
    effect = effect_of(fault, kader=kader)
    aims = fault.fault == "played_before_rest" and not fault.with_stroke
    puts = []
    for what, to in effect.place:
        chosen = what == "choice" or (aims and rulebook.early_aim == "choice")
        puts.append(Putting(ball=side, which="chosen" if chosen else "cue", to=to, cue=not chosen))
    balls, goals = match.balls, match.opening_goals
    if fault.fault == "wrong_opener" and goals is not None and side in goals:
        balls = balls.put(side, balls.of(side) + 1)
        goals = tuple(goal for goal in goals if goal != side)
    struck = kader and fault.fault == "played_before_rest" and fault.with_stroke and fault.on_spot is not None
    spots = match.spots.put(side, play_from(match.spots.of(side), fault.on_spot, faulty=struck))
    verdict = Verdict(
        clauses=(clause_of(fault, kader=kader).id,),
        by=side,
        turn="lost" if side == match.turn else "stays",
        put_back=effect.put_back,
        puts=tuple(replace(put, unused=struck and put.cue) for put in puts),
        balls=balls,
        waits=True,
    )
    return pronounce(rulebook, replace(match, spots=spots, opening_goals=goals), verdict, t)
