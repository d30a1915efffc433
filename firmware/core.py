r"""The core: contacts, console and law as one thing without I/O, which service, replay and tests drive alike.

Lives here: in which order inputs, deadlines and lines reach the fold. Never here: a thread, a running clock, a device.

    edge(...)  --\                                      /-- say(outcome)
    report(...) --> contacts -> console -> law (record) --> keep(event)
    advance(now) /                                      \-- view()

Two things make an evening fair. The call is never held back: it sounds at its instant, and a press that began before it
and became certain after it is still in order. The expiry is ruled on at its own instant, but not before every input up
to that instant has settled, so a stroke that came in time always wins. The fold sees rising instants.
"""

from collections.abc import Callable, Mapping
from typing import cast

from msgspec.structs import replace

from drivers.contact import Pressed, Released, Report, StuckAtStart, Timing
from drivers.contacts import DELIVERY_NS, Contacts, Counters
from drivers.ports import Edge
from firmware.console import Choices, Console, Drops, Goals, SensorGuard, Setup, opened_by, setup_of
from firmware.said import Said
from firmware.script import KEYS, SENSORS, Key, Opened
from firmware.view import Trouble, View
from rules import (
    RULEBOOKS,
    AnyEvent,
    End,
    Match,
    Ns,
    Outcome,
    Record,
    Recovered,
    Rulebook,
    Ruling,
    Side,
    Signal,
    counts_so_far,
    next_deadline,
    standing_ruling,
    take,
)  # fmt: skip
from rules.clock import call_heard

MILLISECOND = 1_000_000
SHIPPED = Choices(rulebooks=tuple(RULEBOOKS.values()))
"""What can be set up where a club has neither rulebooks nor players of its own."""


def offered_first(rulebook: Rulebook) -> Choices:
    """Return what can be set up where this rulebook comes before those that ship; it stands for one of its name."""
    others = (shipped for shipped in SHIPPED.rulebooks if shipped.name != rulebook.name)
    return Choices(rulebooks=(rulebook, *others))


