"""Edges on the virtual board's pins: the order of two goals, and presses that bounce. The plans are pure."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from firmware.profile import load_profile
from tests.rig import logs
from tests.rig.board import board
from tests.rig.compare import spread
from tests.rig.errors import BoardError
from tests.rig.matches import PROFILE, guest

if TYPE_CHECKING:
    from pathlib import Path

MS: Final = 1_000_000
SEED: Final = 20261201
GOALS: Final = ("goal_red", "goal_white")

Edges = list[tuple[int, int, int]]
"""Instant, pin, level."""


def pair_plan(count: int, pins: tuple[int, int], seed: int = SEED) -> tuple[str, list[int]]:
    """Return a plan of `count` pairs of balls 0.1 to 5 ms apart, and which pin comes first in each."""
    rng = random.Random(seed)  # noqa: S311 - a test's plan
    edges: Edges = []
    firsts = []
    for place in range(count):
        first, second = pins if rng.random() < 0.5 else (pins[1], pins[0])
        at = place * 70 * MS
        gap = round(rng.uniform(0.1, 5) * MS)
        edges += [(at, first, 0), (at + gap, second, 0), (at + 30 * MS, first, 1), (at + 36 * MS, second, 1)]
        firsts.append(first)
    return _plan(edges), firsts


def press_plan(count: int, pins: tuple[int, ...], seed: int = SEED) -> tuple[str, dict[int, int], int]:
    """Return a plan of `count` presses over all pins at once, how many each pin gets, and how long it takes (ns).

    A press lasts 40 to 400 ms and bounces for up to 5 ms at both ends; between two of them is a spike of 0.1 to 5 ms.
    """
    rng = random.Random(seed)  # noqa: S311
    edges: Edges = []
    wanted = {pin: count // len(pins) + (place < count % len(pins)) for place, pin in enumerate(pins)}
    last = 0
    for pin, presses in wanted.items():
        at = rng.randrange(100 * MS)
        for _ in range(presses):
            width = round(rng.uniform(0.1, 5) * MS)
            edges += [(at, pin, 0), (at + width, pin, 1)]
            at += width + round(rng.uniform(35, 60) * MS)  # longer than the filter's window
            at = _bouncing(edges, rng, at, pin, 0)
            at += round(rng.uniform(40, 400) * MS)
            at = _bouncing(edges, rng, at, pin, 1)
            at += round(rng.uniform(35, 60) * MS)
        last = max(last, at)
    return _plan(edges), wanted, last


def _bouncing(edges: Edges, rng: random.Random, at: int, pin: int, level: int) -> int:
    """Append a contact that reaches `level` after bouncing for up to 5 ms; return when it rests."""
    marks = sorted(rng.randrange(50_000, 5 * MS) for _ in range(2 * rng.randrange(4)))
    edges.append((at, pin, level))
    for place, mark in enumerate(marks):
        edges.append((at + mark, pin, 1 - level if place % 2 == 0 else level))
    return at + (marks[-1] if marks else 0)


def _plan(edges: Edges) -> str:
    return "".join(f"{at} {pin} {level}\n" for at, pin, level in sorted(edges))


@dataclass(frozen=True, kw_only=True)
class Watched:
    """What came of a plan: edges (came, stamp, input, active), reports (kind, at, certain, input), late edges."""

    driven: tuple[logs.Driven, ...]
    edges: tuple[tuple[int, int, str, bool], ...]
    reports: tuple[tuple[str, int, int, str], ...]
    late: int


def watch(factory: str, plans: dict[str, tuple[str, int]]) -> dict[str, Watched]:
    """Drive each plan (text, length in ns) in one boot and return what came of it."""
    body = ""
    for name, (_, length_ns) in plans.items():
        seconds = length_ns / 1e9 + 2.5
        body += f"""
