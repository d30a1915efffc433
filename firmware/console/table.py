"""The table menu, behind a long press of `fault`: spots, corrections, and what ends a game or a match.

Lives here: what a referee mends by hand. What destroys needs a hold of 3 s. Never here: whether the law takes it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from firmware.console.desk import Desk, accepts, match_of
from firmware.console.faults import SIDE_TEXTS
from firmware.console.law_asks import SPOT_KEYS
from firmware.console.menus import Entry, Menu, on_keys
from firmware.script import Key  # noqa: TC001 - beside the others; TYPE_CHECKING for one line is noise
from rules import (
    CONTESTANTS,
    SIDES,
    Abandon,
    AnyEvent,
    Blocked,
    Cleared,
    Concede,
    Contestant,
    Correct,
    Ns,
    Side,
    colour_of,
    counts_so_far,
    read,
)  # fmt: skip
from rules.events import BallsGiven, GamesGiven
from rules.match import games_needed
from rules.words import BALLS, SECOND

CONTESTANT_TEXTS: dict[Contestant, str] = {"home": "home", "away": "away"}


def table_menu(desk: Desk, new_match: Callable[[Ns], Menu | None]) -> Menu:
    """Return the table menu; `new_match` leads to the set-up."""
    match = match_of(desk)
    plays = match.phase in ("open", "kader") and not match.clock_only
    entries: list[Entry] = []
    if plays:
        entries += [
            Entry(text="balls", act=lambda _: _balls(desk, _on_table(desk))),
            Entry(text="turn", act=lambda _: _turn(desk)),
        ]
    if not match.clock_only:
        entries.append(
            Entry(text="games", act=lambda _: _games(desk, _Counts(match.games.home, match.games.away)))
        )
    if match.phase in ("open", "kader") and match.rolling is None:
        left = read(match.clock, desk.instant(match.at)).left // SECOND
        entries.append(Entry(text="clock", act=lambda _: _clock(desk, left)))
    if plays:
        entries.append(Entry(text="spots", act=lambda _: _spots(desk)))
    if match.phase != "over" and not match.clock_only:
        entries.append(Entry(text="concede", act=lambda _: _concede(desk)))
        entries.append(Entry(text="abandon", hold=True, act=_reporting(desk, lambda t: Abandon(t=t))))
    over = match.phase == "over"
    entries.append(Entry(text="new match", hold=not over, act=new_match))
    return on_keys("Table", entries)


def _reporting(desk: Desk, event: Callable[[Ns], AnyEvent]) -> Callable[[Ns], Menu | None]:
    def act(at: Ns) -> None:
        desk.report(event(desk.instant(at)))

    return act


@dataclass(frozen=True, slots=True)
class _Counts:
    """Two numbers while they are set by hand: left is red's or home's."""

    left: int
    right: int


def _on_table(desk: Desk) -> "_Counts":
    """Return the counts as the screen shows them."""
    now = counts_so_far(match_of(desk))
    return _Counts(max(1, now.red), max(1, now.white))


def _balls(desk: Desk, counts: _Counts) -> Menu:
    def give(t: Ns) -> AnyEvent:
        before, now = (
            match_of(desk).balls,
            counts_so_far(match_of(desk)),
        )  # a stroke's goals are ruled on at its rest
        red, white = counts.left + before.red - now.red, counts.right + before.white - now.white
        return Correct(t=t, balls=BallsGiven(red=min(BALLS, red), white=min(BALLS, white)))

    return Menu(
        title="Balls on the table",
        entries={
            "red": _number("red {n}", counts.left, lambda n: _balls(desk, replace(counts, left=n)), 1, 5),
            "white": _number(
                "white {n}", counts.right, lambda n: _balls(desk, replace(counts, right=n)), 1, 5
            ),
            "ok": Entry(text="set", act=_reporting(desk, give)),
        },
    )


def _games(desk: Desk, counts: _Counts) -> Menu:
    most = games_needed(match_of(desk)) - 1

    def give(t: Ns) -> AnyEvent:
        return Correct(t=t, games=GamesGiven(home=counts.left, away=counts.right))

    return Menu(
        title="Games won",
        entries={
            "red": _number("home {n}", counts.left, lambda n: _games(desk, replace(counts, left=n)), 0, most),
            "white": _number(
                "away {n}", counts.right, lambda n: _games(desk, replace(counts, right=n)), 0, most
            ),
            "ok": Entry(text="set", act=_reporting(desk, give)),
        },
    )


def _number(text: str, now: int, then: Callable[[int], Menu], least: int, most: int) -> Entry:
    """Return a cell that counts down with each press, and starts again at the top."""
    return Entry(text=text, values=(("n", str(now)),), act=lambda _: then(most if now <= least else now - 1))


def _turn(desk: Desk) -> Menu:
    entries = {
        side: Entry(
            text=SIDE_TEXTS[side], act=_reporting(desk, _turn_to(side)), chosen=match_of(desk).turn == side
        )
        for side in SIDES
    }
    menu: dict[Key, Entry] = {"red": entries["red"], "white": entries["white"]}
    if match_of(desk).duo:
        other = 1 - match_of(desk).player
        give = _reporting(desk, lambda t: Correct(t=t, player=other))
        return Menu(title="Whose turn?", entries={**menu, "ok": Entry(text="the partner", act=give)})
    return Menu(title="Whose turn?", entries=menu)


def _turn_to(side: Side) -> Callable[[Ns], AnyEvent]:
    return lambda t: Correct(t=t, turn=side)


def _clock(desk: Desk, left: int) -> Menu:
    most = desk.rulebook.call_after(duo=match_of(desk).duo) // SECOND

    def to(seconds: int) -> Callable[[Ns], Menu]:
        return lambda _: _clock(desk, min(most, max(0, seconds)))

    give = _reporting(desk, lambda t: Correct(t=t, left=Ns(left * SECOND)))
    return Menu(
        title="{n} s to the call",
        values=(("n", str(left)),),
        entries={
            "red": Entry(text="- 5 s", act=to(left - 5)),
            "up": Entry(text="+ 1 s", act=to(left + 1)),
            "white": Entry(text="+ 5 s", act=to(left + 5)),
            "ok": Entry(text="set", act=give),
            "down": Entry(text="- 1 s", act=to(left - 1)),
        },
    )


def _spots(desk: Desk) -> Menu:
    menu = {side: Entry(text=SIDE_TEXTS[side], act=_spots_of(desk, side)) for side in SIDES}
    return Menu(title="Whose spots?", entries={"red": menu["red"], "white": menu["white"]})


def _spots_of(desk: Desk, side: Side) -> Callable[[Ns], Menu]:
    return lambda at: spots_menu(desk, side, at)


def spots_menu(desk: Desk, side: Side, at: Ns) -> Menu:
    """Offer to say that a spot of `side` is blocked, or that the ball on it has gone."""
    t = desk.instant(at)
    entries: dict[Key, Entry] = {}
    for spot, key in SPOT_KEYS.items():
        values = (("spot", str(spot)),)
        if accepts(desk, Cleared(t=t, side=side, spot=spot)):
            entries[key] = Entry(
                text="{spot} is free", values=values, act=_reporting(desk, _cleared(side, spot))
            )
        elif accepts(desk, Blocked(t=t, side=side, spot=spot)):
            entries[key] = Entry(
                text="{spot} blocked", values=values, act=_reporting(desk, _blocked(side, spot))
            )
    return Menu(title="Spots of {side}", entries=entries, values=(("side", side),))


def _cleared(side: Side, spot: int) -> Callable[[Ns], AnyEvent]:
    return lambda t: Cleared(t=t, side=side, spot=spot)


def _blocked(side: Side, spot: int) -> Callable[[Ns], AnyEvent]:
    return lambda t: Blocked(t=t, side=side, spot=spot)


def _concede(desk: Desk) -> Menu:
    entries = []
    for whole, text in ((False, "{who} game"), (True, "{who} match")):
        for contestant in CONTESTANTS:
            side = _colour(desk, contestant)
            entries.append(
                Entry(
                    text=text,
                    values=(("who", CONTESTANT_TEXTS[contestant]),),
                    hold=True,
                    act=_reporting(desk, _conceding(side, whole=whole)),
                )
            )
    return on_keys("Who gives up?", entries)


def _conceding(side: Side, *, whole: bool) -> Callable[[Ns], AnyEvent]:
    return lambda t: Concede(t=t, side=side, match=whole)


def _colour(desk: Desk, contestant: Contestant) -> Side:
    return colour_of(match_of(desk), contestant)
