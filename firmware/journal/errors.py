"""What can be wrong with a journal.

JournalError     a sentence for people: what, where, what now
  BlockedError   the file cannot be read or written now; the next try may do
  DamagedError   what the file holds cannot be true; it is to be set aside
  NoMatchError   no match has that number
"""

import sqlite3
from pathlib import Path
from typing import Final

_NOT_NOW: Final = {
    sqlite3.SQLITE_FULL: "the card is full; remove something",
    sqlite3.SQLITE_READONLY: "it is write-protected; check the card and the file's owner",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check the folder's owner and rights",
    sqlite3.SQLITE_PERM: "it must not be opened; check its owner and rights",
    sqlite3.SQLITE_IOERR: "the card answers with errors; replace it after the match",
    sqlite3.SQLITE_BUSY: "another program is writing it; end that",
    sqlite3.SQLITE_LOCKED: "another program is writing it; end that",
}
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class JournalError(Exception):
    """A sentence for people."""


class BlockedError(JournalError):
    """The journal cannot be read or written now."""


class DamagedError(JournalError):
    """The journal holds what nobody can have written."""


class NoMatchError(JournalError, LookupError):
    """No match of that number is kept."""


def explained(error: sqlite3.Error | OSError, path: Path) -> JournalError:
    """Return `error` as one of ours, with the file and what to do."""
    if isinstance(error, OSError):
        return BlockedError(f"{path}: {error.strerror or error}")
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _DAMAGED:
        return DamagedError(f"{path}: {error}")
    return BlockedError(f"{path}: {_NOT_NOW.get(code, str(error))}")