rm -f /out/armed
"$PYTHON" /rig/code/tests/rig/guest/watch_edges.py {factory} {seconds:.1f} /out/{name}.log &
watching=$!
until [ -f /out/armed ]; do kill -0 $watching; sleep 0.1; done
rigtool drive /out/{name}.plan /out/{name}.driven
wait $watching
"""
    with board(
        guest(body), pace="leaping", files={f"{name}.plan": text for name, (text, _) in plans.items()}
    ) as run:
        status = run.wait()
        if status != 0:
            raise BoardError(f"watching edges ended with {status}:\n{run.console[-2000:]}")
        return {name: _read(run.out, name) for name in plans}


def _read(out: Path, name: str) -> Watched:
    edges: list[tuple[int, int, str, bool]] = []
    reports: list[tuple[str, int, int, str]] = []
    late = 0
    for line in (out / f"{name}.log").read_text().splitlines():
        kind, *rest = line.split()
        if kind == "edge":
            edges.append((int(rest[0]), int(rest[1]), rest[2], rest[3] == "1"))
        elif kind == "report":
            reports.append((rest[0], int(rest[1]), int(rest[2]), rest[3]))
        else:
            late += int(rest[1])
    _, driven = logs.driven(out / f"{name}.driven")
    return Watched(driven=tuple(driven), edges=tuple(edges), reports=tuple(reports), late=late)


def check(factory: str, pairs: int, presses: int) -> tuple[list[str], dict[str, str]]:
    """Run both plans; return what is wrong, and the figures."""
    profile = load_profile(PROFILE)
    pin_of = {spec.name: spec.pins[0] for spec in profile.inputs()}
    name_of = {pin: name for name, pin in pin_of.items()}
    pair_text, firsts = pair_plan(pairs, (pin_of[GOALS[0]], pin_of[GOALS[1]]))
    keys = tuple(pin for name, pin in pin_of.items() if name not in GOALS)
    press_text, wanted, length = press_plan(presses, keys)
    seen = watch(factory, {"pairs": (pair_text, pairs * 70 * MS), "presses": (press_text, length)})

    problems: list[str] = []
    drops = [report for report in seen["pairs"].reports if report[0] == "Pressed"]
    order = [pin_of[name] for _, _, _, name in drops]
    made = [edge.pin for edge in seen["pairs"].driven if edge.level == 0]
    wrong = sum(one != other for one, other in zip(made, order, strict=False))
    gaps = [b.before_ns - a.before_ns for a, b in _pairs(seen["pairs"].driven)]
    if len(order) != 2 * pairs:
        problems.append(f"pairs: {len(order)} drops were reported, {2 * pairs} were made")
    elif wrong or [made[place] for place in range(0, len(made), 2)] != firsts:
        problems.append(f"pairs: {wrong} drops were reported in another order than they fell")

    counts: dict[str, int] = {}
    for kind, _, _, name in seen["presses"].reports:
        if kind == "Pressed":
            counts[name] = counts.get(name, 0) + 1
    for pin, number in wanted.items():
        if counts.get(name_of[pin], 0) != number:
            came = counts.get(name_of[pin], 0)
            problems.append(f"presses: {name_of[pin]} was pressed {number} times, {came} were reported")
    errors = _stamp_errors(seen["pairs"], pin_of)
    figures = {
        "pairs": f"{2 * pairs - wrong} of {2 * pairs} drops in order, "
        f"made {min(gaps) / MS:.2f}-{max(gaps) / MS:.2f} ms apart",
        "presses": f"{sum(counts.values())} of {presses}; {len(seen['presses'].driven)} edges made, "
        f"{len(seen['presses'].edges)} came, {seen['presses'].late + seen['pairs'].late} too late",
        "delivery": spread(
            [came - stamp for came, stamp, _, _ in (*seen["pairs"].edges, *seen["presses"].edges)]
        ),
        "stamp": spread(errors),
    }
    return problems, figures


def _pairs(driven: tuple[logs.Driven, ...]) -> list[tuple[logs.Driven, logs.Driven]]:
    falls = [edge for edge in driven if edge.level == 0]
    return list(zip(falls[::2], falls[1::2], strict=False))


def _stamp_errors(seen: Watched, pin_of: dict[str, int]) -> list[int]:
    """Return how much later than the write that made it each fall was stamped."""
    errors = []
    for goal in GOALS:
        made = [edge.before_ns for edge in seen.driven if edge.level == 0 and edge.pin == pin_of[goal]]
        stamped = [stamp for _, stamp, name, active in seen.edges if active and name == goal]
        errors += [stamp - before for before, stamp in zip(made, stamped, strict=False)]
    return errors
