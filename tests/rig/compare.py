"""Comparing what a board showed with what `kaderuhr replay` gives for the same script. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

T = TypeVar("T")

BETWEEN_NS: Final = 150_000_000
"""How long a glass may show something else on its way from one picture to the next: parts that are being sent, and the
mark of a report that is not on the card yet."""
PASSING_S: Final = 0.2
"""A picture that stands for less than this in the script may be overtaken by the next one."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What was seen of the expected pictures: `seen` (instant, index), and sentences about what does not fit."""

    seen: tuple[tuple[int, int], ...]
    problems: tuple[str, ...]


def shown_in_order(
    expected: Sequence[tuple[float, bytes]], states: Sequence[tuple[int, bytes]], *, end_ns: int
) -> Shown:
    """Match the states of a glass with the expected pictures, each with its script's second, in their order.

    Every expected picture that stands for `PASSING_S` is to be seen; no other state may stand for `BETWEEN_NS`.
    """
    seen: list[tuple[int, int]] = []
    problems: list[str] = []
    index = -1
    ends = [*(at for at, _ in states[1:]), end_ns]
    for (at, state), until in zip(states, ends, strict=True):
        found = next((i for i in range(max(index, 0), len(expected)) if expected[i][1] == state), None)
        if (
            found is not None
            and found - index > 1
            and any(_stands(expected, i) for i in range(index + 1, found))
        ):
            # The same picture may come again later: here it would leave out one that is to be seen.
            found = None
        if found is not None:
            if found != index:
                seen.append((at, found))
            index = found
        elif until - at > BETWEEN_NS:
            problems.append(
                f"a picture that replay does not give stood for {(until - at) / 1e6:.0f} ms at {at}"
            )
    seen_indices = {i for _, i in seen}
    problems += [
        f"never seen: picture {i} of the script's second {expected[i][0]:g}"
        for i in range(len(expected))
        if _stands(expected, i) and i not in seen_indices
    ]
    return Shown(seen=tuple(seen), problems=tuple(problems))


def _stands(expected: Sequence[tuple[float, bytes]], index: int) -> bool:
    if index + 1 == len(expected):
        return True
    return expected[index + 1][0] - expected[index][0] >= PASSING_S


def lines_in_order(expected: Sequence[tuple[float, str]], found: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for the first line that differs; one that stands for less than `PASSING_S` may be overtaken."""
    told = [line for place, line in enumerate(expected) if place == 0 or line[1] != expected[place - 1][1]]
    seen = runs(found)
    place = 0
    for index, (second, line) in enumerate(told):
        if place < len(seen) and seen[place] == line:
            place += 1
        elif index + 1 == len(told) or told[index + 1][0] - second >= PASSING_S:
            other = repr(seen[place]) if place < len(seen) else "no more"
            yield f"hall line {index + 1}, second {second:g}: replay gives {line!r}, the board {other}"
            return
    if place < len(seen):
        yield f"hall line: the board gives {seen[place]!r} after replay's last"


def runs(values: Iterable[T]) -> list[T]:
    """Return the values without repetitions of their neighbour."""
    listed = list(values)
    return [*listed[:1], *(after for before, after in pairwise(listed) if after != before)]


def rulings(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rulings of replay's answer, without their instants."""
    return [
        {key: value for key, value in line.items() if key not in ("t", "script", "out")}
        for line in lines
        if line.get("out") == "ruling"
    ]


def differences(expected: Sequence[object], found: Sequence[object], what: str) -> Iterator[str]:
    """Yield a sentence for the first place in which two lists differ."""
    for place, (one, other) in enumerate(zip(expected, found, strict=False), 1):
        if one != other:
            yield f"{what} {place}: replay gives {one!r}, the board {other!r}"
            return
    if len(expected) != len(found):
        yield f"{what}: replay gives {len(expected)}, the board {len(found)}"


def spread(values_ns: Sequence[int]) -> str:
    """Return median and worst in ms, and of how many."""
    if not values_ns:
        return "none"
    return f"{median(values_ns) / 1e6:.1f} ms, worst {max(values_ns) / 1e6:.1f} ms (n = {len(values_ns)})"
