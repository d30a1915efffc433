"""The room's page is true: every clause has its place and its proof, every refusal and every key its meaning."""

import importlib
import inspect
import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from rules import AALST, BOOK, BY_ID, CLAUSES, TABLE, Clause, Moment, Rulebook, Why, read_event, take
from rules.state import ClockState, PlayedState, Position
from tests.rules.moments import MOMENTS, in_the_moment, reports_at
from tests.rules.play import Line, Table

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "rules" / "README.md").read_text()
FORMAT = (ROOT / "tests" / "law" / "replay.md").read_text()
CASES: dict[str, dict[str, Any]] = {
    case["name"]: case
    for file in ("cases.jsonl", "more.jsonl")
    for case in map(json.loads, (ROOT / "tests" / "law" / file).read_text().splitlines())
}


def section(title: str) -> str:
    """Return the text below a heading."""
    return PAGE.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def rows(title: str) -> list[list[str]]:
    """Return the cells of the table below a heading, without its head."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def marked(text: str) -> list[str]:
    """Return what stands in code marks."""
    return re.findall(r"`([^`]+)`", text)


CLAUSE_ROWS = rows("The 49 clauses")


def test_the_table_of_clauses_is_the_books() -> None:
    assert [row[0] for row in CLAUSE_ROWS] == [clause.id for clause in CLAUSES]


@pytest.mark.parametrize("row", CLAUSE_ROWS, ids=lambda row: row[0])
def test_a_clause_has_its_place_and_its_proof(row: list[str]) -> None:
    name, fault, place, proof = row
    clause = BY_ID[name]
    assert marked(fault) == ([] if clause.fault is None else [clause.fault])
    functions = [word for word in marked(place) if "." in word]
    for function in functions:
        module, _, inner = function.partition(".")
        found = getattr(importlib.import_module(f"rules.{module}"), inner)
        assert inspect.isfunction(found), function
    judged = place.startswith("the referee")
    assert functions or judged
    effects = (clause.effect, clause.kader, clause.without_stroke, clause.late)
    rules_on_it = any(effect is not None for effect in effects)
    assert not (judged and rules_on_it), "a clause with an effect is ruled on, not judged by eye"
    proofs = marked(proof)
    assert proofs or judged
    for case in proofs:
        assert name in CASES[case]["clauses"], f"{case} does not cite {name}"


@pytest.mark.parametrize("clause", [c for c in CLAUSES if c.kader is not None], ids=lambda clause: clause.id)
def test_where_kader_play_differs_both_are_proved(clause: Clause) -> None:
    """Among the rulings on the clause there is one in kader play, and where it has both one outside it."""
    kader = {
        line["kader"]
        for case in CASES.values()
        if clause.id in case["clauses"] and "exit" not in case
        for line in said(case)
        if line["out"] == "ruling" and clause.id in line["clauses"]
    }
    assert kader == ({True, False} if clause.effect is not None else {True})


def said(case: dict[str, Any]) -> list[Line]:
    head, *lines = case["script"]
    table = Table({key: value for key, value in head.items() if key != "script"})
    return table.play(*lines)


def test_every_clause_that_a_ruling_can_cite_is_cited_by_one() -> None:
    cited = {
        clause
        for case in CASES.values()
        if "exit" not in case
        for line in said(case)
        if line["out"] == "ruling"
        for clause in line["clauses"]
    }
    ruled = {clause.id for clause in CLAUSES if clause.effect or clause.kader or clause.late}
    assert ruled <= cited <= {clause.id for clause in CLAUSES}


def test_the_table_of_moments_is_the_codes() -> None:
    moments = get_args(Moment)
    lines = [
        "| report | " + " | ".join(f"`{moment}`" for moment in moments) + " |",
        "| --- |" + " --- |" * len(moments),
        *(
            f"| `{kind.__name__.lower()}` | "
            + " | ".join(cell if isinstance(cell := row[moment], str) else "*taken*" for moment in moments)
            + " |"
            for kind, row in TABLE.items()
        ),
    ]
    assert "\n".join(lines) in section("Which report is possible when")


def test_every_refusal_has_its_meaning_on_the_page_and_no_other_word_does() -> None:
    written = rows("Refusals")
    assert [row[0] for row in written] == [f"`{why}`" for why in get_args(Why)]
    assert all(row[1] for row in written)


def test_every_refusal_is_met() -> None:
    """By a case, or by a report in one of the moments that the walk goes through."""
    met = {
        line["why"]
        for case in CASES.values()
        if "exit" not in case
        for line in said(case)
        if line["out"] == "refused"
    }
    for name in MOMENTS:
        table = in_the_moment(name)
        for line in reports_at(80):
            _, outcomes = take(table.rulebook, table.record, read_event(line))
            met |= {why for outcome in outcomes if (why := getattr(outcome, "why", None)) is not None}
    assert met == set(get_args(Why))


@pytest.mark.parametrize("shape", [Position, PlayedState, ClockState], ids=lambda shape: shape.__name__)
def test_every_key_of_a_state_is_explained(shape: type[msgspec.Struct]) -> None:
    known = " ".join(marked(FORMAT) + marked(section("Further keys of `state`"))) + " ".join(
        rows("Refusals")[0]
    )
    words = set(re.findall(r"\w+", known))
    assert {field.encode_name for field in msgspec.structs.fields(shape)} - words == set()


def test_every_setting_of_a_rulebook_stands_on_the_page_as_it_is() -> None:
    settings: dict[str, tuple[str, str]] = {}
    for row in rows("Rulebooks"):
        names = marked(row[0])
        pairs = zip(names, shown(row[1], len(names)), shown(row[2], len(names)), strict=True)
        settings |= {name: (book, aalst) for name, book, aalst in pairs}
    fields = [field.name for field in msgspec.structs.fields(Rulebook) if field.name != "name"]
    assert list(settings) == fields
    for name, (book, aalst) in settings.items():
        assert (book, aalst) == (as_shown(getattr(BOOK, name)), as_shown(getattr(AALST, name)))


def shown(cell: str, count: int) -> list[str]:
    plain = cell.replace("`", "")
    return plain.split(", ") if count > 1 else [plain]


def as_shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "; then ".join(", ".join(map(str, group)) for group in value)
    return str(value)
