"""The questions: the law's (a spot, a ball, which opening ball lies nearest) and the console's own.

Lives here: their pictures. Never here: who may answer what.

Left and right of the penalty spots are the offender's, looking at the attack goal. The sketch has that goal above, so
that a spot lies in it where its key lies in the block.

    +--  ( )  --+
    | 1       2 |      red     .   white
    |     3     |       .      up    .
    |           |
    | 4       5 |     stroke   .   rest
    +-----------+
"""

from typing import TYPE_CHECKING, Final

from firmware.screens import frame, names, play, ruled, wording
from firmware.screens.canvas import CAPS, Canvas, ball, width_of, wrapped
from firmware.screens.seconds import shown
from firmware.texts import N_
from rules import moment, other

if TYPE_CHECKING:
    from firmware.texts import Texts
    from firmware.view import ConsoleQuestion, Grid, View
    from rules import Ns, Question, Side

SKETCH: Final = (1, 17, 56, 46)
"""Left, top, width and height of the table, as far as it is drawn."""
PLACES: Final = {1: (4, 4), 2: (43, 4), 3: (24, 12), 4: (4, 32), 5: (43, 32)}
"""Where the penalty spots are drawn in it, further apart than they are: left and top of a square of 9."""
BESIDE: Final = 63
KEY_ROWS: Final = 4
"""Keys that find room beside the sketch."""
SPOT_CELLS: Final = ("spot {spot}", "{spot}, ball gone", "blocked")
NEAREST_CELLS: Final = ("red", "white")
SHORT: Final = {"spot {spot}": N_("{spot}"), "{spot}, ball gone": N_("{spot}?"), "blocked": N_("taken")}
"""The cells' words beside the sketch."""

COLOUR: Final[dict["Side", str]] = {
    "red": N_("Which colour fell into the red goal?"),
    "white": N_("Which colour fell into the white goal?"),
}
SECOND: Final[dict["Side", str]] = {
    "red": N_("A second ball in the red goal?"),
    "white": N_("A second ball in the white goal?"),
}


def has_picture(grid: "Grid", asked: "Question") -> bool:
    """Say whether these answers belong in the picture of the law's own question; other menus are drawn as such."""
    words = {cell.text for cell in grid.cells}
    if asked.ask == "nearest":
        return words <= set(NEAREST_CELLS)
    return asked.ask == "spot" and words <= set(SPOT_CELLS) and len(grid.cells) <= KEY_ROWS


def choice_of_spot(canvas: Canvas, view: "View", texts: "Texts", asked: "Question") -> None:
    """Draw the table with the spots: offered ones lit, blocked ones crossed, taken ones a ball; beside it the keys."""
    _clauses_above(canvas, view, texts)
    offender = view.match.laying[0].side if view.match.laying else other(asked.side or "red")
    _table(canvas, view, offender, asked.spots or ())
    room = frame.WIDTH - BESIDE
    who = texts("{side}'s choice", side=ball(other(offender)))
    canvas.text(BESIDE, frame.BAR + 3, who, bold=True, width=room)
    y = frame.BAR + 13
    for cell in view.grid.cells if view.grid is not None else ():
        if cell.key != "hand":
            at = canvas.key(BESIDE, y, texts(wording.KEYS[cell.key])) + 3
            canvas.text(at, y + 1, texts(SHORT[cell.text], **dict(cell.values)))
        y += frame.LINE + 1


def _table(canvas: Canvas, view: "View", offender: "Side", offered: tuple[int, ...]) -> None:
    left, top, width, height = SKETCH
    canvas.frame(left, top, width, height)
    middle = left + width // 2
    canvas.fill(middle - 6, top, 12, 1, ink=0)
    canvas.text(middle - 3, top - 6, ball(offender))
    ledger = view.match.spots.of(offender)
    for number, (x, y) in PLACES.items():
        at = (left + x, top + y)
        if number in ledger.blocked:
            canvas.line(at[0], at[1], at[0] + 8, at[1] + 8)
            canvas.line(at[0], at[1] + 8, at[0] + 8, at[1])
        elif number in ledger.on:
            canvas.text(at[0] + 1, at[1] + 1, ball(offender))
        elif number in offered:
            _spot(canvas, *at, number)
        else:
            canvas.text(at[0] + 3, at[1] + 1, str(number))


def _spot(canvas: Canvas, x: int, y: int, number: int) -> None:
    canvas.fill(x - 1, y - 1, 11, 11)
    label = str(number)
    canvas.text(x + 5 - (width_of(label) + 1) // 2, y + 1, label, ink=0)


def choice_of_ball(canvas: Canvas, view: "View", texts: "Texts", asked: "Question") -> None:
    """Draw who names a ball of whom."""
    _clauses_above(canvas, view, texts)
    offender = view.match.laying[0].side if view.match.laying else other(asked.side or "red")
    canvas.bar(0, frame.BAR, frame.WIDTH, texts("names a ball"), of=other(offender))
    canvas.text(0, 24, texts("of {side}", side=wording.side(texts, offender)))


def nearest(canvas: Canvas, view: "View", texts: "Texts") -> None:
    """Ask which opening ball lies nearest to its goal."""
    frame.above(canvas, view, texts)
    _question(canvas, texts("Which ball lies nearest to its goal?"))
    frame.below(canvas, texts, ("red", ""), ("white", ""))


def own(canvas: Canvas, view: "View", now: "Ns", texts: "Texts", question: "ConsoleQuestion") -> None:
    """Draw the console's own question; the clock stays in sight while it runs."""
    if question == "stroke_played":
        _stroke_played(canvas, view, now, texts)
        return
    frame.above(canvas, view, texts)
    goal: Side = view.question_goal or "red"
    _question(canvas, texts((COLOUR if question == "colour" else SECOND)[goal]))
    if question == "colour":
        frame.below(canvas, texts, ("red", ""), ("white", ""))
    else:
        frame.below(canvas, texts, ("red", ""), ("white", texts("yes")), ("down", texts("no")))


def _stroke_played(canvas: Canvas, view: "View", now: "Ns", texts: "Texts") -> None:
    frame.above(canvas, view, texts)
    second = shown(view, now)
    left = 0
    if moment(view.match) == "turn":
        left = play.seconds(canvas, second)
    y = frame.BAR + 2
    for line in wrapped(texts("Stroke played?"), frame.WIDTH - left, bold=True):
        canvas.text(left, y, line, bold=True, width=frame.WIDTH - left)
        y += frame.LINE + 2
    if view.match.turn is not None:
        canvas.text(left, y, names.fitting(names.player(view, texts, view.match.turn), frame.WIDTH - left))
    no = texts("no, TOR-01") if view.question_goal is not None else texts("no")
    frame.below(canvas, texts, ("ok", texts("yes")), ("down", no))
    if second.style == "grace":
        canvas.invert(height=play.INVERTED)


def _question(canvas: Canvas, text: str) -> None:
    lines = wrapped(text, frame.WIDTH, bold=True)
    y = frame.BAR + (frame.KEYS - frame.BAR - len(lines) * (CAPS + 5)) // 2 + 3
    for line in lines:
        canvas.text((frame.WIDTH - width_of(line, bold=True)) // 2, y, line, bold=True)
        y += CAPS + 5


def _clauses_above(canvas: Canvas, view: "View", texts: "Texts") -> None:
    """Draw the clauses of the ruling that asks, else which game it is."""
    if view.ruling is None:
        frame.above(canvas, view, texts)
        return
    room = frame.marks(canvas, view) - 2
    canvas.text(0, frame.TOP, ruled.clauses(view.ruling, room), width=room)
