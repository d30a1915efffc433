"""A menu: nine cells at the places of the nine keys, under a title.

Lives here: its layout. Never here: what the cells do.

    title                    seconds
    red     |  up   |  white
    - - - - - - - - - - - - - - - -     a chosen cell is lit; one to be held
    fault   |  ok   |  undo             has a strip that fills
    - - - - - - - - - - - - - - - -
    stroke  |  down |  rest

Columns are equally wide where the texts allow it, else as wide as a row needs; the order of the keys always holds.
"""

from typing import TYPE_CHECKING, Final

from firmware.screens import frame, names
from firmware.screens.canvas import CAPS, Canvas, balanced, width_of
from firmware.screens.seconds import HOLD_STEPS, hold_steps
from firmware.view import Cell, Grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.script import Key
    from firmware.texts import Texts
    from firmware.view import View
    from rules import Ns

BLOCK: Final[tuple[tuple["Key", "Key", "Key"], ...]] = (
    ("red", "up", "white"),
    ("fault", "ok", "undo"),
    ("stroke", "down", "rest"),
)
FIRST: Final = 10
ROW: Final = 17
PITCH: Final = 8
"""From the first line of a cell to the second."""
GAP: Final = 3
"""Columns between two cells, the middle one for the dotted line."""
TRANSLATED: Final = frozenset({"who", "side", "ball", "goal"})
"""Values that are words of ours, not names or numbers."""


def menu(canvas: Canvas, view: "View", now: "Ns", texts: "Texts", grid: Grid) -> None:
    """Draw the menu; the seconds stay in sight while the clock runs."""
    right = frame.small_clock(canvas, view, now, texts, frame.marks(canvas, view))
    title(canvas, texts, grid, right - 3)
    shown = {cell.key: cell for cell in grid.cells}
    if "undo" not in shown:
        shown["undo"] = Cell(key="undo", text="")
    rows = [[_lines(texts, shown.get(key)) for key in keys] for keys in BLOCK]
    shared = _fitted([max((_wide(row[c]) for row in rows), default=0) for c in range(3)])
    for index, (keys, row) in enumerate(zip(BLOCK, rows, strict=True)):
        y = FIRST + index * (ROW + 1)
        widths = shared or _fitted([_wide(lines) for lines in row]) or [(frame.WIDTH - 2 * GAP) // 3] * 3
        x = 0
        for key, lines, width in zip(keys, row, widths, strict=True):
            cell = shown.get(key)
            _cell(canvas, x, y, width, _in_one(texts, cell, width) or lines)
            if cell is not None:
                _state(canvas, x, y, width, cell, hold_steps(view, now) if grid.holding == key else None)
            x += width + GAP
            if key != keys[-1]:
                _dots(canvas, x - 2, y, 1, ROW)
        if index:
            _dots(canvas, 0, y - 1, frame.WIDTH, 1)


def title(canvas: Canvas, texts: "Texts", grid: Grid, room: int) -> None:
    """Draw the title over a line, bold where there is room."""
    text = _text(texts, grid.title, grid.values)
    canvas.text(0, 1, text, bold=width_of(text, bold=True) <= room, width=room)
    canvas.line(0, FIRST - 1, frame.WIDTH - 1, FIRST - 1)


def _text(texts: "Texts", msgid: str, values: "Sequence[tuple[str, str]]") -> str:
    return texts(msgid, **{key: _value(texts, key, value) for key, value in values})


def _value(texts: "Texts", key: str, value: str) -> str:
    return texts(value) if key in TRANSLATED else names.called(texts, value)


def _lines(texts: "Texts", cell: Cell | None) -> list[str]:
    """Return the lines of a cell at its narrowest; an empty text on `undo` is the way back."""
    if cell is None:
        return []
    if not cell.text:
        return ["←"]
    if dict(cell.values).keys() == {"name"}:  # a name is shortened by the rule of names
        return names.in_lines(_value(texts, "name", cell.values[0][1]), (frame.WIDTH - 2 * GAP) // 3, 2)
    return balanced(_text(texts, cell.text, cell.values))


def _in_one(texts: "Texts", cell: Cell | None, width: int) -> list[str]:
    """Return the cell's text in one line, if that fits."""
    if cell is None or not cell.text:
        return []
    text = _text(texts, cell.text, cell.values)
    return [text] if width_of(text) <= width - 2 else []


def _wide(lines: "Sequence[str]") -> int:
    return max((width_of(line) for line in lines), default=0)


def _fitted(needs: "Sequence[int]") -> list[int] | None:
    """Return the widths of three columns: equal ones, else what they need and an even share of the rest, else None."""
    room = frame.WIDTH - 2 * GAP
    equal = [room // 3, room - 2 * (room // 3), room // 3]
    if all(need <= width for need, width in zip(needs, equal, strict=True)):
        return equal
    spare = room - sum(needs)
    if spare < 0:
        return None
    return [needs[0] + spare // 3, needs[1] + spare - 2 * (spare // 3), needs[2] + spare // 3]


def _cell(canvas: Canvas, x: int, y: int, width: int, lines: "Sequence[str]") -> None:
    """Draw a cell's one or two lines in its middle."""
    top = y + (ROW - CAPS - PITCH * (len(lines) - 1)) // 2
    for index, line in enumerate(lines):
        left = x + max(0, (width - width_of(line)) // 2)
        canvas.text(left, top + index * PITCH, line, width=x + width - left)


def _state(canvas: Canvas, x: int, y: int, width: int, cell: Cell, filled: int | None) -> None:
    if cell.chosen:
        canvas.invert(x, y, width, ROW)
    elif filled is not None:
        canvas.invert(x, y, width * filled // HOLD_STEPS, ROW)
    elif cell.hold:
        canvas.frame(x, y, width, ROW)


def _dots(canvas: Canvas, x: int, y: int, width: int, height: int) -> None:
    for step in range(0, max(width, height), 2):
        canvas.fill(x + (step if width > 1 else 0), y + (step if height > 1 else 0), 1, 1)
