"""The referee's screen: 128 by 64 pixels, one bit each.

Lives here: which screen belongs to a view. Never here: a layout (`play.py`, `ruled.py`, `asking.py`, `between.py`,
`cells.py`), a device. A menu lies over everything, the console's question over the game, a notice over all.
"""

from typing import TYPE_CHECKING

from firmware.screens import asking, between, cells, frame, play, ruled
from firmware.screens.canvas import Canvas
from rules import moment

if TYPE_CHECKING:
    from PIL.Image import Image

    from firmware.texts import Texts
    from firmware.view import View
    from rules import Ns


def draw(view: "View", now: "Ns", texts: "Texts") -> "Image":
    """Return the picture of `view` at `now`, mode "1"."""
    return paint(view, now, texts).image


def paint(view: "View", now: "Ns", texts: "Texts") -> Canvas:
    """Return the canvas with that picture, which knows what did not fit."""
    canvas = Canvas(frame.WIDTH, frame.HEIGHT)
    asked = view.match.asked
    if view.grid is not None and (asked is None or not asking.has_picture(view.grid, asked)):
        cells.menu(canvas, view, now, texts, view.grid)
    elif view.question is not None:
        asking.own(canvas, view, now, texts, view.question)
    else:
        _match(canvas, view, now, texts)
    frame.notice(canvas, view, now, texts, on_top=view.grid is not None or view.question is not None)
    return canvas


def _match(canvas: Canvas, view: "View", now: "Ns", texts: "Texts") -> None:
    asked, ruling = view.match.asked, view.ruling
    match moment(view.match):
        case "over":
            between.over(canvas, view, texts)
        case "opening" if ruling is not None and ruling.game is not None:
            between.won(canvas, view, texts, ruling)
        case "opening":
            between.opening(canvas, view, texts)
        case "opening_rolls":
            between.opening_rolls(canvas, view, texts)
        case "nearest":
            asking.nearest(canvas, view, texts)
        case "rolls":
            play.rolling(canvas, view, now, texts)
        case "asked" if asked is not None and asked.ask == "ball":
            asking.choice_of_ball(canvas, view, texts, asked)
        case "asked" if asked is not None:
            asking.choice_of_spot(canvas, view, texts, asked)
        case _ if ruling is not None and view.match.clock.state != "running":
            ruled.ruling(canvas, view, texts, ruling)
        case _:
            play.turn(canvas, view, now, texts)
