"""The file: one SQLite table of sealed lines, appended to and read (standard library, WAL, synchronous FULL).

Lives here: SQL, the schema and its migrations, and how a file comes into being. Never here: threads, what a line means,
or what becomes of a damaged file (`damage.py`).

A new file is made beside, synced and renamed: whoever finds `journal.sqlite3` finds a whole one. The schema's version
stands twice, in the header and in a sealed row, so that a flipped bit is not taken for a newer program.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from firmware.journal.errors import BlockedError, DamagedError, JournalError, explained
from firmware.journal.lines import PER_MATCH, Row
from firmware.journal.notes import Note

FILE: Final = "journal.sqlite3"
ALONGSIDE: Final = ("", "-wal", "-shm")
"""SQLite's own files beside the journal, by what their names end in."""
APPLICATION: Final = 0x4B616465
"""Marks the file as ours ("Kade")."""
PAGE_BYTES: Final = 1024
"""A commit writes one page: small ones cost the card 5 kB a line instead of 8 (measured on ext4)."""
MIGRATIONS: Final[tuple[str, ...]] = (
    "CREATE TABLE line (id INTEGER PRIMARY KEY, text TEXT NOT NULL, seal TEXT NOT NULL, result TEXT)",
)
"""Step n brings the schema from version n to n + 1."""
VERSION: Final = len(MIGRATIONS)
_BUSY_S: Final = 2.0
_IN_USE: Final = Row(match=0, number=1, text='{"in_use":true}')


def path_in(folder: Path) -> Path:
    """Return where the journal of a state folder lies."""
    return folder / FILE


