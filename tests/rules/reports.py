"""Random reports: every event of the notation, with keys a referee could give, sensible now or not."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from rules import (
    FAULTS,
    SIDES,
    Abandon,
    AnyEvent,
    Blocked,
    ByContestant,
    Choose,
    Cleared,
    Concede,
    Correct,
    Drop,
    End,
    Fault,
    Ns,
    Opening,
    Out,
    Pause,
    Recovered,
    Rest,
    Resume,
    Stroke,
    Undo,
    Wedged,
)
from rules.events import BallsGiven, GamesGiven, SpotLedgersGiven, SpotsGiven
from rules.words import SECOND

AnyReport = SearchStrategy[AnyEvent]
Keys = dict[str, Any]

side = st.sampled_from(SIDES)
player = st.integers(0, 1)
spot = st.integers(1, 5)
maybe_spot = st.none() | st.none() | spot
maybe_cue = st.sampled_from([None, None, True, False])
seldom = st.sampled_from([False, False, False, True])
ledger = st.builds(
    SpotsGiven, on=st.sets(spot, max_size=3).map(tuple), faulty=st.sets(spot, max_size=3).map(tuple)
)


@st.composite
def wedged(draw: st.DrawFn, t: Ns) -> Wedged:
    """A wedged ball: with its goal between goal caps, without one at the cushion."""
    ball, goal, cue = draw(side), draw(st.none() | side), draw(maybe_cue)
    if goal is None:
        return Wedged(t=t, ball=ball, between="cap_and_cushion", cue=cue)
    return Wedged(t=t, ball=ball, between="goal_caps", goal=goal, cue=cue)


@st.composite
def drop(draw: st.DrawFn, t: Ns, stamps: tuple[Ns, ...] = ()) -> Drop:
    """A ball in a goal: now, with a stamp of its own, or with that of an earlier drop."""
    some = st.just(None) if t == 0 else st.none() | st.integers(max(0, t - SECOND), t)
    stamp = draw(some | st.sampled_from(stamps) if stamps else some)
    return Drop(
        t=t,
        goal=draw(side),
        ball=draw(side),
        cue=draw(maybe_cue),
        by_fault=draw(seldom),
        late=draw(seldom),
        at=None if stamp is None else Ns(min(stamp, t)),
    )


@st.composite
def correct(draw: st.DrawFn, t: Ns) -> Correct:
    """A correction of some of what can be corrected."""
    count = st.none() | st.integers(1, 5)
    games = st.none() | st.integers(0, 3)
    ledgers = st.builds(SpotLedgersGiven, red=st.none() | ledger, white=st.none() | ledger)
    given: dict[str, SearchStrategy[Any]] = {
        "balls": st.builds(BallsGiven, red=count, white=count),
        "turn": side,
        "player": player,
        "games": st.builds(GamesGiven, home=games, away=games),
        "left": st.integers(0, 60 * SECOND) | st.sampled_from([0, 50 * SECOND]),
        "spots": ledgers,
    }
    keys = draw(st.sets(st.sampled_from(sorted(given)), min_size=1, max_size=2))
    return Correct(t=t, **{key: draw(given[key]) for key in sorted(keys)})


def faults(t: Ns) -> AnyReport:
    """A called fault, with keys that its clause may ask for."""
    return st.builds(
        Fault,
        t=st.just(t),
        fault=st.sampled_from(FAULTS),
        ball=st.sampled_from([None, "own", "opponent"]),
        with_stroke=st.booleans(),
        count=st.sampled_from([1, 1, 2, 3]),
        side=st.none() | side,
        on_spot=maybe_spot,
    )


def of_every_kind(t: Ns, stamps: tuple[Ns, ...] = ()) -> dict[type[AnyEvent], AnyReport]:
    """Return a strategy for each kind of event at `t`."""
    now = st.just(t)
    openers = st.none() | st.builds(ByContestant, home=player, away=player)
    dark = st.none() | st.integers(0, 90 * SECOND)
    return {
        Opening: st.builds(Opening, t=now, nearest=side, home=st.none() | side, openers=openers),
        Stroke: st.builds(Stroke, t=now, on_spot=maybe_spot),
        Rest: st.builds(Rest, t=now, on_spot=maybe_spot),
        Drop: drop(t, stamps),
        Out: st.builds(Out, t=now, ball=side, count=st.sampled_from([1, 1, 1, 2, 3]), cue=maybe_cue),
        Wedged: wedged(t),
        Fault: faults(t),
        Choose: st.builds(Choose, t=now, spot=spot) | st.builds(Choose, t=now, ball=spot),
        Blocked: st.builds(Blocked, t=now, side=side, spot=spot),
        Cleared: st.builds(Cleared, t=now, side=side, spot=spot),
        Pause: st.builds(Pause, t=now),
        Resume: st.builds(Resume, t=now),
        Undo: st.builds(Undo, t=now),
        Correct: correct(t),
        Concede: st.builds(Concede, t=now, side=side, match=seldom),
        Abandon: st.builds(Abandon, t=now),
        Recovered: st.builds(Recovered, t=now, dark=dark),
        End: st.builds(End, t=now),
    }
