"""When is a press a press: one pure filter over (time, level) for every key and sensor.

Here lives the state of one contact and the functions that carry it on. What may never be known here: a clock, a thread,
a pin, what the contact is for. Instants are integer nanoseconds of whatever clock stamped the edges.

A contact has a *certain* level and a raw one. A raw edge away from the certain level opens a *burst*; its instant is
the *first contact*. The burst is decided in one of two ways:

- the line keeps the new level without a break for ``settle``: it is certain, and :class:`Pressed` or :class:`Released`
  reports the burst's first contact, not the instant at which it became certain;
- the line is back for ``settle``, or ``window`` has passed since the first contact: the burst was a :class:`Spike`. If
  the line is away just then, that last stretch opens a burst of its own, so bounce of any length still ends in a press.

    line    ____|##|_|#|_|##################### ... ###|_|##|_|______________
            first contact^  |<-- settle -->|           ^first idle|<-settle->|
    reports                           Pressed                        Released

What can be relied on, for any edges whatsoever:

1. What has its first contact at T is decided by T + ``window``, in calls that never look further than that.
2. Pressed and Released alternate, and the ``at_ns`` of the reports never falls.
3. A stretch of at least ``settle`` makes its level certain; a shorter one alone never does.
4. If the bounce after an edge ends within ``window - settle`` and holds no gap of ``settle`` or more, ``at_ns`` is that
   edge, exactly. After longer bounce the count is still right and ``at_ns`` lies within the bounce.
5. An input that is active from the start gives :class:`StuckAtStart` instead of Pressed, and no Pressed before it was
   idle for ``settle``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

__all__ = [
    "Contact",
    "Pressed",
    "Released",
    "Report",
    "Spike",
    "StuckAtStart",
    "Timing",
    "due_ns",
    "edge",
    "settle",
    "start",
]

MILLISECOND_NS: Final = 1_000_000
LONGEST_WINDOW_NS: Final = 30 * MILLISECOND_NS
"""A referee's key that needs longer than this to be believed would hold up the ruling on an expiry."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Timing:
    """How long a contact must hold to be believed, and how long one may wait for that, in nanoseconds.

    The defaults reject spikes up to 8 ms (lamps and motors near long wires give 0.1-5 ms) and see a ball that shadows
    a light barrier for 12 ms. ``ValueError`` unless 0 < settle <= window <= 30 ms.
    """

    settle_ns: int = 8 * MILLISECOND_NS
    window_ns: int = 20 * MILLISECOND_NS

    def __post_init__(self) -> None:
        """Refuse what cannot keep the module's promises."""
        if not 0 < self.settle_ns <= self.window_ns <= LONGEST_WINDOW_NS:
            message = (
                f"a contact needs 0 < settle <= window <= {LONGEST_WINDOW_NS} ns, "
                f"not settle {self.settle_ns} ns, window {self.window_ns} ns"
            )
            raise ValueError(message)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pressed:
    """The input is active: since ``at_ns`` (first contact), certain at ``certain_ns``, after ``bounces`` gaps."""

    input: str
    at_ns: int
    certain_ns: int
    bounces: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Released:
    """The input is idle again: since ``at_ns`` (first idle edge), certain at ``certain_ns``, after ``bounces``."""

    input: str
    at_ns: int
    certain_ns: int
    bounces: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Spike:
    """The line left its level at ``at_ns`` and did not stay away; ``width_ns`` until it was last back.

    ``active`` is the level it went to: True for a spike on an idle input, False for a gap in a press.
    """

    input: str
    at_ns: int
    certain_ns: int
    width_ns: int
    active: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class StuckAtStart:
    """The input was active when watching began and stayed so: a held or stuck key, never a press."""

    input: str
    at_ns: int
    certain_ns: int


Report: TypeAlias = Pressed | Released | Spike | StuckAtStart


