"""The screens between games: before an opening, its strokes, a game or the match won, a match abandoned.

Lives here: their layout. Nothing of the game before is shown once its ruling is over.
"""

from typing import TYPE_CHECKING, Final

from firmware.screens import frame, names, ruled
from firmware.screens.canvas import Canvas, ball, width_of
from firmware.screens.glyphs import digits
from rules import SIDES, Contestant, Ruling, contestant_of, game_number, other

if TYPE_CHECKING:
    from firmware.texts import Texts
    from firmware.view import View

ROWS: Final = (24, 34)
"""Where the two sides stand."""
NOTE: Final = 44


def opening(canvas: Canvas, view: "View", texts: "Texts") -> None:
    """Draw who plays which colour, and that the opening strokes come first."""
    frame.above(canvas, view, texts)
    canvas.bar(0, frame.BAR, frame.WIDTH, texts("Opening"))
    _sides(canvas, view, texts)
    if view.troubles:
        frame.trouble(canvas, NOTE, view.troubles[0], texts)
    else:
        second = view.match.duo and game_number(view.match) == 2  # noqa: PLR2004 - DUO-01
        what = texts("Now the other players open.") if second else texts("Both open, then:")
        canvas.text(0, NOTE, what)
    frame.below(canvas, texts, ("stroke", texts("opening played")))


def opening_rolls(canvas: Canvas, view: "View", texts: "Texts") -> None:
    """Draw that the opening balls roll, and who holed one."""
    frame.above(canvas, view, texts)
    canvas.bar(0, frame.BAR, frame.WIDTH, texts("Opening balls rolling"))
    _sides(canvas, view, texts)
    goals = view.match.opening_goals or ()
    if goals:
        holed = "  ".join(ball(side) for side in SIDES if side in goals)
        canvas.text(0, NOTE, f"{texts('In goal:')} {holed}", bold=True)
    frame.below(canvas, texts, ("rest", texts("all at rest")))


def _sides(canvas: Canvas, view: "View", texts: "Texts") -> None:
    for side, y in zip(SIDES, ROWS, strict=True):
        at = canvas.text(0, y, ball(side)) + 4
        canvas.text(at, y, names.contestant(view, texts, contestant_of(view.match, side), frame.WIDTH - at))


def won(canvas: Canvas, view: "View", texts: "Texts", said: Ruling) -> None:
    """Draw who won the game: large games, and the clauses that ended it."""
    room = frame.marks(canvas, view) - 2
    canvas.text(0, frame.TOP, ruled.clauses(said, room), width=room)
    canvas.bar(0, frame.BAR, frame.WIDTH, texts("Game won"))
    # The colours have changed for the next game, unless there is none.
    colour = said.game or "red"
    side = colour if view.match.phase == "over" else other(colour)
    _result(canvas, view, texts, contestant_of(view.match, side))
    frame.below(canvas, texts, ("stroke", texts("opening played")))


def over(canvas: Canvas, view: "View", texts: "Texts") -> None:
    """Draw how the match ended."""
    match = view.match
    room = frame.marks(canvas, view) - 2
    left = ruled.clauses(view.ruling, room) if view.ruling is not None else frame.heading(view, texts)
    canvas.text(0, frame.TOP, left, width=room)
    if match.match == "abandoned" or match.match is None:
        canvas.bar(0, frame.BAR, frame.WIDTH, texts("Match abandoned"))
        _result(canvas, view, texts, None)
    else:
        canvas.bar(0, frame.BAR, frame.WIDTH, texts("Match won"))
        _result(canvas, view, texts, match.match)
    if view.troubles:
        frame.trouble(canvas, frame.KEYS + 1, view.troubles[0], texts)
    else:
        frame.below(canvas, texts, ("ok", texts("new match")), ("undo", ""))


def _result(canvas: Canvas, view: "View", texts: "Texts", winner: Contestant | None) -> None:
    """Draw the winner's name beside the games, home first; without a winner both names."""
    games = f"{view.match.games.home}:{view.match.games.away}"
    left = canvas.digits(0, 28, games, digits(20)) + 8
    room = frame.WIDTH - left
    if winner is None:
        for who, y in (("home", 29), ("away", 40)):
            canvas.text(left, y, names.contestant(view, texts, "home" if who == "home" else "away", room))
        return
    y, most = 25, 2 if len(view.names.of(winner)) == 1 else 1
    for name in view.names.of(winner):
        for line in names.in_lines(names.called(texts, name), room, most):
            canvas.text(left, y, line, bold=width_of(line, bold=True) <= room)
            y += frame.LINE + 1
