"""Ruling on a stroke: its facts, in the order of their instants, to a verdict.

Lives here: goals (TOR), balls off the table and wedged (FEH), and the called fault beside or above them. Never
here: what was reported (`facts.py`), and what the verdict does to turn and game (`ruling.py`).

A called fault that puts the moved balls back leaves of the facts only the late balls. Otherwise the facts stand
and the fault adds its own; the goal of a cue ball that goes on a penalty spot does not count, but costs the turn.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from rules.clauses import BY_ID, ClauseId, Effect, Turn, Where
from rules.events import Blocked, Cleared, Fault
from rules.facts import Fact, count_down, facts, is_holed, is_own_goal, mark_touched, striker
from rules.faults import INTERFERED, balls_named, clause_of, effect_of
from rules.match import Played, Spots
from rules.outcomes import TurnRuled, Which
from rules.rulebook import Rulebook
from rules.ruling import Putting, Verdict
from rules.spots import block, leave, play_from
from rules.words import SIDES, BySide, Side, Value, other

ONE_ALL: BySide[int] = BySide(red=1, white=1)


def judge(rulebook: Rulebook, played: Played) -> tuple[Verdict, Fault | None]:
    """Return the verdict on a stroke, and the called fault that its facts rule out, if they do."""
    fault = played.fault
    if fault is not None and not ruled_out(rulebook, played, fault):
        return _verdict(rulebook, played, fault), None
    return _verdict(rulebook, played, None), fault


def ruled_out(rulebook: Rulebook, played: Played, fault: Fault) -> bool:
    """Say whether the facts of a stroke contradict `fault` (KAD-03, DRE-01, FEH-12)."""
    plain = _verdict(rulebook, played, None)
    if fault.fault == "no_ball_left_kader":
        gone = any(fact.kind in ("drop", "goal_caps") and not fact.late for fact in facts(played))
        return gone or played.before.phase != "kader"
    if fault.fault == "triangle_not_left" and plain.turn == "stays" and plain.winner is None:
        return True
    lies_there = fault.fault in ("triangle_not_left", "in_attack_triangle")
    return lies_there and balls_named(fault) > plain.balls.of(plain.by)


def spots_after(played: Played, verdict: Verdict) -> BySide[Spots]:
    """Return the spots after the stroke, before anything is laid.

    What was blocked or cleared since counts; the cue ball has left its spot, which a faulty stroke uses up (STR-08).
    """
    spots = played.before.spots
    for report in played.reports:
        if isinstance(report, Blocked):
            spots = spots.put(report.side, block(spots.of(report.side), report.spot))
        elif isinstance(report, Cleared):
            spots = spots.put(report.side, leave(spots.of(report.side), report.spot))
    used = verdict.faulty and played.before.phase == "kader"
    return spots.put(verdict.by, play_from(spots.of(verdict.by), played.on_spot, faulty=used))


class _Case(Value, frozen=True, kw_only=True):
    """A stroke's facts sorted for a verdict: `stands` is what neither the fault nor the rulebook puts back."""

    by: Side
    stands: tuple[Fact, ...]
    own_out: bool
    their_out: bool
    own_made: bool
    made: bool
    all_back: bool
    cue_behind_outs: bool
    cue_laid: bool


def _verdict(rulebook: Rulebook, played: Played, fault: Fault | None) -> Verdict:
    before, by = played.before, striker(played)
    on = before.phase == "kader"
    effect = Effect() if fault is None else effect_of(fault, kader=on)
    case = _sort(rulebook, played, fault, effect)
    ids, puts, holed = _rule_facts(case)
    puts = _add_cue(puts, case)
    puts = _add_fault(puts, case, fault, effect)
    puts = _as_many_as_there_are(puts, before.balls, holed)
    balls, winner = count_down(before.balls, [*holed, *(put.ball for put in puts if _holed_by_ruling(put))])
    own_goal = any(is_own_goal(fact, by) for fact in case.stands)
    turn: TurnRuled
    taken = _turn_taken([effect, *(BY_ID[id_].effect or Effect() for id_ in ids)], with_goal=case.own_made)
    if rulebook.one_all_loses and case.their_out and case.own_made and before.balls == ONE_ALL:
        ids.append("FEH-08")
        turn = _turn_taken([BY_ID["FEH-08"].effect or Effect()], with_goal=True) or "lost"
        winner = other(by) if turn == "game_lost" else winner
    elif taken is not None:
        turn = taken
    else:
        turn = "stays" if case.own_made else "lost" if case.made else "passes"
        ids.append("TOR-04")
    if winner is not None and turn != "game_lost":
        ids.append("TOR-05")
    faulty = fault is not None or case.own_out or case.their_out or own_goal
    if on and faulty and played.on_spot is not None:
        puts = [replace(put, unused=put.cue and put.to == "penalty") for put in puts]
    called = () if fault is None else (clause_of(fault, kader=on).id,)
    return Verdict(
        clauses=(*called, *ids),
        by=by,
        turn=turn,
        put_back="moved" if case.all_back else effect.put_back,
        puts=tuple(puts),
        balls=balls,
        winner=winner,
        faulty=faulty,
    )


def _turn_taken(effects: Iterable[Effect], *, with_goal: bool) -> Turn | None:
    """Return what the first clause that takes the turn says of it; None where none does (TOR-04 decides)."""
    for effect in effects:
        said = effect.turn or (effect.turn_with_goal if with_goal else None)
        if said is not None:
            return said
    return None


