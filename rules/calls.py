"""Calling a fault: when it is possible, and the ruling on a turn without a stroke.

Lives here: which stroke or turn a call belongs to (replay.md, "When a fault may be called"). Never here: the facts
of a stroke.
"""

from msgspec.structs import replace

from rules.events import Fault
from rules.facts import striker
from rules.faults import balls_named, clause_of, concerns_turn, effect_of
from rules.match import Match, Moment, Played, at_table, game_number, moment
from rules.outcomes import Outcome, Refused, Signal, Why
from rules.rulebook import Rulebook
from rules.ruling import Putting, Verdict, pronounce
from rules.spots import play_from
from rules.stroke import judge, ruled_out, spots_after
from rules.words import Ns, Side

Answer = tuple[Match, tuple[Outcome, ...]]


def refuse(match: Match, event: str, why: Why, t: Ns) -> Answer:
    """Return the same match and why the report is not possible now."""
    return match, (Refused(t=t, event=event, why=why),)


def call(rulebook: Rulebook, match: Match, fault: Fault) -> Answer:
    """Take the call of a fault, or refuse it; one that is taken sounds at once."""
    if fault.fault in ("wrong_order", "wrong_opener") and not match.duo:
        return refuse(match, "fault", "singles", fault.t)
    if fault.fault == "played_before_rest":
        answer = _call_early(rulebook, match, fault)
    elif concerns_turn(fault):
        answer = _call_in_turn(rulebook, match, fault)
    else:
        answer = _call_of_stroke(rulebook, match, fault)
    called, outcomes = answer
    return answer if called is match else (called, (Signal(t=fault.t, signal="fault"), *outcomes))


def _call_in_turn(rulebook: Rulebook, match: Match, fault: Fault) -> Answer:
    """Rule at once on the turn that is running; with it the stroke before is past ruling on anew."""
    why = _why_not_in_turn(match, fault)
    if why is not None:
        return refuse(match, "fault", why, fault.t)
    named = fault.side if fault.fault == "wrong_opener" else None
    ruled, outcomes = rule_on_turn(rulebook, match, fault, named or at_table(match), fault.t)
    return replace(ruled, ruled=None), outcomes


def _why_not_in_turn(match: Match, fault: Fault) -> Why | None:
    now = moment(match)
    if now != "turn":
        return _NO_TURN[now]
    if fault.fault == "touch" and match.phase == "kader" and fault.ball is None:
        return "which_ball"
    if fault.fault == "wrong_opener" and game_number(match) != 2:  # noqa: PLR2004 - the second game
        return "not_game_2"
    if fault.fault == "wrong_opener" and match.opening_goals is None:
        return "too_late"
    return None


_NO_TURN: dict[Moment, Why] = {
    "opening": "opening",
    "opening_rolls": "opening",
    "nearest": "opening",
    "rolls": "rolling",
    "asked": "asked",
    "release": "release",
    "over": "over",
}


def _call_of_stroke(rulebook: Rulebook, match: Match, fault: Fault) -> Answer:
    """Note a fault of the stroke whose balls roll; once they are at rest, rule on that stroke anew."""
    played = match.rolling or match.ruled
    if played is None:
        return refuse(match, "fault", "over" if match.phase == "over" else "no_stroke", fault.t)
    why = _why_not_of_stroke(rulebook, played, fault)
    if why is not None:
        return refuse(match, "fault", why, fault.t)
    on_spot = played.on_spot if fault.on_spot is None else fault.on_spot
    called = replace(played, fault=fault, on_spot=on_spot)
    if match.rolling is not None:
        return replace(match, rolling=called), ()
    return rule_on_stroke(rulebook, match, called, fault.t)


def _why_not_of_stroke(rulebook: Rulebook, played: Played, fault: Fault) -> Why | None:
    kader = played.before.phase == "kader"
    if fault.fault == "no_ball_left_kader" and not kader:
        return "open_play"
    if fault.fault == "touch" and kader and fault.ball is None:
        return "which_ball"
    if played.fault is not None:
        return "second_fault"
    if balls_named(fault) > played.before.balls.of(striker(played)):
        return "too_many"
    return "fact" if ruled_out(rulebook, played, fault) else None


