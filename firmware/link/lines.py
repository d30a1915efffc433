"""The lines of the link: how they are written, cut and kept waiting. No socket and no thread."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "BEAT",
    "BEAT_S",
    "COMMAND_BYTES",
    "PASSING",
    "Message",
    "Outbox",
    "Slot",
    "Splitter",
    "encode",
    "slot_of",
]

Message = dict[str, object]
"""What one line says."""
Slot = tuple[str, str]
"""Kind and part: of messages with the same slot only the newest counts."""

PASSING: Final = frozenset({"signal"})
"""Kinds that are for who is there: a signal that comes later is wrong."""
COMMAND_BYTES: Final = 4096
OUTBOX_LINES: Final = 256
BEAT_S: Final = 1.0


def slot_of(message: Mapping[str, object]) -> Slot | None:
    """Say which older message this one replaces; None for one that passes."""
    kind = str(message["kind"])
    part = message.get(kind)
    return None if kind in PASSING else (kind, part if isinstance(part, str) else "")


def encode(message: Mapping[str, object]) -> bytes:
    """Write a message as one line of ASCII JSON, with its end."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


BEAT: Final = encode({"kind": "beat"})


class Outbox:
    """What one reader has yet to get: of each slot the newest, of passing lines every one, in order. Not locked."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lines: dict[object, bytes] = {}

    def put(self, slot: Slot | None, line: bytes) -> bool:
        """Add a line, in place of the older one of its slot. False: the reader is hopelessly behind."""
        key = object() if slot is None else slot
        self._lines.pop(key, None)
        self._lines[key] = line
        return len(self._lines) <= OUTBOX_LINES

    def take(self) -> list[bytes]:
        """Return all lines, oldest first, and be empty."""
        lines = list(self._lines.values())
        self._lines.clear()
        return lines


class Splitter:
    """Cuts what arrives into lines, and drops those over ``limit`` bytes without keeping them."""

    def __init__(self, limit: int) -> None:
        """Begin at the start of a line."""
        self._limit = limit
        self._rest = b""
        self._skipping = False

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        """Yield each line that is complete now, without its end; None once for one that is too long."""
        *lines, rest = (self._rest + data).split(b"\n")
        for line in lines:
            if self._skipping:
                self._skipping = False
            elif len(line) > self._limit:
                yield None
            else:
                yield line
        self._rest = b"" if self._skipping else rest
        if len(self._rest) > self._limit:
            self._rest, self._skipping = b"", True
            yield None
