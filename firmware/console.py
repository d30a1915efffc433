"""The console: what the referee's keys and the goal sensors mean (replay.md, "press, sensor, pin").

Lives here: presses and pulses to events of the law, and the console's own questions. Never here: law, pins, bounce, a
clock: every input comes with its first contact, and time is handed in.

    red   up    white
    fault ok    undo
    stroke down rest      and `hand`: stroke while the turn clock runs, rest while the balls roll

A sensor is right where the obvious happened; the hand is later than the ball. What a sensor saw stands in the record
of the law itself (a drop with a stamp), so undo takes it back like any report; the console keeps only what is not known
yet.
"""

from collections.abc import Callable

from firmware.goals import Goals
from firmware.said import Click, ConsoleAsk, Said
from firmware.script import Key
from firmware.view import ConsoleQuestion, Notice, NoticeKind
from rules import (
    AnyEvent,
    Choose,
    Drop,
    Match,
    Ns,
    Opening,
    Outcome,
    Pause,
    Refused,
    Rest,
    Resume,
    Side,
    Stroke,
    Undo,
    lapsed,
    moment,
    reports,
)  # fmt: skip
from rules.outcomes import Why
from rules.record import Record
from rules.words import SECOND

HOLD = Ns(1 * SECOND)
"""From here on a press is a long one: the other goal, or pause and resume."""
ASK_AFTER = Ns(2 * SECOND)
"""A drop while the clock runs waits this long for the key `stroke`, then the screen asks."""
ANSWER_WITHIN = Ns(5 * SECOND)
"""An unanswered question is over: the drop was late, the rest was nothing."""
OPENING_DROPS = Ns(2 * SECOND)
"""Drops from this long before the opening's `stroke` on belong to it."""
NOTICE = Ns(4 * SECOND)

Taken = Callable[[AnyEvent], tuple[Outcome, ...]]


