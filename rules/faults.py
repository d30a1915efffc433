"""Which clause a called fault falls under, and the effect it has then.

Lives here: the few distinctions that the clause table cannot make by a fault's name alone.
"""

from rules.clauses import BY_ID, CLAUSES, Clause, Effect, FaultName
from rules.events import Fault

_BY_FAULT: dict[FaultName, Clause] = {
    clause.fault: clause
    for clause in reversed(CLAUSES)  # the first clause of a fault is its ordinary one
    if clause.fault is not None
}

TURN_FAULTS: frozenset[FaultName] = frozenset({"aimed_behind_opponent", "time_exceeded", "wrong_opener"})
"""Faults of the turn that is running, ruled on without a stroke; a touch without a stroke is one more."""

INTERFERED: frozenset[FaultName] = frozenset({"interfered_own", "interfered_opponent"})


def balls_named(fault: Fault) -> int:
    """Return how many balls the call names: several only where the clause speaks of several (DRE-02, FEH-12)."""
    return fault.count if fault.fault in ("triangle_not_left", "in_attack_triangle") else 1


def clause_of(fault: Fault, *, kader: bool) -> Clause:
    """Return the clause that `fault` falls under in open or in kader play."""
    if fault.fault == "touch" and kader:
        return BY_ID["BER-03" if fault.ball == "opponent" else "BER-02"]
    if fault.fault == "triangle_not_left" and fault.count > 1:
        return BY_ID["DRE-02"]
    return _BY_FAULT[fault.fault]


def effect_of(fault: Fault, *, kader: bool) -> Effect:
    """Return what the ruling on `fault` must say; a fault of kader play has none in open play."""
    clause = clause_of(fault, kader=kader)
    if kader and clause.kader is not None:
        return clause.kader
    if not fault.with_stroke and clause.without_stroke is not None:
        return clause.without_stroke
    return clause.effect or Effect()


def concerns_turn(fault: Fault) -> bool:
    """Say whether `fault` is ruled on at once, for the turn that is running, without a stroke."""
    return fault.fault in TURN_FAULTS or (fault.fault == "touch" and not fault.with_stroke)
