"""The law's cases, in-process: those from outside (`cases.jsonl`) and our own (`more.jsonl`).

Beyond what `check.py` asks, every match on the way is sound, and its state gives it back.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware.script import Opened, ScriptError, read_lines
from rules import BOOK, AnyEvent, Ns, Record, Rulebook, check, state, take, write
from tests.law.check import judge
from tests.rules.play import again

HERE = Path(__file__).parent
Line = dict[str, Any]


def cases(file: str) -> list[Line]:
    return [json.loads(line) for line in (HERE / file).read_text().splitlines()]


def run(script: list[Line | str]) -> tuple[list[Line], Record, Rulebook, Ns]:
    """Play a script; a line that cannot be read raises what was said until then, and why."""
    text = [line if isinstance(line, str) else json.dumps(line) for line in script]
    out: list[Line] = []
    record, rulebook, now = None, BOOK, Ns(0)
    try:
        for _, line in read_lines(text, "-", BOOK):
            if isinstance(line, Opened):
                record, rulebook = line.record, line.rulebook
            elif isinstance(line, AnyEvent) and record is not None:
                record, outcomes = take(rulebook, record, line)
                out += [write(said) for said in outcomes]
                now = line.t
            assert record is not None
            assert check(record.match) == ()
    except ScriptError as error:
        raise Unreadable(out, str(error)) from None
    assert record is not None
    return out, record, rulebook, now


class Unreadable(Exception):  # noqa: N818 - it is expected
    """What was said until a line could not be read, and why it could not."""

    def __init__(self, out: list[Line], says: str) -> None:
        """Keep both."""
        super().__init__(says)
        self.out = out
        self.says = says


ALL = [(case["name"], case) for file in ("cases.jsonl", "more.jsonl") for case in cases(file)]


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in ALL if "exit" not in case])
def test_a_case_is_ruled_on_as_the_book_says(case: Line) -> None:
    out, record, rulebook, now = run(case["script"])
    shown = state(record.match, now)
    assert judge(case, [*out, {"out": "end", "state": shown}]) is None
    assert state(again(record.match, now, rulebook).match, Ns(0)) == shown


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in ALL if "exit" in case])
def test_what_cannot_be_read_says_why(case: Line) -> None:
    with pytest.raises(Unreadable) as caught:
        run(case["script"])
    assert [word for word in case["says"] if word not in caught.value.says] == []
    assert judge(case, caught.value.out) is None


def test_every_case_has_a_name_of_its_own() -> None:
    assert len({name for name, _ in ALL}) == len(ALL)
