"""One program keeps matches in a folder; a second one finds the lock taken. No crash outlasts it.

Lives here: the lock file. It stays when the program ends, so a folder that has one had a journal once.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.journal.errors import BlockedError, explained
from firmware.journal.notes import Note

FILE: Final = "journal.lock"


class TakenError(BlockedError):
    """Another program keeps matches in this folder."""


class FolderLock:
    """The right to keep matches in a folder."""

    def __init__(self, folder: Path) -> None:
        """Hold nothing yet."""
        self._path = folder / FILE
        self._file: int | None = None

    @property
    def was_here(self) -> bool:
        """Say whether a program has kept matches here before."""
        return self._path.exists()

    def take(self) -> None:
        """Hold the folder from now on. Raises `TakenError`, or `BlockedError` where no lock can be made."""
        if self._file is not None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise explained(error, self._path) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(file)
            note = Note(text="Another program keeps matches here; end that, and this match is saved.")
            raise TakenError(self._path, note) from error
        self._file = file

    def release(self) -> None:
        """Let others have it; any number of times."""
        if self._file is not None:
            with suppress(OSError):
                os.close(self._file)
            self._file = None
