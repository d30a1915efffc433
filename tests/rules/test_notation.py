"""The notation: what cannot be read names the key, the value and the valid ones; nothing else raises, ever."""

import contextlib
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.script import rulebook_named
from rules import (
    AALST,
    BOOK,
    FAULTS,
    RULEBOOKS,
    SIDES,
    NotationError,
    Ns,
    match_from,
    read_event,
    state,
    write,
)
from rules.notation import LONGEST_S, read
from rules.rulebook import Rulebook
from rules.words import SECOND, Value
from tests.rules.play import Table, at, in_a_game
from tests.rules.reports import ANY_EVENT, reported


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"t": 1, "event": "nonsense"}, ["event", "'nonsense'", "opening", "stroke", "end"]),
        ({"t": 1, "event": 3}, ["event", "3"]),
        ({"t": 1, "event": ["stroke"]}, ["event", "stroke"]),
        ({"t": 1}, ["'event'", "missing"]),
        ({"event": "stroke"}, ["'t'", "missing"]),
        ({"t": 1, "event": "stroke", "ball": "red"}, ["'ball'", "keys here are event, t, on_spot"]),
        (at(1, "fault", fault="BER-99"), ["fault", "'BER-99'", *FAULTS]),
        (at(1, "fault", fault="touch", side="green"), ["side", "'green'", *SIDES]),
        (at(1, "drop", goal="green", ball="red"), ["goal", "'green'", *SIDES]),
        (at(1, "out", ball="red", count=6), ["count", "6", "1 to 5"]),
        (at(1, "out", ball="red", count=1.5), ["count", "1.5", "whole number"]),
        (at(1, "choose", spot=0), ["spot", "0", "1 to 5"]),
        (at(1, "choose"), ["spot", "ball"]),
        (at(1, "opening", nearest="red", openers={"home": 2, "away": 0}), ["openers.home", "2", "0 to 1"]),
        (at(1, "opening", nearest="red", openers={"home": 1}), ["openers", "'away'"]),
        (at(1, "correct", spots={"red": {"on": [1, 9]}}), ["spots.red.on.1", "9", "1 to 5"]),
        (at(1, "correct", balls={"green": 1}), ["balls", "'green'", "red, white"]),
        (at(1, "correct", balls=[1, 2]), ["balls", "[1, 2]"]),
        (at(1, "correct", left=-1), ["left"]),
        (at(1, "concede", side="red", match=1), ["match", "1", "bool"]),
        (at(1, "wedged", ball="red", between="cap_and_cushion", goal="red"), ["goal"]),
    ],
    ids=lambda value: json.dumps(value)[:60],
)
def test_a_bad_key_is_named_with_its_value_and_the_valid_ones(line: dict[str, Any], says: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        read_event(line)
    assert [word for word in says if word not in str(caught.value)] == []


@pytest.mark.parametrize(
    "t", [math.nan, math.inf, -math.inf, 10**12, -(10**400), -1, True, False, "1", None, [1]]
)
def test_a_time_that_is_none_is_refused_by_its_key(t: object) -> None:
    with pytest.raises(NotationError, match=r"^t: .*second"):
        read_event({"t": t, "event": "stroke"})


@pytest.mark.parametrize(("key", "event"), [("at", "drop"), ("dark", "recovered"), ("left", "correct")])
@pytest.mark.parametrize("value", [math.nan, math.inf, 10**12, True, "1"])
def test_every_time_is_held_to_the_same(key: str, event: str, value: object) -> None:
    needed = {"drop": {"goal": "red", "ball": "red"}}.get(event, {})
    with pytest.raises(NotationError, match=rf"^{key}: .*second"):
        read_event(at(1, event, **{**needed, key: value}))


def test_an_unknown_rulebook_names_the_valid_ones() -> None:
    with pytest.raises(NotationError, match=r"'snooker'.*book, aalst"):
        rulebook_named("snooker")


@pytest.mark.parametrize("book", RULEBOOKS.values(), ids=lambda book: book.name)
def test_a_rulebook_is_read_back_as_it_was_written(book: Rulebook) -> None:
    assert read(Rulebook, json.loads(json.dumps(write(book)))) == book


@pytest.mark.parametrize("book", RULEBOOKS.values(), ids=lambda book: book.name)
def test_an_export_carries_its_rulebook_whole(book: Rulebook) -> None:
    assert Table({"rulebook": json.loads(json.dumps(write(book)))}).rulebook == book


@given(st.integers(0, LONGEST_S * SECOND))
def test_a_time_comes_back_to_the_nanosecond(t: int) -> None:
    assert read_event({"t": t / SECOND, "event": "end"}).t == t


@given(st.data())
def test_every_event_comes_back_as_it_was_written(data: st.DataObject) -> None:
    t = Ns(data.draw(st.integers(SECOND, 7200 * SECOND)))
    event = reported(data.draw(ANY_EVENT), t, Ns(t - data.draw(st.integers(0, SECOND))))
    line = json.loads(json.dumps(write(event)))
    assert line["event"] == type(event).__name__.lower()
    assert read_event(line) == event


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-10, 10)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(SIDES),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["red", "on", "t", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.data())
def test_a_line_with_anything_in_it_is_read_or_refused(data: st.DataObject) -> None:
    line = write(data.draw(ANY_EVENT))
    line[data.draw(st.sampled_from([*line, "x"]))] = data.draw(JSON)
    with contextlib.suppress(NotationError):
        read_event(line)