class Console:
    """The referee's console over a record. Belongs to the thread that owns the fold.

    `record` returns the record as it stands, `take` reports an event to the law and returns what that answered, `say`
    puts clicks and questions out.
    """

    def __init__(
        self, *, record: Callable[[], Record], take: Taken, say: Callable[[Said], None], goals: Goals
    ) -> None:
        """Start with no key down and nothing asked."""
        self._record = record
        self._take = take
        self._say = say
        self._goals = goals
        self._down: dict[Key, Ns] = {}
        self._held: list[tuple[Side, Ns]] = []
        self._before_opening: list[tuple[Side, Ns]] = []
        self._rest_at: Ns | None = None
        self._asked = False
        self.choice = 0
        self.notice: Notice | None = None

    # What is open ---------------------------------------------------------------------------------------------

    @property
    def question(self) -> ConsoleQuestion | None:
        """The console's own question that is open."""
        return "stroke_played" if self._asked else self._goals.question

    @property
    def question_goal(self) -> Side | None:
        """The goal the question is about."""
        return self._goals.question_goal if self.question in ("colour", "second_ball") else None

    @property
    def waits(self) -> bool:
        """Whether an expiry has to wait: it is not known yet whether the stroke was played in time."""
        return bool(self._held) or self._rest_at is not None

    @property
    def _match(self) -> Match:
        return self._record().match

    def due(self) -> Ns | None:
        """Return when `tick` next has something to do, None if never."""
        dues = [at + HOLD for key, at in self._down.items() if key in ("ok", "red", "white")]
        if self._held:
            dues.append(self._held[0][1] + (ANSWER_WITHIN if self._asked else ASK_AFTER))
        if self._rest_at is not None:
            dues.append(self._rest_at + ANSWER_WITHIN)
        return Ns(min(dues)) if dues else None

    # Inputs ---------------------------------------------------------------------------------------------------

    def key_down(self, key: Key, at: Ns) -> None:
        """Take a press at its first contact; a key that also has a hold waits until it is known which it was."""
        if self._has_hold(key):
            self._down[key] = at
            return
        self._press(key, at)

    def key_up(self, key: Key, at: Ns) -> None:
        """Take a release: a key with a hold was pressed shortly."""
        if self._down.pop(key, None) is not None:
            self._press(key, at)

    def pulse(self, goal: Side, at: Ns) -> None:
        """Take a ball's passing through the sensor of `goal`."""
        now = moment(self._match)
        if self._match.clock_only or now == "over":
            self._note("ignored", at, goal=goal)
        elif now == "opening":
            self._before_opening.append((goal, at))
            self._note("ignored", at, goal=goal)
        elif not self._goals.is_new_ball(goal, at, rolling=now == "rolls"):
            self._note("ignored", at, goal=goal)
            self._ask_goals(at)
        elif now == "turn":
            self._held.append((goal, at))
        else:
            self._drop(goal, at)

    def tick(self, now: Ns) -> None:
        """Let the holds and questions fall due that do so up to `now`."""
        for key, at in list(self._down.items()):
            if at + HOLD <= now:
                del self._down[key]
                self._hold(key, Ns(at + HOLD))
        if self._held and moment(self._match) == "rolls":  # the stroke was reported past the console
            self._drop_held(self._match.at)
        if self._held and self._held[0][1] + ANSWER_WITHIN <= now:
            self._late()
        elif self._held and not self._asked and self._held[0][1] + ASK_AFTER <= now:
            self._ask_stroke(Ns(self._held[0][1] + ASK_AFTER))
        if self._rest_at is not None and self._rest_at + ANSWER_WITHIN <= now:
            self._rest_at, self._asked = None, bool(self._held) and self._asked

    # Keys -----------------------------------------------------------------------------------------------------

    def _has_hold(self, key: Key) -> bool:
        if key == "ok":
            return True
        return key in ("red", "white") and moment(self._match) == "rolls" and self._goals.question is None

    def _press(self, key: Key, at: Ns) -> None:
        match key:
            case "stroke":
                self._stroke(at)
            case "rest":
                self._rest(at)
            case "hand":
                self._hand(at)
            case "undo":
                self._undo(at)
            case "red" | "white":
                self._colour(key, at)
            case "ok":
                self._ok(at)
            case "up" | "down":
                self._move(key, at)
            case "fault":
                self._note("ignored", at)

    def _hold(self, key: Key, at: Ns) -> None:
        if key in ("red", "white"):
            self._report(
                self._goals.by_hand("red" if key == "red" else "white", self._instant(at), other_goal=True)
            )
        elif self._match.clock.state == "paused":
            self._report(Resume(t=self._instant(at)))
        else:
            self._report(Pause(t=self._instant(at)))

    def _stroke(self, at: Ns) -> None:
        if self._held:
            at = self._held[0][1]
        opens = moment(self._match) == "opening"
        if self._report(Stroke(t=self._instant(at))):
            self._rest_at = None
            self._goals.new_stroke()
            self._drop_held(at)
            if opens:
                for goal, stamp in self._before_opening:
                    if stamp >= at - OPENING_DROPS:
                        self._drop(goal, stamp)
                self._before_opening.clear()

    def _rest(self, at: Ns) -> None:
        match = self._match
        running = match.clock.state == "running" and not lapsed(match)
        if moment(match) == "turn" and running:
            self._rest_at = at
            self._say(Click(t=at))
            self._ask_stroke(at)
        elif moment(match) == "rolls" and self._goals.undecided(match):
            self._ask_goals(at)
            self._note("refused", at, why="asked")
        else:
            self._report(Rest(t=self._instant(at)))

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
            self._held.clear()
            self._rest_at, self._asked = None, False
            self._say(Click(t=at))
            self._note("ignored", at)
            return
        past = reports(self._record())
        if self._report(Undo(t=self._instant(at))):
            self._goals.forget()
            self.choice = 0
            self._note("undone", at, event=past[-1] if past else None)

    def _colour(self, side: Side, at: Ns) -> None:
        now = moment(self._match)
        if now == "nearest":
            self._report(Opening(t=self._instant(at), nearest=side))
        elif now == "rolls":
            said = self._goals.said(self._match, side, self._instant(at))
            if said is None:
                self._say(Click(t=at))
                self._note("confirmed", at, ball=side)
            else:
                self._report(said)
            self._ask_goals(at)
        elif now == "opening_rolls":
            self._report(Drop(t=self._instant(at), goal=side, ball=side))
        else:
            self._note("ignored", at)

    def _ok(self, at: Ns) -> None:
        asked = self._match.asked
        if self._asked:
            rest_at = self._rest_at
            self._stroke(at if rest_at is None else rest_at)
            if rest_at is not None and moment(self._match) == "rolls":
                self._rest(rest_at)
        elif asked is not None and asked.ask == "spot" and asked.spots:
            self._report(Choose(t=self._instant(at), spot=asked.spots[self.choice % len(asked.spots)]))
            self.choice = 0
        elif asked is not None and asked.ask == "ball":
            self._report(Choose(t=self._instant(at), ball=self.choice % self._balls_to_choose() + 1))
            self.choice = 0
        else:
            self._note("ignored", at)

    def _move(self, key: Key, at: Ns) -> None:
        asked = self._match.asked
        if self._asked and key == "down":
            self._say(Click(t=at))
            if self._held:
                self._late()
            self._rest_at, self._asked = None, False
        elif self._goals.question == "second_ball" and key == "down":
            self._say(Click(t=at))
            self._goals.deny()
        elif asked is not None and asked.ask in ("spot", "ball"):
            size = len(asked.spots or ()) if asked.ask == "spot" else self._balls_to_choose()
            self.choice = (self.choice + (1 if key == "down" else -1)) % max(1, size)
            self._say(Click(t=at))
        else:
            self._note("ignored", at)

    def _balls_to_choose(self) -> int:
        return self._match.balls.of(self._match.laying[0].side)

    # Drops ----------------------------------------------------------------------------------------------------

    def _drop(self, goal: Side, at: Ns) -> None:
        """Report a sensor's drop: a ball of the goal's colour, or the other where none of that is left."""
        drop = self._goals.seen(self._match, goal, at, self._instant(at))
        if drop is None:
            self._note("ignored", at, goal=goal)
        elif self._report(drop, click=False):
            self._note("drop", at, goal=goal, ball=drop.ball)
            self._ask_goals(at)

    def _drop_held(self, at: Ns) -> None:
        held, self._held, self._asked = self._held, [], False
        for goal, stamp in held:
            self._drop(goal, Ns(max(stamp, at)))

    def _late(self) -> None:
        """Rule the held drops late: nobody said that a stroke was played (TOR-01)."""
        held, self._held, self._asked = self._held, [], self._rest_at is not None
        for goal, at in held:
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

    def _instant(self, at: Ns) -> Ns:
        """Return the instant of a report: never before the last line, since the fold sees rising instants."""
        return Ns(max(at, self._match.at))

    def _report(self, event: AnyEvent, *, click: bool = True) -> bool:
        before = self._match
        outcomes = self._take(event)
        if self._match is before:
            why = next((said.why for said in outcomes if isinstance(said, Refused)), None)
            self._note("refused", event.t, event=event, why=why)
            return False
        if click:
            self._say(Click(t=event.t))
        self.notice = None
        return True

    def _note(
        self,
        kind: NoticeKind,
        at: Ns,
        *,
        why: Why | None = None,
        event: AnyEvent | None = None,
        goal: Side | None = None,
        ball: Side | None = None,
    ) -> None:
        self.notice = Notice(kind=kind, t=at, until=Ns(at + NOTICE), why=why, event=event, goal=goal, ball=ball)
