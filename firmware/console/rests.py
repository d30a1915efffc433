"""What only a person can know about a stroke, asked at its rest and only where the ruling hangs on it.

Lives here: which goals fell because of a fault, was the holed ball the cue ball, and from which penalty spot was it
played. Never here: the ruling.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from firmware.console.desk import Desk, match_of, matters
from firmware.console.law_asks import SPOT_KEYS
from firmware.console.menus import Entry, Menu, on_keys
from rules import AnyEvent, Drop, Ns, Rest
from rules.faults import INTERFERED

if TYPE_CHECKING:
    from firmware.script import Key

Act = Callable[[Ns], Menu | None]


def rest_menu(desk: Desk, rest: Rest) -> Menu | None:
    """Return the first question this rest needs; None: reported, nothing was to be asked."""
    return _by_fault(desk, rest, _drops(desk, rest), ())


def _drops(desk: Desk, rest: Rest) -> tuple[Drop, ...]:
    """Return the stroke's drops, each as a report of the rest's instant that replaces itself."""
    played = match_of(desk).rolling
    reports = () if played is None else played.reports
    return tuple(
        replace(report, t=rest.t, at=report.t if report.at is None else report.at)
        for report in reports
        if isinstance(report, Drop) and not report.late
    )


def _by_fault(desk: Desk, rest: Rest, drops: tuple[Drop, ...], changed: tuple[Drop, ...]) -> Menu | None:
    """After a stopped or deflected ball: which goals fell because of it?"""
    played = match_of(desk).rolling
    interfered = played is not None and played.fault is not None and played.fault.fault in INTERFERED
    for index, drop in enumerate(drops if interfered else ()):
        fell = replace(drop, by_fault=True)
        if drop.by_fault or not matters(desk, [[*changed, rest], [*changed, fell, rest]]):
            continue
        later = drops[index + 1 :]
        entries = [
            Entry(text="yes", act=_then(_by_fault, desk, rest, later, (*changed, fell))),
            Entry(text="no", act=_then(_by_fault, desk, rest, later, changed)),
        ]
        return on_keys("Goal by the fault?", entries, values=(("ball", drop.ball), ("goal", drop.goal)))
    return _cue(desk, rest, changed)


def _then(
    ask: Callable[[Desk, Rest, tuple[Drop, ...], tuple[Drop, ...]], Menu | None],
    desk: Desk,
    rest: Rest,
    drops: tuple[Drop, ...],
    changed: tuple[Drop, ...],
) -> Act:
    return lambda _: ask(desk, rest, drops, changed)


def _cue(desk: Desk, rest: Rest, changed: tuple[Drop, ...]) -> Menu | None:
    """Was one of the own balls holed the cue ball?"""
    played = match_of(desk).rolling
    by = None if played is None else played.before.turn
    own = [drop for drop in _drops(desk, rest) if drop.ball == by and drop.cue is None]
    fell = {(drop.goal, drop.at) for drop in changed}
    others = tuple(replace(drop, cue=False, by_fault=(drop.goal, drop.at) in fell) for drop in own)
    if not own or not matters(desk, [[*changed, rest], [*changed, *others, rest]]):
        return _spot(desk, rest, changed)
    entries = [
        Entry(text="yes", act=lambda _: _spot(desk, rest, changed)),
        Entry(text="no", act=lambda _: _spot(desk, rest, (*changed, *others))),
    ]
    return on_keys("Cue ball holed?", entries)


def _spot(desk: Desk, rest: Rest, changed: tuple[Drop, ...]) -> Menu | None:
    """From which penalty spot was it played? In kader play a ball may lie on one without being laid there (STR-08)."""
    match = match_of(desk)
    played = match.rolling
    side = None if played is None else played.before.turn
    spots: tuple[int, ...] = ()
    if played is not None and side is not None and played.on_spot is None:
        spots = tuple(SPOT_KEYS) if played.before.phase == "kader" else match.spots.of(side).on
    variants = [rest, *(replace(rest, on_spot=spot) for spot in spots)]
    if len(variants) == 1 or not matters(desk, [[*changed, one] for one in variants]):
        _report(desk, (*changed, rest))
        return None
    return spot_menu(
        {spot: _reporter(desk, (*changed, replace(rest, on_spot=spot))) for spot in spots},
        _reporter(desk, (*changed, rest)),
    )


def spot_menu(acts: dict[int, Act], none: Act) -> Menu:
    """Return the question from which spot a ball was played, each spot on the key at its place."""
    entries: dict[Key, Entry] = {
        SPOT_KEYS[spot]: Entry(text="spot {spot}", values=(("spot", str(spot)),), act=act)
        for spot, act in acts.items()
    }
    entries["ok"] = Entry(text="from none", act=none)
    return Menu(title="From which spot?", entries=entries)


def _report(desk: Desk, events: tuple[AnyEvent, ...]) -> None:
    for event in events:
        desk.report(event)


def _reporter(desk: Desk, events: tuple[AnyEvent, ...]) -> Act:
    def act(_: Ns) -> None:
        _report(desk, events)

    return act
