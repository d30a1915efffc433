"""The filter over (time, level): presses, spikes and nothing else, for one contact."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drivers.contact import (
    Pressed,
    Released,
    Report,
    Spike,
    StuckAtStart,
    Timing,
    due_ns,
    edge,
    settle,
    start,
)

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


def levels(*durations_ms: float, begin_ms: float = 100) -> list[tuple[int, bool]]:
    """Edges of a line that turns active at ``begin_ms`` and then changes after each of these durations."""
    at_ns, active = round(begin_ms * MS), True
    edges = [(at_ns, active)]
    for duration_ms in durations_ms:
        at_ns, active = at_ns + round(duration_ms * MS), not active
        edges.append((at_ns, active))
    return edges


def presses(reports: Sequence[Report]) -> list[int]:
    """The instants of the presses."""
    return [report.at_ns for report in reports if isinstance(report, Pressed)]


def spikes(reports: Sequence[Report]) -> list[Spike]:
    """The spikes and gaps."""
    return [report for report in reports if isinstance(report, Spike)]


def test_a_press_carries_its_first_contact_and_is_certain_after_the_settling_time() -> None:
    """A clean press at 100 ms for 60 ms: reported as of 100, certain at 108; released as of 160, certain at 168."""
    assert watch(levels(60)) == [
        Pressed(input="stroke", at_ns=100 * MS, certain_ns=108 * MS, bounces=0),
        Released(input="stroke", at_ns=160 * MS, certain_ns=168 * MS, bounces=0),
    ]


def test_bounce_at_both_ends_is_one_press_as_of_the_first_contact() -> None:
    """5 ms of bounce at press and at release change neither the count nor the instants."""
    reports = watch(levels(1, 0.5, 2, 1.5, 150, 0.3, 1, 2, 0.7))
    assert [(type(report), report.at_ns) for report in reports] == [(Pressed, 100 * MS), (Released, 255 * MS)]
    assert [report.bounces for report in reports if isinstance(report, Pressed | Released)] == [2, 2]


@pytest.mark.parametrize("width_ms", [0.1, 0.5, 1, 2, 5])
def test_spikes_from_lamps_and_motors_are_never_presses_but_are_counted(width_ms: float) -> None:
    """C6, C7: 0.1 to 5 ms wide, at 10 Hz, also the very first one after a long silence."""
    reports = watch([at for number in range(50) for at in levels(width_ms, begin_ms=60_000 + 100 * number)])
    assert presses(reports) == []
    assert [spike.width_ns for spike in spikes(reports)] == [round(width_ms * MS)] * 50


def test_a_ball_that_shadows_its_barrier_for_12_ms_counts() -> None:
    """Three balls of 12 ms, 300 ms apart, are three presses: no dead time swallows one."""
    edges = [at for begin in (100, 400, 700) for at in levels(12, begin_ms=begin)]
    assert presses(watch(edges)) == [100 * MS, 400 * MS, 700 * MS]


def test_presses_of_60_ms_at_4_hz_are_all_seen() -> None:
    """C8: no dead time after a press."""
    edges = [at for number in range(40) for at in levels(60, begin_ms=100 + 250 * number)]
    assert presses(watch(edges)) == [(100 + 250 * number) * MS for number in range(40)]


@pytest.mark.parametrize("bounce_ms", [5, 10, 20, 30])
def test_release_bounce_after_a_long_hold_is_no_second_press(bounce_ms: int) -> None:
    """C4: 5 to 30 ms of bounce at the press and at the release after 5 s are one press, whatever the window."""
    chatter = [0.5, 0.5] * bounce_ms
    reports = watch(levels(*chatter, 5_000, *chatter))
    assert len(presses(reports)) == 1
    assert [type(report) for report in reports if not isinstance(report, Spike)] == [Pressed, Released]


def test_a_spike_on_a_held_key_is_a_gap_and_the_hold_goes_on() -> None:
    """C11: 2 ms of idle in a 1 s hold neither end the hold nor begin another."""
    reports = watch(levels(500, 2, 498))
    assert [type(report) for report in reports] == [Pressed, Spike, Released]
    assert spikes(reports) == [
        Spike(input="stroke", at_ns=600 * MS, certain_ns=610 * MS, width_ns=2 * MS, active=False),
    ]


def test_bounce_longer_than_the_window_is_a_spike_and_then_the_press() -> None:
    """What is undecided at the window's end is told as a spike; the stretch that holds is a press of its own."""
    reports = watch(levels(2, 7, 2, 7, 100))
    assert [(type(report), report.at_ns) for report in reports] == [
        (Spike, 100 * MS),
        (Pressed, 118 * MS),
        (Released, 218 * MS),
    ]
    assert [spike.width_ns for spike in spikes(reports)] == [11 * MS]


def test_a_contact_that_never_settles_gives_spikes_only() -> None:
    """5 kHz noise for a second: no press, and a spike for every window."""
    reports = watch(levels(*[0.1] * 10_001))
    assert presses(reports) == []
    assert len(spikes(reports)) >= 40


def test_exactly_the_settling_time_is_enough() -> None:
    """8 ms are a press, one nanosecond less is not."""
    assert presses(watch([(100 * MS, True), (108 * MS, False)])) == [100 * MS]
    assert presses(watch([(100 * MS, True), (108 * MS - 1, False)])) == []


def test_an_input_active_at_the_start_is_stuck_until_it_was_released() -> None:
    """C13: no press from a held key; after its release it works as ever."""
    reports = watch([(50 * MS, False), *levels(60)], active=True)
    assert [(type(report), report.at_ns) for report in reports] == [
        (StuckAtStart, 0),
        (Released, 50 * MS),
        (Pressed, 100 * MS),
        (Released, 160 * MS),
    ]


def test_bouncing_at_the_start_does_not_make_a_held_key_a_press() -> None:
    """A key that is held while the box starts, and bounces for 40 ms, is stuck, not pressed."""
    edges = [(at_ns - 99 * MS, active) for at_ns, active in levels(*[1] * 40)]
    assert [type(report) for report in watch(edges, active=True) if not isinstance(report, Spike)] == [
        StuckAtStart
    ]


def test_an_input_that_was_active_for_a_moment_at_the_start_takes_the_next_press() -> None:
    """A spike at the start leaves nothing behind."""
    assert presses(watch([(1 * MS, False), *levels(60)], active=True)) == [100 * MS]


def test_an_edge_that_repeats_the_level_changes_nothing() -> None:
    """A level that is read again is no break."""
    assert presses(watch([(100 * MS, True), (104 * MS, True), (108 * MS, False)])) == [100 * MS]


def test_an_edge_older_than_the_last_one_is_taken_at_the_last_ones_instant() -> None:
    """Disordered stamps never make negative stretches."""
    reports = watch([(100 * MS, True), (90 * MS, False)])
    assert reports == [Spike(input="stroke", at_ns=100 * MS, certain_ns=108 * MS, width_ns=0, active=True)]


@pytest.mark.parametrize(("settle_ms", "window_ms"), [(0, 20), (-1, 20), (21, 20), (8, 31)])
def test_a_timing_that_cannot_be_promised_is_refused(settle_ms: int, window_ms: int) -> None:
    """Settle is positive, not longer than the window, and that not longer than 30 ms."""
    with pytest.raises(ValueError, match="0 < settle <= window <= 30000000 ns"):
        Timing(settle_ns=settle_ms * MS, window_ns=window_ms * MS)
