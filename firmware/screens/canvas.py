"""A one-bit picture being drawn: letters, digits, balls, keys and boxes at their places.

Lives here: putting glyphs on pixels, and noting what did not fit. Never here: what is shown. A text that is too wide
for its place is cut there and noted in `clipped`; a character without a glyph is drawn as a dot and noted in `lacking`.
The tests draw every screen in every language and want both empty.
"""

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from PIL import Image, ImageDraw

from firmware.screens.glyphs import Sheet, letters
from firmware.texts import SOFT_HYPHEN

if TYPE_CHECKING:
    from rules import Side

CAP_TOP: Final = 2
"""The row of the letter sheet on which capitals begin: `y` of a text is that row."""
CAPS: Final = 7
"""The height of a capital."""
GAP: Final = 1
"""Dark columns between two glyphs."""
DIGIT_GAP: Final = 2
"""Dark columns between two digits."""
RED_BALL: Final = "○"
WHITE_BALL: Final = "●"
DOT: Final = "·"


def ball(side: "Side") -> str:
    """Return the character for a ball of that colour: the white one is lit, the red one is a ring."""
    return RED_BALL if side == "red" else WHITE_BALL


def width_of(text: str, *, bold: bool = False, scale: int = 1) -> int:
    """Return how many columns a text takes."""
    chars = text.replace(SOFT_HYPHEN, "")
    columns = sum(_stamp(letters(), char).width + GAP + bold for char in chars) - GAP if chars else 0
    return columns * scale


def digits_width(text: str, sheet: Sheet) -> int:
    """Return how many columns digits of that sheet take."""
    return sum(_stamp(sheet, char).width + DIGIT_GAP for char in text) - DIGIT_GAP if text else 0


def wrapped(text: str, width: int, *, bold: bool = False) -> list[str]:
    """Return the text in lines of that width, broken at spaces; a word wider than a line stays whole."""
    lines: list[str] = []
    for word in text.replace(SOFT_HYPHEN, "").split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def balanced(text: str) -> list[str]:
    """Return the text in one or two lines, broken where the wider one is narrowest, at a space or a soft hyphen."""
    splits = [i for i, char in enumerate(text) if char in (" ", SOFT_HYPHEN, "-")]
    best = [text]
    for i in splits:
        first = text[:i] + ("-" if text[i] != " " else "")
        lines = [first.replace(SOFT_HYPHEN, ""), text[i + 1 :].replace(SOFT_HYPHEN, "")]
        if all(lines) and max(map(width_of, lines)) < max(map(width_of, best)):
            best = lines
    return [line.replace(SOFT_HYPHEN, "") for line in best]


class Stamp(NamedTuple):
    """A glyph ready to be put on a picture: its width, its lit pixels as an image, and the box they fill."""

    width: int
    image: Image.Image
    box: tuple[int, int, int, int] | None
    lacking: bool


@cache
def _stamp(sheet: Sheet, char: str, *, bold: bool = False, scale: int = 1) -> Stamp:
    """Return a glyph as an image, once for each way it is drawn; a dot for one that is lacking."""
    found = sheet.of(char)
    glyph = found or letters().glyphs[DOT]
    image = Image.new("1", (glyph.width + bold, sheet.height))
    points = [(x + right, y) for x, y in glyph.lit for right in range(1 + bold)]
    ImageDraw.Draw(image).point(points, fill=1)
    image = image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)
    return Stamp(glyph.width, image, image.getbbox(), found is None)


class Canvas:
    """A picture of `width` by `height` pixels, dark at first."""

    def __init__(self, width: int, height: int) -> None:
        """Start dark."""
        self.image = Image.new("1", (width, height))
        self.width, self.height = width, height
        self.clipped: set[str] = set()
        self.lacking: set[str] = set()
        self._draw = ImageDraw.Draw(self.image)

    def text(
        self,
        x: int,
        y: int,
        text: str,
        *,
        width: int | None = None,
        bold: bool = False,
        scale: int = 1,
        ink: int = 1,
    ) -> int:
        """Draw a text with its capitals' top left at (x, y) and return the column behind it; `width` is its place."""
        text = text.replace(SOFT_HYPHEN, "")
        room = self.width - x if width is None else width
        taken = width_of(text, bold=bold, scale=scale)
        if taken > room or x < 0:
            self.clipped.add(text)
        at = x
        for char in text:
            stamp = _stamp(letters(), char, bold=bold, scale=scale)
            if stamp.lacking:
                self.lacking.add(char)
            self._put(at, y - CAP_TOP * scale, stamp, x + room, text, ink=ink)
            at += (stamp.width + GAP + bold) * scale
        return x + min(taken, room)

    def digits(self, x: int, y: int, text: str, sheet: Sheet) -> int:
        """Draw digits of that sheet with their top left at (x, y) and return the column behind them."""
        at = x
        for char in text:
            stamp = _stamp(sheet, char)
            self._put(at, y, stamp, self.width, text)
            at += stamp.width + DIGIT_GAP
        return at - DIGIT_GAP if text else x

    def fill(self, x: int, y: int, width: int, height: int, *, ink: int = 1) -> None:
        """Fill a box."""
        if width > 0 and height > 0:
            self._draw.rectangle((x, y, x + width - 1, y + height - 1), fill=ink)

    def frame(self, x: int, y: int, width: int, height: int, *, ink: int = 1) -> None:
        """Draw the outline of a box."""
        self._draw.rectangle((x, y, x + width - 1, y + height - 1), outline=ink)

    def line(self, x: int, y: int, to_x: int, to_y: int, *, ink: int = 1) -> None:
        """Draw a line, both ends included."""
        self._draw.line((x, y, to_x, to_y), fill=ink)

    def invert(self, x: int = 0, y: int = 0, width: int | None = None, height: int | None = None) -> None:
        """Swap lit and dark in a box, or everywhere."""
        wide, high = self.width if width is None else width, self.height if height is None else height
        box = (x, y, x + wide, y + high)
        self.image.paste(self.image.crop(box).point(lambda pixel: not pixel), box)

    def bar(self, x: int, y: int, width: int, text: str, *, of: "Side | None" = None) -> None:
        """Draw a text dark on a lit bar of 11 rows, bold where there is room; the ball of a side stands before it.

        The ball stays outside: lit and dark swapped, the white one would look black.
        """
        if of is not None:
            self.text(x, y + 2, ball(of))
            x, width = x + 9, width - 9
        self.fill(x, y, width, CAPS + 4)
        self.text(x + 2, y + 2, text, width=width - 3, bold=width_of(text, bold=True) <= width - 3, ink=0)

    def key(self, x: int, y: int, label: str) -> int:
        """Draw a key's cap of 9 rows with its label and return the column behind it."""
        width = width_of(label) + 4
        self.fill(x + 1, y, width - 2, CAPS + 2)
        self.fill(x, y + 1, width, CAPS)
        return self.text(x + 2, y + 1, label, ink=0) + 2

    def _put(self, x: int, y: int, stamp: Stamp, end: int, text: str, *, ink: int = 1) -> None:
        """Put a stamp's lit pixels on the picture, none of them at or behind the column `end`."""
        if stamp.box is None:
            return
        left, top, right, bottom = stamp.box
        if x + left < 0 or y + top < 0 or x + right > self.width or y + bottom > self.height:
            self.clipped.add(text)
        shown = (
            stamp.image if x + right <= end else stamp.image.crop((0, 0, max(0, end - x), stamp.image.height))
        )
        if shown.width:
            self._draw.bitmap((x, y), shown, fill=ink)
