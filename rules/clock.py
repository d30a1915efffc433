"""The turn clock's arithmetic (ZEI-01): reading, starting, holding, and the instants that fall due.

Lives here: everything about a countdown. Never here: a clock that ticks; instants come in as data.

    rest            call                expiry
     |---- left ----|------- grace -----|
"""

from typing import Literal

from msgspec.structs import replace

from rules.match import Clock, Match, Run, fresh_clock
from rules.rulebook import Rulebook
from rules.words import Ns, Value

ClockState = Literal["stopped", "running", "called", "expired", "paused"]


class Reading(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A clock at an instant: `left` to the call, `grace` after it."""

    state: ClockState
    left: Ns
    grace: Ns


def read(clock: Clock, now: Ns) -> Reading:
    """Read `clock` at `now`, which is not before `clock.since`."""
    if clock.state != "running":
        return Reading(state=clock.state, left=clock.left, grace=clock.grace)
    elapsed = now - clock.since
    left = max(0, clock.left - elapsed)
    grace = clock.grace - max(0, elapsed - clock.left)
    if left > 0:
        return Reading(state="running", left=Ns(left), grace=clock.grace)
    return Reading(state="called" if grace > 0 else "expired", left=Ns(0), grace=Ns(max(0, grace)))


def call_heard(match: Match) -> bool:
    """Say whether the call of the present countdown was heard."""
    return match.clock.called or (match.clock.state == "running" and _run(match.clock) in match.called)


def lapsed(match: Match) -> bool:
    """Say whether the present run's expiry is past: the clock reads `expired`, silent."""
    return match.clock.state == "running" and _expiry_past(match)


def _expiry_past(match: Match) -> bool:
    return match.clock.lapsed or (match.clock.state == "running" and _run(match.clock) in match.lapsed)


def _run(clock: Clock) -> Run:
    return clock.since, clock.left, clock.grace


def next_deadline(match: Match) -> Ns | None:
    """Return the instant of the next call or expiry; None while nothing falls due."""
    clock = match.clock
    if clock.state != "running":
        return None
    if not call_heard(match):
        return Ns(clock.since + clock.left)
    return None if lapsed(match) else Ns(clock.since + clock.left + clock.grace)


def start(rulebook: Rulebook, match: Match, t: Ns) -> Match:
    """Return the match with the whole time running from `t`."""
    return replace(match, clock=replace(fresh_clock(rulebook, duo=match.duo), state="running", since=t))


def run(match: Match, t: Ns) -> Match:
    """Return the match with a held or stopped clock running on from `t`; what was heard of it stays heard."""
    return replace(match, clock=replace(match.clock, state="running", since=t))


def hold(match: Match, t: Ns, state: Literal["stopped", "paused"]) -> Match:
    """Return the match with its clock stopped or paused at `t`, keeping what is left."""
    reading = read(match.clock, t)
    held = Clock(
        state=state,
        left=reading.left,
        grace=reading.grace,
        called=call_heard(match),
        lapsed=_expiry_past(match),
    )
    return replace(match, clock=held)


def whole(rulebook: Rulebook, match: Match) -> Match:
    """Return the match with a stopped clock that has the whole time."""
    return replace(match, clock=fresh_clock(rulebook, duo=match.duo))


def mark_called(match: Match) -> Match:
    """Return the match with the present run's call heard, for good."""
    return replace(match, called=(*match.called, _run(match.clock)))


def mark_lapsed(match: Match) -> Match:
    """Return the match with the present run's expiry past, for good."""
    return replace(match, lapsed=(*match.lapsed, _run(match.clock)))


def after_dark(match: Match, began: Ns, dark: Ns) -> Match:
    """Return the match with a running clock paused after `dark` from `began` that nobody could hear or see.

    In the dark the clock ran on, but it stands at a call or an expiry that fell due there.
    """
    if match.clock.state != "running":
        return match
    held = hold(match, began, "paused")
    clock = held.clock
    if clock.called:
        clock = replace(clock, grace=Ns(max(0, clock.grace - dark)))
    else:
        clock = replace(clock, left=Ns(max(0, clock.left - dark)))
    over = clock.grace == 0
    return replace(held, clock=replace(clock, called=clock.called or over, lapsed=over))
