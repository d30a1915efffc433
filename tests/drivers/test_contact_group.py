"""All contacts of a board together: order, holding back, and what is known when."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.contact import Pressed, Released, Report, Spike, StuckAtStart, Timing
from drivers.contacts import Contacts, Counters
from drivers.ports import Edge

MS = 1_000_000
NAMES = ("stroke", "goal_red", "goal_white")
WINDOW_NS = 20 * MS
DELIVERY_NS = 2 * MS
LONG_AFTER = 3_600_000 * MS


def board(*, at_ns: int = 0, held: tuple[str, ...] = ()) -> Contacts:
    """Three inputs with the default timing and 2 ms of delivery."""
    return Contacts(
        timings=dict.fromkeys(NAMES, Timing()),
        initial={name: name in held for name in NAMES},
        at_ns=at_ns,
    )


def pulse(contacts: Contacts, name: str, begin_ms: float, end_ms: float) -> None:
    """One clean contact from begin to end."""
    contacts.edge(Edge(input=name, at_ns=round(begin_ms * MS), active=True))
    contacts.edge(Edge(input=name, at_ns=round(end_ms * MS), active=False))


def pressed(reports: tuple[Report, ...]) -> list[tuple[str, int]]:
    """Names and instants of the presses."""
    return [(report.input, report.at_ns) for report in reports if isinstance(report, Pressed)]


def test_a_press_comes_out_when_it_is_certain_and_its_edges_have_had_time_to_arrive() -> None:
    """First contact at 100 ms, certain at 108, handed out at 110 and not before."""
    contacts = board()
    contacts.edge(Edge(input="stroke", at_ns=100 * MS, active=True))
    assert contacts.due_ns() == 110 * MS
    assert contacts.settle(110 * MS - 1) == ()
    assert contacts.settle(110 * MS) == (
        Pressed(input="stroke", at_ns=100 * MS, certain_ns=108 * MS, bounces=0),
    )
    assert contacts.due_ns() is None


def test_an_edge_that_arrives_late_still_breaks_a_press() -> None:
    """The idle edge at 107.9 ms arrives 1.5 ms later, after the press seemed certain: no press."""
    contacts = board()
    contacts.edge(Edge(input="stroke", at_ns=100 * MS, active=True))
    assert contacts.settle(109 * MS) == ()
    contacts.edge(Edge(input="stroke", at_ns=107_900_000, active=False))
    assert [type(report) for report in contacts.settle(LONG_AFTER)] == [Spike]
    assert contacts.counters["stroke"].late == 0


def test_two_sensors_are_told_apart_by_their_stamps_not_by_their_arrival() -> None:
    """White arrives first, but red was 0.2 ms earlier: red comes out first."""
    contacts = board()
    pulse(contacts, "goal_white", 100.2, 112.2)
    pulse(contacts, "goal_red", 100.0, 112.0)
    assert pressed(contacts.settle(LONG_AFTER)) == [("goal_red", 100 * MS), ("goal_white", 100_200_000)]


def test_a_certain_press_waits_for_an_older_one_that_still_bounces() -> None:
    """The stroke key bounces from 100 to 110 ms; the ball at 101 ms is certain at 109, yet comes out after it."""
    contacts = board()
    for at_ms, active in ((100, True), (101, False), (108, True), (109, False), (110, True)):
        contacts.edge(Edge(input="stroke", at_ns=at_ms * MS, active=active))
    contacts.edge(Edge(input="goal_red", at_ns=101 * MS, active=True))
    assert contacts.settle(112 * MS) == ()
    assert contacts.known_ns == 100 * MS - 1
    assert pressed(contacts.settle(120 * MS)) == [("stroke", 100 * MS), ("goal_red", 101 * MS)]


def test_what_is_known_follows_the_time_while_nothing_happens() -> None:
    """At 50 ms all up to 48 ms is known, so a deadline at 48 ms may be ruled on."""
    contacts = board()
    contacts.settle(50 * MS)
    assert contacts.known_ns == 48 * MS


@pytest.mark.parametrize("offset_ms", range(-10, 11))
def test_a_press_around_an_expiry_is_known_22_ms_after_it(offset_ms: int) -> None:
    """Presses from -10 to +10 ms around a deadline, bouncing for 12 ms: those up to it are all out at T + 22 ms."""
    expiry = 1_000 * MS
    begin = expiry + offset_ms * MS
    contacts = board()
    for step in range(13):
        contacts.edge(Edge(input="stroke", at_ns=begin + step * MS, active=step % 2 == 0))
    reports = contacts.settle(expiry + WINDOW_NS + DELIVERY_NS)
    assert contacts.known_ns >= expiry
    if offset_ms <= 0:
        assert pressed(reports) == [("stroke", begin)]
    else:
        assert all(report.at_ns > expiry for report in (*reports, *contacts.settle(LONG_AFTER)))


def test_an_edge_that_comes_too_late_is_counted_and_taken_at_the_first_open_instant() -> None:
    """An edge stamped 30 ms ago is not lost, and what was said about its instant stands."""
    contacts = board()
    contacts.settle(130 * MS)
    contacts.edge(Edge(input="stroke", at_ns=100 * MS, active=True))
    assert pressed(contacts.settle(LONG_AFTER)) == [("stroke", 128 * MS + 1)]
    assert contacts.counters["stroke"].late == 1


def test_a_key_held_at_the_start_is_told_and_is_no_press() -> None:
    """C13: the others work meanwhile."""
    contacts = board(at_ns=5 * MS, held=("stroke",))
    pulse(contacts, "goal_red", 100, 112)
    reports = contacts.settle(LONG_AFTER)
    assert [(type(report), report.input) for report in reports] == [
        (StuckAtStart, "stroke"),
        (Pressed, "goal_red"),
        (Released, "goal_red"),
    ]


def test_counters_say_what_a_line_did() -> None:
    """One press with a gap in its bounce, one spike: seven edges for the diagnosis."""
    contacts = board()
    for at_ms in (100, 101, 102, 160, 300, 301):
        contacts.edge(Edge(input="stroke", at_ns=at_ms * MS, active=at_ms not in {101, 160, 301}))
    contacts.settle(LONG_AFTER)
    assert contacts.counters["stroke"] == Counters(edges=6, presses=1, spikes=1, bounces=1, late=0)
    assert contacts.counters["goal_red"] == Counters()


def test_an_edge_of_an_unknown_input_is_the_programs_fault() -> None:
    """It names the inputs there are."""
    with pytest.raises(ValueError, match="no input is called 'bell'; there are goal_red, goal_white, stroke"):
        board().edge(Edge(input="bell", at_ns=0, active=True))


def test_timings_and_levels_must_name_the_same_inputs() -> None:
    """A level without a timing is refused."""
    with pytest.raises(ValueError, match="initial levels"):
        Contacts(timings={}, initial={"stroke": False}, at_ns=0)


def test_a_negative_delivery_is_refused() -> None:
    """Nothing arrives before it happened."""
    with pytest.raises(ValueError, match="0 ns or more"):
        Contacts(timings={}, initial={}, at_ns=0, delivery_ns=-1)


arrivals = st.lists(
    st.tuples(
        st.one_of(st.integers(1, 6 * MS), st.integers(1, 60 * MS)),
        st.integers(0, DELIVERY_NS),
        st.sampled_from(NAMES),
        st.booleans(),
    ),
    max_size=50,
)
"""Gaps between edges, how late each arrives, its input and its level."""


@given(steps=arrivals, held=st.sets(st.sampled_from(NAMES)))
def test_reports_of_all_inputs_rise_and_nothing_comes_after_it_was_known(
    steps: list[tuple[int, int, str, bool]], held: set[str]
) -> None:
    """For edges of any order within the delivery time, looked at whenever due: rising, complete, and in time."""
    contacts = board(held=tuple(held))
    stamped, at_ns = list[tuple[int, Edge]](), 1
    for gap, lateness, name, active in steps:
        at_ns += gap
        stamped.append((at_ns + lateness, Edge(input=name, at_ns=at_ns, active=active)))
    reports: list[Report] = []
    now = 0

    def look(at: int) -> None:
        nonlocal now
        assert at > now or not reports
        now = at
        known = contacts.known_ns
        made = contacts.settle(now)
        assert all(report.at_ns > known for report in made)
        assert all(now - report.at_ns <= WINDOW_NS + DELIVERY_NS for report in made)
        reports.extend(made)

    for arrives, edge in sorted(stamped, key=lambda pair: pair[0]):
        while (due := contacts.due_ns()) is not None and due <= arrives:
            look(due)
        contacts.edge(edge)
    while (due := contacts.due_ns()) is not None:
        look(due)
    assert all(a.at_ns <= b.at_ns for a, b in pairwise(reports))
    assert sum(counters.late for counters in contacts.counters.values()) == 0

    in_order = board(held=tuple(held))
    for _, edge in stamped:
        in_order.edge(edge)
    assert sorted(map(repr, in_order.settle(LONG_AFTER))) == sorted(map(repr, reports))
