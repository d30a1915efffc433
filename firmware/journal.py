"""The journal: every accepted event of a match as a line of the notation, and the match it gives back at start.

Lives here: the file, and the worker that appends to it, so that the clock never waits for the card. Never here: what an
event means. A match is a `script` line and the events after it; the last one in the file is the open one.
"""

import os
import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import msgspec

from firmware.script import Names, Opened, ScriptError, read_lines
from rules import BOOK, AnyEvent, ByContestant, Record, new_match, take, write

FILE: Final = "journal.jsonl"


def script_line(opened: Opened) -> dict[str, Any]:
    """Return the line that opens a match: with it alone the match can be played again anywhere."""
    return {
        "script": opened.name,
        "rulebook": msgspec.to_builtins(opened.rulebook),
        "players": {"home": list(opened.names.home), "away": list(opened.names.away)},
        "best_of": opened.record.match.best_of,
    }


def new_evening(number: int) -> Opened:
    """Return match `number` as the box starts it: singles by the book, best of three."""
    names = Names()
    return Opened(
        name=f"match-{number}",
        rulebook=BOOK,
        names=ByContestant(home=names.home, away=names.away),
        record=Record(match=new_match(BOOK)),
    )


class Found:
    """What a journal held: the last match as it stood, how many there were, and what could not be read."""

    def __init__(self) -> None:
        """Start with nothing found."""
        self.opened: Opened | None = None
        self.matches = 0
        self.damage: str | None = None


def read_journal(folder: Path) -> Found:
    """Fold the last match of the journal. A torn last line is left out; a damaged file is set aside, never deleted.

    Raises `OSError` where the folder cannot be read.
    """
    found, file = Found(), folder / FILE
    if not file.exists():
        return found
    last: list[AnyEvent] = []
    try:
        for _, item in read_lines(_whole_lines(file), str(file), BOOK):
            if isinstance(item, Opened):
                found.opened, last = item, []
                found.matches += 1
            elif isinstance(item, AnyEvent):
                last.append(item)
    except ScriptError as error:
        found.damage = str(error)
        aside = _aside(file)
        file.rename(aside)
        found.damage += f"; the file was set aside as {aside.name}"
    if found.opened is not None:
        record = found.opened.record
        for event in last:
            record, _ = take(found.opened.rulebook, record, event)
        found.opened = msgspec.structs.replace(found.opened, record=record)
    return found


def _whole_lines(file: Path) -> Iterator[str]:
    with file.open("rb") as raw:
        for line in raw:
            if line.endswith(b"\n"):
                yield line.decode("utf-8", "replace")


def _aside(file: Path) -> Path:
    number = 1
    while (aside := file.with_name(f"{file.name}.damaged-{number}")).exists():
        number += 1
    return aside


class Journal:
    """Appends lines in order from a thread of its own; nothing is dropped and nobody waits.

    `on_saved(count)` tells how many lines are on the card, `on_trouble(sentence)` that writing fails (None: it works
    again); both are called from the worker.
    """

    RETRY_S: Final = 2.0

    def __init__(
        self, folder: Path, *, on_saved: Callable[[int], None], on_trouble: Callable[[str | None], None]
    ) -> None:
        """Start the worker."""
        self._file = folder / FILE
        self._on_saved = on_saved
        self._on_trouble = on_trouble
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def begin(self, opened: Opened) -> None:
        """Open a match."""
        self._lines.put(msgspec.json.encode(script_line(opened)) + b"\n")

    def keep(self, event: AnyEvent) -> None:
        """Append an event."""
        self._lines.put(msgspec.json.encode(write(event)) + b"\n")

    def close(self, *, timeout_s: float = 5.0) -> None:
        """Write what is left and end."""
        self._closing.set()
        self._lines.put(None)
        self._thread.join(timeout_s)

    def _run(self) -> None:
        saved = 0
        while True:
            batch, ends = self._batch()
            if batch and not self._append(b"".join(batch)):
                return
            saved += len(batch)
            if batch:
                self._on_saved(saved)
            if ends:
                return

    def _batch(self) -> tuple[list[bytes], bool]:
        batch, line = [], self._lines.get()
        while line is not None:
            batch.append(line)
            if self._lines.empty():
                return batch, False
            line = self._lines.get()
        return batch, True

    def _append(self, data: bytes) -> bool:
        """Write until it is on the card; False when closing makes trying on useless."""
        failed = False
        while True:
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                with self._file.open("ab") as file:
                    start = file.tell()
                    try:
                        file.write(data)
                        file.flush()
                        os.fsync(file.fileno())
                    except OSError:
                        os.ftruncate(file.fileno(), start)  # a torn line must not stand before the next try
                        raise
            except OSError as error:
                if not failed:
                    self._on_trouble(f"cannot write {self._file}: {error.strerror}")
                failed = True
                if self._closing.wait(self.RETRY_S):
                    return False
            else:
                if failed:
                    self._on_trouble(None)
                return True
