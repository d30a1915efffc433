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

from firmware.console.drops import Drops
from firmware.console.faults import fault_menu
from firmware.console.guards import KeyGuard
from firmware.console.law_asks import law_menu
from firmware.console.menus import Menu
from firmware.console.openings import Openings
from firmware.console.rests import rest_menu
from firmware.console.setup import Choices, Setup, setup_menu
from firmware.console.table import spots_menu, table_menu
from firmware.said import Click, ConsoleAsk, Said
from firmware.script import Key
from firmware.view import HOLD, ConsoleQuestion, Grid, Notice, NoticeKind
from rules import (
    AnyEvent,
    Match,
    Ns,
    Outcome,
    Pause,
    Record,
    Refused,
    Rest,
    Resume,
    Rulebook,
    Side,
    Stroke,
    Undo,
    Why,
    lapsed,
    moment,
    reports,
)
from rules.words import SECOND

LONG: Final = Ns(1 * SECOND)
"""From here on a press is a long one: the other goal, pause and resume, the table menu."""
FORGOTTEN: Final = Ns(20 * SECOND)
"""A menu nobody uses closes."""
ANSWER_WITHIN: Final = Ns(5 * SECOND)
"""An unanswered question is over: the drop was late, the rest was nothing."""
NOTICE: Final = Ns(4 * SECOND)
LATE_SHOWN: Final = Ns(1 * SECOND)
"""A `stroke` this soon after the expiry shows by how much it was late."""

