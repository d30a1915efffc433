"""The law's cases, reported with keys and sensors alone: the same rulings as past the console."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.firmware.evening import Evening, Line
from tests.firmware.referee import Referee

CASES = Path(__file__).parents[1] / "law" / "cases.jsonl"
BY_KEYS = {
    "recovered", "correct",
}  # fmt: skip
"""Events that no key of this test makes: a restart, and corrections (tested by themselves)."""
NOT_REPORTABLE = {
    "refuse-choice": "the keys offer a choice only where one is asked",
    "release-refused-while-asked": "`rest` is the cell of spot 5 then, or none",
    "stroke-before-release": "`stroke` is the cell of spot 4 then, or none",
    "spot-blocked-while-asked": "a blocked spot is no longer offered",
    "no-ball-left-kader-open": "what the law refuses is not in the list",
    "triangle-turn-goes-on": "what the law refuses is not in the list",
    "second-fault-refused": "what the law refuses is not in the list",
    "holed-has-left-kader": "what the law refuses is not in the list",
    "fault-without-a-stroke": "what the law refuses is not in the list",
    "wrong-opener-first-game": "what the law refuses is not in the list",
    "drop-stamped": "sensors stamp by themselves",
    "opening-home-colour": "the colours of the first game are set up before it",
    "abandon": "a stroke after the match is a key that says so",
}
KEYS = (
    "clauses",
    "by",
    "turn",
    "next",
    "player",
    "put_back",
    "place",
    "balls",
    "kader",
    "game",
    "games",
    "match",
)


def cases() -> list[Any]:
    found = []
    for text in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(text)
        events = (
            {line["event"] for line in case["script"][1:] if isinstance(line, dict)}
            if "exit" not in case
            else set()
        )
        if "exit" not in case and not events & BY_KEYS and case["name"] not in NOT_REPORTABLE:
            found.append(pytest.param(case, id=case["name"]))
    return found


def rulings(evening: Evening) -> list[Line]:
    return [{key: ruling[key] for key in KEYS} for ruling in evening.rulings]


@pytest.mark.parametrize("case", cases())
def test_a_law_case_reported_by_keys_is_ruled_on_alike(case: Line) -> None:
    start = {key: value for key, value in case["script"][0].items() if key != "script"}
    past = Evening(**start).play(*case["script"][1:])
    referee = Referee(**start)
    for line in case["script"][1:]:
        referee.report(line)
    assert rulings(referee) == rulings(past)
