"""The card as a PDF page, A5: the key block, the order of a turn, the ten faults at their places.

`python -m firmware.card.card FOLDER` writes one a language. The faults and the keys' caps come from the screens' own
texts, so the card says what the screen says.
"""

import io
import sys
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from firmware.console.faults import FIRST, TEXTS
from firmware.screens.wording import KEYS, KeyCap
from firmware.texts import LANGUAGES, SOFT_HYPHEN, Language, Texts

ROWS: Final[tuple[tuple[KeyCap, ...], ...]] = (
    ("red", "up", "white"),
    ("fault", "ok", "undo"),
    ("stroke", "down", "rest"),
)
"""The key block, as it hangs beside the table."""
BALLS: Final = ("ball off the table", "wedged ball", "fell by itself")
PAGES: Final = (tuple(TEXTS[name] for name in FIRST[:7]), (*(TEXTS[name] for name in FIRST[7:]), *BALLS))
"""The ten faults and the three other reports, as the menu leafs through them: seven, then the rest behind `rest`."""
PLACES: Final = ("red", "up", "white", "fault", "ok", "stroke", "down")
MARGIN: Final = 9 * mm
GAP: Final = 2 * mm
CELL: Final = 17 * mm
FAULT: Final = 13 * mm
_INK = HexColor("#1d1d1b")
_FAINT = HexColor("#8a8a86")
_PAPER = HexColor("#ffffff")
_FILLS: Final = {
    "red": HexColor("#c9483d"),
    "white": HexColor("#ffffff"),
    "fault": HexColor("#e3b04b"),
    "stroke": HexColor("#a9c9bb"),
    "rest": HexColor("#a9c9bb"),
}
_KEY = HexColor("#dcdad3")


def card(language: Language) -> bytes:
    """Return the card in a language, as PDF."""
    for name in ("Vera", "VeraBd"):
        pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
    words = tomllib.loads((files("firmware") / "card" / f"{language}.toml").read_text(encoding="utf-8"))
    texts = Texts(language)
    file = io.BytesIO()
    page = Canvas(file, pagesize=A5, invariant=1)
    page.setTitle(words["title"])
    y = A5[1] - MARGIN
    y = _line(page, words["title"], y, size=17, bold=True)
    y = _grid(page, words, texts, y)
    y = _text(page, words["hand"], y)
    y = _line(page, words["turn"], y - GAP, size=12, bold=True)
    for number, line in enumerate(words["order"], 1):
        y = _text(page, f"{number}. {line}", y)
    y = _line(page, words["faults"], y - GAP, size=12, bold=True)
    y = _faults(page, words, texts, y)
    y = _text(page, words["menu"], y)
    y = _text(page, words["holds"], y)
    if y < MARGIN / 2:
        raise ValueError(f"the {language} card does not fit its page: {MARGIN / 2 - y:.0f} points too much")
    page.showPage()
    page.save()
    return file.getvalue()


def _line(page: Any, text: str, y: float, *, size: float, bold: bool = False) -> float:  # noqa: ANN401 - reportlab has no types
    page.setFillColor(_INK)
    page.setFont("VeraBd" if bold else "Vera", size)
    page.drawString(MARGIN, y - size, text)
    return y - size * 1.35


def _text(page: Any, text: str, y: float) -> float:  # noqa: ANN401 - reportlab has no types
    style = ParagraphStyle("text", fontName="Vera", fontSize=9, leading=11.6, textColor=_INK)
    paragraph = Paragraph(text, style)
    _, height = paragraph.wrap(A5[0] - 2 * MARGIN, A5[1])
    paragraph.drawOn(page, MARGIN, y - height)
    return float(y - height - 2)


def _grid(page: Any, words: dict[str, Any], texts: Texts, y: float) -> float:  # noqa: ANN401 - reportlab has no types
    """Draw the key block with what each key does."""
    width = (A5[0] - 2 * MARGIN - 2 * GAP) / 3
    for row in ROWS:
        for column, key in enumerate(row):
            x = MARGIN + column * (width + GAP)
            page.setFillColor(_FILLS.get(key, _KEY))
            page.setStrokeColor(_INK)
            page.roundRect(x, y - CELL, width, CELL, 2 * mm, fill=1, stroke=1)
            page.setFillColor(_PAPER if key == "red" else _INK)
            page.setFont("VeraBd", 12)
            cap = y - CELL / 2 + (1 if words["keys"][key] else -4)
            if key in ("up", "down"):
                _triangle(page, x + width / 2, cap + 4, 5, up=key == "up")
            else:
                page.drawCentredString(x + width / 2, cap, texts(KEYS[key]))
            page.setFont("Vera", 7.4)
            page.drawCentredString(x + width / 2, y - CELL + 10, words["keys"][key])
        y -= CELL + GAP
    return y


def _triangle(page: Any, x: float, y: float, size: float, *, up: bool) -> None:  # noqa: ANN401 - reportlab has no types
    """Draw what stands on the keys up and down; the font has no such letter."""
    tip = size if up else -size
    path = page.beginPath()
    path.moveTo(x - size, y - tip / 2)
    path.lineTo(x + size, y - tip / 2)
    path.lineTo(x, y + tip / 2)
    path.close()
    page.drawPath(path, fill=1, stroke=0)


def _faults(page: Any, words: dict[str, Any], texts: Texts, y: float) -> float:  # noqa: ANN401 - reportlab has no types
    """Draw the two pages of the fault menu side by side, each fault at its key's place."""
    block = (A5[0] - 2 * MARGIN - 3 * GAP) / 2
    width = block / 3
    for side, shown in enumerate(PAGES):
        cells = {place: texts(text) for place, text in zip(PLACES, shown, strict=False)}
        cells["rest"] = words["more"] if side == 0 else "\u2026"
        left = MARGIN + side * (block + 3 * GAP)
        for r, row in enumerate(ROWS):
            for c, key in enumerate(row):
                text = texts(KEYS["undo"]) if key == "undo" else cells.get(key, "")
                _cell(page, text, left + c * width, y - r * FAULT, width)
    return float(y - len(ROWS) * FAULT - GAP)


def _cell(page: Any, text: str, x: float, y: float, width: float) -> None:  # noqa: ANN401 - reportlab has no types
    page.setStrokeColor(_FAINT)
    page.rect(x, y - FAULT, width, FAULT, fill=0, stroke=1)
    style = ParagraphStyle("cell", fontName="Vera", fontSize=7, leading=8, alignment=1, textColor=_INK)
    paragraph = Paragraph(text.replace(SOFT_HYPHEN, ""), style)
    _, height = paragraph.wrap(width - 2, FAULT)
    paragraph.drawOn(page, x + 1, y - FAULT / 2 - height / 2)


def main(arguments: Sequence[str]) -> int:
    """Write the cards into a folder; return the exit status."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m firmware.card.card FOLDER\n")
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        file = folder / f"card-{language}.pdf"
        file.write_bytes(card(language))
        sys.stdout.write(f"{file}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
