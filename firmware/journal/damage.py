"""A journal that does not hold what was written: finding out, setting it aside, and making a new one of what is left.

Lives here: the check at start and the way back. Never here: deleting anything. A damaged file keeps its bytes under
another name; the new one gets every line whose seal is whole, match by match up to the first that is missing.

SQLite checks its pages' structure but not their content, and takes a flaw in its log for the log's end; the seals on
the lines find the one, and looking for sealed lines in the log's bytes finds the other.
"""

import sqlite3
import struct
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.journal import store
from firmware.journal.errors import DamagedError, explained
from firmware.journal.lines import PER_MATCH, Row, places_in, sealed_lines, whole_matches
from firmware.journal.notes import Note

CHECKED: Final = 100
"""So many of the newest matches are read in full at start; older ones whenever somebody asks for them."""
_WAL_HEADER: Final = struct.Struct(">IIIIIIII")
_FRAME_HEADER: Final = struct.Struct(">IIIIII")


def checked(path: Path, *, is_whole: bool = False) -> tuple[Note, ...]:
    """Look a journal over, mend it where that is needed, and say what was lost or put back.

    A missing one is no damage, unless its log is there. `is_whole`: it was closed with its log brought in, so a log
    that is not there is not missed. Raises `BlockedError` where it cannot be read or written now.
    """
    log = b""
    try:
        log = _log_of(path)
        if not path.exists():
            if store.is_ready(path):  # the power went between two renames; the log, if any, is the old file's
                _set_aside(path)
                store.put_in_place(path)
                return ()
            return (mended(path, log),) if log else ()
        return _checked(path, log, is_whole=is_whole)
    except DamagedError:
        return (mended(path, log),)
    except (sqlite3.Error, OSError) as error:
        known = explained(error, path)
        if isinstance(known, DamagedError):
            return (mended(path, log),)
        raise known from error


def _log_of(path: Path) -> bytes:
    with suppress(FileNotFoundError):
        return path.with_name(path.name + "-wal").read_bytes()
    return b""


def _checked(path: Path, log: bytes, *, is_whole: bool) -> tuple[Note, ...]:
    db = store.connect(path, uri="mode=ro")  # closing it must not bring the log into a damaged file
    try:
        store.version_of(db, path)
        (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise DamagedError(path, Note(text="The journal: {error}", values=(("error", str(verdict)),)))
        for match in store.numbers(db)[-CHECKED:]:
            store.lines_of(db, match, path)
        missing = _missing(db, sealed_lines(log))
    finally:
        db.close()
    was_in_use = store.is_in_use(path)
    db = store.connect(path)
    try:
        store.check(db, path)
        notes = () if not missing else (_put_back(db, path, log, missing),)
        (_, frames, _) = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if was_in_use and not log and not is_whole:
            notes = (Note(text="The log with the last reports is gone; see what is missing."),)
        elif not missing and _frames_written(log) > max(frames, 0):
            notes = (Note(text="A report was being saved when the power went; see whether it stands."),)
        store.unmark(db)
        return notes
    finally:
        db.close()


def _missing(db: sqlite3.Connection, written: dict[int, Row]) -> list[Row]:
    """Return the lines of the log that follow what the database has; a pruned match is not missed."""
    found: list[Row] = []
    newest = store.newest(db)
    ends: dict[int, int] = {}
    for id_ in sorted(written):
        row = written[id_]
        if row.match == 0:
            continue
        count = ends.get(row.match)
        if count is None:
            count, _ = store.last_line(db, row.match)
        if row.number == count and (count > 0 or row.match > newest):
            found.append(row)
            count += 1
        ends[row.match] = count
    return found


def _put_back(db: sqlite3.Connection, path: Path, log: bytes, missing: list[Row]) -> Note:
    aside = _free(path.parent, "-wal")
    aside.write_bytes(log)
    with store.transaction(db):
        store.append(db, missing)
    return Note(
        text="{n} reports were put back from the log, which ended early; it was kept as {file}.",
        values=(("n", str(len(missing))), ("file", aside.name)),
    )


def _frames_written(log: bytes) -> int:
    """Return how many frames of the log bear its present mark; fewer that count mean that its end was torn."""
    if len(log) < _WAL_HEADER.size:
        return 0
    _, _, page, _, salt_1, salt_2, _, _ = _WAL_HEADER.unpack_from(log)
    step = _FRAME_HEADER.size + (page if 0 < page <= 65_536 else 65_536)  # noqa: PLR2004 - SQLite's largest page
    count = 0
    for at in range(_WAL_HEADER.size, len(log) - _FRAME_HEADER.size + 1, step):
        if _FRAME_HEADER.unpack_from(log, at)[2:4] != (salt_1, salt_2):
            break
        count += 1
    return count


def mended(path: Path, log: bytes | None = None) -> Note:
    """Set a damaged journal aside and put a new one in its place, with every line that can be read.

    `log` is what its log held before SQLite opened it. The new one is whole on the card before the old one's name
    changes. Raises `BlockedError`.
    """
    try:
        log = _log_of(path) if log is None else log
        raw = (path.read_bytes() if path.exists() else b"") + log
        written = sealed_lines(raw)
        for row in _readable(path):
            written.setdefault(row.id, row)
        matches = whole_matches(row for row in written.values() if row.match > 0)
        kept = {row.id for rows in matches.values() for row in rows}
        lost = len({place for place in places_in(raw) if place >= PER_MATCH} - kept)
        store.make(path, (row for rows in matches.values() for row in rows))
        aside = _set_aside(path, log)
        store.put_in_place(path)
    except OSError as error:
        raise explained(error, path) from error
    if not matches:
        text = "The journal was damaged and nothing in it can be read; it was kept as {file}."
        return Note(text=text, values=(("file", aside.name),))
    return Note(
        text="The journal was damaged: {matches} matches were read, {n} known lines lost; it was kept as {file}.",
        values=(("matches", str(len(matches))), ("n", str(lost)), ("file", aside.name)),
    )


def _set_aside(path: Path, log: bytes = b"") -> Path:
    """Give a journal and what lies beside it another name; SQLite may have removed its log, so that is given too."""
    aside = _free(path.parent)
    for ending in store.ALONGSIDE:
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    if log:
        aside.with_name(aside.name + "-wal").write_bytes(log)
    return aside


def _readable(path: Path) -> list[Row]:
    """Return what SQLite can still read of the file as it lies there, without touching it."""
    rows: list[Row] = []
    with suppress(sqlite3.Error):
        db = store.connect(path, uri="mode=ro&immutable=1")
        try:
            for id_, text, seal in db.execute("SELECT id, text, seal FROM line ORDER BY id"):
                row = Row(match=id_ // PER_MATCH, number=id_ % PER_MATCH, text=str(text))
                if row.seal == seal:
                    rows.append(row)
        finally:
            db.close()
    return rows


def _free(folder: Path, ending: str = "") -> Path:
    """Return a name in `folder` for a file that is set aside."""
    number = 1
    while any((folder / f"journal.damaged-{number}.sqlite3{end}").exists() for end in store.ALONGSIDE):
        number += 1
    return folder / f"journal.damaged-{number}.sqlite3{ending}"