KEYS: dict[str, dict[str, Any]] = {
    "choose": {"spot": 1},
    "drop": {"goal": "red", "ball": "red"},
    "fault": {"fault": "push_through"},
}
STATES = [
    Table(in_a_game()),
    Table({**in_a_game(1, 3)}),
    Table(),
]
STATES[0].play(
    at(5, "stroke"), at(6, "drop", goal="red", ball="red", at=5.5), at(7, "fault", fault="push_through")
)
STATES[1].play(
    at(5, "stroke"), at(6, "out", ball="red"), at(9, "rest"), at(10, "fault", fault="played_before_rest")
)
STATES[2].play(at(1, "drop", goal="red", ball="red"), at(2, "stroke"), at(3, "rest"))


def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path to every value within a JSON value."""
    inner: list[tuple[Any, ...]] = []
    if isinstance(value, dict):
        inner = [spot for key, item in value.items() for spot in places(item, (*path, key))]
    elif isinstance(value, list):
        inner = [spot for index, item in enumerate(value) for spot in places(item, (*path, index))]
    return [path, *inner] if path else inner


@given(st.data())
def test_a_whole_state_with_anything_in_it_is_refused_or_can_be_played(data: st.DataObject) -> None:
    table = data.draw(st.sampled_from(STATES))
    given_state = json.loads(json.dumps(state(table.match, table.now)))
    *path, last = data.draw(st.sampled_from(places(given_state)))
    where = given_state
    for key in path:
        where = where[key]
    where[last] = data.draw(
        JSON | st.sampled_from(["kader", "over", "opening", "paused", "running", "ball", "spot", 0, 1])
    )
    try:
        match = match_from(given_state, BOOK)
    except NotationError:
        return
    again = Table()
    again.record = type(again.record)(match=match)
    for second, event in enumerate(["rest", "choose", "stroke", "drop", "fault", "rest", "undo", "end"], 1):
        again.play(at(second, event, **KEYS.get(event, {})))


class _Shape(Value, frozen=True, kw_only=True):
    one: tuple[int, str] = (1, "a")


def test_a_complaint_without_a_shape_of_ours_is_passed_on() -> None:
    with pytest.raises(NotationError, match="length 2"):
        read(_Shape, {"one": [1]})


def test_the_two_rulebooks_differ_in_name_at_least() -> None:
    assert {book.name for book in (BOOK, AALST)} == set(RULEBOOKS)
