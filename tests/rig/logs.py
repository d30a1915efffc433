"""What the board's logs hold, as values: drives, link, bus, serial line and sound, all on its CLOCK_MONOTONIC in ns."""

from __future__ import annotations

import json
import re
import struct
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_BUS: Final = struct.Struct("<QH")
_PIECE: Final = struct.Struct("<QI")
NEAR: Final = 200
"""Pieces of 5 ms in a second."""
_TRACE: Final = re.compile(r"\s(\d+)\.(\d{6}): hall: .*count=(\d+) b0=(\w+) b1=(\w+) b2=(\w+) b3=(\w+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Driven:
    """An edge on a pin: planned for `plan_ns` after the start, made between `before_ns` and `after_ns`."""

    plan_ns: int
    before_ns: int
    after_ns: int
    pin: int
    level: int


def driven(path: Path) -> tuple[int, list[Driven]]:
    """Return the start of a plan and its edges; none where the power went first."""
    first, *rest = path.read_text().splitlines()
    start = int(first.split()[1])
    rows = [tuple(map(int, line.split())) for line in rest]
    return start, [
        Driven(plan_ns=row[0], before_ns=row[1], after_ns=row[2], pin=row[3], level=row[4]) for row in rows
    ]


def link(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return the service's messages with the instant at which each came."""
    found = []
    for line in path.read_text().splitlines():
        at, _, message = line.partition(" ")
        found.append((int(at), json.loads(message)))
    return found


def signals(path: Path) -> list[tuple[int, str]]:
    """Return the signals of a link's log, each with the instant at which the service gave it."""
    return [(m["at_ns"], m["signal"]) for _, m in link(path) if m.get("kind") == "signal"]


def bus(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield each write to the display with its instant; a record cut short at the end is left out."""
    raw = path.read_bytes()
    at = 0
    while at + _BUS.size <= len(raw):
        ns, length = _BUS.unpack_from(raw, at)
        at += _BUS.size
        if at + length > len(raw):
            return
        yield ns, raw[at : at + length]
        at += length


def hall_lines(path: Path) -> list[tuple[int, str]]:
    """Return the lines that were handed to the serial line, with the instant of each: that of its first byte."""
    found = []
    for text in path.read_text(errors="replace").splitlines():
        hit = _TRACE.search(text)
        if hit is None:
            continue
        at = int(hit[1]) * 1_000_000_000 + int(hit[2]) * 1000
        raw = b"".join(int(word, 16).to_bytes(8, "little") for word in hit.groups()[3:])[: int(hit[3])]
        if raw.endswith(b"\r\n") and len(raw) == 26:
            found.append((at, raw[:-2].decode("ascii", "replace")))
    return found


@dataclass(frozen=True, kw_only=True, slots=True)
class Recording:
    """A recording of one channel. `pieces`: how many frames there were at which instant, as they came."""

    rate: int
    samples: Sequence[int]
    pieces: tuple[tuple[int, int], ...]

    def at_ns(self, frame: int) -> int:
        """Return when a frame was recorded: the best bound from the pieces of the second after it.

        A piece comes at its end's instant or later. Frames that were lost before this one do not matter.
        """
        place = bisect_right(self.pieces, frame, key=lambda piece: piece[0])
        near = self.pieces[place : place + NEAR]
        if not near:
            raise ValueError(f"frame {frame} is not in the recording")
        return min(at - (end - frame) * 1_000_000_000 // self.rate for end, at in near)

    def onsets(self, *, least: int = 200, quiet_s: float = 0.05) -> list[int]:
        """Return the instants at which sound begins after at least `quiet_s` of silence."""
        found: list[int] = []
        quiet = self.rate  # the recording begins silent
        for frame, value in enumerate(self.samples):
            if abs(value) < least:
                quiet += 1
                continue
            if quiet >= quiet_s * self.rate:
                found.append(self.at_ns(frame))
            quiet = 0
        return found


def recording(path: Path, *, rate: int = 48_000, channels: int = 2) -> Recording:
    """Read what `rigtool stamp` wrote of a raw recording of 16 bits; the first channel."""
    raw = path.read_bytes()
    at = 0
    sound = bytearray()
    pieces = []
    while at + _PIECE.size <= len(raw):
        ns, length = _PIECE.unpack_from(raw, at)
        at += _PIECE.size
        sound += raw[at : at + length]
        at += length
        pieces.append((len(sound) // (2 * channels), ns))
    frames = len(sound) // (2 * channels)
    values = memoryview(bytes(sound[: frames * 2 * channels])).cast("h")
    return Recording(rate=rate, samples=values[::channels].tolist(), pieces=tuple(pieces))
