"""A trace of system calls as the operations of one folder's files, in order.

Lives here: reading strace's output. Never here: what a power cut makes of them (`torn.py`).
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CALLS: Final = "openat,pwrite64,write,ftruncate,fsync,fdatasync,unlink,rename"
_LINE: Final = re.compile(r"^(\d+) +(.*)$")
_UNFINISHED: Final = " <unfinished ...>"
_RESUMED: Final = re.compile(r"^<\.\.\. \w+ resumed>(.*)$")
_CALL: Final = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+)")
_TEXT: Final = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_FILE: Final = re.compile(r"(-?\d+)<((?:\\x[0-9a-f]{2})*)>")


@dataclass(frozen=True, kw_only=True)
class Op:
    """One operation on a file, or a confirmation.

    `make`, `write` (data at offset), `cut` (to offset), `sync`, `remove`, `rename` (to `other`), `sync_folder`, or
    `saved` (so many reports, in offset).
    """

    kind: str
    name: str = ""
    offset: int = 0
    data: bytes = b""
    other: str = ""


def traced(command: list[str], folder: Path, log: Path) -> list[Op]:
    """Run a command under strace and return what it did to `folder`'s files, and its confirmations."""
    if shutil.which("strace") is None:
        raise SystemExit("the torn-write harness needs strace, which is not here: apt install strace")
    strace = ["strace", "-f", "-y", "-xx", "-s", "1000000", "-e", f"trace={CALLS}", "-o", str(log)]
    subprocess.run([*strace, sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
    with log.open(encoding="ascii") as lines:
        return list(_ops(_whole(lines), str(folder)))


def _whole(lines: Iterable[str]) -> Iterator[str]:
    """Yield calls as they ended; one that was interrupted by another thread's is put together again."""
    begun: dict[str, str] = {}
    for line in lines:
        found = _LINE.match(line.rstrip("\n"))
        if found is None:
            continue
        thread, call = found[1], found[2]
        if call.endswith(_UNFINISHED):
            begun[thread] = call.removesuffix(_UNFINISHED)
        elif (resumed := _RESUMED.match(call)) is not None:
            yield begun.pop(thread) + resumed[1]
        else:
            yield call


def _ops(calls: Iterable[str], folder: str) -> Iterator[Op]:
    for call in calls:
        found = _CALL.match(call)
        if found is None or int(found[3]) < 0:
            continue
        name, arguments = found[1], found[2]
        texts = [_plain(text) for text in _TEXT.findall(arguments)]
        if name == "write" and (saved := re.match(rb"SAVED (\d+)\n", texts[0] if texts else b"")):
            yield Op(kind="saved", offset=int(saved[1]))
            continue
        yield from _op(name, arguments, texts, folder)


def _op(name: str, arguments: str, texts: list[bytes], folder: str) -> Iterator[Op]:
    opened = _FILE.match(arguments)
    path = _plain(opened[2]).decode() if opened is not None else ""
    if name in ("fsync", "fdatasync") and path == folder:
        yield Op(kind="sync_folder")
    elif name == "openat" and "O_CREAT" in arguments and texts[0].decode().startswith(f"{folder}/"):
        yield Op(kind="make", name=_within(texts[0].decode(), folder))
    elif name == "unlink" and texts[0].decode().startswith(f"{folder}/"):
        yield Op(kind="remove", name=_within(texts[0].decode(), folder))
    elif name == "rename" and texts[0].decode().startswith(f"{folder}/"):
        yield Op(
            kind="rename", name=_within(texts[0].decode(), folder), other=_within(texts[1].decode(), folder)
        )
    elif path.startswith(f"{folder}/"):
        last = int(arguments.rsplit(",", 1)[1]) if "," in arguments else 0
        file = _within(path, folder)
        if name == "pwrite64":
            yield Op(kind="write", name=file, offset=last, data=texts[0])
        elif name == "ftruncate":
            yield Op(kind="cut", name=file, offset=last)
        elif name in ("fsync", "fdatasync"):
            yield Op(kind="sync", name=file)
        elif name == "write":
            raise ValueError(f"{file}: a write without an offset is not foreseen here")


def _within(path: str, folder: str) -> str:
    return path.removeprefix(f"{folder}/")


def _plain(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))
