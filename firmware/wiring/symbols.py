"""Strokes of a drawing: the few symbols that a wiring needs, as SVG.

Lives here: shapes at given places. Never here: what is joined to what.
"""

from html import escape
from typing import Final, Literal

Anchor = Literal["start", "middle", "end"]

INK: Final = "#1b1b1b"
PALE: Final = "#8a8a8a"


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: int = 15,
    anchor: Anchor = "start",
    fill: str = INK,
    bold: bool = False,
) -> str:
    """Return words; `y` is the middle of the line."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y + size * 0.35:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"{weight}>'
        f"{escape(words)}</text>"
    )


def wire(points: str, colour: str = INK, *, width: float = 2) -> str:
    """Return a line through points as SVG writes them."""
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def box(x: float, y: float, width: float, height: float, *, fill: str = "#ffffff", colour: str = INK) -> str:
    """Return a frame."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" fill="{fill}" stroke="{colour}" '
        'stroke-width="1.5"/>'
    )


def dot(x: float, y: float, colour: str = INK) -> str:
    """Return a joint of two wires."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="3.5" fill="{colour}"/>'


def resistor(x: float, y: float, words: str) -> str:
    """Return a resistor, or what else is in a level wire, its middle at (x, y)."""
    width = max(44, 8 * len(words) + 4)
    return box(x - width / 2, y - 8, width, 16) + text(x, y, words, size=11, anchor="middle")


def button(x: float, y: float, toward: int) -> str:
    """Return an open push-button in a level wire, its middle at (x, y); `toward` is 1 or -1, where the wire goes on."""
    near, far = x - 16 * toward, x + 16 * toward
    return (
        f'<circle cx="{near:g}" cy="{y:g}" r="3.5" fill="#fff" stroke="{INK}" stroke-width="1.5"/>'
        f'<circle cx="{far:g}" cy="{y:g}" r="3.5" fill="#fff" stroke="{INK}" stroke-width="1.5"/>'
        + wire(f"{near:g},{y - 3.5:g} {far - 2 * toward:g},{y - 11:g}")
        + wire(f"{x:g},{y - 8:g} {x:g},{y - 15:g}")
        + wire(f"{x - 5:g},{y - 15:g} {x + 5:g},{y - 15:g}")
    )


def ground(x: float, y: float) -> str:
    """Return the sign of ground below (x, y)."""
    return "".join(
        wire(f"{x - half:g},{y + down:g} {x + half:g},{y + down:g}")
        for half, down in ((12, 0), (8, 5), (4, 10))
    )
