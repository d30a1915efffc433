"""Matches as scripts for `kaderuhr replay`, and back: what leaves the box on a stick.

Lives here: KeptMatch to JSON Lines and back. Never here: files of the box. What a script has no place for (number,
program, the world's time) stands in the key `journal` of its first line, which `replay` passes over.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from firmware.journal.kept import KeptMatch, Run, text_of, told
from firmware.script import Opened, ScriptError, read_lines
from rules import BOOK, AnyEvent
from rules.words import Value


class Kept(Value, frozen=True, kw_only=True):
    """The key `journal` of an exported match."""

    number: int
    runs: tuple[Run, ...] = ()
    result: str | None = None


def to_script(kept: KeptMatch) -> Iterator[str]:
    """Yield the lines of a match as a script, each with its end of line."""
    start: dict[str, Any] = msgspec.json.decode(kept.start)
    journal = msgspec.to_builtins(Kept(number=kept.number, runs=kept.runs, result=kept.result))
    yield text_of({**start, "journal": journal}) + "\n"
    for text in kept.events:
        yield text + "\n"


def from_scripts(lines: Iterable[str], source: str) -> Iterator[KeptMatch]:
    """Yield the matches of scripts. Raises `ScriptError` at the first line that cannot be taken."""
    given = list(lines)
    read = list(read_lines(given, source, BOOK))
    texts = [text for text in given if text.strip()]
    match: KeptMatch | None = None
    events: list[str] = []
    for text, (place, item) in zip(texts, read, strict=True):
        if isinstance(item, Opened):
            if match is not None:
                yield _whole(match, events, place)
            match, events = _begun(text, place), []
        elif isinstance(item, AnyEvent):
            events.append(text.strip())
        else:
            raise ScriptError(
                place, "a journal keeps events only; play presses and pins with `kaderuhr replay`"
            )
    if match is not None:
        yield _whole(match, events, source)


def _begun(text: str, place: str) -> KeptMatch:
    start: dict[str, Any] = msgspec.json.decode(text)
    raw = start.pop("journal", None)
    if raw is None:
        raise ScriptError(place, "the key 'journal' is missing: this is no export of `kaderuhr export`")
    try:
        journal = msgspec.convert(raw, Kept)
    except msgspec.ValidationError as error:
        raise ScriptError(place, f"journal: {error}") from error
    if not 0 < journal.number < 1_000_000:  # noqa: PLR2004 - nobody has played more
        raise ScriptError(place, f"journal: number {journal.number} is no number of a match, 1 to 999999")
    given = journal.runs or (Run(at_ns=0, boot=None, origin_ns=0, utc_s=0, known=False, program="?"),)
    runs = tuple(replace(run, imported=True) for run in given)
    return KeptMatch(number=journal.number, start=text_of(start), runs=runs, result=journal.result)


def _whole(match: KeptMatch, events: list[str], place: str) -> KeptMatch:
    whole = replace(match, events=tuple(events))
    problem = told(whole).problem
    if problem is not None:
        raise ScriptError(place, problem)
    return whole