def _call_early(rulebook: Rulebook, match: Match, fault: Fault) -> Answer:
    """Note a stroke or an aiming that came too early (ZIE-03): with the balls at rest it is ruled on at once."""
    played = match.rolling or match.ruled
    if match.phase == "over":
        return refuse(match, "fault", "over", fault.t)
    if played is None or match.phase == "opening":
        return refuse(match, "fault", "no_stroke", fault.t)
    if played.early is not None:
        return refuse(match, "fault", "second_fault", fault.t)
    noted = replace(played, early=fault, early_after=len(played.reports))
    if match.rolling is not None:
        return replace(match, rolling=noted), ()
    return _rule_on_early(rulebook, match, noted, fault, fault.t)


def rule_on_stroke(rulebook: Rulebook, match: Match, played: Played, t: Ns) -> Answer:
    """Rule on a stroke at its rest, or anew after a late call; then on the early stroke called beside it."""
    verdict, fell_away = judge(rulebook, played)
    outcomes: tuple[Outcome, ...] = ()
    if fell_away is not None:
        outcomes = (Refused(t=t, event="fault", why="fact"),)
        played = replace(played, fault=None)
    base = replace(
        played.before,
        spots=spots_after(played, verdict),
        called=match.called,
        lapsed=match.lapsed,
        at=match.at,
    )
    ruled, ruling = pronounce(rulebook, base, verdict, t)
    ruled, outcomes = replace(ruled, ruled=played), (*outcomes, *ruling)
    if played.early is None:
        return ruled, outcomes
    if ruled.turn is None:  # the stroke ended the game: nobody is left to have played too early
        return ruled, (*outcomes, Refused(t=t, event="fault", why="fact"))
    again, early = _rule_on_early(rulebook, ruled, played, played.early, t)
    return again, (*outcomes, *early)


def _rule_on_early(rulebook: Rulebook, match: Match, played: Played, fault: Fault, t: Ns) -> Answer:
    """Rule on who played too early beside `played`: once ruled on, that is known whatever is ruled anew."""
    side = fault.side or at_table(match)
    ruled, outcomes = rule_on_turn(rulebook, match, fault, side, t)
    return replace(ruled, ruled=replace(played, early=replace(fault, side=side))), outcomes


def rule_on_turn(rulebook: Rulebook, match: Match, fault: Fault, side: Side, t: Ns) -> Answer:
    """Rule on `side` for a fault without a stroke of its own; a side that has no turn to lose loses none."""
    kader = match.phase == "kader"
    effect = effect_of(fault, kader=kader)
    early = fault.fault == "played_before_rest"
    chooses = early and not fault.with_stroke and rulebook.early_aim == "choice"
    struck = early and fault.with_stroke and kader and fault.on_spot is not None
    puts = []
    if match.balls.of(side) > sum(
        ball.side == side for ball in match.laying
    ):  # else each is being laid already
        for what, to in effect.place:
            chosen = what == "choice" or chooses
            puts.append(
                Putting(ball=side, which="chosen", to=to)
                if chosen
                else Putting(ball=side, which="cue", to=to, cue=True, unused=struck)
            )
    balls, goals = match.balls, match.opening_goals
    if fault.fault == "wrong_opener" and goals is not None and side in goals:
        balls = balls.put(side, balls.of(side) + 1)
        goals = tuple(goal for goal in goals if goal != side)
    spots = match.spots
    if any(put.cue for put in puts) or struck:
        spots = spots.put(side, play_from(spots.of(side), fault.on_spot, faulty=struck))
    verdict = Verdict(
        clauses=(clause_of(fault, kader=kader).id,),
        by=side,
        turn="lost" if side == match.turn else "stays",
        put_back=effect.put_back,
        puts=tuple(puts),
        balls=balls,
        waits=True,
    )
    return pronounce(rulebook, replace(match, spots=spots, opening_goals=goals), verdict, t)
