"""Scripts for the virtual board, in the form of replay.md: written with keys and sensors, played as edges on pins.

The same pin lines go to `kaderuhr replay` and, as a plan for `rigtool drive`, to the board's pins.
"""

from __future__ import annotations

import heapq
import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from drivers.ports import InputSpec

Line = dict[str, Any]

CALL_S: Final = 3
GRACE_S: Final = 2
QUICK: Final[Line] = {
    "name": "quick",
    "call": CALL_S,
    "grace": GRACE_S,
    "call_duo": CALL_S,
    "grace_duo": GRACE_S,
}
"""`quick.toml` as a script has it."""
HOLD_S: Final = 0.1
PULSE_S: Final = 0.03


class Table:
    """A referee at a table: each step comes some seconds after the one before it."""

    def __init__(self, name: str, **start: Any) -> None:  # noqa: ANN401 - any value of JSON
        """Begin a script with a `script` line."""
        self.lines: list[Line] = [{"script": name, "rulebook": QUICK, **start}]
        self.t = 0.0

    def _add(self, after: float, line: Line) -> Table:
        self.t = round(self.t + after, 6)
        self.lines.append({"t": self.t, **line})
        return self

    def wait(self, seconds: float) -> Table:
        """Let time pass."""
        self.t = round(self.t + seconds, 6)
        return self

    def press(self, after: float, key: str) -> Table:
        """Press a key."""
        return self._add(after, {"press": key})

    def ball(self, after: float, goal: str) -> Table:
        """Let a ball fall past the sensor of a goal."""
        return self._add(after, {"sensor": f"goal_{goal}"})

    def opening(self, nearest: str) -> Table:
        """Play the opening strokes; the ball of `nearest` lies nearest."""
        return self.press(1.2, "stroke").press(0.9, "rest").press(0.8, nearest)

    def goal(self, side: str) -> Table:
        """Play a stroke that holes an own ball."""
        return self.press(1.3, "stroke").ball(0.45, side).press(0.7, "rest")

    def last_goal(self, side: str) -> Table:
        """Hole the last ball; the box asks which colour it was."""
        return self.press(1.3, "stroke").ball(0.45, side).press(0.8, side).press(0.7, "rest")

    def miss(self, after: float = 1.3) -> Table:
        """Play a stroke without a goal."""
        return self.press(after, "stroke").press(0.8, "rest")


def short_match() -> Table:
    """One game, a call answered in the grace, an expiry; about 40 s."""
    table = Table("rig-short").opening("red").goal("red").goal("red").miss()
    table.goal("white").miss()
    table.miss(CALL_S + 0.6)  # in the grace
    # White lets its time run out; the release starts red's clock.
    table.wait(CALL_S + GRACE_S).press(1.4, "rest")
    return table.goal("red").goal("red").last_goal("red").wait(2.5)


def whole_match() -> Table:
    """Two games to the away side, with a fault taken back and a stroke taken back; about 70 s."""
    table = Table("rig-whole").opening("red").goal("red").goal("red").miss()
    table.goal("white")
    table.press(1.3, "stroke").press(0.6, "undo")  # a key pressed by mistake
    table.miss()
    table.miss(CALL_S + 0.6)
    table.wait(CALL_S + GRACE_S).press(1.4, "rest")
    table.goal("red").goal("red").last_goal("red")
    table.wait(2.0).opening("white")
    table.goal("white").miss().miss()
    table.goal("white").goal("white").goal("white").last_goal("white")
    return table.wait(3.0)


def calls(count: int) -> Table:
    """An opening, then `count` turns that are called and played in the grace."""
    table = Table("rig-calls").opening("red")
    for _ in range(count):
        table.miss(CALL_S + 1.7)
    return table.wait(1.0)


def to_pins(lines: Iterable[Line], inputs: Sequence[InputSpec]) -> list[Line]:
    """Return a script with its presses and pulses as edges on the first pin of each input."""
    pins: Mapping[str, int] = {spec.name: spec.pins[0] for spec in inputs}
    out: list[Line] = []
    edges: list[tuple[float, int, int, int]] = []
    order = 0

    def up_to(t: float) -> None:
        while edges and edges[0][0] <= t:
            at, _, pin, level = heapq.heappop(edges)
            out.append({"t": at, "pin": pin, "level": level})

    for line in lines:
        if "t" not in line:
            out.append(line)
            continue
        up_to(line["t"])
        name = line.get("press") or line.get("sensor")
        if name is None:
            out.append(line)
            continue
        span = line.get("hold", HOLD_S) if "press" in line else line.get("pulse", PULSE_S)
        out.append({"t": line["t"], "pin": pins[name], "level": 0})
        order += 1
        heapq.heappush(edges, (round(line["t"] + span, 9), order, pins[name], 1))
    up_to(float("inf"))
    return out


def plan(pin_lines: Iterable[Line]) -> str:
    """Return a script's edges as a plan for `rigtool drive`. `ValueError` for a line that is no edge."""
    rows = []
    for line in pin_lines:
        if "script" in line:
            continue
        if "pin" not in line:
            raise ValueError(f"{json.dumps(line)}: a board takes only press, sensor and pin lines")
        rows.append(f"{round(line['t'] * 1e9)} {line['pin']} {line['level']}\n")
    return "".join(rows)


def text(lines: Iterable[Line]) -> str:
    """Return a script as JSON Lines."""
    return "".join(json.dumps(line) + "\n" for line in lines)
