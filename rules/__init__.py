"""The law of golfbiljart: a pure engine. Events in, rulings out; no clock, no I/O, nothing of ours imported.

Lives here: the book's clauses as data and code, rulebooks, the fold over a match, undo beside it, and the notation.
May never be known here: pins, screens, files, wall time. Instants come in as data.

    record = Record(match=new_match(BOOK))
    record, outcomes = take(BOOK, record, Opening(t=Ns(0), nearest="white"))
    next_deadline(record.match)     # the instant of the call, 50 s later
"""

from rules.clauses import BY_ID, CLAUSES, FAULTS, Clause, ClauseId, Effect, FaultName
from rules.clock import ClockState, Reading, lapsed, next_deadline, read
from rules.events import (
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
    Opening,
    Out,
    Pause,
    Recovered,
    Rest,
    Resume,
    Stroke,
    Undo,
    Wedged,
)  # fmt: skip
from rules.facts import counts_so_far
from rules.invariants import check
from rules.match import (
    Clock,
    Match,
    Moment,
    Played,
    Spots,
    colour_of,
    contestant_of,
    game_number,
    moment,
    new_match,
)
from rules.notation import NotationError, read_event, write
from rules.outcomes import AnyOutcome, Ask, Outcome, Place, Question, Refused, Ruling, Signal, Why
from rules.record import Dark, Record, Reported, first_match, reports, standing_ruling, take
from rules.rulebook import AALST, BOOK, RULEBOOKS, Rulebook
from rules.state import match_from, state
from rules.step import TABLE, step
from rules.words import (
    BALLS,
    CONTESTANTS,
    SECOND,
    SIDES,
    ByContestant,
    BySide,
    Contestant,
    Ns,
    Phase,
    Side,
    opponent,
    other,
)  # fmt: skip

__all__ = [
    "AALST", "BALLS", "BOOK", "BY_ID", "CLAUSES", "CONTESTANTS", "FAULTS", "RULEBOOKS", "SECOND", "SIDES", "TABLE",
    "Abandon", "AnyEvent", "AnyOutcome", "Ask", "Blocked", "ByContestant", "BySide", "Choose", "Clause", "ClauseId",
    "Cleared", "Clock", "ClockState", "Concede", "Contestant", "Correct", "Dark", "Drop", "Effect", "End", "Fault",
    "FaultName", "Match", "Moment", "NotationError", "Ns", "Opening", "Out", "Outcome", "Pause", "Phase", "Place",
    "Played", "Question", "Reading", "Record", "Recovered", "Refused", "Reported", "Rest", "Resume", "Rulebook",
    "Ruling", "Side", "Signal", "Spots", "Stroke", "Undo", "Wedged", "Why", "check", "colour_of", "contestant_of",
    "counts_so_far", "first_match", "game_number", "lapsed", "match_from", "moment", "new_match", "next_deadline",
    "opponent", "other", "read", "read_event", "reports", "standing_ruling", "state", "step", "take", "write",
]  # fmt: skip
