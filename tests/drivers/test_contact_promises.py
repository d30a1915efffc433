"""The filter over (time, level): what it promises for any edges whatsoever."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from drivers.contact import Pressed, Released, Report, Spike, Timing, due_ns, edge, settle, start

if TYPE_CHECKING:
    from collections.abc import Sequence

MS = 1_000_000
TIMING = Timing(settle_ns=8 * MS, window_ns=20 * MS)
LONG_AFTER = 3_600_000 * MS


def watch(
    edges: Sequence[tuple[int, bool]], *, active: bool = False, timing: Timing = TIMING
) -> list[Report]:
    """All reports on these (instant, level) pairs, up to an hour later."""
    contact = start(name="stroke", timing=timing, at_ns=0, active=active)
    reports: list[Report] = []
    for at_ns, level in edges:
        contact, made = edge(contact, at_ns=at_ns, active=level)
        reports += made
    contact, made = settle(contact, now_ns=LONG_AFTER)
    assert due_ns(contact) is None
    return [*reports, *made]


def presses(reports: Sequence[Report]) -> list[int]:
    """The instants of the presses."""
    return [report.at_ns for report in reports if isinstance(report, Pressed)]


def spikes(reports: Sequence[Report]) -> list[Spike]:
    """The spikes and gaps."""
    return [report for report in reports if isinstance(report, Spike)]


timings = st.builds(
    lambda settle_us, more_us: Timing(
        settle_ns=settle_us * 1_000, window_ns=min(settle_us + more_us, 30_000) * 1_000
    ),
    st.integers(1, 12_000),
    st.integers(0, 18_000),
)
"""Any timing from 1 us to 30 ms."""

histories = st.lists(
    st.tuples(st.one_of(st.integers(0, 12 * MS), st.integers(0, 100 * MS)), st.booleans()),
    max_size=40,
).map(lambda steps: [(sum(gap for gap, _ in steps[: n + 1]), active) for n, (_, active) in enumerate(steps)])
"""Any edges at all, in order, repeated levels included."""


@given(edges=histories, active=st.booleans(), timing=timings)
def test_the_certain_level_follows_every_stretch_that_settles_and_no_other(
    edges: list[tuple[int, bool]], active: bool, timing: Timing
) -> None:
    """Presses and releases are the stretches of at least the settling time, neighbours of one level taken as one."""
    stretches = [(0, active)]
    for at_ns, level in edges:
        if level != stretches[-1][1]:
            stretches.append((at_ns, level))
    lasting = [
        level
        for (begin, level), (end, _) in pairwise([*stretches, (LONG_AFTER, False)])
        if end - begin >= timing.settle_ns
    ]
    expected = [level for before, level in pairwise([False, *lasting]) if level != before]
    reports = watch(edges, active=active, timing=timing)
    assert [
        not isinstance(report, Released) for report in reports if not isinstance(report, Spike)
    ] == expected


@given(edges=histories, active=st.booleans(), timing=timings)
def test_reports_rise_and_are_decided_within_the_window(
    edges: list[tuple[int, bool]], active: bool, timing: Timing
) -> None:
    """For any history: ``at_ns`` never falls, ``certain_ns`` never falls, and no more than a window lies between."""
    reports = watch(edges, active=active, timing=timing)
    assert all(a.at_ns <= b.at_ns and a.certain_ns <= b.certain_ns for a, b in pairwise(reports))
    assert all(0 < report.certain_ns - report.at_ns <= timing.window_ns for report in reports)
    assert all(0 <= spike.width_ns <= timing.window_ns for spike in spikes(reports))


@given(edges=histories, active=st.booleans(), timing=timings, cut_ns=st.integers(0, 500 * MS))
def test_the_future_cannot_change_what_is_older_than_the_window(
    edges: list[tuple[int, bool]], active: bool, timing: Timing, cut_ns: int
) -> None:
    """An expiry at T may be ruled on at T + window: every report with first contact up to T is known by then."""
    contact = start(name="stroke", timing=timing, at_ns=0, active=active)
    known: list[Report] = []
    for at_ns, level in edges:
        if at_ns <= cut_ns + timing.window_ns:
            contact, made = edge(contact, at_ns=at_ns, active=level)
            known += made
    contact, made = settle(contact, now_ns=cut_ns + timing.window_ns)
    known += made
    everything = watch(edges, active=active, timing=timing)
    assert [report for report in known if report.at_ns <= cut_ns] == [
        report for report in everything if report.at_ns <= cut_ns
    ]


@given(edges=histories, active=st.booleans(), looks=st.lists(st.integers(0, 500 * MS), max_size=20))
def test_how_often_one_looks_changes_nothing(
    edges: list[tuple[int, bool]], active: bool, looks: list[int]
) -> None:
    """Settling between the edges, at any instants, gives the same reports as never settling."""
    contact = start(name="stroke", timing=TIMING, at_ns=0, active=active)
    reports: list[Report] = []
    calls = sorted(
        [(at_ns, 0, level) for at_ns, level in edges] + [(at_ns, 1, False) for at_ns in looks],
        key=lambda c: c[:2],
    )
    for at_ns, is_look, level in calls:
        made: tuple[Report, ...]
        contact, made = settle(contact, now_ns=at_ns) if is_look else edge(contact, at_ns=at_ns, active=level)
        reports += made
    reports += settle(contact, now_ns=LONG_AFTER)[1]
    assert reports == watch(edges, active=active)


@given(edges=histories, active=st.booleans(), timing=timings)
def test_what_is_due_is_always_ahead_and_enough(
    edges: list[tuple[int, bool]], active: bool, timing: Timing
) -> None:
    """Whoever sleeps until ``due_ns`` misses nothing and never spins."""
    contact = start(name="stroke", timing=timing, at_ns=0, active=active)
    for at_ns, level in edges:
        contact, _ = edge(contact, at_ns=at_ns, active=level)
        due = due_ns(contact)
        assert due is None or at_ns < due <= at_ns + timing.window_ns
        if due is not None:
            assert settle(contact, now_ns=due - 1) == (contact, ())
            assert len(settle(contact, now_ns=due)[1]) == 1


bounces = st.lists(st.integers(MS // 20, MS), max_size=6).filter(lambda parts: len(parts) % 2 == 0)
"""Up to 6 ms of bounce in stretches of 0.05 to 1 ms, ending at the new level."""
strokes = st.lists(
    st.tuples(
        st.integers(30 * MS, 400 * MS),
        bounces,
        st.integers(34 * MS, 400 * MS),
        bounces,
        st.one_of(st.none(), st.integers(MS // 10, 5 * MS)),
    ),
    min_size=1,
    max_size=30,
)
"""Rests, press bounce, holds, release bounce, and perhaps a spike in the middle of the rest before."""


@given(strokes=strokes)
def test_every_press_of_40_to_400_ms_is_seen_once_at_its_first_contact(
    strokes: list[tuple[int, list[int], int, list[int], int | None]],
) -> None:
    """C5: random presses with bounce at both ends and spikes between them; count, instants and releases are exact."""
    now, edges, pressed, released, spike_count = 0, list[tuple[int, bool]](), list[int](), list[int](), 0
    for rest, press_bounce, hold, release_bounce, spike in strokes:
        if spike is not None:
            edges += [(now + 9 * MS, True), (now + 9 * MS + spike, False)]
            spike_count += 1
        now += rest
        for bounce, begun, level in ((press_bounce, pressed, True), (release_bounce, released, False)):
            begun.append(now)
            edges.append((now, level))
            for number, part in enumerate(bounce):
                now += part
                edges.append((now, level if number % 2 else not level))
            now += hold if level else 0
    reports = watch(edges)
    assert presses(reports) == pressed
    assert [report.at_ns for report in reports if isinstance(report, Released)] == released
    assert len(spikes(reports)) == spike_count
