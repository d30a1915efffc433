"""Letters and digits as readable text sheets, and letters with marks put together from both.

Lives here: reading a sheet (its format stands in `glyphs/letters.txt`), and finding the glyph of a character. Never
here: laying out a line.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from unicodedata import combining, normalize

Pixels = tuple[tuple[int, int], ...]
"""Lit pixels as (column, row), from the glyph's own left edge and the top of the line."""


class GlyphError(ValueError):
    """A sheet that cannot be read; names file, line and what would be right."""


class Glyph(NamedTuple):
    """One character: its width in pixels, and which of them are lit."""

    width: int
    lit: Pixels


@dataclass(frozen=True, eq=False, slots=True)
class Sheet:
    """Glyphs of one line height, by character. Each sheet is read once, so one is itself and no other."""

    name: str
    height: int
    glyphs: dict[str, Glyph]

    def of(self, char: str) -> Glyph | None:
        """Return the glyph of `char`, put together from letter and marks where it has none; None if it is lacking."""
        return self.glyphs.get(char) or _composed(self, char)


@cache
def letters() -> Sheet:
    """Return the small letters of the referee's screen: 11 rows, capitals 7 high."""
    return _sheet("letters.txt")


@cache
def digits(height: int, *, narrow: bool = False) -> Sheet:
    """Return the digits of that height in pixels: 32, 20, 15 or 7; those of 15 also `narrow`."""
    return _sheet(f"digits_{height}{'_narrow' if narrow else ''}.txt")


def _sheet(name: str) -> Sheet:
    return parse(name, (files("firmware") / "screens" / "glyphs" / name).read_text(encoding="utf-8"))


def parse(name: str, text: str) -> Sheet:
    """Read a sheet. Raises `GlyphError` at the first line that is wrong."""
    height, top = 0, 0
    glyphs: dict[str, Glyph] = {}
    for number, block in _blocks(text):
        words = block[0].split()
        if words[0] in ("height", "rows"):
            if len(block) != 1 or len(words) != 2 or not words[1].isdigit():  # noqa: PLR2004 - a word and its number
                raise GlyphError(
                    f"{name}:{number}: '{words[0]}' stands alone with a number, as in '{words[0]} 2'"
                )
            height, top = (int(words[1]), top) if words[0] == "height" else (height, int(words[1]))
            continue
        if top + len(block) - 1 > height:
            raise GlyphError(
                f"{name}:{number}: rows {top} to {top + len(block) - 2} in a line of height {height}"
            )
        for char, glyph in _glyphs(name, number, top, block):
            if char in glyphs:
                raise GlyphError(f"{name}:{number}: {char!r} is drawn twice")
            glyphs[char] = glyph
    return Sheet(name, height, glyphs)


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the blocks between empty lines with the number of their first line; `--` starts a remark."""
    block: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.strip() and not line.startswith("--"):
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []


def _glyphs(name: str, number: int, top: int, block: list[str]) -> Iterator[tuple[str, Glyph]]:
    chars = [_char(name, number, word) for word in block[0].split()]
    rows = [line.split() for line in block[1:]]
    for below, cells in enumerate(rows, start=1):
        if len(cells) != len(chars):
            raise GlyphError(f"{name}:{number + below}: {len(cells)} cells below {len(chars)} names")
        for char, cell, first in zip(chars, cells, rows[0], strict=True):
            if set(cell) - {"#", "."}:
                raise GlyphError(
                    f"{name}:{number + below}: {cell!r} of {char!r}: a cell holds # (lit) and . (dark)"
                )
            if len(cell) != len(first):
                raise GlyphError(
                    f"{name}:{number + below}: {char!r} is {len(cell)} wide here and {len(first)} above"
                )
    for column, char in enumerate(chars):
        drawn = [row[column] for row in rows]
        lit = tuple(
            (x, top + y) for y, cell in enumerate(drawn) for x, pixel in enumerate(cell) if pixel == "#"
        )
        yield char, Glyph(len(drawn[0]) if drawn else 0, lit)


def _char(name: str, number: int, word: str) -> str:
    if word == "space":
        return " "
    if word.startswith("U+"):
        return chr(int(word.removeprefix("U+"), base=16))
    if len(word) == 1:
        return word
    raise GlyphError(f"{name}:{number}: {word!r} is no name of a glyph: one character, 'space', or U+00E9")


_CAP_TOP = 2
_SMALL_TOP = 4
_TAIL_TOP = 9
_CARON = "\u030c"
_DOTLESS_I = "\u0131"


def _composed(sheet: Sheet, char: str) -> Glyph | None:
    """Put a letter with marks together; i and j lose their dot under a mark."""
    parts = normalize("NFD", char)
    base, marks = parts[0], parts[1:]
    letter = sheet.glyphs.get(_DOTLESS_I if base == "i" else base)
    drawn = [sheet.glyphs.get(mark) for mark in marks]
    if letter is None or not marks or not all(combining(mark) for mark in marks):
        return None
    for mark, glyph in zip(marks, drawn, strict=True):
        if glyph is None:
            return None
        letter = _marked(letter, glyph, beside=mark == _CARON and base in "dtlL")
    return letter


def _marked(letter: Glyph, mark: Glyph, *, beside: bool) -> Glyph:
    if beside:  # Czech and Slovak write ď and ť with a stroke after the letter
        after = tuple((letter.width + x, y + _CAP_TOP) for x, y in ((0, 0), (0, 1)))
        return Glyph(letter.width + 1, letter.lit + after)
    high = max(y for _, y in mark.lit) - min(y for _, y in mark.lit) + 1
    lit, down = letter.lit, 0
    if min(y for _, y in mark.lit) < _CAP_TOP:
        if min(y for _, y in lit) >= _SMALL_TOP:
            down = 3 - high  # a dark row stays between the mark and a small letter
        else:
            # A tall letter gives up its third row, so that a dark row stays between it and the mark too.
            lit = tuple((x, y + 1 if y < _SMALL_TOP else y) for x, y in lit if y != _SMALL_TOP)
            down = 2 - high
    width = max(letter.width, mark.width)
    left, right = (width - letter.width) // 2, (width - mark.width + 1) // 2
    moved = tuple((x + left, y) for x, y in lit)
    return Glyph(width, moved + tuple((x + right, y + down) for x, y in mark.lit))
