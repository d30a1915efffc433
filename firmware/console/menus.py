"""Menus: nine cells on the screen for the nine keys, so that a finger finds what the eye saw.

Lives here: the shape of a menu, and laying entries out on keys. Never here: what an entry does.

    red   up    white          cells as on the block; `undo` is always the way back,
    fault ok    undo           `rest` leads on where more entries wait
    stroke down rest
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from firmware.script import Key
from firmware.view import Cell, Grid
from rules import Ns

Act = Callable[[Ns], "Menu | None"]
"""What a cell does at an instant: the next menu, or None when all is done."""

ORDER: Final[tuple[Key, ...]] = ("red", "up", "white", "fault", "ok", "stroke", "down", "rest")
"""In which order entries take the keys; a menu with more than these keeps `rest` for the rest."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One thing to choose: a message id with its values, and what it does. `hold`: only after 3 s."""

    text: str
    act: Act
    values: tuple[tuple[str, str], ...] = ()
    hold: bool = False
    chosen: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Menu:
    """Entries on keys, under a title. `back` is the menu that `undo` returns to, None to close."""

    title: str
    entries: dict[Key, Entry]
    values: tuple[tuple[str, str], ...] = ()
    back: "Menu | None" = field(default=None, repr=False)

    def grid(self, holding: Key | None = None, since: Ns | None = None) -> Grid:
        """Return what the screen shows."""
        cells = tuple(
            Cell(key=key, text=entry.text, values=entry.values, hold=entry.hold, chosen=entry.chosen)
            for key, entry in self.entries.items()
        )
        return Grid(title=self.title, values=self.values, cells=cells, holding=holding, since=since)


def on_keys(
    title: str,
    entries: Sequence[Entry | None],
    *,
    back: Menu | None = None,
    values: tuple[tuple[str, str], ...] = (),
) -> Menu:
    """Return a menu with its entries on keys in order, and the rest of them behind `rest`.

    None keeps a place free, so that every entry is found where it always is; a page with nothing on it is left out.
    """
    pages = [list(entries)] if len(entries) <= len(ORDER) else _leaves(entries)
    pages = [page for page in pages if any(page)] or [[]]

    def show(number: int, back: Menu | None) -> Menu:
        placed = {key: entry for key, entry in zip(ORDER, pages[number], strict=False) if entry is not None}
        if number + 1 < len(pages):
            placed["rest"] = Entry(text="more", act=lambda _: show(number + 1, shown))
        shown = Menu(title=title, values=values, back=back, entries=placed)
        return shown

    return show(0, back)


def _leaves(entries: Sequence[Entry | None]) -> list[list[Entry | None]]:
    size = len(ORDER) - 1
    return [list(entries[start : start + size]) for start in range(0, len(entries), size)]
