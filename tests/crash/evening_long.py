"""An evening of 60 matches over 8 virtual hours: contacts, console, law, picture and journal, all but real time.

    python -m tests.crash.evening_long FOLDER

Lives here: playing it on keys and sensors, and measuring on the way. Prints one JSON object: for each match the time
from an edge to the finished picture (mean of the work, p99 of the whole, in ms), the memory, the bytes of the journal's
files and those sent to the card, and the reports.
"""

import json
import random
import resource
import statistics
import sys
import time
from pathlib import Path
from threading import Condition
from typing import Any, Final

from firmware.journal import Journal, Machine, Note, SystemWall
from firmware.screens import oled
from firmware.script import Opened
from firmware.texts import Texts
from rules import AnyEvent, moment
from tests.crash.scripted import say
from tests.firmware.referee import Referee

MATCHES: Final = 60
MATCH_S: Final = 480.0
"""60 of them are 8 h."""


class LongEvening(Referee):
    """A referee at a box whose journal is a real one; what tests collect is thrown away as it comes."""

    def __init__(self, folder: Path) -> None:
        """Sit down."""
        super().__init__()
        self._changed, self._saved = Condition(), 0
        machine = Machine(wall=SystemWall(), boot="boot", monotonic=lambda: int(self.clock * 1e9))
        self.journal = Journal(
            folder, on_saved=self._on_saved, on_trouble=self._on_trouble, on_note=print, machine=machine
        )
        self.journal.recover()
        core: Any = self.stage.core
        core._keep = self._keep  # noqa: SLF001 - a stage keeps for itself; here a journal does
        core._on_match = self._on_match  # noqa: SLF001
        self.journal.begin(core._opened, 0)  # noqa: SLF001
        self.texts = Texts("de")
        self.chance = random.Random(7)  # noqa: S311 - the same evening every time
        self.took_ms: list[float] = []
        self.worked_ms: list[float] = []
        self.reports = 0

    def _keep(self, event: AnyEvent) -> None:
        self.reports += 1
        self.journal.keep(event, self.stage.core.record.match)

    def _on_match(self, opened: Opened) -> None:
        self.journal.begin(opened, self.stage.core.started)

    def _on_saved(self, count: int) -> None:
        with self._changed:
            self._saved = count
            self._changed.notify_all()

    def _on_trouble(self, note: Note | None) -> None:
        if note is not None:
            raise RuntimeError(str(note))

    def hand(self, key: Any) -> None:  # noqa: ANN401 - any key
        """Press a key, and take the time until what it led to is drawn."""
        began, worked = time.perf_counter(), time.thread_time()
        self.key(key)
        now = self.stage.now
        oled.draw(self.stage.core.view(), now, self.texts)
        self.took_ms.append((time.perf_counter() - began) * 1e3)
        self.worked_ms.append((time.thread_time() - worked) * 1e3)
        self.said.clear()
        self.wait_saved()  # as in real time, where a report is on the card long before the next

    def match(self, until_s: float) -> None:
        """Play one match and set up the next, as before."""
        while self.stage.core.record.match.phase != "over":
            if self.clock > until_s + MATCH_S:
                raise RuntimeError(f"this match does not end: {self.state}")
            self.wait(self.clock + self.chance.uniform(1, 3))
            self._play_on()
        self.wait(until_s)
        self.key("fault", 1.2)
        self.cell("new match")
        self.cell("as before")

    def _play_on(self) -> None:
        view = self.stage.core.view()
        match, now = view.match, moment(view.match)
        if (
            view.question is not None
            or match.asked is not None
            or (view.grid is not None and now != "opening")
        ):
            self._answer()
        elif now == "opening":
            self.hand("stroke")
            self.hand("rest")
            self.cell(self.chance.choice(["red", "white"]))
        elif now == "turn":
            self.wait(self.clock + self.chance.uniform(4, 18))
            self.hand("stroke")
            if self.chance.random() < 0.8 and match.turn is not None:
                self.ball(match.turn)
            self.hand("rest")
        else:
            self.hand("rest")

    def _answer(self) -> None:
        """Answer whatever is asked: the first thing the screen offers, or the ball's own colour."""
        grid = self.stage.core.view().grid
        cells = [] if grid is None else [cell for cell in grid.cells if not cell.hold]
        self.hand(cells[0].key if cells else self.chance.choice(["red", "ok", "down"]))

    def wait_saved(self) -> None:
        """Wait until all is on the card."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._saved == self.journal.kept, timeout=30):
                raise RuntimeError("not everything is saved after 30 s")


def main(folder: Path) -> None:
    """Play, and print what was measured."""
    evening = LongEvening(folder)
    figures = []
    for number in range(1, MATCHES + 1):
        evening.took_ms.clear()
        evening.worked_ms.clear()
        evening.match(number * MATCH_S)
        evening.wait_saved()
        took = sorted(evening.took_ms)
        figures.append(
            {
                "work_ms": statistics.fmean(evening.worked_ms),
                "p99_ms": took[int(len(took) * 0.99)],
                "memory_kb": _memory_kb(),
                "bytes": sum(path.stat().st_size for path in folder.glob("journal.sqlite3*")),
                "reports": evening.reports,
                "written": _written(),
            }
        )
    evening.journal.close()
    left = sum(path.stat().st_size for path in folder.glob("journal.sqlite3*"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    hours = evening.clock / 3600
    say(json.dumps({"matches": figures, "left": left, "peak_kb": peak, "virtual_h": hours}))


def _memory_kb() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 1024


def _written() -> int:
    """Return the bytes this process has sent to the card so far."""
    lines = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(lines["write_bytes"])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
