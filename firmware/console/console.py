"""The console: what the referee's keys and the goal sensors mean (replay.md, "press, sensor, pin").

Lives here: presses and pulses to events of the law, and the console's own questions. Never here: law, pins, bounce, a
clock: every input comes with its first contact, and time is handed in.

    red   up    white
    fault ok    undo
    stroke down rest      and `hand`: stroke while the turn clock runs, rest while the balls roll

A sensor is right where the obvious happened; the hand is later than the ball. What a sensor saw stands in the record
of the law itself (a drop with a stamp), so undo takes it back like any report; the console keeps only what is not known
yet. A menu, and a question of the law, is a grid of nine cells: each key does what its cell says.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware.console.balls import Balls
from firmware.console.drops import Drops
from firmware.console.faults import fault_menu
from firmware.console.guards import KeyGuard
from firmware.console.law_asks import law_menu
from firmware.console.menus import Menu
from firmware.console.openings import Openings
from firmware.console.reporting import Reporting, Taken
from firmware.console.rests import rest_menu
from firmware.console.setup import Choices, Setup, setup_menu
from firmware.console.table import spots_menu, table_menu
from firmware.said import Said
from firmware.script import Key
from firmware.view import HOLD, ConsoleQuestion, Grid, Notice
from rules import Ns, Pause, Record, Rest, Resume, Rulebook, Side, Stroke, Undo, lapsed, moment, reports
from rules.words import SECOND

LONG: Final = Ns(1 * SECOND)
"""From here on a press is a long one: the other goal, pause and resume, the table menu."""
FORGOTTEN: Final = Ns(20 * SECOND)
"""A menu nobody uses closes."""
LATE_SHOWN: Final = Ns(1 * SECOND)
"""A `stroke` this soon after the expiry shows by how much it was late."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Held:
    """A key that is down and may become a long press; `cell`: of a menu."""

    at: Ns
    span: Ns
    cell: bool


