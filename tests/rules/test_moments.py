"""Every report in every moment has a defined answer: taken, or refused with a reason that is written down."""

from typing import get_args

import pytest

from rules import TABLE, AnyEvent, Moment, Refused, Why, check, read_event, step, take
from tests.rules.moments import MOMENTS, in_the_moment, reports_at

LATER = 80


CLOCK_WHYS = {"clock_only", "rolling", "release", "running", "no_clock", "not_paused", "nothing", "too_long"}


@pytest.mark.parametrize("name", MOMENTS)
def test_every_report_in_every_moment_is_taken_or_refused_with_a_reason(name: str) -> None:
    table, (where, _, _) = in_the_moment(name), MOMENTS[name]
    match = table.match
    for line in reports_at(LATER):
        event = read_event(line)
        after, outcomes = step(table.rulebook, match, event)
        assert check(after) == ()
        whys = [said.why for said in outcomes if isinstance(said, Refused)]
        assert set(whys) <= set(get_args(Why))
        assert (after is match) == (whys != []), line
        planned = TABLE[type(event)][where]
        if match.clock_only:
            assert set(whys) <= CLOCK_WHYS, line
        elif isinstance(planned, str):
            assert whys == [planned], line


@pytest.mark.parametrize("name", MOMENTS)
def test_a_training_evening_takes_the_clock_and_nothing_else(name: str) -> None:
    table = in_the_moment(name)
    if table.match.clock_only:
        for line in reports_at(LATER):
            _, outcomes = take(table.rulebook, table.record, read_event(line))
            of_the_clock = line["event"] in (
                "stroke",
                "rest",
                "pause",
                "resume",
                "undo",
                "end",
                "recovered",
            ) or (line["event"] == "correct" and set(line) == {"t", "event", "left"})
            assert of_the_clock != ("clock_only" in [getattr(said, "why", None) for said in outcomes])


def test_the_walk_meets_every_moment_and_every_kind_of_report() -> None:
    assert {where for where, _, _ in MOMENTS.values()} == set(get_args(Moment))
    kinds = {type(read_event(line)) for line in reports_at(LATER)}
    assert kinds == set(get_args(AnyEvent)) == set(TABLE)
    assert all(set(row) == set(get_args(Moment)) for row in TABLE.values())


def test_what_the_table_lets_through_is_taken_somewhere() -> None:
    """A handler that would refuse everything in a moment should stand there as a reason."""
    taken = set()
    for name, (where, _, _) in MOMENTS.items():
        table = in_the_moment(name)
        for line in reports_at(LATER):
            event = read_event(line)
            if take(table.rulebook, table.record, event)[0] is not table.record:
                taken.add((type(event), where))
    through = {
        (kind, where)
        for kind, row in TABLE.items()
        for where, cell in row.items()
        if not isinstance(cell, str)
    }
    assert {(kind.__name__, where) for kind, where in through - taken} == set()
