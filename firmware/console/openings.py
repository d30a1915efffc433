"""Openings: which ball lies nearest, who of each duo opened, and who chooses the colour of a decider.

Lives here: the questions whose answers make an `opening` (DUO-01; domain.md row 24). Never here: what it does.
"""

from collections.abc import Callable
from typing import Final

from firmware.console.desk import Desk, match_of
from firmware.console.faults import SIDE_TEXTS
from firmware.console.menus import Entry, Menu, on_keys
from rules import SIDES, ByContestant, Match, Ns, Opening, Rulebook, Side, game_number, other

SECOND_GAME: Final = 2


class Openings:
    """What was said about the coming opening: the colour that the visitor left to home, where he chose."""

    def __init__(self) -> None:
        """Start with nothing said."""
        self._home: dict[int, Side] = {}  # by game, so that an undone opening finds it again

    def home(self, match: Match) -> Side | None:
        """Return the colour that the visitor left to home in the coming game, where he chose."""
        return self._home.get(game_number(match)) if match.phase == "opening" else None

    def colour_menu(self, desk: Desk) -> Menu | None:
        """Return the question for the visitor's colour, where the rulebook gives that choice and it is not made yet."""
        if self.home(match_of(desk)) is not None or not chooses_colour(desk.rulebook, match_of(desk)):
            return None

        def choose(side: Side) -> Callable[[Ns], Menu | None]:
            def act(_: Ns) -> None:
                self._home[game_number(match_of(desk))] = other(side)

            return act

        cells = {side: Entry(text=SIDE_TEXTS[side], act=choose(side)) for side in SIDES}
        return Menu(title="Visitor's colour?", entries={"red": cells["red"], "white": cells["white"]})

    def nearest_menu(self, desk: Desk) -> Menu:
        """Return the question which opening ball lies nearest, with what has to be asked behind it."""

        def nearest(side: Side) -> Callable[[Ns], Menu | None]:
            return lambda at: self._open(desk, side, at)

        cells = {side: Entry(text=SIDE_TEXTS[side], act=nearest(side)) for side in SIDES}
        return Menu(title="Which ball is nearest?", entries={"red": cells["red"], "white": cells["white"]})

    def _open(self, desk: Desk, nearest: Side, at: Ns) -> Menu | None:
        match = match_of(desk)
        if not match.duo or game_number(match) == SECOND_GAME:
            self._report(desk, nearest, None, at)
            return None
        home_names, away_names = desk.names

        def away(home: int) -> Callable[[Ns], Menu | None]:
            return lambda _: _ask(
                "Who opened, away?",
                away_names,
                lambda n: self._reporter(desk, nearest, ByContestant(home=home, away=n)),
            )

        return _ask("Who opened, home?", home_names, away)

    def _reporter(self, desk: Desk, nearest: Side, openers: ByContestant[int]) -> Callable[[Ns], Menu | None]:
        def act(at: Ns) -> None:
            self._report(desk, nearest, openers, at)

        return act

    def _report(self, desk: Desk, nearest: Side, openers: ByContestant[int] | None, at: Ns) -> None:
        home = self.home(match_of(desk))
        desk.report(Opening(t=desk.instant(at), nearest=nearest, home=home, openers=openers))


def _ask(title: str, names: tuple[str, ...], then: Callable[[int], Callable[[Ns], Menu | None]]) -> Menu:
    return on_keys(
        title, [Entry(text="{name}", values=(("name", name),), act=then(n)) for n, name in enumerate(names)]
    )


def chooses_colour(rulebook: Rulebook, match: Match) -> bool:
    """Say whether the coming game is a decider in which the visitor chooses the colour."""
    deciding = match.games.home == match.games.away == match.best_of // 2 and match.best_of > 1
    return rulebook.decider_colour == "away" and match.phase == "opening" and deciding