class Console:
    """The referee's console over a record. Belongs to the thread that owns the fold.

    `record`, `take` and `say` are `Reporting`'s; `begin` starts a match that was set up.
    """

    def __init__(  # noqa: PLR0913 - each by its name; a bag of them would only hide what a console needs
        self,
        *,
        rulebook: Rulebook,
        names: tuple[tuple[str, ...], tuple[str, ...]],
        record: Callable[[], Record],
        take: Taken,
        say: Callable[[Said], None],
        drops: Drops,
        setup: Setup,
        choices: Choices,
        begin: Callable[[Setup, Ns], None],
    ) -> None:
        """Start with no key down and nothing asked."""
        self._desk = Reporting(rulebook=rulebook, names=names, record=record, take=take, say=say)
        self._balls = Balls(self._desk, drops)
        self._setup = setup
        self._choices = choices
        self._begin = begin
        self._openings = Openings()
        self._keys = KeyGuard()
        self._down: dict[Key, _Held] = {}
        self._menu: Menu | None = None
        self._menu_at = Ns(0)
        self._menu_of = 0
        self._expired_at: Ns | None = None

    # What is open ---------------------------------------------------------------------------------------------

    @property
    def notice(self) -> Notice | None:
        """What the last input did."""
        return self._desk.notice

    @property
    def question(self) -> ConsoleQuestion | None:
        """The console's own question that is open."""
        return self._balls.question

    @property
    def question_goal(self) -> Side | None:
        """The goal the question is about."""
        return self._balls.question_goal

    @property
    def waits(self) -> bool:
        """Whether an expiry has to wait: it is not known yet whether the stroke was played in time."""
        return self._balls.waits

    @property
    def is_quiet(self) -> bool:
        """Whether no key is down and nothing is waited for."""
        return not self._down and not self.waits

    def visitors_choice(self) -> Side | None:
        """Return the colour that the visitor left to home in the coming decider, where that was asked and answered."""
        return self._openings.home(self._desk.match)

    def grid(self) -> Grid | None:
        """Return the menu or the question of the law that is open, with the key that is held."""
        menu = self._open_menu()
        if menu is None:
            return None
        held = [(key, down.at) for key, down in self._down.items() if down.cell]
        return menu.grid(*(held[0] if held else (None, None)))

    def due(self) -> Ns | None:
        """Return when `tick` next has something to do, None if never."""
        dues: list[int] = [down.at + down.span for down in self._down.values()]
        if (balls := self._balls.due()) is not None:
            dues.append(balls)
        if self._menu is not None:
            dues.append(self._menu_at + FORGOTTEN)
        return Ns(min(dues)) if dues else None

    # Inputs ---------------------------------------------------------------------------------------------------

    def key_down(self, key: Key, at: Ns) -> None:
        """Take a press at its first contact; a key that also has a hold waits until it is known which it was."""
        if self._keys.leaves_out(key, at):
            return
        span, cell = self._hold_of(key)
        if span is None:
            self._press(key, at)
        else:
            self._down[key] = _Held(at=at, span=span, cell=cell)

    def key_up(self, key: Key, at: Ns) -> None:
        """Take a release: a key with a hold was pressed shortly."""
        down = self._down.pop(key, None)
        if down is None:
            return
        if down.cell:
            self._desk.note("hold", at)
        else:
            self._press(key, at)

    def pulse(self, goal: Side, at: Ns) -> None:
        """Take a ball's passing through the sensor of `goal`."""
        self._balls.pulse(goal, at)

    def mistrust(self, goal: Side) -> None:
        """Stop believing the sensor of `goal`: what it saw and nobody confirmed is forgotten."""
        self._balls.mistrust(goal)

    def tick(self, now: Ns) -> None:
        """Let the holds and questions fall due that do so up to `now`."""
        for key, down in list(self._down.items()):
            if down.at + down.span <= now:
                del self._down[key]
                self._hold(key, Ns(down.at + down.span), cell=down.cell)
        self._balls.tick(now)
        if self._menu is not None and self._menu_at + FORGOTTEN <= now:
            self._menu = None

    def expired(self, at: Ns) -> None:
        """Note that the law ruled on an expiry: menus close, and a key's run of presses ends there."""
        self._keys.changed(at)
        self._expired_at = at
        self._menu = None
        self._down.clear()

    # Keys -----------------------------------------------------------------------------------------------------

    def _hold_of(self, key: Key) -> tuple[Ns | None, bool]:
        """Return how long `key` is held for what it means when held, and whether that is a cell of a menu."""
        menu = self._open_menu() if key != "hand" else None
        if menu is not None and key in menu.entries:
            return (HOLD, True) if menu.entries[key].hold else (None, False)
        if key == "fault" or (key == "ok" and self.question != "stroke_played"):
            return LONG, False
        colour = key in ("red", "white") and moment(self._desk.match) == "rolls"
        return (LONG, False) if colour and self.question is None else (None, False)

    def _press(self, key: Key, at: Ns) -> None:
        menu = self._open_menu()
        if key == "hand":
            self._hand(at)
        elif menu is not None and key in menu.entries:
            self._choose(menu, key, at)
        elif self._menu is not None and key == "undo":
            self._desk.click(at)
            self._show(self._menu.back, at)
        elif self._menu is not None and key not in ("stroke", "rest"):
            self._desk.note("ignored", at)
        else:  # where no cell takes them, stroke and rest do what they always do
            self._menu = None
            self._plain(key, at)

    def _plain(self, key: Key, at: Ns) -> None:
        match key:
            case "stroke":
                self._stroke(at)
            case "rest":
                self._rest(at)
            case "undo":
                self._undo(at)
            case "red" | "white":
                self._balls.colour(key, at)
            case "ok" if self.question == "stroke_played":
                self._was_played(at)
            case "down" if self._balls.deny(at):
                pass
            case "ok" if self._desk.match.phase == "over":
                self._desk.click(at)
                self._show(self._set_up(at), at)
            case "fault":
                self._faults(at)
            case _:
                self._desk.note("ignored", at)

    def _hold(self, key: Key, at: Ns, *, cell: bool) -> None:
        menu = self._open_menu()
        if cell and menu is not None and key in menu.entries:
            self._choose(menu, key, at)
        elif key in ("red", "white"):
            self._balls.other_goal(key, at)
        elif key == "fault":
            self._desk.click(at)
            self._show(table_menu(self._desk, self._set_up), at)
        elif self._desk.match.clock.state == "paused":
            self._desk.report(Resume(t=self._desk.instant(at)))
        else:
            self._desk.report(Pause(t=self._desk.instant(at)))

    def _stroke(self, at: Ns, played: Ns | None = None) -> None:
        """Report a stroke pressed at `at`; a ball that has fallen since says that it was `played` earlier."""
        opens = moment(self._desk.match) == "opening"
        if played is None:
            played = self._balls.stroke_at or at
        if self._desk.report(Stroke(t=self._desk.instant(played))):
            self._menu = None
            self._balls.struck(played, at, opening=opens)
        elif self._expired_at is not None and at - self._expired_at <= LATE_SHOWN:
            self._desk.note("late", at, late_by=Ns(at - self._expired_at))

    def _rest(self, at: Ns) -> None:
        match, now = self._desk.match, moment(self._desk.match)
        rest = Rest(t=self._desk.instant(at))
        if now == "turn" and match.clock.state == "running" and not lapsed(match):
            self._desk.click(at)
            self._balls.rest_pressed(at)
        elif now == "rolls" and self._balls.hangs():
            self._balls.ask(at)
            self._desk.note("refused", at, why="asked")
        elif now == "rolls" and not match.clock_only:
            self._show(rest_menu(self._desk, rest), at)
        else:
            self._desk.report(rest)

    def _was_played(self, at: Ns) -> None:
        """Yes, the stroke was played: where its ball fell, or where its rest was pressed; then that rest."""
        rest_at = self._balls.rest_at
        self._stroke(at)
        if rest_at is not None and moment(self._desk.match) == "rolls":
            self._rest(rest_at)

    def _hand(self, at: Ns) -> None:
        now = moment(self._desk.match)
        if now == "turn" and self._desk.match.clock.state == "running":
            self._stroke(at)
        elif now == "rolls":
            self._rest(at)
        else:
            self._desk.note("ignored", at)

    def _undo(self, at: Ns) -> None:
        if self.waits:  # what is not known yet goes first
            self._balls.drop_doubts()
            self._desk.click(at)
            self._desk.note("undone", at)
            return
        past = reports(self._desk.record)
        if self._desk.report(Undo(t=self._desk.instant(at))):
            self._balls.forget()
            self._expired_at = None
            self._desk.note("undone", at, event=past[-1] if past else None)

    # Menus ----------------------------------------------------------------------------------------------------

    def _open_menu(self) -> Menu | None:
        """Return the menu that is open: one that was opened by a key, else a question of the law."""
        if self._menu is not None and self._menu_of == len(self._desk.record.past) and self.question is None:
            return self._menu
        self._menu = None  # the match has moved on, or something has to be known first
        asked, now = self._desk.match.asked, moment(self._desk.match)
        if now == "nearest":
            return self._openings.nearest_menu(self._desk)
        if asked is not None:
            return law_menu(self._desk, asked, self._blocked)
        return self._openings.colour_menu(self._desk) if now == "opening" else None

    def _choose(self, menu: Menu, key: Key, at: Ns) -> None:
        before = self._desk.match
        self._show(menu.entries[key].act(at), at)
        if self._desk.match is before:  # a report clicks by itself
            self._desk.click(at)

    def _show(self, menu: Menu | None, at: Ns) -> None:
        self._menu, self._menu_at, self._menu_of = menu, at, len(self._desk.record.past)
        if menu is not None:
            self._desk.notice = None

    def _faults(self, at: Ns) -> None:
        menu = None if self._desk.match.clock_only else fault_menu(self._desk, at)
        if menu is None:
            self._desk.note("ignored", at)
        else:
            self._desk.click(at)
            self._show(menu, at)

    def _blocked(self, at: Ns) -> Menu | None:
        return spots_menu(self._desk, self._desk.match.laying[0].side, at)

    def _set_up(self, _: Ns) -> Menu:
        return setup_menu(self._choices, self._setup, self._begin)
