"""The players' LED board: seconds in the middle, the two sides at the ends, the side whose turn it is lit.

Lives here: its layout for boards of 8 and 16 rows and any width. Never here: a device, words (a board has letters).

    64 x 8    [R4] < 37 K  W3          64 x 16   |R 4   3 7   W 3|
              lit block: whose turn              |K             K|  kader play

Running seconds stand in strokes of two lights; paused and stopped ones are thin. From the call on the seconds are lit
and dark by turns, half a second each. Between games the games stand in the middle, home first.
"""

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from firmware.screens.canvas import Canvas, digits_width, width_of
from firmware.screens.glyphs import Sheet, digits, letters
from firmware.screens.seconds import Shown, shown
from rules import BySide, Side, colour_of, moment

if TYPE_CHECKING:
    from PIL.Image import Image

    from firmware.view import View
    from rules import Ns

LETTERS: Final[BySide[str]] = BySide(red="R", white="W")
TALL: Final = 15
SMALL: Final = 7
LETTER: Final = 5
"""The width of a letter."""
ALONE: Final = 7
"""The width of a side's place that holds its count alone."""
NARROW: Final = 32
"""The narrowest board that shows more than seconds."""
LAMP_ROOM: Final = 30
"""The room for seconds and the kader lamp on a board of 8 rows."""
WIDE: Final = 32
"""The room beside the seconds from which the games are shown too."""


class Block(NamedTuple):
    """One side's place on the board."""

    x: int
    width: int
    side: Side


def draw(view: "View", now: "Ns", width: int, height: int, letters: BySide[str] = LETTERS) -> "Image":
    """Return the board's picture at `now`, mode "1"; `letters` stand for the two colours."""
    return paint(view, now, width, height, letters).image


def paint(view: "View", now: "Ns", width: int, height: int, letters: BySide[str] = LETTERS) -> Canvas:
    """Return the canvas with that picture, which knows what did not fit."""
    canvas = Canvas(width, height)
    second = shown(view, now)
    left, right = 0, width
    if not view.match.clock_only:
        for block in _blocks(width, height):
            _side(canvas, view, block, letters)
            left, right = (block.width, right) if block.x == 0 else (left, block.x)
    if second.style == "off":
        games = f"{view.match.games.home}:{view.match.games.away}"
        _number(canvas, games, left, right, thin=False)
    else:
        _clock(canvas, view, second, left, right)
    return canvas


def _blocks(width: int, height: int) -> tuple[Block, ...]:
    """Return the places of the two sides: letter and count, on a narrow board the count alone, or none."""
    full = 2 + LETTER + 1 + (8 if height > TALL else LETTER)
    room = 2 * full + digits_width("00", digits(SMALL)) + 4
    block = full if width >= room else ALONE if width >= NARROW else 0
    return (Block(0, block, "red"), Block(width - block, block, "white")) if block else ()


def _side(canvas: Canvas, view: "View", block: Block, letters: BySide[str]) -> None:
    x, tall = block.x + 1, canvas.height > TALL
    between = moment(view.match) in ("opening", "opening_rolls", "nearest", "over")
    count = "" if between else str(view.counts.of(block.side))
    if block.width > ALONE:
        canvas.digits(x, 0, letters.of(block.side), digits(SMALL))
        if tall and view.match.phase == "kader":
            canvas.digits(x, SMALL + 1, "K", digits(SMALL))
        x += LETTER + 1
    if tall and block.width > ALONE:
        canvas.digits(x, 0, count, digits(TALL, narrow=True))
    else:
        canvas.digits(x, 4 if tall else 0, count, _thin())
    if _lit(view) == block.side:
        canvas.invert(block.x, 0, block.width, canvas.height)


@cache
def _thin() -> Sheet:
    """Return digits of 7 rows in strokes of one light: those of the letter sheet, moved to the top."""
    glyphs = {
        char: glyph._replace(lit=tuple((x, y - 2) for x, y in glyph.lit))
        for char, glyph in letters().glyphs.items()
        if char.isdecimal()
    }
    return Sheet("thin", SMALL, glyphs)


def _lit(view: "View") -> Side | None:
    """Return whose turn it is, or who has won the match."""
    match = view.match
    if match.match in ("home", "away"):
        return colour_of(match, "home" if match.match == "home" else "away")
    return match.turn


def _number(canvas: Canvas, text: str, left: int, right: int, *, thin: bool) -> tuple[int, int]:
    """Draw a number in the middle between two columns, as large as fits; return where it begins and ends."""
    sheets = _sheets(canvas.height, thin=thin)
    sheet = next((sheet for sheet in sheets if digits_width(text, sheet) + 2 <= right - left), sheets[-1])
    wide = digits_width(text, sheet)
    x = left + (right - left - wide) // 2
    canvas.digits(x, 0 if sheet.height == canvas.height - 1 else 4, text, sheet)
    return x, x + wide


def _sheets(height: int, *, thin: bool) -> list[Sheet]:
    tall = [digits(TALL, narrow=True)] if thin else [digits(TALL), digits(TALL, narrow=True)]
    small = [_thin()] if thin else [digits(SMALL), _thin()]
    return [*(tall if height > TALL else []), *small]


def _clock(canvas: Canvas, view: "View", second: Shown, left: int, right: int) -> None:
    stands = second.style in ("paused", "stopped")
    lamp = view.match.phase == "kader" and canvas.height <= TALL and right - left >= LAMP_ROOM
    begin, end = _number(canvas, str(second.seconds), left, right - (LETTER + 2) * lamp, thin=stands)
    if lamp:
        canvas.digits(end + 3, 0, "K", digits(SMALL))
    if second.style == "grace" and second.first_half:
        canvas.invert(max(left, begin - 2), 0, min(right, end + 2) - max(left, begin - 2), canvas.height)
    if second.style == "paused" and begin - 7 > left:
        begin -= 7
        high = canvas.height - 1
        canvas.fill(begin, 0, 2 if high > SMALL else 1, high)
        canvas.fill(begin + (3 if high > SMALL else 2), 0, 2 if high > SMALL else 1, high)
    _beside(canvas, view, (left, begin - 2), (end + 2 + (LETTER + 2) * lamp, right))


def _beside(canvas: Canvas, view: "View", before: tuple[int, int], behind: tuple[int, int]) -> None:
    """Draw what finds room beside the seconds: an arrow to the side whose turn it is, the kader lamp, the games."""
    tall, turn = canvas.height > TALL, view.match.turn
    y = 4 if tall else 0
    free, free_behind = before[1] - before[0], behind[1] - behind[0]
    arrow = 4
    if turn is not None and min(free, free_behind) >= arrow + 2:
        _arrow(canvas, before[0] + 1 if turn == "red" else behind[1] - 1 - arrow, y, turn)
    if free >= WIDE and not view.match.clock_only:
        games = f"{view.match.games.home}:{view.match.games.away}"
        canvas.text(before[0] + (free + arrow - width_of(games)) // 2, y, games)
        if view.match.phase == "kader" and tall and free_behind >= width_of("KADER") + arrow + 3:
            canvas.text(behind[0] + 1, y, "KADER")


def _arrow(canvas: Canvas, x: int, y: int, turn: Side) -> None:
    for column in range(4):
        high = 2 * (column if turn == "red" else 3 - column) + 1
        canvas.fill(x + column, y + (SMALL - high) // 2, 1, high)