def _sort(rulebook: Rulebook, played: Played, fault: Fault | None, effect: Effect) -> _Case:
    by = striker(played)
    found = facts(played)
    if fault is not None and fault.fault in INTERFERED:
        found = mark_touched(found, played, fault)
    else:
        found = [replace(fact, by_fault=False) for fact in found]
    if effect.put_back == "moved":
        found = [fact for fact in found if fact.late]
    own_out = any(fact.kind == "out" and fact.ball == by for fact in found)
    their_out = any(fact.kind == "out" and fact.ball != by for fact in found)
    all_back = (own_out and rulebook.own_out == "ball_and_cue") or (
        their_out and rulebook.opponent_out == "put_back"
    )
    cue_behind = all_back or (their_out and _lays_cue("FEH-07"))
    made = [fact for fact in found if is_holed(fact, by)]
    return _Case(
        by=by,
        stands=tuple(fact for fact in found if not all_back or fact.late or fact.kind == "out"),
        own_out=own_out,
        their_out=their_out,
        own_made=any(fact.ball == by for fact in made),
        made=bool(made),
        all_back=all_back,
        cue_behind_outs=cue_behind,
        cue_laid=cue_behind or _lays_cue(effect),
    )


def _rule_facts(case: _Case) -> tuple[list[ClauseId], list[Putting], list[Side]]:
    """Return the clauses the facts fall under, what they lay, and the balls holed, each in the facts' order."""
    ids: list[ClauseId] = []
    puts: list[Putting] = []
    holed: list[Side] = []
    for fact in case.stands:
        own = fact.ball == case.by
        if case.cue_laid and own and fact.cue and fact.kind != "out" and not is_own_goal(fact, case.by):
            continue  # it is laid under the name of the cue ball, and its goal does not count
        holes = is_holed(fact, case.by)
        clause, which = _clause_of_fact(fact, own=own, holes=holes)
        if clause is not None:
            ids.append(clause)
        to = None if clause is None else _where(clause, late=fact.late)
        if which is not None and to is not None:
            puts.append(Putting(ball=fact.ball, which=which, to=to, cue=own and bool(fact.cue)))
        if holes:
            holed.append(fact.ball)
    return ids, puts, holed


def _clause_of_fact(fact: Fact, *, own: bool, holes: bool) -> tuple[ClauseId | None, Which | None]:
    """Return the clause one fact falls under, and the name of its ball in `place`; its effect is the clause's."""
    if fact.late:
        return "TOR-01", "late"
    if fact.by_fault:
        return None, None
    if fact.kind == "out":
        return ("FEH-06" if own else "FEH-07"), "out"
    if fact.kind == "cap_and_cushion":
        return "FEH-03", "wedged"
    if fact.kind == "goal_caps":
        return ("FEH-02" if holes else "FEH-04"), "wedged"
    return ("TOR-02", None) if holes else ("TOR-03", "own_goal")


def _where(clause: ClauseId, *, late: bool) -> Where | None:
    """Return where a clause puts the ball it speaks of."""
    effect = (BY_ID[clause].late if late else BY_ID[clause].effect) or Effect()
    return next((to for what, to in effect.place if what == "ball"), None)


def _lays_cue(law: ClauseId | Effect) -> bool:
    """Say whether an effect, or a clause's, lays the cue ball on a penalty spot."""
    effect = law if isinstance(law, Effect) else BY_ID[law].effect or Effect()
    return ("cue", "penalty") in effect.place


def _cue(case: _Case) -> Putting:
    return Putting(ball=case.by, which="cue", to="penalty", cue=True)


def _add_cue(puts: list[Putting], case: _Case) -> list[Putting]:
    """Return what is laid with the cue ball right behind the balls off the table that ask for it (FEH-07)."""
    outs = [
        i for i, put in enumerate(puts) if put.which == "out" and not (case.their_out and put.ball == case.by)
    ]
    if not case.cue_behind_outs or any(put.cue for put in puts):
        return puts
    behind = outs[-1] + 1
    return [*puts[:behind], _cue(case), *puts[behind:]]


def _add_fault(puts: list[Putting], case: _Case, fault: Fault | None, effect: Effect) -> list[Putting]:
    """Return what is laid with what the called fault lays behind it, in the order of its effect."""
    puts = list(puts)
    for what, to in effect.place:
        if what == "choice":
            puts.append(Putting(ball=case.by, which="chosen", to=to))
        elif what == "ball" and fault is not None:
            which: Which = "touched" if fault.fault in INTERFERED else "in_triangle"
            ball = other(case.by) if fault.fault == "interfered_opponent" else case.by
            puts += [Putting(ball=ball, which=which, to=to)] * balls_named(fault)
        elif not any(put.cue for put in puts):
            puts.append(_cue(case))
    return puts


def _as_many_as_there_are(puts: list[Putting], balls: BySide[int], holed: list[Side]) -> list[Putting]:
    """Return what is laid without balls a side does not have: one ball is placed once, under its first name."""
    left = Counter({side: balls.of(side) for side in SIDES})
    left.subtract(holed)
    kept = []
    for put in puts:
        if put.which == "wedged" and put.to == "goal":
            kept.append(put)
        elif left[put.ball] > 0:
            left[put.ball] -= 1
            kept.append(put)
    return kept


def _holed_by_ruling(put: Putting) -> bool:
    return put.to == "goal" and put.which != "wedged"