class Core:
    """The matches of an evening at one table. Belongs to one thread.

    Instants at its door (`edge`, `advance`, `due`) are the box's; those of the law, and of what is said and kept, count
    from the match's first line, which stands at `started`. `say` is told everything the box says, `keep` every event
    that was accepted, in the order of the fold, and `on_match` each match that was set up on the keys.
    """

    def __init__(  # noqa: PLR0913 - each by its name
        self,
        opened: Opened,
        *,
        timing: Timing,
        same_ball: Ns,
        say: Callable[[Said], None],
        keep: Callable[[AnyEvent], None],
        on_match: Callable[[Opened], None] = lambda _: None,
        choices: Choices = SHIPPED,
        number: int = 1,
        active: Mapping[str, bool] | None = None,
        now: Ns,
        started: Ns | None = None,
    ) -> None:
        """Start at `now` with the inputs in `active` already down; the match's first line stands at `started` (0).

        `number` is the match's; those set up on the keys count on from it.
        """
        self._say = say
        self._keep = keep
        self._on_match = on_match
        self._choices = choices
        self._same_ball = same_ball
        self._now = now
        self._number = number
        names = (*KEYS, *SENSORS)
        down = active or {}
        self._contacts = Contacts(
            timings=dict.fromkeys(names, timing),
            initial={name: down.get(name, False) for name in names},
            at_ns=now,
        )
        self._sensors = SensorGuard()
        self._held_at_start: set[str] = set()
        setup = setup_of(opened)
        self._open(opened, setup, Ns(0) if started is None else started)

    def _open(self, opened: Opened, setup: Setup, started: Ns) -> None:
        """Put a match on the table."""
        self._opened = opened
        self._record = opened.record
        self.started = started
        self._announced: Ns | None = None
        self._console = Console(
            rulebook=opened.rulebook,
            names=(opened.names.home, opened.names.away),
            record=lambda: self._record,
            take=self._take,
            say=self._say,
            drops=Drops(Goals(rulebook=opened.rulebook, same_ball=self._same_ball)),
            setup=setup,
            choices=self._choices,
            begin=self._begin,
        )

    def _begin(self, setup: Setup, at: Ns) -> None:
        """Start the match that was set up at instant `at` of the running one."""
        self._number += 1
        opened = opened_by(setup, f"match-{self._number}")
        self._open(opened, setup, Ns(self.started + at))
        self._on_match(opened)

    def renew(self, now: Ns) -> Opened:
        """Begin the match anew at `now`, set up as it was, and return it. Nothing is down or open (`is_quiet`)."""
        setup = setup_of(self._opened)
        opened = opened_by(setup, self._opened.name)
        self._open(opened, setup, now)
        return opened

    @property
    def record(self) -> Record:
        """The match and its past."""
        return self._record

    @property
    def counters(self) -> Mapping[str, Counters]:
        """What each input did, for diagnosis."""
        return self._contacts.counters

    # In -------------------------------------------------------------------------------------------------------

    def edge(self, name: str, at: Ns, *, active: bool) -> None:
        """Take a raw edge of an input; it takes effect in `advance`."""
        self._contacts.edge(Edge(input=name, at_ns=at, active=active))

    def report(self, event: AnyEvent) -> None:
        """Take an event past the console. An `end` lets time run on no further than inputs are known."""
        if not isinstance(event, End):
            self._take(event)
        elif self.is_quiet:
            self._fall_due(Ns(event.t + 1))
            self._take(event)

    def advance(self, now: Ns, *, including: bool = True) -> None:
        """Let everything happen that falls due before `now`, and (`including`) at `now` itself."""
        due = self.due()
        while due is not None and (due < now or (including and due == now)):
            self._run(due)
            due = self.due()
        if including:
            self._run(now)

    def due(self) -> Ns | None:
        """Return when `advance` next has something to do if no edge comes; None if never."""
        dues = [self._contacts.due_ns()]
        if (console := self._console.due()) is not None:
            dues.append(console + self.started)
        if (stuck := self._sensors.due()) is not None and stuck > self._now:
            dues.append(stuck)
        if (deadline := next_deadline(self._match)) is not None:
            if self._calls(deadline):
                dues.append(deadline + self.started)
            elif deadline + self.started + DELIVERY_NS > self._now:
                dues.append(deadline + self.started + DELIVERY_NS)
        known = [due for due in dues if due is not None]
        return Ns(min(known)) if known else None

    @property
    def is_quiet(self) -> bool:
        """Whether every input is at rest and nothing is waited for."""
        return self._contacts.due_ns() is None and self._console.is_quiet

    # Out ------------------------------------------------------------------------------------------------------

    def view(self, *, troubles: tuple[Trouble, ...] = (), unsaved: bool = False) -> View:
        """Return what every display shows."""
        home = self._console.visitors_choice()
        return View(
            match=self._match if home is None else replace(self._match, home=home),
            rulebook=self._opened.rulebook,
            names=self._opened.names,
            started=self.started,
            counts=counts_so_far(self._match),
            ruling=standing_ruling(self._record),
            notice=self._console.notice,
            question=self._console.question,
            question_goal=self._console.question_goal,
            grid=self._console.grid(),
            troubles=(*troubles, *self._input_troubles()),
            unsaved=unsaved,
        )

    def _input_troubles(self) -> list[Trouble]:
        found = [
            Trouble(kind="input", name=name, what="key is stuck") for name in sorted(self._held_at_start)
        ]
        goals = [(goal, "sensor is covered") for goal in self._sensors.stuck(self._now)]
        goals += [(goal, "sensor switched off, use the keys") for goal in self._sensors.flapping()]
        return [*found, *(Trouble(kind="sensor", name=f"goal_{goal}", what=what) for goal, what in goals)]

    # Within ---------------------------------------------------------------------------------------------------

    @property
    def _match(self) -> Match:
        return self._record.match

    def _calls(self, deadline: Ns) -> bool:
        """Say whether `deadline` is a call that has not sounded yet."""
        return not call_heard(self._match) and self._announced != deadline

    def _run(self, now: Ns) -> None:
        self._now = max(self._now, now)
        deadline = next_deadline(self._match)
        if deadline is not None and deadline + self.started <= now and self._calls(deadline):
            self._announced = deadline
            self._say(Signal(t=deadline, signal="zeit"))
        for report in self._contacts.settle(now):
            self._hear(report)
        self._console.tick(Ns(now - self.started))
        if not self._console.waits:
            self._fall_due(Ns(min(now, self._contacts.known_ns) - self.started + 1))

    def _hear(self, report: Report) -> None:
        at = Ns(report.at_ns - self.started)
        if report.input in SENSORS:
            self._hear_sensor("red" if report.input == "goal_red" else "white", report, at)
            return
        key = cast("Key", report.input)
        if isinstance(report, Pressed):
            self._console.key_down(key, at)
        elif isinstance(report, Released):
            self._held_at_start.discard(key)
            self._console.key_up(key, at)
        elif isinstance(report, StuckAtStart):
            self._held_at_start.add(key)

    def _hear_sensor(self, goal: Side, report: Report, at: Ns) -> None:
        if isinstance(report, Pressed):
            if self._sensors.pulse(goal, Ns(report.at_ns)):
                self._console.pulse(goal, at)
            else:
                self._console.mistrust(goal)
        elif isinstance(report, Released):
            self._sensors.released(goal)
        elif isinstance(report, StuckAtStart):
            self._sensors.stuck_at_start(goal, Ns(report.at_ns))

    def _fall_due(self, until: Ns) -> None:
        """Let the calls and expiries before `until` take effect, each as a line of its own."""
        deadline = next_deadline(self._match)
        while deadline is not None and deadline < until:
            self._fold(End(t=deadline))
            deadline = next_deadline(self._match)

    def _take(self, event: AnyEvent) -> tuple[Outcome, ...]:
        if not isinstance(event, Recovered):
            self._fall_due(event.t)
        return self._fold(event)

    def _fold(self, event: AnyEvent) -> tuple[Outcome, ...]:
        before = self._match
        self._record, outcomes = take(self._opened.rulebook, self._record, event)
        if self._match is not before:
            self._keep(event)
            if isinstance(event, End) and any(isinstance(said, Ruling) for said in outcomes):
                self._console.expired(event.t)
        for said in outcomes:
            if not (isinstance(said, Signal) and said.signal == "zeit" and said.t == self._announced):
                self._say(said)
        return outcomes
