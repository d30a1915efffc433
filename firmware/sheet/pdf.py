"""A sheet as PDF, A4, to sign: the blocks of a page laid out by reportlab.

Lives here: fonts, widths, and the same picture as in HTML. The same sheet gives the same bytes: reportlab's `invariant`
leaves out when it was made. reportlab brings the Vera fonts (Latin with the accents of Europe); a letter they lack is
printed without its accent.
"""

import io
import unicodedata
from functools import cache
from html import escape
from typing import Any, Final

from reportlab.graphics.shapes import Circle, Drawing, Line, Rect, String
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (
    CondPageBreak,
    KeepTogether,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

from firmware.sheet import page as paper
from firmware.sheet.timeline import Bar, Dot, Ink, Label, Picture, Shape, Stick

MARGIN: Final = 14 * mm
_PADDING: Final = 6
"""Points that reportlab leaves at each side of a page's frame."""
WIDTH: Final = A4[0] - 2 * MARGIN
_BLACK: Final = HexColor("#222222")
_GREY: Final = HexColor("#666666")
_FILL: Final[dict[Ink, Any]] = {
    "red": HexColor("#b3261e"),
    "white": HexColor("#ffffff"),
    "line": _BLACK,
    "faint": _BLACK,
    "alarm": HexColor("#b3261e"),
}
_FONT: Final = "Vera"
_BOLD: Final = "VeraBd"


def pdf(page: paper.Page) -> bytes:
    """Return the page as a document."""
    _load_fonts()
    file = io.BytesIO()
    title = _printable(f"{page.title}: {page.home} - {page.away}")
    document = SimpleDocTemplate(
        file,
        pagesize=A4,
        leftMargin=MARGIN - _PADDING,
        rightMargin=MARGIN - _PADDING,
        topMargin=MARGIN,
        bottomMargin=MARGIN,
        title=title,
        author="Kaderuhr",
        lang=page.language,
        invariant=1,
    )
    foot = _printable(f"{page.title} - {page.foot}")

    def draw_foot(canvas: Any, built: Any) -> None:  # noqa: ANN401 - reportlab has no types
        canvas.setFont(_FONT, 7)
        canvas.setFillColor(_GREY)
        canvas.drawString(MARGIN, 8 * mm, foot)
        canvas.drawRightString(A4[0] - MARGIN, 8 * mm, str(built.page))

    story = [*_head(page), *(flowable for block in page.blocks for flowable in _block(block))]
    document.build(story, onFirstPage=draw_foot, onLaterPages=draw_foot)
    return file.getvalue()


@cache
def _load_fonts() -> None:
    for name in (_FONT, _BOLD):
        pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
    pdfmetrics.registerFontFamily(_FONT, normal=_FONT, bold=_BOLD, italic=_FONT, boldItalic=_BOLD)


@cache
def _letters() -> frozenset[int]:
    return frozenset(pdfmetrics.getFont(_FONT).face.charToGlyph)


def _printable(text: str) -> str:
    """Return `text` with each letter the font lacks by its base letter, or a question mark."""
    _load_fonts()
    printed = []
    for letter in text:
        if ord(letter) in _letters():
            printed.append(letter)
            continue
        bare = [c for c in unicodedata.normalize("NFKD", letter) if ord(c) in _letters()]
        printed.append("".join(bare) or "?")
    return "".join(printed)


def _paragraph(
    text: str,
    *,
    size: float = 9,
    font: str = _FONT,
    align: int = 0,
    colour: Any = _BLACK,  # noqa: ANN401 - reportlab has no types
) -> Paragraph:
    style = ParagraphStyle(
        "text",
        fontName=font,
        fontSize=size,
        leading=size * 1.3,
        alignment=align,
        textColor=colour,
        splitLongWords=1,
    )
    return Paragraph(escape(_printable(text), quote=False), style)


def _head(page: paper.Page) -> list[Any]:
    result = Table(
        [
            [
                _paragraph(page.home, size=15, align=2),
                _paragraph(page.score, size=20, font=_BOLD, align=1),
                _paragraph(page.away, size=15),
            ]
        ],
        colWidths=[WIDTH * 0.41, WIDTH * 0.18, WIDTH * 0.41],
        style=TableStyle([("VALIGN", (0, 0), (-1, -1), "MIDDLE")]),
    )
    shares = [1.1, 1.2, 1.4, 0.9, 0.8]
    facts = Table(
        [
            [_paragraph(name, size=7, colour=_GREY) for name, _ in page.facts],
            [_paragraph(value) for _, value in page.facts],
        ],
        colWidths=[WIDTH * share / sum(shares) for share in shares],
        style=TableStyle(
            [
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 1),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
            ]
        ),
    )
    notes = [_paragraph(f"! {note}") for note in page.notes]
    return [
        _paragraph(page.title, size=10),
        Spacer(1, 3 * mm),
        result,
        Spacer(1, 1 * mm),
        _paragraph(page.outcome, size=10, align=1),
        Spacer(1, 3 * mm),
        facts,
        *([Spacer(1, 2 * mm), *notes] if notes else []),
    ]


