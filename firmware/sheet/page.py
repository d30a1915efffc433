"""A sheet as blocks of text: headings, facts, tables, the picture, lines to sign.

Lives here: the shape that `pages.py` fills with words and that HTML and PDF lay out. Never here: a tag, a font.
"""

from typing import Literal

from firmware.sheet.timeline import Picture
from firmware.texts import Language
from rules.words import Value

Align = Literal["left", "right"]


class Column(Value, frozen=True, kw_only=True):
    """A column's head, how it is set, and its share of the width."""

    head: str
    align: Align = "left"
    share: float = 1.0


class Table(Value, frozen=True, kw_only=True):
    """Rows under a heading; without rows it is left out."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


class Drawing(Value, frozen=True, kw_only=True):
    """The picture with its key."""

    title: str
    picture: Picture
    key: str


class Signatures(Value, frozen=True, kw_only=True):
    """Lines to sign on, and the date where it is not known."""

    names: tuple[str, ...]


Block = Table | Drawing | Signatures


class Heading(Value, frozen=True, kw_only=True):
    """Who played, and how it ended."""

    home: str
    away: str
    score: str
    outcome: str


class Page(Value, frozen=True, kw_only=True):
    """A whole sheet: who, the result, facts under it, and blocks."""

    language: Language
    title: str
    home: str
    away: str
    score: str
    outcome: str
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    blocks: tuple[Block, ...]
    foot: str
