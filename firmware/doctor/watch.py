"""Keys and sensors live, with pulse widths, for mounting light barriers.

Lives here: what is made of the messages `inputs` one after the other, and the lines that show it. Never here: where
they come from (`sources.py`), and the terminal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any, Final

from firmware.doctor.inputs import Input, inputs_of
from firmware.profile import Profile

MILLISECOND: Final = 1_000_000
STEPS_MS: Final = (2, 8, 20, 50, 100)
"""Bounds of the widths that are counted together; 8 is the filter's usual settle_ms."""
DROPS: Final = 10
MARGIN_NS: Final = 2 * MILLISECOND
"""A ball that covers the barrier by so little more than settle_ms is seen today and lost tomorrow."""
WIDTH: Final = 79


@dataclass(kw_only=True)
class Widths:
    """The pulses of one input since the watching began, in nanoseconds, and of a goal the balls they make up."""

    newest: int = 0
    shortest: int = 0
    longest: int = 0
    steps: list[int] = field(default_factory=lambda: [0] * (len(STEPS_MS) + 1))
    drops: list[int] = field(default_factory=list)
    last_ns: int | None = None

    def add(self, at_ns: int, width_ns: int, same_ball_ns: int) -> None:
        """Count a pulse; one soon after another belongs to the same ball, whose longest pulse is kept."""
        self.newest = width_ns
        self.shortest = min(self.shortest or width_ns, width_ns)
        self.longest = max(self.longest, width_ns)
        self.steps[sum(width_ns >= bound * MILLISECOND for bound in STEPS_MS)] += 1
        if self.last_ns is not None and at_ns - self.last_ns <= same_ball_ns:
            self.drops[-1] = max(self.drops[-1], width_ns)
        else:
            self.drops.append(width_ns)
        self.last_ns = at_ns


class Watch:
    """What was seen since it was made."""

    def __init__(self, profile: Profile) -> None:
        """Judge by this board's filter."""
        self._settle_ns = profile.filter.settle_ms * MILLISECOND
        self._same_ball_ns = profile.sensors.same_ball_ms * MILLISECOND
        self._inputs: tuple[Input, ...] = ()
        self._widths: dict[str, Widths] = {}
        self._seen: int | None = None

    def take(self, message: Mapping[str, Any]) -> list[str]:
        """Take a message; return a line for each new pulse."""
        self._inputs = inputs_of(message)
        first, lines = self._seen is None, []
        seen = self._seen or 0
        if any(pulse["n"] < seen for pulse in message["pulses"][-1:]):
            seen = 0  # another service, which counts anew
        for pulse in message["pulses"]:
            # What was there before the watching began is another's.
            if pulse["n"] <= seen or first:
                continue
            name, width_ns = pulse["input"], pulse["width_ns"]
            self._widths.setdefault(name, Widths()).add(pulse["at_ns"], width_ns, self._same_ball_ns)
            too_short = ", too short to count" if width_ns < self._settle_ns else ""
            lines.append(f"{name}: {_ms(width_ns)}{too_short}")
        self._seen = max((pulse["n"] for pulse in message["pulses"]), default=seen)
        return lines

    def table(self) -> list[str]:
        """Return the picture, for a terminal of 80 x 24: each input, and for each goal how its balls have been."""
        head = f"{'input':<11}{'GPIO':<6}{'now':<8}{'pulses':>7}{'newest':>10}{'shortest':>10}{'longest':>10}"
        lines = [f"{head}{'spikes':>7}{'bounces':>8}", *map(self._row, self._inputs)]
        for seen in self._inputs:
            if seen.is_sensor:
                lines += self._goal(seen.name)
        return lines

    def _row(self, seen: Input) -> str:
        widths = self._widths.get(seen.name, Widths())
        pulses = sum(widths.steps)
        times = [_ms(span) if pulses else "" for span in (widths.newest, widths.shortest, widths.longest)]
        gpio, level = ",".join(map(str, seen.pins)), seen.level.upper() if seen.active else seen.level
        return (
            f"{seen.name:<11}{gpio:<6}{level:<8}{pulses:>7}{times[0]:>10}{times[1]:>10}{times[2]:>10}"
            f"{seen.spikes:>7}{seen.bounces:>8}"
        )

    def _goal(self, name: str) -> list[str]:
        """Say how the goal's balls have been, and how many pulses were how long."""
        widths = self._widths.get(name, Widths())
        bounds = ("0", *map(str, STEPS_MS))
        steps = [
            f"{bounds[at]}{f'-{STEPS_MS[at]}' if at < len(STEPS_MS) else '+'} ms: {count}"
            for at, count in enumerate(widths.steps)
        ]
        return [
            *wrap(f"{name}: {self._verdict(widths)}", WIDTH, subsequent_indent="  "),
            f"  {', '.join(steps)}",
        ]

    def _verdict(self, widths: Widths) -> str:
        """Say how the goal's balls have been: right after ten that all covered the barrier for long enough."""
        balls = len(widths.drops)
        lost = sum(width < self._settle_ns for width in widths.drops)
        close = sum(width < self._settle_ns + MARGIN_NS for width in widths.drops)
        settle = f"settle_ms = {self._settle_ns // MILLISECOND}"
        if lost:
            return (
                f"{lost} of {balls} balls covered the barrier for less than {settle} and would be lost: "
                "mount it where balls roll more slowly, or aim it at the ball's middle"
            )
        if close:
            return f"{close} of {balls} balls were only just longer than {settle}: aim the barrier at the ball's middle"
        if balls < DROPS:
            return f"{balls} balls seen; drop {DROPS - balls} more, fast ones too"
        return (
            f"right: {balls} balls seen, each for {_ms(min(widths.drops))} or longer. Did you drop {balls}?"
        )


def _ms(span_ns: int) -> str:
    return f"{span_ns / MILLISECOND:.1f} ms"