@dataclass(frozen=True, kw_only=True, slots=True)
class Contact:
    """All that is known of one input. Made by :func:`start`, carried on by :func:`edge` and :func:`settle`.

    ``certain``: the level last reported. ``level``: the raw level, unbroken since ``since_ns``. ``burst_ns``: first
    contact of the undecided burst, None while level and certain level agree. ``back_ns``: when the line was last back
    in this burst. ``armed``: has been idle long enough for a press to be one.
    """

    input: str
    timing: Timing
    certain: bool
    level: bool
    since_ns: int
    burst_ns: int | None
    back_ns: int | None
    bounces: int
    armed: bool


def start(*, name: str, timing: Timing, at_ns: int, active: bool) -> Contact:
    """Begin to watch the input ``name``, which has this level at ``at_ns``."""
    return Contact(
        input=name,
        timing=timing,
        certain=False,
        level=active,
        since_ns=at_ns,
        burst_ns=at_ns if active else None,
        back_ns=None,
        bounces=0,
        armed=not active,
    )


def due_ns(contact: Contact) -> int | None:
    """Return when :func:`settle` next has something to decide if no edge comes, None if never."""
    if contact.burst_ns is None:
        return None
    timing = contact.timing
    return min(contact.since_ns + timing.settle_ns, contact.burst_ns + timing.window_ns)


def settle(contact: Contact, *, now_ns: int) -> tuple[Contact, tuple[Report, ...]]:
    """Decide what is certain at ``now_ns``, given that no edge up to then is still on its way.

    Deciding late changes nothing in the reports: ``certain_ns`` is when it was due, not ``now_ns``.
    """
    reports: list[Report] = []
    while (due := due_ns(contact)) is not None and due <= now_ns:
        contact, report = _decide(contact, due)
        reports.append(report)
    return contact, tuple(reports)


def edge(contact: Contact, *, at_ns: int, active: bool) -> tuple[Contact, tuple[Report, ...]]:
    """Take one edge, after deciding all that was due by its instant.

    An edge that repeats the level changes nothing. One stamped before the last edge is taken at the last one's instant.
    """
    at_ns = max(at_ns, contact.since_ns)
    contact, reports = settle(contact, now_ns=at_ns)
    if active == contact.level:
        return contact, reports
    if contact.burst_ns is None:
        # Between a start that was active and its first real rest, a bounce must not arm the input.
        rested = not contact.level and at_ns - contact.since_ns >= contact.timing.settle_ns
        return (
            replace(contact, level=active, since_ns=at_ns, burst_ns=at_ns, armed=contact.armed or rested),
            reports,
        )
    if active == contact.certain:
        return (
            replace(contact, level=active, since_ns=at_ns, back_ns=at_ns, bounces=contact.bounces + 1),
            reports,
        )
    return replace(contact, level=active, since_ns=at_ns), reports


def _decide(contact: Contact, due: int) -> tuple[Contact, Report]:
    """Close the open burst at ``due``, which :func:`due_ns` has named."""
    first = contact.since_ns if contact.burst_ns is None else contact.burst_ns
    away = contact.level != contact.certain
    if away and due == contact.since_ns + contact.timing.settle_ns:
        return _believe(contact, first, due)
    back = contact.since_ns if contact.back_ns is None else contact.back_ns
    spike = Spike(
        input=contact.input,
        at_ns=first,
        certain_ns=due,
        width_ns=back - first,
        active=not contact.certain,
    )
    return replace(contact, burst_ns=contact.since_ns if away else None, back_ns=None, bounces=0), spike


def _believe(contact: Contact, first: int, due: int) -> tuple[Contact, Report]:
    """Make the raw level the certain one."""
    after = replace(contact, certain=contact.level, burst_ns=None, back_ns=None, bounces=0)
    if not contact.level:
        return after, Released(input=contact.input, at_ns=first, certain_ns=due, bounces=contact.bounces)
    if not contact.armed:
        return after, StuckAtStart(input=contact.input, at_ns=first, certain_ns=due)
    return after, Pressed(input=contact.input, at_ns=first, certain_ns=due, bounces=contact.bounces)
