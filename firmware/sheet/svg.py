"""A picture as SVG, for a sheet in HTML: no script, no font of its own, nothing from elsewhere."""

from html import escape
from typing import Final

from firmware.sheet.timeline import Bar, Dot, Ink, Label, Picture, Shape, Stick

_FILL: Final[dict[Ink, str]] = {
    "red": "#b3261e",
    "white": "#ffffff",
    "line": "#222222",
    "faint": "#222222",
    "alarm": "#b3261e",
}
_EDGE: Final = "#222222"


def svg(picture: Picture, title: str) -> str:
    """Return the picture as an `svg` element with an accessible title."""
    size = f"{picture.width:g} {picture.height:g}"
    shapes = "".join(_shape(shape) for shape in picture.shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="100%" role="img" '
        f'font-family="sans-serif"><title>{escape(title)}</title>{shapes}</svg>'
    )


def _shape(shape: Shape) -> str:
    match shape:
        case Bar():
            place = f'x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}"'
            return f'<rect {place} fill="{_FILL[shape.ink]}" stroke="{_EDGE}" stroke-width="0.25"/>'
        case Dot():
            place = f'cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}"'
            return f'<circle {place} fill="{_FILL[shape.ink]}" stroke="{_EDGE}" stroke-width="0.3"/>'
        case Stick():
            place = f'x1="{shape.x1:g}" y1="{shape.y1:g}" x2="{shape.x2:g}" y2="{shape.y2:g}"'
            width = "0.2" if shape.ink == "faint" else "0.4"
            return f'<line {place} stroke="{_FILL[shape.ink]}" stroke-width="{width}"/>'
        case Label():
            weight = ' font-weight="bold"' if shape.bold else ""
            place = f'x="{shape.x:g}" y="{shape.y:g}" font-size="{shape.size:g}" text-anchor="{shape.anchor}"'
            return f'<text {place}{weight} fill="{_FILL[shape.ink]}">{escape(shape.text)}</text>'
