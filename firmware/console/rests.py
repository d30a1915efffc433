"""What only a person can know about a stroke, asked at its rest and only where the ruling hangs on it.

Lives here: was the holed ball the cue ball, and from which penalty spot was it played. Never here: the ruling.
"""

from collections.abc import Callable

from msgspec.structs import replace

from firmware.console.desk import Desk, match_of, matters
from firmware.console.menus import Entry, Menu, on_keys
from rules import AnyEvent, Drop, Ns, Rest


def rest_menu(desk: Desk, rest: Rest) -> Menu | None:
    """Return the first question this rest needs; None: reported, nothing was to be asked."""
    drops = _own_drops(desk)
    others = [_as_other(drop, rest.t) for drop in drops]
    if drops and matters(desk, [[rest], [*others, rest]]):
        entries = [
            Entry(text="yes", act=lambda _: _spot_menu(desk, (), rest)),
            Entry(text="no", act=lambda _: _spot_menu(desk, tuple(others), rest)),
        ]
        return on_keys("Cue ball holed?", entries)
    return _spot_menu(desk, (), rest)


def _spot_menu(desk: Desk, drops: tuple[Drop, ...], rest: Rest) -> Menu | None:
    match = match_of(desk)
    side = None if match.rolling is None else match.rolling.before.turn
    said = match.rolling is not None and match.rolling.on_spot is not None
    spots = () if side is None or said else match.spots.of(side).on
    variants = [rest, *(replace(rest, on_spot=spot) for spot in spots)]
    if len(variants) == 1 or not matters(desk, [[*drops, one] for one in variants]):
        _report(desk, (*drops, rest))
        return None
    entries = [
        Entry(text="spot {spot}", values=(("spot", str(one.on_spot)),), act=_reporter(desk, (*drops, one)))
        for one in variants[1:]
    ]
    return on_keys(
        "From which spot?", [*entries, Entry(text="from none", act=_reporter(desk, (*drops, rest)))]
    )


def _reporter(desk: Desk, events: tuple[AnyEvent, ...]) -> Callable[[Ns], Menu | None]:
    def act(_: Ns) -> None:
        _report(desk, events)

    return act


def _report(desk: Desk, events: tuple[AnyEvent, ...]) -> None:
    for event in events:
        desk.report(event)


def _own_drops(desk: Desk) -> list[Drop]:
    played = match_of(desk).rolling
    if played is None:
        return []
    return [
        report
        for report in played.reports
        if isinstance(report, Drop)
        and report.ball == played.before.turn
        and report.cue is None
        and not report.late
    ]


def _as_other(drop: Drop, t: Ns) -> Drop:
    return replace(drop, t=t, at=drop.t if drop.at is None else drop.at, cue=False)
