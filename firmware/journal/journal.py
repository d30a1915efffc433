"""The journal of a running box: what the service keeps, and the worker that brings it to the card in that order.

Lives here: the queue, the start, and trying again when writing fails. Never here: SQL, or anybody's waiting but the
worker's.
"""

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import Final

from firmware import RELEASED_S
from firmware.journal import damage, store
from firmware.journal.errors import JournalError
from firmware.journal.kept import event_text, kept_from, result_text, start_text, told
from firmware.journal.lock import FolderLock, TakenError
from firmware.journal.notes import Note
from firmware.journal.recovery import CameBack, Here, come_back, comes_back
from firmware.journal.writer import Held, Machine, Writer, this_machine
from firmware.script import Opened, ScriptError
from rules import AnyEvent, Match

RETRY_S: Final = 2.0
"""Between two tries to write; a card that fails is named well within 10 s."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """What a journal held at start: the match that goes on, the last one for its kind, and what to tell people.

    `number` is that of the match that goes on, or what the next one will have.
    """

    came: CameBack | None = None
    number: int = 1
    last: Opened | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Began:
    """A match begins, or goes on where it has a number already."""

    held: Held
    counts: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class _Kept:
    """A line follows; `result`: how the match stands after it where it is over."""

    text: str
    result: str | None


_Job = _Began | _Kept


def _unread(problem: str) -> Note:
    text = "The last match cannot be read, and stays in the journal; a new one begins. ({problem})"
    return Note(text=text, values=(("problem", problem),))


class Journal:
    """Keeps matches in `folder` from a thread of its own; nothing is dropped and nobody waits.

    `on_saved(count)`: so many of what was `kept` are on the card; `on_trouble(note)`: saving fails, or (None) works
    again; `on_note(note)`: something to tell once. All three are called from the worker.

    A match that is not `wanted` is written with its first event: switching on and off leaves nothing behind.
    """

    def __init__(
        self,
        folder: Path,
        *,
        on_saved: Callable[[int], None],
        on_trouble: Callable[[Note | None], None],
        on_note: Callable[[Note], None],
        machine: Machine | None = None,
        retry_s: float = RETRY_S,
    ) -> None:
        """Start the worker; no file is touched before `recover` or the first line."""
        self.kept = 0
        self._path = store.path_in(folder)
        self._lock = FolderLock(folder)
        self._machine = machine or this_machine()
        self._writer = Writer(self._path, self._lock, self._machine, on_note=on_note)
        self._on_saved = on_saved
        self._on_trouble = on_trouble
        self._retry_s = retry_s
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._taken = self._saved = 0
        self._told: str | None = None
        self._thread = Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    # In, from one thread --------------------------------------------------------------------------------------

    def recover(self) -> Found:
        """Look the file over and return what goes on, before anything is kept. Never raises: the box must start.

        What keeps it from being read is a trouble until something was saved.
        """
        was_here = self._lock.was_here
        notes: list[Note] = []
        try:
            self._lock.take()
            notes += damage.checked(self._path)
            if not self._path.exists():
                store.make(self._path)
                store.put_in_place(self._path)
                if was_here:
                    notes.append(Note(text="The journal is gone from the card; a new one begins."))
            self._writer.is_checked = True
        except TakenError as error:
            self._tell(error.note)
            return Found()
        except JournalError as error:
            self._tell(error.note)
        if not self._path.exists():
            return Found(notes=tuple(notes))
        try:
            found = self._last_match()
        except JournalError as error:
            return Found(notes=(*notes, error.note))
        except ScriptError as error:
            return Found(notes=(*notes, _unread(str(error))))
        return replace(found, notes=(*notes, *found.notes))

    def _last_match(self) -> Found:
        """Return the last match that was kept here, and go on with it if it is to."""
        with store.to_read(self._path) as db:
            following = store.newest(db) + 1
            for number in reversed(store.numbers(db)):
                rows = store.lines_of(db, number, self._path)
                kept = kept_from(rows)
                if not any(run.imported for run in kept.runs):
                    break
            else:
                return Found(number=following)
        self._writer.later_than_s = max([RELEASED_S, *(run.utc_s for run in kept.runs if run.known)])
        wall = self._machine.wall.now(self._writer.later_than_s)
        here = Here(
            boot=self._machine.boot,
            monotonic_ns=self._machine.monotonic(),
            utc_s=wall.utc_s if wall.known else None,
        )
        read = told(kept)
        if read.problem is not None:
            return Found(number=following, last=read.opened, notes=(_unread(read.problem),))
        if not comes_back(kept, here, read.record().match):
            return Found(number=following, last=read.opened)
        came = come_back(kept, read, here)
        lines = [(row.text, row.result) for row in rows]
        held = Held(origin_ns=came.origin_ns, number=came.number, lines=lines)
        self._jobs.put(_Began(held=held, counts=False))
        self.keep(came.recovered, came.opened.record.match)
        return Found(came=came, number=number, last=read.opened)

    def begin(self, opened: Opened, origin_ns: int, *, wanted: bool = True) -> None:
        """Open a match whose first line stands at `origin_ns` of the monotonic clock."""
        self.kept += wanted
        held = Held(origin_ns=origin_ns, lines=[(start_text(opened, "match"), None)], wanted=wanted)
        self._jobs.put(_Began(held=held, counts=wanted))

    def keep(self, event: AnyEvent, match: Match) -> None:
        """Append an event, after which the match stands so."""
        self.kept += 1
        self._jobs.put(_Kept(text=event_text(event), result=result_text(match)))

    def close(self, *, timeout_s: float = 5.0) -> None:
        """Write what is left, and end."""
        self._jobs.put(None)
        self._thread.join(timeout_s)
        self._lock.release()

    # The worker -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        retry_at: float | None = None
        ends = False
        while not ends:
            wait_s = None if retry_at is None else max(0.0, retry_at - time.monotonic())
            ends = self._take_jobs(wait_s)
            if retry_at is None or ends or time.monotonic() >= retry_at:
                retry_at = None if self._save() else time.monotonic() + self._retry_s
        self._writer.let_go()

    def _take_jobs(self, wait_s: float | None) -> bool:
        """Take what has come, waiting for the first; say whether that was the last of all."""
        try:
            job = self._jobs.get(timeout=wait_s)
            while job is not None:
                if isinstance(job, _Began):
                    self._writer.begin(job.held)
                    self._taken += job.counts
                else:
                    self._writer.add(job.text, job.result)
                    self._taken += 1
                job = self._jobs.get_nowait()
        except queue.Empty:
            return False
        return True

    def _save(self) -> bool:
        """Bring what was taken to the card, if there is anything; say whether that worked."""
        if self._saved == self._taken:
            return True
        try:
            self._writer.save()
        except JournalError as error:
            self._tell(error.note)
            return False
        self._saved = self._taken
        self._tell(None)
        self._on_saved(self._saved)
        return True

    def _tell(self, note: Note | None) -> None:
        text = None if note is None else str(note)
        if text != self._told:
            self._told = text
            self._on_trouble(note)
