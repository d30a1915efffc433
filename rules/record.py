"""The record: a match with the reports that made it, so that undo can take them back.

Lives here: undo, and letting deadlines pass between reports. It stands beside the fold: a match never holds its past.

`end`, `recovered` and `undo` are no reports: undo sees past them. An expiry is one, whoever made it. Where undo
reaches behind a `recovered`, a clock that ran then is paused with what it had left when the dark began.
"""

from msgspec.structs import replace

from rules import clock as turn_clock
from rules.events import AnyEvent, Correct, End, Opening, Pause, Recovered, Stroke, Undo
from rules.match import Match
from rules.outcomes import Outcome, Refused, Ruling, Signal
from rules.rulebook import Rulebook
from rules.spots import ask_again
from rules.step import dark_began, step
from rules.words import Ns, Value


class Reported(Value, frozen=True, kw_only=True):
    """A report, the match before it, and the last ruling it led to."""

    event: AnyEvent
    before: Match
    ruling: Ruling | None = None


class Dark(Value, frozen=True, kw_only=True):
    """A mark between reports: from `began` on nobody could hear or see, until the program was back."""

    began: Ns


class Record(Value, frozen=True, kw_only=True):
    """A match and its past, the oldest first."""

    match: Match
    past: tuple[Reported | Dark, ...] = ()


Taken = tuple[Record, tuple[Outcome, ...]]


def take(rulebook: Rulebook, record: Record, event: AnyEvent) -> Taken:
    """Return the record after `event` and what the law answered, the deadlines before it passed first.

    A deadline comes after all lines of its instant; an `end` lets that of its own instant happen.
    """
    if isinstance(event, Recovered):
        return _recover(rulebook, record, event)
    until = Ns(event.t + 1) if isinstance(event, End) else event.t
    record, outcomes = _let_pass(rulebook, record, until)
    if isinstance(event, Undo):
        undone, said = _undo(record, event.t)
    else:
        undone, said = _report(rulebook, record, event)
    return undone, (*outcomes, *said)


def reports(record: Record) -> tuple[AnyEvent, ...]:
    """Return the reports that undo can still take back, the oldest first."""
    return tuple(entry.event for entry in record.past if isinstance(entry, Reported))


def first_match(record: Record) -> Match:
    """Return the match before its first report."""
    return next((entry.before for entry in record.past if isinstance(entry, Reported)), record.match)


def standing_ruling(record: Record) -> Ruling | None:
    """Return the last ruling, as long as it concerns what is on the table: play has not gone on since."""
    for entry in reversed(record.past):
        if isinstance(entry, Reported):
            if entry.ruling is not None:
                return entry.ruling
            if isinstance(entry.event, Stroke | Opening | Correct | Pause):
                return None
    return None


def _let_pass(rulebook: Rulebook, record: Record, until: Ns) -> Taken:
    """Let the calls and expiries before `until` happen, each at its own instant."""
    outcomes: tuple[Outcome, ...] = ()
    due = turn_clock.next_deadline(record.match)
    while due is not None and due < until:
        record, said = _report(rulebook, record, End(t=due))
        outcomes = (*outcomes, *said)
        due = turn_clock.next_deadline(record.match)
    return record, outcomes


def _report(rulebook: Rulebook, record: Record, event: AnyEvent) -> Taken:
    match, outcomes = step(rulebook, record.match, event)
    if match is record.match:
        return record, outcomes
    rulings = [said for said in outcomes if isinstance(said, Ruling)]
    if isinstance(event, End) and not rulings:
        return replace(record, match=match), outcomes
    reported = Reported(event=event, before=record.match, ruling=rulings[-1] if rulings else None)
    return Record(match=match, past=(*record.past, reported)), outcomes


def _recover(rulebook: Rulebook, record: Record, event: Recovered) -> Taken:
    began = dark_began(record.match, event)
    lit, outcomes = _let_pass(rulebook, record, began)
    match, said = step(rulebook, lit.match, event)
    return Record(match=match, past=(*lit.past, Dark(began=began))), (*outcomes, *said)


def _undo(record: Record, t: Ns) -> Taken:
    """Take back the last report; marks of the dark behind it stay."""
    for index in reversed(range(len(record.past))):
        entry = record.past[index]
        if isinstance(entry, Reported):
            marks = tuple(mark for mark in record.past[index + 1 :] if isinstance(mark, Dark))[:1]
            match, outcomes = _taken_back(record.match, entry.before, marks, t)
            return Record(match=match, past=(*record.past[:index], *marks)), outcomes
    return record, (Refused(t=t, event="undo", why="nothing"),)


def _taken_back(
    now: Match, before: Match, marks: tuple[Dark, ...], t: Ns
) -> tuple[Match, tuple[Outcome, ...]]:
    """Return the match as it was `before`, but time has gone on and what was heard since is not heard again.

    A clock that ran then runs on: a call that came due meanwhile is signalled now, an expiry never.
    """
    match = replace(before, called=now.called, lapsed=now.lapsed, at=t)
    for mark in marks:
        match = turn_clock.after_dark(match, mark.began, Ns(0))
    outcomes: tuple[Outcome, ...] = ()
    due = turn_clock.next_deadline(match)
    if due is not None and due < t and not turn_clock.call_heard(match):
        match = turn_clock.mark_called(match)
        outcomes = (Signal(t=t, signal="zeit"),)
        due = turn_clock.next_deadline(match)
    if due is not None and due < t:
        match = turn_clock.mark_lapsed(match)
    if match.asked is not None:
        outcomes = (*outcomes, ask_again(match.asked, t))
    return match, outcomes
