"""What is held until it is on the card, and bringing it there.

Lives here: the running match in memory, the open file, and what to do with a file that cannot be written, has gone or
is damaged. Never here: a thread or a queue; it belongs to the journal's worker.

The running match is held whole, so a file that vanished, was set aside or is on another card is written anew.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware import RELEASED_S, __version__
from firmware.journal import damage, store
from firmware.journal.errors import BlockedError, DamagedError, explained
from firmware.journal.kept import Run, renamed, run_text
from firmware.journal.lines import Row
from firmware.journal.lock import FolderLock
from firmware.journal.notes import Note
from firmware.journal.wall import SystemWall, Wall, boot_id

_TRIES: Final = 2
"""Once, and once more where a damaged file was put aside."""


@dataclass(kw_only=True, slots=True)
class Held:
    """A match in memory with all its lines. Not `wanted`: only if something follows its first line.

    `known`: the world's time is noted; `agreed`: what the open file has of this match are the first of these lines.
    """

    origin_ns: int
    lines: list[tuple[str, str | None]]
    number: int | None = None
    wanted: bool = True
    known: bool = False
    agreed: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Machine:
    """What a run of the program is noted by: the world's time, the boot, CLOCK_MONOTONIC."""

    wall: Wall
    boot: str | None
    monotonic: Callable[[], int]


def this_machine() -> Machine:
    """Return the machine this is."""
    return Machine(wall=SystemWall(), boot=boot_id(), monotonic=time.monotonic_ns)


class Writer:
    """Holds matches and writes them to `path`, whose folder it locks."""

    def __init__(
        self, path: Path, lock: FolderLock, machine: Machine, *, on_note: Callable[[Note], None]
    ) -> None:
        """Open nothing yet; `on_note` is told what was lost or put back."""
        self._path = path
        self._lock = lock
        self._machine = machine
        self._on_note = on_note
        self._matches: list[Held] = []
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._whole: tuple[int, int] | None = None
        self.is_checked = False
        self.later_than_s = RELEASED_S

    def begin(self, held: Held) -> None:
        """Hold another match from here on; one that nobody wanted is forgotten."""
        if self._matches and not self._matches[-1].wanted:
            self._matches.pop()
        self._matches.append(held)
        self._add_run(held)

    def add(self, text: str, result: str | None) -> None:
        """Append a line to the last match."""
        held = self._matches[-1]
        held.lines.append((text, result))
        held.wanted = True

    def _add_run(self, held: Held) -> None:
        """Say by which program and clock the lines from here on are kept."""
        wall = self._machine.wall.now(self.later_than_s)
        run = Run(
            at_ns=max(0, self._machine.monotonic() - held.origin_ns),
            boot=self._machine.boot,
            origin_ns=held.origin_ns,
            utc_s=wall.utc_s,
            known=wall.known,
            program=__version__,
        )
        held.known = wall.known
        held.lines.append((run_text(run), held.lines[-1][1]))

    def save(self) -> None:
        """Bring everything to the card. Raises `JournalError`; then nothing is lost, and it may be tried again."""
        wanted = [held for held in self._matches if held.wanted]
        for tries in range(_TRIES):
            try:
                with self._explaining():
                    for held in wanted:
                        self._write(held)
            except DamagedError:
                self.let_go()
                if tries == _TRIES - 1:
                    raise
                self._on_note(damage.mended(self._path))
            except BlockedError:
                self.let_go()
                raise
            else:
                break
        if wanted:
            self._matches = [*wanted[-1:], *self._matches[self._matches.index(wanted[-1]) + 1 :]]

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise explained(error, self._path) from error

    def _write(self, held: Held) -> None:
        db = self._opened()
        if not held.known and self._machine.wall.now(self.later_than_s).known:
            self._add_run(held)
        with store.transaction(db):
            count = None if held.number is None else self._lines_there(db, held, held.number)
            if held.number is None or count is None:
                held.number, count = store.newest(db) + 1, 0
                held.lines[0] = (renamed(held.lines[0][0], held.number), None)
            store.append(
                db,
                (
                    Row(match=held.number, number=place, text=text, result=result)
                    for place, (text, result) in enumerate(held.lines[count:], count)
                ),
            )
        held.agreed = True

    def _lines_there(self, db: sqlite3.Connection, held: Held, number: int) -> int | None:
        """Return how many lines of a match the file has; None where it has another match of that number."""
        if held.agreed:
            return store.last_line(db, number)[0]
        rows = [row.text for row in store.lines_of(db, number, self._path)]
        return len(rows) if rows == [text for text, _ in held.lines[: len(rows)]] else None

    def _opened(self) -> sqlite3.Connection:
        """Return the open file; one that is not the one in the folder any more is let go."""
        if self._db is not None and self._file != self._identity():
            self.let_go()
        if self._db is None:
            self._lock.take()
            if not self.is_checked or not self._path.exists():
                for note in damage.checked(self._path, is_whole=self._whole == self._identity()):
                    self._on_note(note)
                if not self._path.exists():
                    store.make(self._path)
                    store.put_in_place(self._path)
                self.is_checked, self._whole = True, None
            self._db, self._file = store.connect(self._path), self._identity()
            store.check(self._db, self._path)
            store.mark_in_use(self._db)
        return self._db

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    def let_go(self) -> None:
        """Close the file; the next try looks it over first."""
        if self._db is not None:
            is_ours = self._file == self._identity()
            with suppress(
                sqlite3.Error
            ):  # it is let go of because it fails, or it is not that important any more
                if is_ours:
                    store.unmark(self._db)
            with suppress(sqlite3.Error):
                self._db.close()
            # A full card may refuse to take the mark away and still let the log be brought in.
            self._whole = self._file if is_ours and not store.has_log(self._path) else None
        self._db, self._file, self.is_checked = None, None, False
        for held in self._matches:
            held.agreed = False
