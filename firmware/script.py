"""Scripts: the lines of `replay.md` as values, one reader for files, standard input and exports.

Lives here: JSON Lines in, with the file, the line and what is wrong in every error. Never here: playing them.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal, get_args

import msgspec

from rules import (
    RULEBOOKS,
    ByContestant,
    NotationError,
    Ns,
    Record,
    Rulebook,
    match_from,
    new_match,
    read_event,
)  # fmt: skip
from rules.events import AnyEvent
from rules.notation import read
from rules.words import SECOND, Value

Key = Literal["red", "up", "white", "fault", "ok", "undo", "stroke", "down", "rest", "hand"]
Sensor = Literal["goal_red", "goal_white"]
KEYS: tuple[Key, ...] = get_args(Key)
SENSORS: tuple[Sensor, ...] = get_args(Sensor)
_KINDS = ("event", "press", "sensor", "pin")


class ScriptError(ValueError):
    """A line that cannot be read: `place` is FILE:LINE."""

    def __init__(self, place: str, what: str) -> None:
        """Say where and what."""
        super().__init__(f"{place}: {what}")
        self.place = place
        self.what = what


class Names(Value, frozen=True, kw_only=True):
    """The players: one a contestant, or two each in a duo match."""

    home: tuple[str, ...] = ("home",)
    away: tuple[str, ...] = ("away",)

    def __post_init__(self) -> None:
        """Require one name each, or two each."""
        if {len(self.home), len(self.away)} not in ({1}, {2}):
            raise ValueError("one name on each side, or two on each for a duo match")


class Start(Value, frozen=True, kw_only=True):
    """A `script` line: a new, independent match."""

    script: str
    rulebook: str | Rulebook | None = None
    players: Names = Names()
    best_of: int = 3
    clock_only: bool = False
    position: dict[str, Any] | None = None
    journal: dict[str, Any] | None = None
    """What an export adds for `--import` (`firmware/journal/export.py`); playing passes over it."""

    def __post_init__(self) -> None:
        """Require an odd number of games."""
        if self.best_of < 1 or self.best_of % 2 == 0 or self.best_of > 99:  # noqa: PLR2004 - no match is longer
            raise ValueError(f"best_of: {self.best_of} is not an odd number of games, 1 to 99")


class PressLine(Value, frozen=True, kw_only=True):
    """A push-button pressed at `t` for `hold` seconds."""

    t: Ns
    press: Key
    hold: Ns = Ns(SECOND // 10)


class SensorLine(Value, frozen=True, kw_only=True):
    """A goal-drop sensor covered at `t` for `pulse` seconds."""

    t: Ns
    sensor: Sensor
    pulse: Ns = Ns(30 * SECOND // 1000)


class PinLine(Value, frozen=True, kw_only=True):
    """One edge on a pin of the board (BCM number)."""

    t: Ns
    pin: int
    level: Literal[0, 1]


class Opened(Value, frozen=True, kw_only=True):
    """A script's match at its start."""

    name: str
    rulebook: Rulebook
    names: ByContestant[tuple[str, ...]]
    record: Record


Line = Opened | AnyEvent | PressLine | SensorLine | PinLine


def read_lines(lines: Iterable[str], source: str, rulebook: Rulebook) -> Iterator[tuple[str, Line]]:
    """Yield each line with its place; empty ones are skipped. Raises `ScriptError` at the first that cannot be read.

    `rulebook` is what a `script` line without one plays by.
    """
    before: Ns | None = None
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        place = f"{source}:{number}"
        try:
            line = _line(_object(text), rulebook, opened=before is not None)
        except NotationError as error:
            raise ScriptError(place, str(error)) from None
        if isinstance(line, Opened):
            before = Ns(0)
        else:
            if before is not None and line.t < before:
                raise ScriptError(
                    place, f"t: {line.t / SECOND} runs backwards; the line before stands at {before / SECOND}"
                )
            before = line.t
        yield place, line


def _object(text: str) -> dict[str, Any]:
    try:
        raw = msgspec.json.decode(text)
        json.loads(text, object_pairs_hook=_once)  # msgspec takes the last of two values without a word
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise NotationError(f"no JSON: {error}") from None
    except RecursionError:
        raise NotationError("no line of a script: nested too deeply") from None
    if not isinstance(raw, dict):
        raise NotationError(f"{text.strip()[:40]!r} is no JSON object")
    return raw


def _once(pairs: list[tuple[str, Any]]) -> None:
    counts = Counter(key for key, _ in pairs)
    twice = [key for key, count in counts.items() if count > 1]
    if twice:
        raise NotationError(f"the key {twice[0]!r} stands twice; leave the one that is meant")


def _line(raw: dict[str, Any], rulebook: Rulebook, *, opened: bool) -> Line:
    if "script" in raw:
        return _opened(raw, rulebook)
    if not opened:
        raise NotationError("the first line of a script has the key 'script'")
    kinds = [kind for kind in _KINDS if kind in raw]
    if len(kinds) != 1:
        has = ", ".join(kinds) or "none"
        raise NotationError(f"a line has one of the keys {', '.join(_KINDS)}; this one has {has}")
    if kinds == ["event"]:
        return read_event(raw)
    kind: Any = {"press": PressLine, "sensor": SensorLine, "pin": PinLine}[kinds[0]]
    times = {key: value for key, value in raw.items() if key in ("hold", "pulse")}
    for key, value in times.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 600:  # noqa: PLR2004
            raise NotationError(f"{key}: {value!r} is not a number of seconds, more than 0 and at most 600")
        raw = {**raw, key: round(value * SECOND)}
    line: PressLine | SensorLine | PinLine = read(kind, raw)
    if line.t < 0:
        raise NotationError(f"t: {raw['t']} is before the script's start; seconds from 0")
    return line


def _opened(raw: dict[str, Any], default: Rulebook) -> Opened:
    position = raw.get("position")
    start: Start = read(Start, {**raw, "position": None}) if isinstance(position, dict) else read(Start, raw)
    book = _rulebook(start.rulebook, default)
    duo = len(start.players.home) > 1
    if isinstance(position, dict):
        match = match_from(position, book, best_of=start.best_of, duo=duo, clock_only=start.clock_only)
    else:
        match = new_match(book, best_of=start.best_of, duo=duo, clock_only=start.clock_only)
    names = ByContestant(home=start.players.home, away=start.players.away)
    return Opened(name=start.script, rulebook=book, names=names, record=Record(match=match))


def _rulebook(given: str | Rulebook | None, default: Rulebook) -> Rulebook:
    if given is None:
        return default
    if isinstance(given, Rulebook):
        return given
    return rulebook_named(given)


def rulebook_named(name: str) -> Rulebook:
    """Return the rulebook that ships under `name`. Raises `NotationError` with the valid ones."""
    if name not in RULEBOOKS:
        raise NotationError(f"rulebook: {name!r} is not one of {', '.join(RULEBOOKS)}")
    return RULEBOOKS[name]
