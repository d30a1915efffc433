"""What all pictures of the referee's screen share: the line above, the keys below, and the notice of the last press.

Lives here: the zones.

    row  0..9   which game, games won; marks at the right: trouble, unsaved
    row 10..52  what is to be known or done now
    row 54..63  the keys that matter now

A notice covers the lowest rows until it is over, never the digits.
"""

from typing import TYPE_CHECKING, Final

from firmware.said import REFUSALS
from firmware.screens import names, wording
from firmware.screens.canvas import Canvas, width_of, wrapped
from firmware.screens.seconds import noticed, shown
from firmware.texts import N_
from firmware.view import HOLD
from rules import game_number

if TYPE_CHECKING:
    from firmware.screens.wording import KeyCap
    from firmware.texts import Texts
    from firmware.view import Notice, Trouble, View
    from rules import Ns

WIDTH: Final = 128
HEIGHT: Final = 64
TOP: Final = 2
BAR: Final = 10
KEYS: Final = 54
LINE: Final = 9
"""From one line of text to the next."""


def heading(view: "View", texts: "Texts") -> str:
    """Return which game it is and how many each has won, home first."""
    match = view.match
    if match.clock_only:
        return texts("Training")
    games = f"{match.games.home}:{match.games.away}"
    if match.phase == "over" or match.best_of == 1:
        return texts("Match {games}", games=games)
    return texts("Game {number}/{of}", number=str(game_number(match)), of=str(match.best_of)) + "  " + games


def above(canvas: Canvas, view: "View", texts: "Texts") -> None:
    """Draw the line above: the heading and the marks, with the name of what does not work between them."""
    right = marks(canvas, view) - 2
    end = canvas.text(0, TOP, heading(view, texts), width=right) + 8
    if view.troubles and right - end > width_of("oled"):
        name = names.cut(place_of(view.troubles[0], texts), right - end)
        canvas.text(right - width_of(name), TOP, name)


def marks(canvas: Canvas, view: "View") -> int:
    """Draw the marks in the upper right corner and return where they begin: not saved yet, something does not work."""
    at = WIDTH
    if view.unsaved:
        canvas.fill(at - 3, 3, 3, 3)
        at -= 5
    if view.troubles:
        exclamation(canvas, at - 7)
        at -= 8
    return at


def exclamation(canvas: Canvas, x: int, y: int = 1) -> None:
    """Draw the mark of what does not work: 7 by 9."""
    canvas.fill(x, y, 7, 9)
    canvas.text(x + 3, y + 1, "!", ink=0)


def small_clock(canvas: Canvas, view: "View", now: "Ns", texts: "Texts", right: int) -> int:
    """Draw the seconds small, left of `right`, and return where they begin."""
    second = shown(view, now)
    if second.style not in ("running", "grace"):
        return right
    text = texts("{seconds} s", seconds=str(second.seconds))
    at = right - width_of(text, bold=True) - 3
    if second.style == "grace":
        canvas.fill(at - 2, 0, width_of(text, bold=True) + 4, 9)
    canvas.text(at, 1, text, bold=True, ink=0 if second.style == "grace" else 1)
    return at - 3


def below(canvas: Canvas, texts: "Texts", *keys: "tuple[KeyCap, str]") -> None:
    """Draw the keys that matter now, each with what it does; an empty text lets the key speak for itself."""
    at = 0
    for key, does in keys:
        at = canvas.key(at, KEYS, texts(wording.KEYS[key])) + 2
        if does:
            at = canvas.text(at + 1, KEYS + 1, does) + 6


def trouble(canvas: Canvas, y: int, trouble: "Trouble", texts: "Texts") -> None:
    """Draw what does not work in one line; a longer sentence is cut, the page has it whole."""
    exclamation(canvas, 0, y - 1)
    at = 10
    canvas.text(at, y, names.cut(f"{place_of(trouble, texts)}: {texts(trouble.what)}", WIDTH - at))


def place_of(trouble: "Trouble", texts: "Texts") -> str:
    """Return what people call the thing that does not work."""
    return texts(wording.PLACES[trouble.name]) if trouble.name in wording.PLACES else trouble.name


CONFIRMED: Final = N_("Counted already.")
SEEN: Final = N_("Ball seen, not counted.")
NOTHING: Final = N_("That key does nothing now.")
NOT_NOW: Final = N_("Not possible now.")


def notice(canvas: Canvas, view: "View", now: "Ns", texts: "Texts", *, on_top: bool) -> None:
    """Draw what the last input did, in a lit box: over the keys' line, or `on_top` where a menu needs all else."""
    said = view.notice
    if said is None or not noticed(view, now):
        return
    if said.kind == "drop" and view.match.rolling is not None:
        return  # the screen of the rolling balls shows the last one anyway
    if on_top:
        canvas.fill(0, 0, WIDTH, BAR)
        canvas.text(2, TOP, names.cut(" ".join(sentences(said, texts)), WIDTH - 4), ink=0)
        return
    lines = [line for text in sentences(said, texts) for line in wrapped(text, WIDTH - 6)]
    top = KEYS - LINE * (len(lines) - 1)
    canvas.fill(0, top - 3, WIDTH, HEIGHT - top + 3, ink=0)
    canvas.fill(0, top, WIDTH, HEIGHT - top)
    for index, line in enumerate(lines):
        canvas.text(3, top + 1 + index * LINE, line, width=WIDTH - 6, ink=0)


def sentences(said: "Notice", texts: "Texts") -> list[str]:
    """Return what a notice says, in up to two sentences."""
    if said.kind == "undone":
        what = texts("nothing") if said.event is None else wording.report(texts, said.event)
        return [texts("Taken back:"), what]
    if said.kind == "drop" and said.goal is not None:
        return [wording.drop(texts, said.ball or said.goal, said.goal)]
    if said.kind == "late" and said.late_by is not None:
        whole, hundredths = divmod(-(-said.late_by // 10_000_000), 100)
        span = texts("{whole}.{hundredths} s", whole=str(whole), hundredths=f"{hundredths:02}")
        return [texts("Stroke too late, by {span}.", span=span)]
    if said.kind == "seen":
        return [texts("Ball seen. Was a stroke played?")]
    if said.kind == "hold":
        return [texts("Hold this key for {seconds} s.", seconds=str(HOLD // 1_000_000_000))]
    if said.kind == "confirmed":
        return [texts(CONFIRMED)]
    if said.kind == "ignored":
        return [texts(NOTHING if said.goal is None else SEEN)]
    return [texts(NOT_NOW if said.why is None else REFUSALS[said.why])]
