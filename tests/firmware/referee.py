"""A referee who reads the screen: reports a law case's events with keys and sensors alone."""

from typing import TYPE_CHECKING, Any

from firmware.console.faults import TEXTS
from firmware.script import Key
from tests.firmware.evening import Evening, Line, press, pulse

if TYPE_CHECKING:
    from firmware.view import Cell

SETTLED = 0.15
"""Seconds from a press to the next: certain, and no bounce of it."""


class Referee(Evening):
    """Plays events by hand. `presses` counts what each report took."""

    def __init__(self, **start: Any) -> None:  # noqa: ANN401 - any value of JSON
        """Sit down at the table."""
        super().__init__(**start)
        self.clock = 0.0
        self.presses = 0

    def wait(self, t: float) -> None:
        """Let time run to `t` where it has not passed yet."""
        if t > self.clock:
            self.clock = t
            self.run(t)

    def key(self, key: Key, hold: float = 0.1) -> None:
        """Press a key now."""
        self.presses += 1
        self.play(press(self.clock, key, hold=hold))
        self.clock = round(self.clock + hold + SETTLED, 6)
        self.run(self.clock)

    def ball(self, goal: str) -> None:
        """Let a ball fall past a sensor now."""
        self.play(pulse(self.clock, goal))
        self.clock = round(self.clock + 0.1, 6)
        self.run(self.clock)

    def cell(self, text: str, **values: str) -> None:
        """Press the key whose cell says this, leafing on where it must; fail with what the screen says instead."""
        cells: tuple[Cell, ...] = ()
        for _ in range(4):
            grid = self.stage.core.view().grid
            cells = () if grid is None else grid.cells
            for cell in cells:
                if cell.text == text and dict(cell.values) == values:
                    self.key(cell.key, 3.2 if cell.hold else 0.1)
                    return
            if text == "more" or not any(cell.text == "more" for cell in cells):
                break
            self.cell("more")
        shown = [(cell.text, dict(cell.values)) for cell in cells]
        raise AssertionError(f"no cell says {text!r} {values}; the screen says {shown}")

    def answers(self, text: str, **values: str) -> bool:
        """Press a cell if the screen offers it."""
        grid = self.stage.core.view().grid
        if grid is None or not any(c.text == text and dict(c.values) == values for c in grid.cells):
            return False
        self.cell(text, **values)
        return True

    def report(self, line: Line) -> None:
        """Report one event of a law case."""
        self.wait(line["t"])
        getattr(self, f"_{line['event']}")(line)

    # Events ---------------------------------------------------------------------------------------------------

    def _opening(self, line: Line) -> None:
        if self.state["asked"] is None:
            if "opened" not in self.state:
                self.key("stroke")
            self.key("rest")
        self.cell(line["nearest"])
        openers = line.get("openers", {"home": 0, "away": 0})
        names = self.stage.core.view().names
        if self.stage.core.view().grid is not None:
            self.cell("{name}", name=names.home[openers["home"]])
            self.cell("{name}", name=names.away[openers["away"]])

    def _stroke(self, line: Line) -> None:
        self._on_spot = line.get("on_spot")
        self.key("stroke")

    def _rest(self, line: Line) -> None:
        self.key("rest")
        self.answer_rest(line)

    def answer_rest(self, line: Line) -> None:
        """Answer what the rest asks."""
        while self._grid_title() == "Goal by the fault?":
            self.cell("yes" if self._by_fault else "no")
        if self._grid_title() == "Cue ball holed?":
            self.cell("yes" if self._cue_holed else "no")
        self._say_spot(line.get("on_spot") or self._on_spot)

    def _say_spot(self, spot: int | None) -> None:
        if self._grid_title() == "From which spot?":
            if spot is None:
                self.cell("from none")
            else:
                self.cell("spot {spot}", spot=str(spot))

    def _grid_title(self) -> str:
        grid = self.stage.core.view().grid
        return "" if grid is None else grid.title

    _on_spot: int | None = None
    _cue_holed = True
    _by_fault = False

    def _drop(self, line: Line) -> None:
        if "cue" in line:
            self._cue_holed = line["cue"]
        self._by_fault = self._by_fault or line.get("by_fault", False)
        if self.state["phase"] == "opening" and "opened" not in self.state:
            self.key("stroke")
        before = self._drops()
        if "at" in line:  # a colour corrected
            self.key(line["ball"])
            return
        self.ball(line["goal"])
        shown = self.stage.core.record.match
        if shown.rolling is not None:
            drops = self._drops()
            if len(drops) == len(before) or drops[-1].ball != line["ball"] or self.stage.core.view().question:
                self.key(line["ball"])
        elif self.stage.core._console.waits:  # noqa: SLF001 - a ball that falls with the balls at rest
            self.key("down") if self.stage.core.view().question else self._until_asked()
        if line.get("late"):
            self.key("fault")
            self.cell("fell by itself")

    def _drops(self) -> list[Any]:
        played = self.stage.core.record.match.rolling
        reports = () if played is None else played.reports
        return [report for report in reports if type(report).__name__ == "Drop"]

    def _until_asked(self) -> None:
        self.wait(self.clock + 2)
        self.key("down")

    def _out(self, line: Line) -> None:
        for _ in range(line.get("count", 1)):
            self.key("fault")
            self.cell("ball off the table")
            self.cell(line["ball"])
            if self._grid_title() == "Was it the cue ball?":
                self.cell("yes" if line.get("cue") else "no")

    def _wedged(self, line: Line) -> None:
        self.key("fault")
        self.cell("wedged ball")
        self.cell(line["ball"])
        self.cell("cap and cushion" if line["between"] == "cap_and_cushion" else f"{line['goal']} goal")

    def _fault(self, line: Line) -> None:
        self.key("fault")
        self.cell(TEXTS[line["fault"]])
        self.answers("with the stroke" if line.get("with_stroke", True) else "without a stroke")
        self.answers("played" if line.get("with_stroke", True) else "only aimed")
        self.answers("own ball" if line.get("ball", "own") == "own" else "opponent's ball")
        self.answers("{count}", count=str(line.get("count", 1)))
        if self._grid_title() == "Who?":
            self.cell(line.get("side") or self._whose())
        self._on_spot = line.get("on_spot") or self._on_spot
        self._say_spot(line.get("on_spot"))

    def _whose(self) -> str:
        """Whose turn it is after the stroke that rolls, by what was seen so far."""
        match = self.stage.core.record.match
        if match.rolling is None:
            return str(match.turn)
        by = match.rolling.before.turn
        holed = any(drop.ball == by for drop in self._drops())
        return str(by) if holed else ("white" if by == "red" else "red")

    def _choose(self, line: Line) -> None:
        if "ball" in line:
            self.cell("ball {n}", n=str(line["ball"]))
        elif not self.answers("spot {spot}", spot=str(line["spot"])):
            self.cell("{spot}, ball gone", spot=str(line["spot"]))

    def _blocked(self, line: Line) -> None:
        if self.state["asked"] is not None:
            self.cell("blocked")
        else:
            self.key("fault", 1.2)
            self.cell("spots")
            self.cell(line["side"])
        self.cell("{spot} blocked", spot=str(line["spot"]))

    def _cleared(self, line: Line) -> None:
        self.key("fault", 1.2)
        self.cell("spots")
        self.cell(line["side"])
        self.cell("{spot} is free", spot=str(line["spot"]))

    def _pause(self, _: Line) -> None:
        self.key("ok", 1.2)

    def _resume(self, _: Line) -> None:
        self.key("ok", 1.2)

    def _undo(self, _: Line) -> None:
        self.key("undo")

    def _concede(self, line: Line) -> None:
        self.key("fault", 1.2)
        self.cell("concede")
        who = "home" if line["side"] == self.state["home"] else "away"
        self.cell("{who} match" if line.get("match") else "{who} game", who=who)

    def _abandon(self, _: Line) -> None:
        self.key("fault", 1.2)
        self.cell("abandon")

    def _end(self, line: Line) -> None:
        self.wait(line["t"] + 0.05)
