"""The screens of a running game: the turn with its clock, and the balls rolling.

Lives here: their layout. Never here: rulings and questions.
"""

from typing import TYPE_CHECKING, Final

from firmware.screens import frame, names, wording
from firmware.screens.canvas import Canvas, ball, width_of
from firmware.screens.glyphs import digits
from firmware.screens.seconds import shown
from rules import SIDES, Drop, Out, Wedged

if TYPE_CHECKING:
    from firmware.screens.seconds import Shown
    from firmware.texts import Texts
    from firmware.view import View
    from rules import Ns, Side

DIGITS: Final = 32
BALLS: Final = 44
INVERTED: Final = BALLS - 1
"""Rows that the grace shows with lit and dark swapped; below it a white ball stays a lit one."""
COUNTS: Final = 20


def turn(canvas: Canvas, view: "View", now: "Ns", texts: "Texts") -> None:
    """Draw the turn: big seconds, whose turn it is, the balls left; in the grace with lit and dark swapped above."""
    second = shown(view, now)
    left = seconds(canvas, second)
    frame.above(canvas, view, texts)
    _who(canvas, view, texts, left, second)
    if not view.match.clock_only:
        balls_left(canvas, view, texts)
    keys(canvas, view, texts, second)
    if second.style == "grace":
        canvas.invert(height=INVERTED)


def seconds(canvas: Canvas, second: "Shown") -> int:
    """Draw the big seconds and return the column behind them; two digits take the same place as one."""
    text = str(second.seconds)
    place = 42 if second.seconds < 100 else 64  # noqa: PLR2004 - three digits
    start = place - (22 * len(text) - 2)
    canvas.digits(start, frame.BAR, text, digits(DIGITS))
    return place + 6


def keys(canvas: Canvas, view: "View", texts: "Texts", second: "Shown") -> None:
    """Draw what the referee can do now."""
    if second.style == "paused":
        frame.below(canvas, texts, ("rest", texts("clock goes on")))
    elif second.style == "stopped":
        frame.below(canvas, texts, ("rest", texts("release play")))
    elif second.style == "expired":
        whole = view.rulebook.call_after(duo=view.match.duo) // 1_000_000_000
        frame.below(canvas, texts, ("rest", texts("fresh {seconds} s", seconds=str(whole))))
    elif view.match.clock_only:
        frame.below(canvas, texts, ("stroke", texts("when struck")))
    else:
        frame.below(canvas, texts, ("stroke", texts("when struck")), ("fault", ""))


def _who(canvas: Canvas, view: "View", texts: "Texts", left: int, second: "Shown") -> None:
    """Draw whose turn it is, below what the clock has to say."""
    room = frame.WIDTH - left
    side, y = view.match.turn, frame.BAR
    if second.style == "grace":
        word = texts("TIME")
        scale = 2 if width_of(word, bold=True, scale=2) <= room else 1
        canvas.text(left, y, word, bold=True, scale=scale, width=room)
        y += 16
    elif second.style in ("paused", "expired"):
        canvas.bar(left, y, room, texts("Pause") if second.style == "paused" else texts("Expired"))
        y += 13
    if side is None:
        return
    if y == frame.BAR:
        canvas.bar(left, y, room, wording.side(texts, side), of=side)
        y += 13
    else:
        canvas.text(left, y, f"{ball(side)} {wording.side(texts, side)}", bold=True, width=room)
        y += frame.LINE
    most = (BALLS - y) // frame.LINE
    for line in names.in_lines(names.player(view, texts, side), room, most):
        canvas.text(left, y, line, width=room)
        y += frame.LINE


def balls_left(canvas: Canvas, view: "View", texts: "Texts") -> None:
    """Draw the balls of both sides in one line, and whether kader play is on."""
    at = 0
    for side in SIDES:
        at = canvas.text(at, BALLS, f"{ball(side)} {view.counts.of(side)}", bold=True) + 10
    if view.match.phase == "kader":
        word = texts("Kader play")
        width = width_of(word, bold=True) + 5
        canvas.bar(frame.WIDTH - width, BALLS - 2, width, word)


def rolling(canvas: Canvas, view: "View", now: "Ns", texts: "Texts") -> None:
    """Draw a stroke whose balls still roll: the balls left as far as reported, and what was reported last."""
    frame.above(canvas, view, texts)
    left = texts("{seconds} s", seconds=str(shown(view, now).seconds))
    canvas.bar(0, frame.BAR, frame.WIDTH, texts("Balls rolling"))
    canvas.text(frame.WIDTH - width_of(left) - 2, frame.BAR + 2, left, ink=0)
    if not view.match.clock_only:
        rolled(canvas, view, texts)
    frame.below(canvas, texts, ("rest", texts("all at rest")))


def rolled(canvas: Canvas, view: "View", texts: "Texts") -> None:
    """Draw the counts large, those that this stroke changed underlined, and who played; below it what was reported."""
    y = 22
    for index, side in enumerate(SIDES):
        x = index * 29
        canvas.text(x, y + 6, ball(side))
        canvas.digits(x + 10, y, str(view.counts.of(side)), digits(COUNTS))
        if view.counts.of(side) != view.match.balls.of(side):
            canvas.fill(x + 9, y + COUNTS, 14, 2)
    if view.match.turn is not None:
        _striker(canvas, view, texts, view.match.turn, y)
    fault = None if view.match.rolling is None else view.match.rolling.fault or view.match.rolling.early
    if fault is not None:
        canvas.key(0, BALLS, wording.report(texts, fault))
    else:
        canvas.text(0, BALLS + 1, _last(view, texts))


def _striker(canvas: Canvas, view: "View", texts: "Texts", side: "Side", y: int) -> None:
    left = 58
    room = frame.WIDTH - left
    canvas.text(left, y + 1, f"{ball(side)} {wording.side(texts, side)}", bold=True, width=room)
    canvas.text(left, y + 11, names.fitting(names.player(view, texts, side), room))


def _last(view: "View", texts: "Texts") -> str:
    """Return the ball that was reported last in this stroke."""
    played = view.match.rolling
    reports = () if played is None else [r for r in played.reports if isinstance(r, Drop | Out | Wedged)]
    return wording.report(texts, reports[-1]) if reports else ""
