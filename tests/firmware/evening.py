"""An evening in virtual time: scripts, presses and pulses on the desk board's mock pins, and what the box says."""

import json
from collections.abc import Iterable
from typing import Any

from firmware.profile import load_profile
from firmware.said import Said, line
from firmware.script import Opened, read_lines
from firmware.stage import Stage
from firmware.texts import Texts
from rules import BOOK, AnyEvent, Ns, state
from rules.words import SECOND

Line = dict[str, Any]


def seconds(value: float) -> Ns:
    """Return seconds as whole nanoseconds."""
    return Ns(round(value * SECOND))


class Evening:
    """One match on the desk board. `said` holds the lines of the notation, `kept` the journal's events."""

    def __init__(self, **start: Any) -> None:  # noqa: ANN401 - any value of JSON
        """Open a match as a `script` line does."""
        self.said: list[Line] = []
        self.kept: list[AnyEvent] = []
        self._start = {"script": "evening", **start}
        opened = self._read([self._start])[0]
        assert isinstance(opened, Opened)
        self.stage = Stage(opened, load_profile("desk"), say=self._hear, keep=self.kept.append)

    def _read(self, lines: Iterable[Line]) -> list[Any]:
        return [item for _, item in read_lines([json.dumps(one) for one in lines], "test", BOOK)]

    def _hear(self, said: Said) -> None:
        self.said.append(line(said, "evening", Texts("en")))

    def play(self, *lines: Line) -> "Evening":
        """Play lines of a script."""
        for item in self._read([self._start, *lines])[1:]:
            self.stage.play(item)
        return self

    def run(self, t: float) -> "Evening":
        """Let time run to `t` seconds, deadlines of that instant and what settles by then included."""
        self.stage.run(seconds(t))
        self.stage.core.advance(seconds(t))
        return self

    def end(self) -> Line:
        """Let everything that began come to its end, and return the state."""
        self.stage.finish()
        return self.state

    @property
    def state(self) -> Line:
        """The state now."""
        return state(self.stage.core.record.match, self.stage.now)

    def out(self, kind: str, **keys: Any) -> list[Line]:  # noqa: ANN401 - any value of JSON
        """Return what was said of one kind, with these values."""
        return [
            one for one in self.said if one["out"] == kind and all(one.get(k) == v for k, v in keys.items())
        ]

    @property
    def rulings(self) -> list[Line]:
        """All rulings so far."""
        return self.out("ruling")


OPEN: Line = {"balls": {"red": 4, "white": 4}, "turn": "red"}


def press(t: float, key: str, **more: float) -> Line:
    """Return a press line."""
    return {"t": t, "press": key, **more}


def pulse(t: float, goal: str, **more: float) -> Line:
    """Return a sensor line."""
    return {"t": t, "sensor": f"goal_{goal}", **more}
