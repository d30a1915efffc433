"""The law's questions as grids: a spot, a ball, the nearest opening ball; each answer is one key.

Lives here: which key answers what. Spots 1 and 2 lie left and right, 3 between them, 4 and 5 behind: so do their keys.
"""

from collections.abc import Callable
from typing import Final

from firmware.console.desk import Desk, match_of
from firmware.console.menus import Entry, Menu
from firmware.script import Key
from rules import Choose, Ns, Question

SPOT_KEYS: Final[dict[int, Key]] = {1: "red", 2: "white", 3: "up", 4: "stroke", 5: "rest"}
BALL_KEYS: Final[tuple[Key, ...]] = ("red", "up", "white", "stroke", "down")
BY_CHOICE: Final = (1, 2, 3)


def law_menu(desk: Desk, question: Question, blocked: Callable[[Ns], Menu | None]) -> Menu:
    """Return the grid of an open choice; `blocked` leads to saying that a spot is blocked."""
    match = match_of(desk)
    side = match.laying[0].side
    if question.ask == "ball":
        balls = range(1, match.balls.of(side) + 1)
        entries = {
            key: Entry(text="ball {n}", values=(("n", str(n)),), act=_choosing(desk, ball=n))
            for key, n in zip(BALL_KEYS, balls, strict=False)
        }
        return Menu(title="Opponent chooses a ball", entries=entries)
    spots, offered = match.spots.of(side), question.spots or ()
    entries = {}
    for spot, key in SPOT_KEYS.items():
        if spot in offered:
            entries[key] = Entry(
                text="spot {spot}", values=(("spot", str(spot)),), act=_choosing(desk, spot=spot)
            )
        elif spot in BY_CHOICE and spot in spots.on and spot not in spots.blocked:
            entries[key] = Entry(
                text="{spot}, ball gone", values=(("spot", str(spot)),), act=_choosing(desk, spot=spot)
            )
    entries["down"] = Entry(text="blocked", act=blocked)
    return Menu(title="Opponent chooses a spot", entries=entries)


def _choosing(desk: Desk, *, spot: int | None = None, ball: int | None = None) -> Callable[[Ns], Menu | None]:
    def act(at: Ns) -> None:
        desk.report(Choose(t=desk.instant(at), spot=spot, ball=ball))

    return act
