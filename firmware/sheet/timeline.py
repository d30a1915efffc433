"""The picture of a match: a lane a game, a bar a turn, and marks for goals, faults, calls and expiries.

Lives here: the picture as plain shapes, in millimetres from the upper left corner. Never here: SVG or PDF; `svg.py`
and `pdf.py` draw the same shapes. It is made to be printed in black: red's bars are filled, white's are outlined.
"""

from collections.abc import Iterator
from typing import Final, Literal

from firmware.sheet.sheet import Sheet, Turn, Visit
from firmware.sheet.story import fault_clauses
from rules import Ns
from rules.words import SECOND, Value

WIDTH_MM: Final = 180.0
LEFT_MM: Final = 10.0
LANE_MM: Final = 14.0
BAR_MM: Final = 4.0
AXIS_MM: Final = 7.0
_STEPS_S: Final = (15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)
"""Spans between two marks of the axis that people read easily."""
_MARKS: Final = 12
"""At most so many marks on the axis."""

Ink = Literal["red", "white", "line", "faint", "alarm"]
Anchor = Literal["start", "middle", "end"]


class Bar(Value, frozen=True, kw_only=True):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    ink: Ink


class Dot(Value, frozen=True, kw_only=True):
    """A ball: a filled circle."""

    x: float
    y: float
    radius: float
    ink: Ink


class Stick(Value, frozen=True, kw_only=True):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    ink: Ink


class Label(Value, frozen=True, kw_only=True):
    """A short text on the base line `y`."""

    x: float
    y: float
    text: str
    size: float = 2.6
    anchor: Anchor = "start"
    ink: Ink = "line"
    bold: bool = False


Shape = Bar | Dot | Stick | Label


class Picture(Value, frozen=True, kw_only=True):
    """Shapes on a sheet of so many millimetres."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def picture(sheet: Sheet) -> Picture:
    """Return the picture of a match; every game begins at the left, all on one scale."""
    lanes = sorted({turn.game for turn in sheet.turns})
    starts = {game.number: game.began for game in sheet.games}
    longest = max((turn.ended - starts.get(turn.game, turn.began) for turn in sheet.turns), default=0)
    scale = _Scale(span=Ns(max(longest, 30 * SECOND)))
    shapes: list[Shape] = []
    for lane, game in enumerate(lanes):
        y = lane * LANE_MM + 3
        shapes += [Label(x=0, y=y + BAR_MM - 0.6, text=str(game), size=4, bold=True)]
        shapes += _lane(sheet, game, starts.get(game, Ns(0)), scale, y)
    height = len(lanes) * LANE_MM + AXIS_MM
    shapes += _axis(scale, height - AXIS_MM + 1)
    return Picture(width=WIDTH_MM, height=height, shapes=tuple(shapes))


class _Scale(Value, frozen=True, kw_only=True):
    span: Ns

    def x(self, t: int) -> float:
        """Return where instant `t` of a game stands."""
        return round(LEFT_MM + (WIDTH_MM - LEFT_MM - 6) * t / self.span, 2)


def _lane(sheet: Sheet, game: int, start: Ns, scale: _Scale, y: float) -> Iterator[Shape]:
    for turn in (turn for turn in sheet.turns if turn.game == game):
        yield _bar(turn, start, scale, y)
    for visit in (visit for visit in sheet.visits if visit.game == game):
        yield from _marks(visit, start, scale, y)


def _bar(turn: Turn, start: Ns, scale: _Scale, y: float) -> Bar:
    x = scale.x(turn.began - start)
    width = max(0.4, round(scale.x(turn.ended - start) - x, 2))
    return Bar(x=x, y=y, width=width, height=BAR_MM, ink="red" if turn.side == "red" else "white")


def _marks(visit: Visit, start: Ns, scale: _Scale, y: float) -> Iterator[Shape]:
    end = scale.x(visit.ended - start)
    if visit.struck is not None:
        x = scale.x(visit.struck - start)
        yield Stick(x1=x, y1=y, x2=x, y2=y + BAR_MM, ink="faint")
    below = y + BAR_MM + 1.6
    for goal in range(visit.goals):
        yield Dot(x=end, y=below + goal * 2.2, radius=0.9, ink="red" if visit.side == "red" else "white")
    row = below + visit.goals * 2.2 + 1
    if fault_clauses(visit):
        yield Label(x=end, y=row, text="F", anchor="middle", ink="alarm", bold=True)
    elif visit.call:
        yield Label(x=end, y=row, text="Z", anchor="middle", bold=True)
    if visit.expiry:
        yield Stick(x1=end, y1=y - 1, x2=end, y2=y + BAR_MM + 1, ink="alarm")
    if visit.won is not None:
        yield Dot(x=end + 2.2, y=y + BAR_MM / 2, radius=1.5, ink="red" if visit.won == "red" else "white")


def _axis(scale: _Scale, y: float) -> Iterator[Shape]:
    yield Stick(x1=LEFT_MM, y1=y, x2=scale.x(scale.span), y2=y, ink="line")
    step = next((s for s in _STEPS_S if s * SECOND * _MARKS >= scale.span), _STEPS_S[-1])
    for at in range(0, scale.span // SECOND + 1, step):
        x = scale.x(at * SECOND)
        yield Stick(x1=x, y1=y, x2=x, y2=y + 1, ink="line")
        yield Label(x=x, y=y + 3.8, text=f"{at // 60}:{at % 60:02}", anchor="middle")
