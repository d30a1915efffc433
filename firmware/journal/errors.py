"""What can be wrong with a journal.

JournalError     what is wrong and what to do, in the screen's language there; `str` is English, after the place
  BlockedError   the file cannot be read or written now; the next try may do
  DamagedError   what the file holds cannot be true; it is to be set aside
  NoMatchError   no match has that number
"""

import errno
import sqlite3
from pathlib import Path
from typing import Final

from firmware.journal.notes import Note

_FULL: Final = Note(text="The card is full; remove something.")
_READ_ONLY: Final = Note(text="The card is write-protected; check it and the journal's owner.")
_RIGHTS: Final = Note(text="The journal cannot be opened; check the owner and rights of its folder.")
_ERRORS: Final = Note(text="The card answers with errors; replace it after the match.")
_OTHERS: Final = Note(text="Another program is writing the journal; end that.")
_IN_THE_WAY: Final = Note(text="A file lies where the journal's folder should be; move it away.")
_NOT_NOW: Final = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: _RIGHTS,
    sqlite3.SQLITE_PERM: _RIGHTS,
    sqlite3.SQLITE_IOERR: _ERRORS,
    sqlite3.SQLITE_BUSY: _OTHERS,
    sqlite3.SQLITE_LOCKED: _OTHERS,
}
_SYSTEM: Final = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EROFS: _READ_ONLY,
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.ENOTDIR: _IN_THE_WAY,
    errno.EEXIST: _IN_THE_WAY,
    errno.EIO: _ERRORS,
}
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class JournalError(Exception):
    """`note`: what is wrong and what to do; `place`: the file."""

    def __init__(self, place: Path | str, note: Note) -> None:
        """Say where and what."""
        super().__init__(f"{place}: {note}")
        self.place = place
        self.note = note


class BlockedError(JournalError):
    """The journal cannot be read or written now."""


class DamagedError(JournalError):
    """The journal holds what nobody can have written."""


class NoMatchError(JournalError, LookupError):
    """No match of that number is kept."""


def explained(error: sqlite3.Error | OSError, path: Path) -> JournalError:
    """Return `error` as one of ours, with the file and what to do."""
    said = Note(text="The journal: {error}", values=(("error", str(error)),))
    if isinstance(error, OSError):
        return BlockedError(path, _SYSTEM.get(error.errno or 0, said))
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _DAMAGED:
        return DamagedError(path, said)
    return BlockedError(path, _NOT_NOW.get(code, said))
