"""The matches a journal holds, for the club: listing, reading, pruning, taking in.

Lives here: what may be done beside a running service. SQLite's own locks keep the two apart, and neither touches the
match the other writes. Never here: printing, sheets, or the running match.
"""

import sqlite3
from pathlib import Path

from msgspec.structs import replace

from firmware.journal import damage, store
from firmware.journal.errors import JournalError, NoMatchError, explained
from firmware.journal.kept import KeptMatch, kept_from, renamed, result_text, run_text, told
from firmware.journal.lines import Row
from firmware.journal.lock import FolderLock, TakenError
from firmware.journal.notes import Note


class Archive:
    """The matches in a state folder. Each call opens and closes the file. Raises `JournalError`."""

    def __init__(self, folder: Path) -> None:
        """Look at `folder`; nothing is opened yet."""
        self._path = store.path_in(folder)

    def numbers(self) -> list[int]:
        """Return the numbers of all matches, ascending."""
        with store.to_read(self._path) as db:
            return store.numbers(db)

    def match(self, number: int) -> KeptMatch:
        """Return one match. Raises `NoMatchError` with the numbers there are."""
        with store.to_read(self._path) as db:
            rows, is_whole = store.whole_lines_of(db, number)
            if not rows:
                raise NoMatchError(self._path, _missed(number, store.numbers(db)))
        kept = kept_from(rows)
        return kept if is_whole else replace(kept, damage=f"damaged from line {len(rows)} on")

    def prune(self, keep: int) -> list[int]:
        """Remove all but the newest `keep` matches and those still open; return the numbers removed."""
        db = self._to_write()
        try:
            with store.transaction(db):
                old = [n for n in store.numbers(db)[:-keep] if store.last_line(db, n)[1] is not None]
                store.delete(db, old)
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # so that the names are gone from the log, too
        except sqlite3.Error as error:
            raise explained(error, self._path) from error
        finally:
            db.close()
        return old

    def add(self, kept: KeptMatch) -> tuple[int, bool]:
        """Take in a match, under its own number where that is free; return its number, and whether it was new."""
        db = self._to_write()
        try:
            with store.transaction(db):
                number = kept.number
                if there := store.lines_of(db, number, self._path):
                    if kept_from(there).events == kept.events:
                        return number, False
                    number = store.newest(db) + 1
                store.append(db, _rows(kept, number))
        except sqlite3.Error as error:
            raise explained(error, self._path) from error
        finally:
            db.close()
        return number, True

    def _to_write(self) -> sqlite3.Connection:
        lock = FolderLock(self._path.parent)
        try:
            lock.take()
            damage.checked(self._path)
        except TakenError:
            pass  # the service has looked it over, and goes on with it
        finally:
            lock.release()
        try:
            if not self._path.exists():
                store.make(self._path)
                store.put_in_place(self._path)
            db = store.connect(self._path)
        except sqlite3.Error as error:
            raise explained(error, self._path) from error
        try:
            store.check(db, self._path)
        except (sqlite3.Error, JournalError) as error:
            db.close()
            raise (explained(error, self._path) if isinstance(error, sqlite3.Error) else error) from error
        return db


def _missed(number: int, there: list[int]) -> Note:
    if not there:
        return Note(text="Match {match} is not kept; there is none yet.", values=(("match", str(number)),))
    return Note(
        text="Match {match} is not kept; there are {n}, from {first} to {last}.",
        values=(
            ("match", str(number)),
            ("n", str(len(there))),
            ("first", str(there[0])),
            ("last", str(there[-1])),
        ),
    )


def _rows(kept: KeptMatch, number: int) -> list[Row]:
    """Return the rows of another box's match; the runs stand before the events, whose instants tell which is whose."""
    result = result_text(told(kept).record().match)
    texts = [renamed(kept.start, number), *(run_text(run) for run in kept.runs), *kept.events]
    return [
        Row(match=number, number=place, text=text, result=result if place == len(texts) - 1 else None)
        for place, text in enumerate(texts)
    ]
