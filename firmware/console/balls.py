"""Balls: what the sensors and the colour keys say, and whether a stroke was played at all.

Lives here: from a pulse to a drop, at once or once it is known what it was; the questions `colour`, `second_ball` and
`stroke_played`. Never here: which pulse is a new ball (`goals.py`), and menus.
"""

from firmware.console.drops import ANSWER_WITHIN, Drops
from firmware.console.reporting import Reporting
from firmware.said import ConsoleAsk
from firmware.view import ConsoleQuestion
from rules import Drop, Ns, Side, Undo, moment, reports


class Balls:
    """What was seen and is not ruled on yet. A `rest` pressed while the turn clock runs waits here too."""

    def __init__(self, desk: Reporting, drops: Drops) -> None:
        """Start with nothing seen."""
        self._desk = desk
        self._drops = drops
        self._goals = drops.goals
        self._rest_at: Ns | None = None
        self._asked = False

    @property
    def question(self) -> ConsoleQuestion | None:
        """The question that is open."""
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
    def stroke_at(self) -> Ns | None:
        """When the stroke was played at the latest, where a ball has fallen since or its rest was pressed."""
        return self._drops.first_at if self._drops.waits else self._rest_at

    @property
    def rest_at(self) -> Ns | None:
        """When `rest` was pressed while the turn clock ran."""
        return self._rest_at

    def due(self) -> Ns | None:
        """Return when `tick` next has something to do, None if never."""
        drop = self._drops.lapses_at() if self._asked else self._drops.asks_at()
        rest = None if self._rest_at is None else Ns(self._rest_at + ANSWER_WITHIN)
        dues = [due for due in (drop, rest) if due is not None]
        return min(dues) if dues else None

    def tick(self, now: Ns) -> None:
        """Let the questions fall due that do so up to `now`."""
        match, now_is = self._desk.match, moment(self._desk.match)
        if self._drops.waits and now_is == "rolls":  # the stroke was reported past the console
            self._report_held(match.at)
        if self._rest_at is not None and now_is != "turn":  # something else was ruled on meanwhile
            self._rest_at, self._asked = None, False
        asks, lapses = self._drops.asks_at(), self._drops.lapses_at()
        if lapses is not None and lapses <= now:
            self._late()
        elif asks is not None and asks <= now and not self._asked:
            self._ask_stroke(asks)
        if self._rest_at is not None and self._rest_at + ANSWER_WITHIN <= now:
            self._rest_at, self._asked = None, self._drops.waits and self._asked

    # Seen -----------------------------------------------------------------------------------------------------

    def pulse(self, goal: Side, at: Ns) -> None:
        """Take a ball's passing through the sensor of `goal`."""
        now = moment(self._desk.match)
        if self._desk.match.clock_only or now == "over":
            self._desk.note("ignored", at, goal=goal)
        elif now == "opening":
            self._drops.before_opening(goal, at)
            self._desk.note("ignored", at, goal=goal)
        elif not self._goals.is_new_ball(goal, at, rolling=now == "rolls"):
            self._desk.note("ignored", at, goal=goal)
            self.ask(at)
        elif now == "turn":
            self._drops.hold(goal, at)
            self._desk.note("seen", at, goal=goal)
        else:
            self._report(goal, at)

    def struck(self, played: Ns, pressed: Ns, *, opening: bool) -> None:
        """Take up that a stroke was reported: the balls that waited for it are its own."""
        self._rest_at = None
        self._goals.forget()
        self._report_held(played)
        if opening:
            for goal, stamp in self._drops.take_opening(pressed):
                self._report(goal, stamp)

    def rest_pressed(self, at: Ns) -> None:
        """Keep a `rest` that came while the turn clock runs, and ask whether the stroke was played."""
        self._rest_at = at
        self._ask_stroke(at)

    # Said -----------------------------------------------------------------------------------------------------

    def colour(self, side: Side, at: Ns) -> None:
        """Take a short press of a colour: it corrects, confirms, or reports a ball that no sensor saw."""
        now, t = moment(self._desk.match), self._desk.instant(at)
        if now == "rolls":
            pair = self._goals.swapped(self._desk.match, side, t)
            said = self._goals.said(self._desk.match, side, t)
            if pair is not None:
                self._swap(pair)
            elif said is not None:
                self._desk.report(said)
            else:
                self._desk.click(at)
                self._desk.note("confirmed", at, ball=side)
            self.ask(at)
        elif now == "opening_rolls":
            self._desk.report(self._goals.by_hand(side, t, other_goal=False))
        else:
            self._desk.note("ignored", at)

    def _swap(self, pair: tuple[Drop, Drop]) -> None:
        """Let two drops change colours: the law takes neither alone, so the later one is taken back first."""
        first, second = sorted(pair, key=lambda drop: drop.at or drop.t)
        last = reports(self._desk.record)[-1:]
        stamp = None if not last or not isinstance(last[0], Drop) else last[0].at
        if stamp != second.at:
            self._desk.note("refused", first.t, why="too_many")
            return
        self._desk.report(Undo(t=first.t), click=False)
        for drop in (first, second):
            self._desk.report(drop)

    def mistrust(self, goal: Side) -> None:
        """Stop believing what a sensor saw and nobody confirmed."""
        self._goals.mistrust(goal)

    def other_goal(self, side: Side, at: Ns) -> None:
        """Take a long press of a colour: a ball of it fell into the other goal."""
        self._desk.report(self._goals.by_hand(side, self._desk.instant(at), other_goal=True))
        self.ask(at)

    def deny(self, at: Ns) -> bool:
        """Answer the open question with no; say whether one was open that can be."""
        if self._asked:
            self._desk.click(at)
            self._late()
            self._rest_at, self._asked = None, False
            return True
        if self._goals.question == "second_ball":
            self._desk.click(at)
            self._goals.deny()
            return True
        return False

    def drop_doubts(self) -> None:
        """Take back what is not known yet: balls that wait, a rest that asks."""
        self._drops.take_held()
        self._rest_at, self._asked = None, False

    def forget(self) -> None:
        """Forget doubts about balls, as after an undo."""
        self._goals.forget()

    def hangs(self) -> bool:
        """Say whether a game hangs on an answer that is still missing."""
        return self._goals.undecided(self._desk.match)

    def ask(self, at: Ns) -> None:
        """Put the questions on which a game hangs, each once."""
        question = self._goals.ask(self._desk.match)
        if question is not None:
            self._desk.say(ConsoleAsk(t=at, ask=question, goal=self._goals.question_goal))

    # Within ---------------------------------------------------------------------------------------------------

    def _report(self, goal: Side, at: Ns) -> None:
        """Report a sensor's drop: a ball of the goal's colour, or the other where none of that is left."""
        drop = self._goals.seen(self._desk.match, goal, at, self._desk.instant(at))
        if drop is None:
            self._desk.note("ignored", at, goal=goal)
        elif self._desk.report(drop, click=False):
            self._desk.note("drop", at, goal=goal, ball=drop.ball)
            self.ask(at)

    def _report_held(self, played: Ns) -> None:
        self._asked = False
        for goal, stamp in self._drops.take_held():
            self._report(goal, Ns(max(stamp, played)))

    def _late(self) -> None:
        """Rule the balls late that wait: nobody said that a stroke was played (TOR-01)."""
        self._asked = self._rest_at is not None
        for goal, at in self._drops.take_held():
            self._report(goal, at)

    def _ask_stroke(self, at: Ns) -> None:
        if not self._asked:
            self._asked = True
            self._desk.say(ConsoleAsk(t=at, ask="stroke_played"))
