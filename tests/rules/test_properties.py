"""What holds of every match, whatever the referee reports and whenever: a machine whose rules are the reports."""

import json

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from msgspec.structs import replace

from rules import (
    RULEBOOKS,
    Abandon,
    AnyEvent,
    Blocked,
    Choose,
    Cleared,
    Concede,
    Correct,
    Drop,
    End,
    Fault,
    Match,
    Ns,
    Opening,
    Out,
    Outcome,
    Pause,
    Record,
    Recovered,
    Refused,
    Rest,
    Resume,
    Ruling,
    Stroke,
    Undo,
    Wedged,
    check,
    counts_so_far,
    match_from,
    moment,
    new_match,
    next_deadline,
    read_event,
    reports,
    state,
    step,
    take,
    write,
)
from rules.facts import stamp
from rules.step import dark_began
from rules.words import SECOND
from tests.rules.play import again
from tests.rules.reports import OF_EVERY_KIND, reported

COMMON = (Rest, Drop, Choose, Fault, Out, Wedged, Blocked, Cleared)
"""What is reported most, so that a random evening gets somewhere."""


class AnyEvening(RuleBasedStateMachine):
    """A match played by random reports, held against what the law promises after each."""

    @initialize(
        book=st.sampled_from(["book", "aalst"]),
        duo=st.booleans(),
        best_of=st.sampled_from([1, 3]),
        start=st.sampled_from(["opening", "game", "game", "kader", "clock_only"]),
        data=st.data(),
    )
    def open(self, book: str, duo: bool, best_of: int, start: str, data: st.DataObject) -> None:
        self.book = RULEBOOKS[book]
        if start in ("game", "kader"):
            low = 1 if start == "kader" else 2
            red, white = data.draw(st.integers(low, 5)), data.draw(st.integers(low, 5))
            balls = {"red": red, "white": 1 if start == "kader" else white}
            given = {"balls": balls, "turn": data.draw(st.sampled_from(["red", "white"]))}
            match = match_from(given, self.book, best_of=best_of, duo=duo)
        else:
            match = new_match(self.book, best_of=best_of, duo=duo, clock_only=start == "clock_only")
        self.first = self.record = Record(match=match)
        self.now = Ns(0)
        self.journal: list[AnyEvent] = []
        self.answers: list[Outcome] = []
        self.stack: list[tuple[Match, bool]] = []
        self.twin: tuple[Record, Ns] | None = None

    # What is reported ----------------------------------------------------------------------------------------

    @rule(seconds=st.sampled_from([0, 0.5, 3, 20, 49, 55, 75]))
    def wait(self, seconds: float) -> None:
        """Nobody reports anything for a while."""
        self.now = Ns(self.now + round(seconds * SECOND))

    @rule(nanoseconds=st.sampled_from([-1, 0, 1]))
    def wait_for_the_deadline(self, nanoseconds: int) -> None:
        """The next report comes with the next deadline, or just before or after it."""
        due = next_deadline(self.record.match)
        if due is not None:
            self.now = Ns(max(self.now, due + nanoseconds))

    @rule(data=st.data(), kind=st.sampled_from(COMMON))
    def common(self, data: st.DataObject, kind: type[AnyEvent]) -> None:
        self.draw(data, kind)

    @precondition(lambda self: moment(self.record.match) in ("turn", "opening"))
    @rule(data=st.data(), kind=st.sampled_from([Stroke, Stroke, Opening]))
    def play_on(self, data: st.DataObject, kind: type[AnyEvent]) -> None:
        self.draw(data, kind)

    @precondition(lambda self: moment(self.record.match) in ("rolls", "release"))
    @rule(data=st.data())
    def come_to_rest(self, data: st.DataObject) -> None:
        self.draw(data, Rest)

    @precondition(lambda self: moment(self.record.match) in ("asked", "nearest"))
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        self.draw(data, Opening if moment(self.record.match) == "nearest" else Choose)

    @rule(
        data=st.data(), kind=st.sampled_from([Pause, Resume, Recovered, Correct, End, Fault, Opening, Stroke])
    )
    def other(self, data: st.DataObject, kind: type[AnyEvent]) -> None:
        self.draw(data, kind)

    @rule(
        data=st.data(), kind=st.sampled_from([Concede, Abandon]), really=st.sampled_from([False, False, True])
    )
    def give_up(self, data: st.DataObject, kind: type[AnyEvent], really: bool) -> None:
        if really:
            self.draw(data, kind)

    @rule(times=st.sampled_from([1, 1, 2, 5]))
    def undo(self, times: int) -> None:
        for _ in range(times):
            self.report(Undo(t=self.now))

    def draw(self, data: st.DataObject, kind: type[AnyEvent]) -> None:
        event = data.draw(OF_EVERY_KIND[kind])
        self.report(reported(event, self.now, data.draw(self.stamps()) if isinstance(event, Drop) else None))

    def stamps(self) -> st.SearchStrategy[Ns]:
        """Stamps a sensor could give: now, a little ago, or that of a ball that fell in this stroke."""
        rolling = self.record.match.rolling
        drops = [] if rolling is None else [report for report in rolling.reports if isinstance(report, Drop)]
        return st.sampled_from([self.now, Ns(max(0, self.now - SECOND // 10)), *map(stamp, drops)])

    # What holds ----------------------------------------------------------------------------------------------

    def report(self, event: AnyEvent) -> None:
        """Take an event as the driver does: what fell due before it first, or before the dark where there was one."""
        match = self.record.match
        until = dark_began(match, event) if isinstance(event, Recovered) else event.t
        due = next_deadline(match)
        while due is not None and due < until:
            self.one(End(t=due))
            due = next_deadline(self.record.match)
        self.one(event)

    def one(self, event: AnyEvent) -> None:
        assert read_event(json.loads(json.dumps(write(event)))) == event
        before = self.record
        self.record, outcomes = take(self.book, before, event)
        assert check(self.record.match) == ()
        self.outcomes_are_sound(event, outcomes)
        if self.record is before:
            assert [said.event for said in outcomes if isinstance(said, Refused)] == [
                type(event).__name__.lower()
            ]
            if not isinstance(event, Undo):
                assert step(self.book, before.match, event) == (before.match, outcomes)
                assert step(self.book, before.match, event)[0] is before.match
        else:
            self.journal.append(event)
            self.answers += outcomes
            self.remember(event, before, outcomes)
        self.follow(event, outcomes, refused=self.record is before)
        self.notation_gives_the_state_back()

    def outcomes_are_sound(self, event: AnyEvent, outcomes: tuple[Outcome, ...]) -> None:
        match = self.record.match
        for said in outcomes:
            assert json.loads(json.dumps(write(said)))["out"] == type(said).__name__.lower()
            assert said.t <= event.t
        ruled = [said for said in outcomes if isinstance(said, Ruling)]
        if ruled:
            last = ruled[-1]
            assert (last.next, last.player) == (match.turn, match.player)
            assert (last.balls, last.games) == (match.balls, match.games)
            assert last.kader == (match.phase == "kader")
            assert (last.game is None) == (last.next is not None)
            assert last.match == match.match
        for side in ("red", "white"):
            assert 0 <= getattr(counts_so_far(match), side) <= 5

    def remember(self, event: AnyEvent, before: Record, outcomes: tuple[Outcome, ...]) -> None:
        """Keep the match before each report, and hold what undo gives back against it."""
        if isinstance(event, Undo):
            given, dark = self.stack.pop()
            self.came_back(given, self.record.match, dark=dark)
            self.stack = [(match, dark or behind) for match, behind in self.stack]
        elif isinstance(event, Recovered):
            self.stack = [(match, True) for match, _ in self.stack]
        elif not isinstance(event, End) or any(isinstance(said, Ruling) for said in outcomes):
            self.stack.append((before.match, False))
        assert len(self.stack) == len(reports(self.record))

    def came_back(self, before: Match, now: Match, *, dark: bool) -> None:
        assert now.at == self.now
        assert set(before.called) <= set(now.called)
        assert set(before.lapsed) <= set(now.lapsed)
        same = replace(now, at=before.at, called=before.called, lapsed=before.lapsed)
        if before.clock.state == "running" and dark:
            assert now.clock.state == "paused"
            same = replace(same, clock=before.clock)
        assert same == before
        due = next_deadline(now)
        assert due is None or due >= self.now, "what came due meanwhile is over"

    def notation_gives_the_state_back(self) -> None:
        shown = state(self.record.match, self.now)
        assert state(again(self.record.match, self.now, self.book).match, Ns(0)) == shown

    def follow(self, event: AnyEvent, outcomes: tuple[Outcome, ...], *, refused: bool) -> None:
        """A match taken from its state answers what comes next as the match itself does."""
        if isinstance(event, Undo):
            self.twin = None
        if self.twin is not None:
            record, since = self.twin
            times = {"t": Ns(event.t - since)}
            if isinstance(event, Drop) and event.at is not None:
                times["at"] = Ns(event.at - since)
            record, answer = take(self.book, record, replace(event, **times))
            assert [replace(said, t=Ns(said.t + since)) for said in answer] == list(outcomes)
            assert state(record.match, Ns(event.t - since)) == state(self.record.match, event.t)
            self.twin = record, since
        elif not refused and not isinstance(event, Undo):
            self.twin = again(self.record.match, event.t, self.book), event.t

    def teardown(self) -> None:
        if not hasattr(self, "record"):
            return
        live, answers = self.record, list(self.answers)
        replayed, heard = self.first, list[Outcome]()
        for event in self.journal:
            replayed, said = take(self.book, replayed, read_event(write(event)))
            heard += said
        assert replayed == live
        assert heard == answers
        while reports(self.record):
            self.report(Undo(t=self.now))
        assert state(self.record.match, self.now)["balls"] == state(self.first.match, self.now)["balls"]


AnyEvening.TestCase.settings = settings(
    max_examples=100,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestAnyEvening = AnyEvening.TestCase
