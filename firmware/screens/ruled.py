"""The ruling: what the referee does next, in order, with the clauses it rests on.

Lives here: which lines it needs, and how they are made to fit. Never here: the law.

    clauses                       marks
    [ the fault, or the verdict       ]
    balls put back
    balls laid, each with where
    whose turn it is then
    [Rest] release play
"""

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from firmware.screens import frame, wording
from firmware.screens.canvas import Canvas, ball, width_of
from firmware.texts import N_
from rules import BY_ID, FaultName, Place, Ruling, Side
from rules.outcomes import TurnRuled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.texts import Texts
    from firmware.view import View

FIRST: Final = 24
LINES: Final = 3
"""Lines of text between the bar and the keys."""

BACK: Final = {"moved": N_("Put all moved balls back"), "moved_by_fault": N_("Put back what the fault moved")}
TURNS: Final[dict[TurnRuled, str]] = {
    "stays": N_("Goes on:"),
    "passes": N_("Turn to:"),
    "lost": N_("Turn lost, now:"),
    "game_lost": N_("Turn to:"),
}
VERDICTS: Final[dict[TurnRuled, str]] = {
    "stays": N_("Turn goes on"),
    "passes": N_("Turn passes"),
    "lost": N_("Turn lost"),
    "game_lost": N_("Game lost"),
}


class Laid(NamedTuple):
    """Balls that are laid alike."""

    place: Place
    times: int


def ruling(canvas: Canvas, view: "View", texts: "Texts", said: Ruling) -> None:
    """Draw what the ruling asks for."""
    room = frame.marks(canvas, view) - 2
    canvas.text(0, frame.TOP, clauses(said, room), width=room)
    canvas.bar(0, frame.BAR, frame.WIDTH, title(view, texts, said), of=said.by)
    steps(canvas, view, texts, said)
    if view.match.clock.state == "paused":
        frame.below(canvas, texts, ("rest", texts("clock goes on")))
    else:
        frame.below(canvas, texts, ("rest", texts("release play")))


def clauses(said: Ruling, room: int) -> str:
    """Return the clauses' ids in one line; those that find no room are counted."""
    for shown in range(len(said.clauses), 0, -1):
        more = len(said.clauses) - shown
        text = " ".join(said.clauses[:shown]) + (f" +{more}" if more else "")
        if width_of(text) <= room:
            return text
    return ""


def title(view: "View", texts: "Texts", said: Ruling) -> str:
    """Return the fault's name, or the verdict where no fault was called."""
    fault = fault_of(view, said)
    return texts(VERDICTS[said.turn] if fault is None else wording.FAULTS[fault])


def fault_of(view: "View", said: Ruling) -> FaultName | None:
    """Return the fault the ruling rests on: the one that was called, else the first that a clause of it names."""
    called = view.match.ruled.fault if view.match.ruled is not None else None
    named = [BY_ID[clause].fault for clause in said.clauses if clause in BY_ID]
    if called is not None and called.fault in named:
        return called.fault
    return next((fault for fault in named if fault is not None), None)


def steps(canvas: Canvas, view: "View", texts: "Texts", said: Ruling) -> None:
    """Draw what is to be done, top down; balls that find no line of their own share lines in short form."""
    y = FIRST
    free = LINES - 1
    if said.put_back != "none":
        canvas.text(0, y, texts(BACK[said.put_back]), width=frame.WIDTH)
        y += frame.LINE
        free -= 1
    laid = alike(said.place)
    if len(laid) <= free:
        for each in laid:
            _laid_in_words(canvas, view, texts, y, each)
            y += frame.LINE
    else:
        x = 0
        for each in alike([replace(place, which="cue") for place in said.place]):
            wide = _laid_in_short(_aside(), view, texts, 0, 0, each)
            if x and x + wide > frame.WIDTH:
                x, y = 0, y + frame.LINE
            x = _laid_in_short(canvas, view, texts, x, y, each) + 6
        y += frame.LINE
    if said.next is not None:
        free = (FIRST + LINES * frame.LINE - y) // frame.LINE
        turn = said.turn
        if free > 1 and turn == "lost" and fault_of(view, said) is not None:
            canvas.text(0, y, texts(VERDICTS[turn]))
            y, turn = y + frame.LINE, "passes"
        _whose_turn(canvas, texts, y, texts(TURNS[turn]), said.next)


def alike(places: "Sequence[Place]") -> list[Laid]:
    """Return the balls to be laid, those that are laid alike together, in the ruling's order."""
    return [Laid(place, times) for place, times in Counter(places).items()]


def _aside() -> Canvas:
    """Return a canvas to measure on: how wide a ball's line is hangs on counts, words and spots."""
    return Canvas(2 * frame.WIDTH, frame.HEIGHT)


def _laid_in_words(canvas: Canvas, view: "View", texts: "Texts", y: int, laid: Laid) -> None:
    start = f"{_balls(laid)} {texts(wording.WHICH[laid.place.which])}"
    end = _where(_aside(), view, texts, width_of(start) + 3, 0, laid.place, short=True)
    if end > frame.WIDTH:
        _laid_in_short(canvas, view, texts, 0, y, laid)
        return
    at = canvas.text(0, y, start) + 3
    _where(canvas, view, texts, at, y, laid.place, short=False)


def _laid_in_short(canvas: Canvas, view: "View", texts: "Texts", x: int, y: int, laid: Laid) -> int:
    at = canvas.text(x, y, _balls(laid)) + 2
    return _where(canvas, view, texts, at, y, laid.place, short=True)


def _balls(laid: Laid) -> str:
    return f"{laid.times}{wording.TIMES}{ball(laid.place.ball)}" if laid.times > 1 else ball(laid.place.ball)


def _where(canvas: Canvas, view: "View", texts: "Texts", x: int, y: int, place: Place, *, short: bool) -> int:
    at = canvas.text(x, y, "→") + 3
    if place.to != "penalty":
        return canvas.text(at, y, where(texts, place))
    numbers = laid_on(view, place)
    if not numbers:
        return canvas.text(at, y, texts("by hand"))
    if not short:
        word = texts("spot")
        if at + width_of(word) + 4 + 8 * len(numbers) <= frame.WIDTH:
            at = canvas.text(at, y, word) + 3
    for number in numbers:
        at = spot(canvas, at, y, number) + 2
    return at


def where(texts: "Texts", place: Place) -> str:
    """Return where a ball goes that goes on no penalty spot."""
    words = {"goal": texts("in goal"), "free": texts("lay free"), "back": texts("back")}
    return words[place.to]


def spot(canvas: Canvas, x: int, y: int, number: int) -> int:
    """Draw a penalty spot's number, as it stands in the sketch of the table, and return the column behind it."""
    return canvas.key(x, y - 1, str(number))


def laid_on(view: "View", place: Place) -> tuple[int, ...]:
    """Return the spots a ball may go on, or after the choice the ones of them where balls lie now."""
    offered = place.spots or ()
    if view.match.asked is None and len(offered) > 1:
        return tuple(number for number in offered if number in view.match.spots.of(place.ball).on) or offered
    return offered


def _whose_turn(canvas: Canvas, texts: "Texts", y: int, what: str, side: Side) -> None:
    at = canvas.text(0, y, what) + 4
    canvas.text(at, y, f"{ball(side)} {wording.side(texts, side)}", bold=True)
