"""The fold: `step(rulebook, match, event) -> (match, outcomes)`, pure, total, deterministic.

Lives here: the table of moment by event, and what each event does to the match. Never here: a clock, I/O, or the
past. Three sentences to review a change against: an event that is not possible now returns the identical match and
a `Refused`; one that is possible returns a new match; `step` expects that deadlines before the event have passed
(`record.py` lets them pass) and lets only those of an `end` pass itself.
"""

from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from rules import clock as turn_clock
from rules import opening
from rules.calls import Answer, call, refuse, rule_on_stroke, rule_on_turn
from rules.choices import choose, note
from rules.correct import correct
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
from rules.facts import balls_reported, stamp
from rules.match import Match, Moment, Played, Report, at_table, moment, with_at
from rules.outcomes import Outcome, Place, Ruling, Signal, Why
from rules.rulebook import Rulebook
from rules.ruling import between_games, concession
from rules.spots import unblock_all
from rules.words import Ns

Handler = Callable[[Rulebook, Match, Any], Answer]  # each handler takes the one event of its row


def step(rulebook: Rulebook, match: Match, event: AnyEvent) -> Answer:
    """Return the match after `event`, and what the law answers; a refused event returns the identical match."""
    name = type(event).__name__.lower()
    if match.clock_only and not _in_clock_only(event):
        return refuse(match, name, "clock_only", event.t)
    taken = TABLE[type(event)][moment(match)]
    if isinstance(taken, str):
        return refuse(match, name, taken, event.t)
    after, outcomes = taken(rulebook, match, event)
    return (match, outcomes) if after is match else (with_at(after, event.t), outcomes)


def _in_clock_only(event: AnyEvent) -> bool:
    if isinstance(event, Correct):
        return event.left is not None and event == Correct(t=event.t, left=event.left)
    return isinstance(event, Stroke | Rest | Pause | Resume | Undo | End | Recovered)


def _stroke(_: Rulebook, match: Match, event: Stroke) -> Answer:
    """Stop the clock; what was said to be blocked held until now."""
    stopped = replace(
        turn_clock.hold(match, event.t, "stopped"),
        spots=unblock_all(match.spots),
        ruled=None,
        opening_goals=None,
    )
    played = Played(at=event.t, before=stopped, on_spot=event.on_spot)
    return replace(stopped, rolling=played), ()


def _rolling(match: Match) -> Played:
    return cast("Played", match.rolling)  # there is one while balls roll


def _rest_of_stroke(rulebook: Rulebook, match: Match, event: Rest) -> Answer:
    if match.clock_only:
        return turn_clock.start(rulebook, replace(match, rolling=None), event.t), ()
    played = _rolling(match)
    if event.on_spot is not None:
        played = replace(played, on_spot=event.on_spot)
    return rule_on_stroke(rulebook, match, played, event.t)


def _rest_in_turn(rulebook: Rulebook, match: Match, event: Rest) -> Answer:
    """A paused clock goes on; one that expired silently starts afresh for the same side."""
    if match.clock.state == "paused":
        return turn_clock.run(match, event.t), ()
    if turn_clock.lapsed(match):
        return turn_clock.start(rulebook, match, event.t), ()
    return refuse(match, "rest", "running", event.t)


def _release(_: Rulebook, match: Match, event: Rest) -> Answer:
    """Play goes on: what was laid by hand lies where it was laid."""
    return turn_clock.run(replace(match, laid=()), event.t), ()


def _report(_: Rulebook, match: Match, event: Drop | Out | Wedged) -> Answer:
    """Note a ball of the running stroke; a drop that repeats the stamp of an earlier one replaces it."""
    played, name = _rolling(match), type(event).__name__.lower()
    if isinstance(event, Drop) and event.at is not None and event.at < played.at:
        return refuse(match, name, "too_early", event.t)
    replaced = _replaced(played, event)
    kept = tuple(r for i, r in enumerate(played.reports) if i != replaced)
    count = event.count if isinstance(event, Out) else 1
    if balls_reported(replace(played, reports=kept), event.ball) + count > played.before.balls.of(event.ball):
        return refuse(match, name, "too_many", event.t)
    if replaced is None:
        reports: tuple[Report, ...] = (*played.reports, event)
    else:
        reports = tuple(event if i == replaced else r for i, r in enumerate(played.reports))
    return replace(match, rolling=replace(played, reports=reports)), ()


def _replaced(played: Played, event: Drop | Out | Wedged) -> int | None:
    if not isinstance(event, Drop) or event.at is None:
        return None
    for index, report in enumerate(played.reports):
        if isinstance(report, Drop) and report.goal == event.goal and event.at == stamp(report):
            return index
    return None


def _late_drop(_: Rulebook, match: Match, event: Drop) -> Answer:
    """A ball that falls with the balls at rest is put back; the clock waits for it (TOR-01)."""
    running = match.clock.state == "running"
    held = turn_clock.hold(match, event.t, "paused") if running else replace(match, at=event.t)
    ruling = Ruling(
        t=event.t,
        clauses=("TOR-01",),
        by=at_table(match),
        turn="stays",
        next=match.turn,
        player=match.player,
        put_back="none",
        place=(Place(ball=event.ball, which="late", to="back"),),
        balls=match.balls,
        kader=match.phase == "kader",
        game=None,
        games=match.games,
        match=None,
    )
    return held, (ruling,)