def connect(path: Path, *, uri: str = "mode=rw", create: bool = False) -> sqlite3.Connection:
    """Open a file for whole transactions of our own making. Raises `sqlite3.Error`."""
    address = f"{path.absolute().as_uri()}?{'mode=rwc' if create else uri}"
    db = sqlite3.connect(address, uri=True, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")  # a flipped bit is the seal's affair
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA secure_delete = ON")  # a pruned name is gone, not merely unlinked
    return db


def make(path: Path, rows: Iterable[Row] = ()) -> None:
    """Make a journal with `rows` beside `path`, whole on the card, for `put_in_place`. Raises `JournalError`."""
    fresh = beside(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for ending in ALONGSIDE:
            fresh.with_name(fresh.name + ending).unlink(missing_ok=True)
        db = connect(fresh, create=True)
        try:
            db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            db.execute("PRAGMA journal_mode = WAL")
            with transaction(db):
                db.execute(f"PRAGMA application_id = {APPLICATION}")
                _migrate(db, 0)
                append(db, rows)
        finally:
            db.close()
        _sync(fresh)
    except (sqlite3.Error, OSError) as error:
        raise explained(error, fresh) from error


def is_ready(path: Path) -> bool:
    """Say whether a whole journal was made beside `path`. One that was cut off while it was made is none."""
    with suppress(sqlite3.Error, JournalError):
        _opened(beside(path)).close()
        return True
    return False


def put_in_place(path: Path) -> None:
    """Give the journal that was made beside `path` its name, where that is free. Raises `JournalError`."""
    try:
        beside(path).rename(path)
        sync_folder(path.parent)
    except OSError as error:
        raise explained(error, path) from error


def beside(path: Path) -> Path:
    """Return where a new journal is made before it takes the place of `path`."""
    return path.with_name(path.name + ".new")


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make renames in `folder` last."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing; on the card once this is left without an error."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # a failed COMMIT may have rolled back by itself
            db.execute("ROLLBACK")
        raise


def _migrate(db: sqlite3.Connection, version: int) -> None:
    for step in MIGRATIONS[version:]:
        db.execute(step)
    db.execute(f"PRAGMA user_version = {VERSION}")
    mark = Row(match=0, number=0, text=f'{{"schema":{VERSION}}}')
    db.execute(
        "INSERT OR REPLACE INTO line (id, text, seal) VALUES (?, ?, ?)", (mark.id, mark.text, mark.seal)
    )


def check(db: sqlite3.Connection, path: Path) -> None:
    """Require a journal of ours, and bring an older schema up to this one. Raises what `version_of` does."""
    version = version_of(db, path)
    if version < VERSION:
        with transaction(db):
            _migrate(db, version)


def version_of(db: sqlite3.Connection, path: Path) -> int:
    """Require a journal of ours, and return its schema's version.

    Raises `DamagedError`, `BlockedError` where a newer program has written it, or `sqlite3.Error`.
    """
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION or version < 1:
        raise DamagedError(path, Note(text="This is no journal of Kaderuhr."))
    row = db.execute("SELECT text, seal FROM line WHERE id = 0").fetchone()
    mark = Row(match=0, number=0, text=f'{{"schema":{version}}}')
    if row != (mark.text, mark.seal):
        raise DamagedError(path, Note(text="The journal's schema does not fit its header."))
    if version > VERSION:
        text = "The journal is a newer program's (schema {there}, this one knows {here}); install that again."
        raise BlockedError(path, Note(text=text, values=(("there", str(version)), ("here", str(VERSION)))))
    return int(version)


def append(db: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Write rows, within a transaction."""
    db.executemany(
        "INSERT INTO line (id, text, seal, result) VALUES (?, ?, ?, ?)",
        [(row.id, row.text, row.seal, row.result) for row in rows],
    )


def newest(db: sqlite3.Connection) -> int:
    """Return the number of the last match, 0 where there is none."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM line").fetchone()[0]) // PER_MATCH


def numbers(db: sqlite3.Connection) -> list[int]:
    """Return the numbers of all matches, ascending, by one step of the index each."""
    found, after = [], PER_MATCH
    while (row := db.execute("SELECT min(id) FROM line WHERE id >= ?", (after,)).fetchone())[0] is not None:
        found.append(row[0] // PER_MATCH)
        after = (found[-1] + 1) * PER_MATCH
    return found


def lines_of(db: sqlite3.Connection, match: int, path: Path) -> list[Row]:
    """Return the lines of a match. Raises `DamagedError` where one is missing or was changed."""
    rows, is_whole = whole_lines_of(db, match)
    if not is_whole:
        text = "Match {match} is damaged from its line {line} on."
        raise DamagedError(path, Note(text=text, values=(("match", str(match)), ("line", str(len(rows))))))
    return rows


def whole_lines_of(db: sqlite3.Connection, match: int) -> tuple[list[Row], bool]:
    """Return the lines of a match up to the first that is missing or was changed, and whether those are all."""
    rows: list[Row] = []
    found = db.execute(
        "SELECT id, text, seal, result FROM line WHERE id BETWEEN ? AND ? ORDER BY id",
        (match * PER_MATCH, (match + 1) * PER_MATCH - 1),
    )
    for id_, text, seal, result in found:
        row = Row(match=match, number=len(rows), text=str(text), result=result)
        if id_ != row.id or seal != row.seal:
            return rows, False
        rows.append(row)
    return rows, True


def last_line(db: sqlite3.Connection, match: int) -> tuple[int, str | None]:
    """Return how many lines a match has, and its result if it is over after the last."""
    row = db.execute(
        "SELECT id, result FROM line WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1",
        (match * PER_MATCH, (match + 1) * PER_MATCH - 1),
    ).fetchone()
    return (0, None) if row is None else (row[0] % PER_MATCH + 1, row[1])


def delete(db: sqlite3.Connection, matches: Sequence[int]) -> None:
    """Remove matches, within a transaction."""
    for match in matches:
        db.execute(
            "DELETE FROM line WHERE id BETWEEN ? AND ?", (match * PER_MATCH, (match + 1) * PER_MATCH - 1)
        )


def mark_in_use(db: sqlite3.Connection) -> None:
    """Note in the file itself that from now on its log belongs to it; whoever finds the note without a log knows."""
    with transaction(db):
        db.execute(
            "INSERT OR REPLACE INTO line (id, text, seal) VALUES (?, ?, ?)",
            (_IN_USE.id, _IN_USE.text, _IN_USE.seal),
        )
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def has_log(path: Path) -> bool:
    """Say whether something stands in SQLite's log; mere readers leave an empty one."""
    with suppress(FileNotFoundError):
        return path.with_name(path.name + "-wal").stat().st_size > 0
    return False


def unmark(db: sqlite3.Connection) -> None:
    """Note that the file is complete without its log; written over the log's beginning, where a full card has room."""
    db.execute("PRAGMA wal_checkpoint(RESTART)")
    with transaction(db):
        db.execute("DELETE FROM line WHERE id = ?", (_IN_USE.id,))


def is_in_use(path: Path) -> bool:
    """Say whether the file alone, without its log, bears that note. Raises `sqlite3.Error`."""
    db = connect(path, uri="mode=ro&immutable=1")
    try:
        return db.execute("SELECT 1 FROM line WHERE id = ?", (_IN_USE.id,)).fetchone() is not None
    finally:
        db.close()


@contextmanager
def to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a journal to look at, without touching it. Raises `JournalError`.

    Where the card or its rights do not even allow the index that SQLite makes for readers, or the schema is an older
    one, a copy is looked at.
    """
    with ExitStack() as left:
        try:
            try:
                db = _opened(path, uri="mode=ro")
            except sqlite3.OperationalError:
                db = _opened(_copy(path, Path(left.enter_context(TemporaryDirectory(prefix="kaderuhr-")))))
            left.callback(db.close)
            yield db
        except (sqlite3.Error, OSError) as error:
            raise explained(error, path) from error


def _opened(path: Path, *, uri: str = "mode=rw") -> sqlite3.Connection:
    db = connect(path, uri=uri)
    try:
        check(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _copy(path: Path, folder: Path) -> Path:
    if not path.exists():
        raise BlockedError(path, Note(text="There is no journal here."))
    for ending in ALONGSIDE[:2]:  # the third is that index
        with suppress(FileNotFoundError):
            (folder / (path.name + ending)).write_bytes(path.with_name(path.name + ending).read_bytes())
    return folder / path.name
