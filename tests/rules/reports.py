"""Random reports: every event of the notation, with keys a referee could give, sensible now or not.

The strategies are built once, at t = 0; `reported` moves what they draw to its instant, which is much faster.
"""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec.structs import replace

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

side = st.sampled_from(SIDES)
player = st.integers(0, 1)
spot = st.integers(1, 5)
maybe_spot = st.none() | st.none() | spot
maybe_cue = st.sampled_from([None, None, True, False])
seldom = st.sampled_from([False, False, False, True])
ledger = st.builds(
    SpotsGiven, on=st.sets(spot, max_size=3).map(tuple), faulty=st.sets(spot, max_size=3).map(tuple)
)


NOW = st.just(Ns(0))


@st.composite
def wedged(draw: st.DrawFn) -> Wedged:
    """A wedged ball: with its goal between goal caps, without one at the cushion."""
    ball, goal, cue = draw(side), draw(st.none() | side), draw(maybe_cue)
    if goal is None:
        return Wedged(t=Ns(0), ball=ball, between="cap_and_cushion", cue=cue)
    return Wedged(t=Ns(0), ball=ball, between="goal_caps", goal=goal, cue=cue)


COUNTS = st.none() | st.integers(1, 5)
GAMES = st.none() | st.integers(0, 3)
GIVEN: dict[str, SearchStrategy[Any]] = {
    "balls": st.builds(BallsGiven, red=COUNTS, white=COUNTS),
    "turn": side,
    "player": player,
    "games": st.builds(GamesGiven, home=GAMES, away=GAMES),
    "left": st.sampled_from([0, 1, 20 * SECOND, 50 * SECOND, 60 * SECOND]),
    "spots": st.builds(SpotLedgersGiven, red=st.none() | ledger, white=st.none() | ledger),
}
GIVEN_KEYS = st.sets(st.sampled_from(sorted(GIVEN)), min_size=1, max_size=2)


@st.composite
def correct(draw: st.DrawFn) -> Correct:
    """A correction of some of what can be corrected."""
    return Correct(t=Ns(0), **{key: draw(GIVEN[key]) for key in sorted(draw(GIVEN_KEYS))})


OF_EVERY_KIND: dict[type[AnyEvent], AnyReport] = {
    Opening: st.builds(
        Opening,
        t=NOW,
        nearest=side,
        home=st.none() | side,
        openers=st.none() | st.builds(ByContestant, home=player, away=player),
    ),
    Stroke: st.builds(Stroke, t=NOW, on_spot=maybe_spot),
    Rest: st.builds(Rest, t=NOW, on_spot=maybe_spot),
    Drop: st.builds(
        Drop, t=NOW, goal=side, ball=side, cue=maybe_cue, by_fault=seldom, late=seldom, at=st.none() | NOW
    ),
    Out: st.builds(Out, t=NOW, ball=side, count=st.sampled_from([1, 1, 1, 2, 3]), cue=maybe_cue),
    Wedged: wedged(),
    Fault: st.builds(
        Fault,
        t=NOW,
        fault=st.sampled_from(FAULTS),
        ball=st.sampled_from([None, "own", "opponent"]),
        with_stroke=st.booleans(),
        count=st.sampled_from([1, 1, 2, 3]),
        side=st.none() | side,
        on_spot=maybe_spot,
    ),
    Choose: st.builds(Choose, t=NOW, spot=spot) | st.builds(Choose, t=NOW, ball=spot),
    Blocked: st.builds(Blocked, t=NOW, side=side, spot=spot),
    Cleared: st.builds(Cleared, t=NOW, side=side, spot=spot),
    Pause: st.builds(Pause, t=NOW),
    Resume: st.builds(Resume, t=NOW),
    Undo: st.builds(Undo, t=NOW),
    Correct: correct(),
    Concede: st.builds(Concede, t=NOW, side=side, match=seldom),
    Abandon: st.builds(Abandon, t=NOW),
    Recovered: st.builds(Recovered, t=NOW, dark=st.none() | st.integers(0, 90 * SECOND)),
    End: st.builds(End, t=NOW),
}
ANY_EVENT = st.one_of(*OF_EVERY_KIND.values())


def reported(event: AnyEvent, t: Ns, stamp: Ns | None = None) -> AnyEvent:
    """Return a drawn event as reported at `t`; a drop that has a stamp carries `stamp`."""
    if isinstance(event, Drop) and event.at is not None:
        return replace(event, t=t, at=t if stamp is None else stamp)
    return replace(event, t=t)