def _pause(_: Rulebook, match: Match, event: Pause) -> Answer:
    if match.clock.state != "running":
        return refuse(match, "pause", "no_clock", event.t)
    return turn_clock.hold(match, event.t, "paused"), ()


def _resume(_: Rulebook, match: Match, event: Resume) -> Answer:
    if match.clock.state != "paused":
        return refuse(match, "resume", "not_paused", event.t)
    return turn_clock.run(match, event.t), ()


def _concede(rulebook: Rulebook, match: Match, event: Concede) -> Answer:
    return concession(rulebook, match, event.side, event.t, whole_match=event.match)


def _abandon(rulebook: Rulebook, match: Match, _: Abandon) -> Answer:
    return replace(between_games(rulebook, match), phase="over", match="abandoned", ruled=None), ()


def _recovered(_: Rulebook, match: Match, event: Recovered) -> Answer:
    """A turn clock that ran is paused; where nobody knows how long it was dark, as of the line before."""
    began = dark_began(match, event)
    dark = Ns(0 if event.dark is None else event.t - began)
    return with_at(turn_clock.after_dark(match, began, dark), event.t), ()


def dark_began(match: Match, event: Recovered) -> Ns:
    """Return the instant from which nobody could hear or see: not before the line before, which it is if unknown."""
    return match.at if event.dark is None else Ns(max(match.at, event.t - event.dark))


def _end(rulebook: Rulebook, match: Match, event: End) -> Answer:
    """Let time run on: the calls and expiries up to the instant of the line, each at its own."""
    outcomes: tuple[Outcome, ...] = ()
    due = turn_clock.next_deadline(match)
    while due is not None and due <= event.t:
        match, said = _fall_due(rulebook, match, due)
        outcomes = (*outcomes, *said)
        due = turn_clock.next_deadline(match)
    return replace(match, at=event.t), outcomes


def _fall_due(rulebook: Rulebook, match: Match, t: Ns) -> Answer:
    if not turn_clock.call_heard(match):
        return turn_clock.mark_called(match), (Signal(t=t, signal="zeit"),)
    lapsed, expired = turn_clock.mark_lapsed(match), Signal(t=t, signal="expired")
    if match.turn is None:
        return lapsed, (expired,)
    exceeded = Fault(t=t, fault="time_exceeded")
    ruled, ruling = rule_on_turn(rulebook, lapsed, exceeded, match.turn, t)
    return replace(ruled, ruled=None), (expired, *ruling)


Row = dict[Moment, Handler | Why]


def _row(
    *,
    opening: Handler | Why = "opening",
    opening_rolls: Handler | Why | None = None,
    nearest: Handler | Why | None = None,
    turn: Handler | Why,
    rolls: Handler | Why = "rolling",
    asked: Handler | Why = "asked",
    release: Handler | Why = "release",
    over: Handler | Why = "over",
) -> Row:
    return {
        "opening": opening,
        "opening_rolls": opening if opening_rolls is None else opening_rolls,
        "nearest": opening if nearest is None else nearest,
        "turn": turn,
        "rolls": rolls,
        "asked": asked,
        "release": release,
        "over": over,
    }


def _always(handler: Handler) -> Row:
    return _row(opening=handler, turn=handler, rolls=handler, asked=handler, release=handler, over=handler)


TABLE: dict[type[AnyEvent], Row] = {
    Opening: _row(opening=opening.begin, turn="begun", rolls="begun", asked="begun", release="begun"),
    Stroke: _row(opening=opening.strike, opening_rolls="rolling", nearest="asked", turn=_stroke),
    Rest: _row(
        opening="no_stroke",
        opening_rolls=opening.ask_nearest,
        nearest="asked",
        turn=_rest_in_turn,
        rolls=_rest_of_stroke,
        release=_release,
    ),
    Drop: _row(opening=opening.hole, turn=_late_drop, rolls=_report, asked=_late_drop, release=_late_drop),
    Out: _row(turn="no_stroke", rolls=_report, asked="no_stroke", release="no_stroke"),
    Wedged: _row(turn="no_stroke", rolls=_report, asked="no_stroke", release="no_stroke"),
    Fault: {**_always(call), "opening_rolls": "opening", "nearest": "opening"},
    Choose: _row(turn="not_asked", rolls="not_asked", asked=choose, release="not_asked"),
    Blocked: _row(turn=note, rolls=note, asked=note, release=note),
    Cleared: _row(turn=note, rolls=note, asked=note, release=note),
    Pause: _row(turn=_pause, rolls="no_clock", asked="no_clock", release="no_clock"),
    Resume: _row(turn=_resume, rolls="not_paused", asked="not_paused", release="not_paused"),
    Undo: _always(lambda _, match, event: refuse(match, "undo", "nothing", event.t)),
    Correct: _always(correct),
    Concede: {**_always(_concede), "over": "over"},
    Abandon: {**_always(_abandon), "over": "over"},
    Recovered: _always(_recovered),
    End: _always(_end),
}
