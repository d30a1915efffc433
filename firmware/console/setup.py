"""Setting up a match on the keys: rulebook, singles or duo, best of, colours, names, or the clock alone.

Lives here: the choices and their menu. Never here: the match that comes of them (`firmware/core.py` starts it).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from msgspec.structs import replace as replace_in

from firmware.console.menus import Entry, Menu, on_keys
from firmware.script import Opened
from rules import ByContestant, Contestant, Ns, Record, Rulebook, Side, first_match, new_match, other

LENGTHS = (1, 3, 5, 7)
NOBODY = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    """A match as it is about to begin. `home`: the colour home plays in game 1; `names` has two places a contestant."""

    rulebook: Rulebook
    best_of: int = 3
    duo: bool = False
    clock_only: bool = False
    home: Side = "white"
    home_names: tuple[str, str] = (NOBODY, NOBODY)
    away_names: tuple[str, str] = (NOBODY, NOBODY)

    def players(self) -> "tuple[tuple[str, ...], tuple[str, ...]]":
        """Return the names of home and away, one each or two each in a duo; who has none is called by the place."""
        size = 2 if self.duo else 1
        home = tuple(name or _place("home", i, size) for i, name in enumerate(self.home_names[:size]))
        away = tuple(name or _place("away", i, size) for i, name in enumerate(self.away_names[:size]))
        return home, away


def _place(contestant: Contestant, index: int, size: int) -> str:
    return contestant if size == 1 else f"{contestant} {index + 1}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Choices:
    """What can be chosen from: rulebooks in order, and the club's players."""

    rulebooks: tuple[Rulebook, ...]
    players: tuple[str, ...] = ()


Begin = Callable[[Setup, Ns], None]


def setup_menu(choices: Choices, before: Setup, begin: Begin) -> Menu:
    """Return the set-up: again as before with one key, or each thing by itself."""

    def start(setup: Setup) -> Callable[[Ns], Menu | None]:
        def act(at: Ns) -> None:
            begin(setup, at)

        return act

    def show(setup: Setup) -> Menu:
        def to(changed: Setup) -> Callable[[Ns], Menu]:
            return lambda _: show(changed)

        books = [book.name for book in choices.rulebooks]
        at = books.index(setup.rulebook.name) if setup.rulebook.name in books else -1
        book = choices.rulebooks[(at + 1) % len(books)]
        length = (
            LENGTHS[(LENGTHS.index(setup.best_of) + 1) % len(LENGTHS)]
            if setup.best_of in LENGTHS
            else LENGTHS[0]
        )
        home = "home is white" if setup.home == "white" else "home is red"
        return Menu(
            title="New match",
            entries={
                "red": Entry(text="as before", act=start(before)),
                "up": Entry(text="clock only", act=start(replace(setup, clock_only=True))),
                "white": Entry(
                    text="duo" if setup.duo else "singles", act=to(replace(setup, duo=not setup.duo))
                ),
                "fault": Entry(
                    text="rules {book}",
                    values=(("book", setup.rulebook.name),),
                    act=to(replace(setup, rulebook=book)),
                ),
                "ok": Entry(text="START", act=start(replace(setup, clock_only=False))),
                "stroke": Entry(
                    text="best of {n}",
                    values=(("n", str(setup.best_of)),),
                    act=to(replace(setup, best_of=length)),
                ),
                "down": Entry(text=home, act=to(replace(setup, home=other(setup.home)))),
                "rest": Entry(text="names", act=lambda _: _names(choices, setup, show)),
            },
        )

    return show(before)


def _names(choices: Choices, setup: Setup, show: Callable[[Setup], Menu]) -> Menu:
    """Choose who plays: first a place, then a name."""
    size = 2 if setup.duo else 1
    entries = []
    for contestant, names in (("home", setup.home_names), ("away", setup.away_names)):
        for index in range(size):
            given = names[index] or _place("home" if contestant == "home" else "away", index, size)
            entries.append(
                Entry(
                    text="{name}",
                    values=(("name", given),),
                    act=_pick(choices, setup, contestant, index, show),
                )
            )
    entries.append(Entry(text="done", act=lambda _: show(setup)))
    return on_keys("Who plays?", entries, back=show(setup))


def _pick(
    choices: Choices, setup: Setup, contestant: str, index: int, show: Callable[[Setup], Menu]
) -> Callable[[Ns], Menu]:
    def chosen(name: str) -> Callable[[Ns], Menu]:
        def act(_: Ns) -> Menu:
            names = list(setup.home_names if contestant == "home" else setup.away_names)
            names[index] = name
            pair = (names[0], names[1])
            changed = (
                replace(setup, home_names=pair) if contestant == "home" else replace(setup, away_names=pair)
            )
            return _names(choices, changed, show)

        return act

    names = [Entry(text="{name}", values=(("name", name),), act=chosen(name)) for name in choices.players]
    nobody = Entry(text="no name", act=chosen(NOBODY))
    return lambda _: on_keys("Which player?", [*names, nobody], back=_names(choices, setup, show))


def setup_of(opened: Opened) -> Setup:
    """Return the set-up that a match was begun with, for "as before"."""
    match = first_match(opened.record)
    home, away = opened.names.home, opened.names.away
    return Setup(
        rulebook=opened.rulebook,
        best_of=match.best_of,
        duo=match.duo,
        clock_only=match.clock_only,
        home=match.home,
        home_names=_names_of(home, "home"),
        away_names=_names_of(away, "away"),
    )


def _names_of(names: tuple[str, ...], contestant: Contestant) -> tuple[str, str]:
    """Return the names that somebody gave; who was called by the place had none."""
    places = {_place(contestant, index, size) for size in (1, 2) for index in range(size)}
    given = [NOBODY if name in places else name for name in (*names, NOBODY)]
    return given[0], given[1]


def opened_by(setup: Setup, name: str) -> Opened:
    """Return the match of a set-up, before its first opening."""
    home, away = setup.players()
    match = new_match(setup.rulebook, best_of=setup.best_of, duo=setup.duo, clock_only=setup.clock_only)
    return Opened(
        name=name,
        rulebook=setup.rulebook,
        names=ByContestant(home=home, away=away),
        record=Record(match=replace_in(match, home=setup.home)),
    )
