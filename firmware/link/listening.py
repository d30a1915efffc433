"""Where the service listens: one live process at a place, and nothing left in the way by a dead one."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LinkError", "NoPlaceError", "listen"]

LONGEST_PATH: Final = 107
"""The kernel's limit for the name of a Unix socket, in bytes."""
WAITING: Final = 16


class LinkError(Exception):
    """The link cannot be had; the message is a sentence for the operator."""


class NoPlaceError(LinkError):
    """No socket can be made at a place; another may do."""


def listen(path: Path) -> tuple[int, socket.socket]:
    """Lock, clear away what a dead process left, bind and listen."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise LinkError(f"{path}: a socket's name has at most {LONGEST_PATH} bytes; choose a shorter one")
    try:
        lock_file = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise NoPlaceError(
            f"{path}: no socket can be made here ({error.strerror}); check the folder"
        ) from error
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _clear_away(path)
        listener.bind(str(path))
        # Nobody can connect before listen(), so there is no moment with another mode.
        path.chmod(0o660)
        listener.listen(WAITING)
    except BlockingIOError as error:
        _let_go(listener, lock_file)
        raise LinkError(
            f"{path}: another kaderuhr runs here; end it, or give this one another socket"
        ) from error
    except OSError as error:
        _let_go(listener, lock_file)
        raise NoPlaceError(
            f"{path}: no socket can be made here ({error.strerror}); check the folder"
        ) from error
    except LinkError:
        _let_go(listener, lock_file)
        raise
    return lock_file, listener


def _clear_away(path: Path) -> None:
    """Remove the socket of a dead process; whoever holds the lock knows that it is dead."""
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise LinkError(f"{path}: this is a file, not a socket, and is left alone; choose another name")
        path.unlink()


def _let_go(listener: socket.socket, lock_file: int) -> None:
    listener.close()
    os.close(lock_file)