def _block(block: paper.Block) -> list[Any]:
    match block:
        case paper.Table():
            return _table(block) if block.rows else []
        case paper.Drawing():
            drawn = _drawing(block.picture)
            return [
                KeepTogether(
                    [
                        *_title(block.title),
                        drawn,
                        Spacer(1, 1 * mm),
                        _paragraph(block.key, size=7, colour=_GREY),
                    ]
                )
            ]
        case paper.Signatures():
            return [_signatures(block.names)]


def _title(text: str) -> list[Any]:
    return [Spacer(1, 5 * mm), _paragraph(text, size=10, font=_BOLD), Spacer(1, 1 * mm)]


def _table(table: paper.Table) -> list[Any]:
    shares = [column.share for column in table.columns]
    aligns = [2 if column.align == "right" else 0 for column in table.columns]
    head = [
        _paragraph(column.head, size=7, align=align, colour=_GREY)
        for column, align in zip(table.columns, aligns, strict=True)
    ]
    body = [
        [_paragraph(cell, size=8, align=align) for cell, align in zip(row, aligns, strict=True)]
        for row in table.rows
    ]
    laid = Table(
        [head, *body],
        colWidths=[WIDTH * share / sum(shares) for share in shares],
        repeatRows=1,
        style=TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
                ("LEFTPADDING", (0, 0), (-1, -1), 3),
                ("RIGHTPADDING", (0, 0), (-1, -1), 3),
                ("TOPPADDING", (0, 0), (-1, -1), 1),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
                ("LINEBELOW", (0, 0), (-1, 0), 0.7, _BLACK),
                ("LINEBELOW", (0, 1), (-1, -2), 0.2, _GREY),
            ]
        ),
    )
    return [CondPageBreak(30 * mm), *_title(table.title), laid]


def _signatures(names: tuple[str, ...]) -> Any:  # noqa: ANN401 - reportlab has no types
    gap = 8 * mm
    width = (WIDTH - gap * (len(names) - 1)) / len(names)
    cells: list[Any] = []
    widths: list[float] = []
    lines = []
    for index, name in enumerate(names):
        if index:
            cells.append("")
            widths.append(gap)
        lines.append(("LINEABOVE", (2 * index, 0), (2 * index, 0), 0.7, _BLACK))
        cells.append(_paragraph(name, size=8))
        widths.append(width)
    signed = Table(
        [cells], colWidths=widths, style=TableStyle([*lines, ("LEFTPADDING", (0, 0), (-1, -1), 0)])
    )
    return KeepTogether([Spacer(1, 18 * mm), signed])


def _drawing(picture: Picture) -> Any:  # noqa: ANN401 - reportlab has no types
    scale = WIDTH / picture.width
    drawing = Drawing(WIDTH, picture.height * scale)
    for shape in picture.shapes:
        drawing.add(_shape(shape, scale, picture.height))
    return drawing


def _shape(shape: Shape, scale: float, height: float) -> Any:  # noqa: ANN401 - reportlab has no types
    def up(y: float) -> float:
        return (height - y) * scale

    fill = _FILL[shape.ink]
    match shape:
        case Bar(x=x, y=y, width=wide, height=high):
            return Rect(
                x * scale,
                up(y + high),
                wide * scale,
                high * scale,
                fillColor=fill,
                strokeColor=_BLACK,
                strokeWidth=0.6,
            )
        case Dot(x=x, y=y, radius=radius):
            return Circle(
                x * scale, up(y), radius * scale, fillColor=fill, strokeColor=_BLACK, strokeWidth=0.7
            )
        case Stick(x1=x1, y1=y1, x2=x2, y2=y2, ink=ink):
            width = 0.4 if ink == "faint" else 1
            return Line(x1 * scale, up(y1), x2 * scale, up(y2), strokeColor=fill, strokeWidth=width)
        case Label(x=x, y=y, text=text, size=size, anchor=anchor, bold=bold):
            font = _BOLD if bold else _FONT
            return String(
                x * scale,
                up(y),
                _printable(text),
                fontName=font,
                fontSize=size * scale * 0.9,
                textAnchor=anchor,
                fillColor=fill,
            )