Taken = Callable[[AnyEvent], tuple[Outcome, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Held:
    """A key that is down and may become a long press."""

    at: Ns
    span: Ns
    cell: bool


class Console:
    """The referee's console over a record. Belongs to the thread that owns the fold.

    `record` returns the record as it stands, `take` reports an event to the law and returns what that answered, `say`
    puts clicks and questions out, `begin` starts a match that was set up.
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
        self.rulebook = rulebook
        self.names = names
        self._record = record
        self._take = take
        self._say = say
        self._drops = drops
        self._goals = drops.goals
        self._setup = setup
        self._choices = choices
        self._begin = begin
        self._openings = Openings()
        if setup.home == "red":
            self._openings.home_plays("red")
        self._keys = KeyGuard()
        self._down: dict[Key, _Held] = {}
        self._rest_at: Ns | None = None
        self._asked = False
        self._menu: Menu | None = None
        self._menu_at = Ns(0)
        self._expired_at: Ns | None = None
        self.notice: Notice | None = None

    # What is open ---------------------------------------------------------------------------------------------

    @property
    def record(self) -> Record:
        """The match and its past, now."""
        return self._record()

    @property
    def question(self) -> ConsoleQuestion | None:
        """The console's own question that is open."""
        return "stroke_played" if self._asked else self._goals.question

    @property
    def question_goal(self) -> Side | None:
        """The goal the question is about; none where `rest` was pressed while the clock runs."""
        return self._drops.first_goal if self._asked else self._goals.question_goal

    @property
    def waits(self) -> bool:
        """Whether an expiry has to wait: it is not known yet whether the stroke was played in time."""
        return self._drops.waits or self._rest_at is not None

    @property
    def is_quiet(self) -> bool:
        """Whether no key is down and nothing is waited for."""
        return not self._down and not self.waits

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
        drop = self._drops.lapses_at() if self._asked else self._drops.asks_at()
        if drop is not None:
            dues.append(drop)
        if self._rest_at is not None:
            dues.append(self._rest_at + ANSWER_WITHIN)
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
            self._note("hold", at)
        else:
            self._press(key, at)

    def pulse(self, goal: Side, at: Ns) -> None:
        """Take a ball's passing through the sensor of `goal`."""
        now = moment(self._match)
        if self._match.clock_only or now == "over":
            self._note("ignored", at, goal=goal)
        elif now == "opening":
            self._drops.before_opening(goal, at)
            self._note("ignored", at, goal=goal)
        elif not self._goals.is_new_ball(goal, at, rolling=now == "rolls"):
            self._note("ignored", at, goal=goal)
            self._ask_goals(at)
        elif now == "turn":
            self._drops.hold(goal, at)
            self._note("seen", at, goal=goal)
        else:
            self._drop(goal, at)

    def tick(self, now: Ns) -> None:
        """Let the holds and questions fall due that do so up to `now`."""
        for key, down in list(self._down.items()):
            if down.at + down.span <= now:
                del self._down[key]
                self._hold(key, Ns(down.at + down.span), cell=down.cell)
        if self._drops.waits and moment(self._match) == "rolls":  # the stroke was reported past the console
            self._drop_held(self._match.at)
        asks, lapses = self._drops.asks_at(), self._drops.lapses_at()
        if lapses is not None and lapses <= now:
            self._late()
        elif asks is not None and asks <= now and not self._asked:
            self._ask_stroke(asks)
        if self._rest_at is not None and self._rest_at + ANSWER_WITHIN <= now:
            self._rest_at, self._asked = None, self._drops.waits and self._asked
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
        if key == "fault" or (key == "ok" and not self._asked):
            return LONG, False
        colour = key in ("red", "white") and moment(self._match) == "rolls"
        return (LONG, False) if colour and self._goals.question is None else (None, False)

    def _press(self, key: Key, at: Ns) -> None:
        menu = self._open_menu()
        if key == "hand":
            self._hand(at)
        elif menu is not None and key in menu.entries:
            self._choose(menu, key, at)
        elif self._menu is not None:
            if key == "undo":
                self._click(at)
                self._show(self._menu.back, at)
            else:
                self._note("ignored", at)
        else:
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
                self._colour(key, at)
            case "ok":
                self._ok(at)
            case "down":
                self._deny(at)
            case "fault":
                self._faults(at)
            case _:
                self._note("ignored", at)

    def _hold(self, key: Key, at: Ns, *, cell: bool) -> None:
        menu = self._open_menu()
        if cell and menu is not None and key in menu.entries:
            self._choose(menu, key, at)
        elif key in ("red", "white"):
            side: Side = "red" if key == "red" else "white"
            self.report(self._goals.by_hand(side, self.instant(at), other_goal=True))
            self._ask_goals(at)
        elif key == "fault":
            self._click(at)
            self._show(table_menu(self, self._set_up), at)
        elif self._match.clock.state == "paused":
            self.report(Resume(t=self.instant(at)))
        else:
            self.report(Pause(t=self.instant(at)))

    def _stroke(self, at: Ns) -> None:
        first = self._drops.first_at
        played = at if first is None else first
        opens = moment(self._match) == "opening"
        if not self.report(Stroke(t=self.instant(played))):
            if self._expired_at is not None and at - self._expired_at <= LATE_SHOWN:
                self._note("late", at, late_by=Ns(at - self._expired_at))
            return
        self._rest_at = None
        self._goals.new_stroke()
        self._drop_held(played)
        if opens:
            for goal, stamp in self._drops.take_opening(at):
                self._drop(goal, stamp)

    def _rest(self, at: Ns) -> None:
        match = self._match
        running = match.clock.state == "running" and not lapsed(match)
        now = moment(match)
        if now == "turn" and running:
            self._rest_at = at
            self._click(at)
            self._ask_stroke(at)
        elif now == "rolls" and self._goals.undecided(match):
            self._ask_goals(at)
            self._note("refused", at, why="asked")
        elif now == "rolls" and not match.clock_only:
            self._show(rest_menu(self, Rest(t=self.instant(at))), at)
        else:
            self.report(Rest(t=self.instant(at)))

    def _hand(self, at: Ns) -> None:
        now = moment(self._match)
        if now == "turn" and self._match.clock.state == "running":
            self._stroke(at)
        elif now == "rolls":
            self._rest(at)
        else:
            self._note("ignored", at)

    def _undo(self, at: Ns) -> None:
        if self.waits:  # what is not known yet goes first
            self._drops.take_held()
            self._rest_at, self._asked = None, False
            self._click(at)
            self._note("ignored", at)
            return
        past = reports(self.record)
        if self.report(Undo(t=self.instant(at))):
            self._goals.forget()
            self._expired_at = None
            self._note("undone", at, event=past[-1] if past else None)

    def _colour(self, side: Side, at: Ns) -> None:
        if moment(self._match) != "rolls":
            drop = self._goals.by_hand(side, self.instant(at), other_goal=False)
            if moment(self._match) == "opening_rolls":
                self.report(drop)
            else:
                self._note("ignored", at)
            return
        said = self._goals.said(self._match, side, self.instant(at))
        if said is None:
            self._click(at)
            self._note("confirmed", at, ball=side)
        else:
            self.report(said)
        self._ask_goals(at)

    def _ok(self, at: Ns) -> None:
        if not self._asked:
            self._note("ignored", at)
            return
        rest_at = self._rest_at
        self._stroke(at if rest_at is None else rest_at)
        if rest_at is not None and moment(self._match) == "rolls":
            self._rest(rest_at)

    def _deny(self, at: Ns) -> None:
        if self._asked:
            self._click(at)
            if self._drops.waits:
                self._late()
            self._rest_at, self._asked = None, False
        elif self._goals.question == "second_ball":
            self._click(at)
            self._goals.deny()
        else:
            self._note("ignored", at)

    # Menus ----------------------------------------------------------------------------------------------------

    def _open_menu(self) -> Menu | None:
        """Return the menu that is open: one that was opened by a key, else a question of the law."""
        if self._menu is not None:
            return self._menu
        asked, now = self._match.asked, moment(self._match)
        if now == "nearest":
            return self._openings.nearest_menu(self)
        if asked is not None:
            return law_menu(self, asked, self._blocked)
        return self._openings.colour_menu(self) if now == "opening" else None

    def _choose(self, menu: Menu, key: Key, at: Ns) -> None:
        before = self._match
        self._show(menu.entries[key].act(at), at)
        if self._match is before:  # a report clicks by itself
            self._click(at)

    def _show(self, menu: Menu | None, at: Ns) -> None:
        self._menu, self._menu_at = menu, at

    def _faults(self, at: Ns) -> None:
        menu = None if self._match.clock_only else fault_menu(self, at)
        if menu is None:
            self._note("ignored", at)
        else:
            self._click(at)
            self._show(menu, at)

    def _blocked(self, at: Ns) -> Menu | None:
        return spots_menu(self, self._match.laying[0].side, at)

    def _set_up(self, _: Ns) -> Menu:
        return setup_menu(self._choices, self._setup, self._begin)

    # Drops ----------------------------------------------------------------------------------------------------

    def _drop(self, goal: Side, at: Ns) -> None:
        """Report a sensor's drop: a ball of the goal's colour, or the other where none of that is left."""
        drop = self._goals.seen(self._match, goal, at, self.instant(at))
        if drop is None:
            self._note("ignored", at, goal=goal)
        elif self.report(drop, click=False):
            self._note("drop", at, goal=goal, ball=drop.ball)
            self._ask_goals(at)

    def _drop_held(self, at: Ns) -> None:
        self._asked = False
        for goal, stamp in self._drops.take_held():
            self._drop(goal, Ns(max(stamp, at)))

    def _late(self) -> None:
        """Rule the held drops late: nobody said that a stroke was played (TOR-01)."""
        self._asked = self._rest_at is not None
        for goal, at in self._drops.take_held():
            self._drop(goal, at)

    def _ask_stroke(self, at: Ns) -> None:
        if not self._asked:
            self._asked = True
            self._say(ConsoleAsk(t=at, ask="stroke_played"))

    def _ask_goals(self, at: Ns) -> None:
        """Put the questions on which a game hangs, each once."""
        question = self._goals.ask(self._match)
        if question is not None:
            self._say(ConsoleAsk(t=at, ask=question, goal=self._goals.question_goal))

    # Reporting ------------------------------------------------------------------------------------------------

    @property
    def _match(self) -> Match:
        return self._record().match

    def instant(self, at: Ns) -> Ns:
        """Return the instant of a report: never before the last line, since the fold sees rising instants."""
        return Ns(max(at, self._match.at))

    def report(self, event: AnyEvent, *, click: bool = True) -> bool:
        """Report an event to the law, say whether it was taken, and show why not."""
        before = self._match
        outcomes = self._take(event)
        if self._match is before:
            why = next((said.why for said in outcomes if isinstance(said, Refused)), None)
            self._note("refused", event.t, event=event, why=why)
            return False
        if click:
            self._click(event.t)
        self.notice = None
        return True

    def open(self, menu: Menu) -> None:
        """Show a menu from now on."""
        self._show(menu, self._match.at)

    def _click(self, at: Ns) -> None:
        self._say(Click(t=at))

    def _note(
        self,
        kind: NoticeKind,
        at: Ns,
        *,
        why: Why | None = None,
        event: AnyEvent | None = None,
        goal: Side | None = None,
        ball: Side | None = None,
        late_by: Ns | None = None,
    ) -> None:
        self.notice = Notice(
            kind=kind,
            t=at,
            until=Ns(at + NOTICE),
            why=why,
            event=event,
            goal=goal,
            ball=ball,
            late_by=late_by,
        )
