"""Where service and onlookers meet: in systemd's runtime folder, in the state folder, or in one of the user's own.

Lives here: choosing a place, and finding the one where a service listens. Never here: listening (`listening.py`).

A state folder in which nothing can be made (a read-only card, another owner) must not keep the box from starting.
"""

import os
import socket
import stat
import tempfile
import zlib
from pathlib import Path
from typing import Final

from firmware.link.listening import NoPlaceError

NAME: Final = "kaderuhr.sock"
SYSTEMD: Final = Path("/run/kaderuhr") / NAME
"""Where systemd's unit has it (RuntimeDirectory in systemd/kaderuhr.service)."""


def places(folder: Path) -> tuple[Path, ...]:
    """Return where the service of a state folder may listen, the better place first."""
    if runtime := os.environ.get("RUNTIME_DIRECTORY"):
        return (Path(runtime) / NAME,)
    mark = zlib.crc32(os.fsencode(folder.absolute()))
    return (
        folder / NAME,
        Path(tempfile.gettempdir()) / f"kaderuhr-{os.getuid()}-{mark:08x}" / NAME,
    )


def make_room(path: Path) -> None:
    """Make the folder of a place. Raises `NoPlaceError` where that cannot be, or where it is another user's."""
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = folder.stat()
        if folder.parent == Path(tempfile.gettempdir()):
            if found.st_uid != os.getuid():
                raise NoPlaceError(f"{folder}: this is another user's folder; remove it")
            folder.chmod(stat.S_IRWXU)  # others may write beside it, so it is nobody else's
    except OSError as error:
        what = f"no folder for the socket can be made here ({error.strerror}); check the folder above"
        raise NoPlaceError(f"{folder}: {what}") from error


def found(folder: Path) -> Path:
    """Return where a service of a state folder listens, or would where none does."""
    there = places(folder)
    return next((path for path in (*there, SYSTEMD) if _listens(path)), there[0])


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
        try:
            peer.connect(os.fspath(path))
        except OSError:  # nothing there, a dead one's socket, a name too long, or not for us
            return False
        return True
