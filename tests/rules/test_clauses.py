"""The clause table is the law's: `clauses.py` holds what `law.toml` says, key by key and in its order."""

import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

from rules import (
    BOOK,
    BY_ID,
    CLAUSES,
    FAULTS,
    Clause,
    Drop,
    Effect,
    Ns,
    Out,
    Record,
    Rest,
    Ruling,
    Stroke,
    Wedged,
    match_from,
    take,
)  # fmt: skip
from rules.clauses import FaultName, What
from rules.events import Fault
from rules.faults import clause_of, effect_of

LAW: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "law" / "law.toml").read_text()
)["clause"]  # fmt: skip


def as_given(effect: Effect | None) -> list[tuple[str, str]] | None:
    """Return an effect's keys as the law writes them, in a set order for what is not laid."""
    if effect is None:
        return None
    plain = [
        (key, getattr(effect, key)) for key in ("turn", "turn_with_goal") if getattr(effect, key) is not None
    ]
    return [*plain, ("put_back", effect.put_back), *effect.place]


def as_written(effect: dict[str, str] | None) -> list[tuple[str, str]] | None:
    if effect is None:
        return None
    plain = [(key, effect[key]) for key in ("turn", "turn_with_goal") if key in effect]
    laid = [(key, where) for key, where in effect.items() if key in get_args(What)]
    return [*plain, ("put_back", effect.get("put_back", "none")), *laid]


def test_there_are_49_in_the_books_order() -> None:
    assert [clause.id for clause in CLAUSES] == [clause["id"] for clause in LAW]
    assert len(BY_ID) == len(CLAUSES) == 49


@pytest.mark.parametrize("written", LAW, ids=lambda written: written["id"])
def test_a_clause_says_what_the_law_says(written: dict[str, Any]) -> None:
    clause = BY_ID[written["id"]]
    assert clause.fault == written.get("fault")
    assert as_given(clause.effect) == as_written(written.get("effect"))
    assert as_given(clause.kader) == as_written(written.get("effect_kader"))
    assert as_given(clause.without_stroke) == as_written(written.get("effect_without_stroke"))
    assert as_given(clause.late) == as_written(written.get("effect_late"))
    known = {"id", "fault", "gist", "effect", "effect_kader", "effect_without_stroke", "effect_late"}
    assert set(written) <= known


def test_every_fault_is_some_clauses_and_no_other_name_is() -> None:
    assert (
        {clause.fault for clause in CLAUSES if clause.fault is not None}
        == set(FAULTS)
        == set(get_args(FaultName))
    )


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("kader", [False, True])
def test_every_fault_falls_under_a_clause_that_names_it(fault: FaultName, kader: bool) -> None:
    called = Fault(t=0, fault=fault, ball="own")  # type: ignore[arg-type]
    clause = clause_of(called, kader=kader)
    assert isinstance(clause, Clause)
    assert clause.fault == fault
    assert effect_of(called, kader=kader) in (clause.kader, clause.effect, Effect())


def test_an_effect_in_another_order_would_be_found() -> None:
    assert as_written({"ball": "goal", "cue": "penalty"}) != as_written({"cue": "penalty", "ball": "goal"})


@pytest.mark.parametrize(
    ("clause", "report", "which"),
    [
        ("FEH-03", Wedged(t=Ns(2), ball="red", between="cap_and_cushion"), "wedged"),
        ("FEH-04", Wedged(t=Ns(2), ball="red", between="goal_caps", goal="white"), "wedged"),
        ("FEH-06", Out(t=Ns(2), ball="red"), "out"),
        ("FEH-07", Out(t=Ns(2), ball="white"), "out"),
        ("TOR-03", Drop(t=Ns(2), goal="white", ball="red"), "own_goal"),
    ],
)
def test_the_table_rules_on_what_a_stroke_did(
    clause: str, report: Wedged | Out | Drop, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Change a clause's effect, and the ruling changes with it: the code repeats nothing of the table."""
    other_way = Effect(turn="game_lost", place=(("ball", "free"),))
    monkeypatch.setitem(BY_ID, clause, Clause(id=clause, effect=other_way))
    record = Record(match=match_from({"balls": {"red": 4, "white": 4}, "turn": "red"}, BOOK))
    for event in (Stroke(t=Ns(1)), report):
        record, _ = take(BOOK, record, event)
    _, outcomes = take(BOOK, record, Rest(t=Ns(3)))
    ruling = next(said for said in outcomes if isinstance(said, Ruling))
    assert ruling.turn == "game_lost"
    assert [(put.which, put.to) for put in ruling.place] == [(which, "free")]
