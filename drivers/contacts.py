"""All contacts of a board: edges in as they arrive, reports out in the order of their instants.

Here live the reordering of edges, the holding back of reports until an older burst is decided, and the counters for
diagnosis. What may never be known here: which input matters more, and the time: ``now_ns`` is always handed in.

Edges of different pins may arrive in the wrong order and a little late. So an edge is only put in line, and everything
is looked at ``delivery`` later, by its stamp. Reports come out with rising ``at_ns`` across all inputs: one that is
certain waits while another input's burst that began before it is open, which no burst is for longer than its window.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from drivers.contact import Contact, Pressed, Released, Report, Spike, Timing, due_ns, edge, settle, start

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.ports import Edge

__all__ = ["DELIVERY_NS", "Contacts", "Counters"]

DELIVERY_NS: Final = 2_000_000
"""How late an edge may reach us: gpiozero on lgpio needs 0.7 ms on an idle PC, a loaded Pi 1.2 ms."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Counters:
    """What one input did since the start. ``late``: edges that came when their instant had been decided already."""

    edges: int = 0
    presses: int = 0
    spikes: int = 0
    bounces: int = 0
    late: int = 0


class Contacts:
    """The contacts of a board, by name. Not thread-safe: it belongs to the thread that owns time.

    Put all edges that have arrived in line, then settle once: on a noisy line that is half the work.

    Guarantee: a report with ``at_ns`` <= T comes out of a :meth:`settle` at T + window + delivery at the latest
    (window: the longest of the inputs), provided that edges arrive within ``delivery_ns``. After that nothing at or
    before T can come any more, so a deadline at T may be ruled on; :attr:`known_ns` says so as soon as it is true.
    """

    def __init__(
        self,
        *,
        timings: Mapping[str, Timing],
        initial: Mapping[str, bool],
        at_ns: int,
        delivery_ns: int = DELIVERY_NS,
    ) -> None:
        """Begin at ``at_ns`` with these levels (True: active); ``ValueError`` unless both name the same inputs."""
        if timings.keys() != initial.keys():
            message = f"timings name {sorted(timings)}, but the initial levels {sorted(initial)}"
            raise ValueError(message)
        if delivery_ns < 0:
            message = f"delivery takes 0 ns or more, not {delivery_ns} ns"
            raise ValueError(message)
        self._contacts: dict[str, Contact] = {
            name: start(name=name, timing=timing, at_ns=at_ns, active=initial[name])
            for name, timing in timings.items()
        }
        self._counts: dict[str, Counter[str]] = {name: Counter() for name in timings}
        self._delivery_ns = delivery_ns
        self._horizon_ns = at_ns - 1
        self._waiting: list[tuple[int, int, Edge]] = []
        self._arrived = 0
        self._held: list[tuple[int, int, Report]] = []
        self._reported = 0
        self._shortest_settle_ns = min((timing.settle_ns for timing in timings.values()), default=0)

    def edge(self, edge: Edge) -> None:
        """Put an edge in line; reports come from :meth:`settle`. ``ValueError`` if no input has its name."""
        if edge.input not in self._contacts:
            message = f"no input is called {edge.input!r}; there are {', '.join(sorted(self._contacts))}"
            raise ValueError(message)
        counts, at_ns = self._counts[edge.input], edge.at_ns
        counts["edges"] += 1
        if at_ns <= self._horizon_ns:
            # Taken at the first instant still open: what was said about its own stands.
            counts["late"] += 1
            at_ns = self._horizon_ns + 1
        heapq.heappush(self._waiting, (at_ns, self._arrived, edge))
        self._arrived += 1

    def settle(self, now_ns: int) -> tuple[Report, ...]:
        """Return what has become certain up to ``now_ns`` minus delivery, in rising ``at_ns``; never goes back.

        With a delivery of 0 all edges of an instant must be in line before that instant is settled.
        """
        self._horizon_ns = max(self._horizon_ns, now_ns - self._delivery_ns)
        while self._waiting and self._waiting[0][0] <= self._horizon_ns:
            at_ns, _, waiting = heapq.heappop(self._waiting)
            contact, reports = edge(self._contacts[waiting.input], at_ns=at_ns, active=waiting.active)
            self._contacts[waiting.input] = contact
            self._hold(reports)
        for name, contact in self._contacts.items():
            due = due_ns(contact)
            if due is not None and due <= self._horizon_ns:
                self._contacts[name], reports = settle(contact, now_ns=self._horizon_ns)
                self._hold(reports)
        return self._ripe()

    @property
    def known_ns(self) -> int:
        """The instant up to which all is decided and handed out: no later report has ``at_ns`` at or before it."""
        return min((burst - 1 for burst in self._bursts()), default=self._horizon_ns)

    @property
    def counters(self) -> Mapping[str, Counters]:
        """What each input did so far; a copy."""
        return {name: Counters(**counts) for name, counts in self._counts.items()}

    def due_ns(self) -> int | None:
        """Return when :meth:`settle` should next be called if no edge comes, None if never."""
        dues = [due for contact in self._contacts.values() if (due := due_ns(contact)) is not None]
        if self._waiting:
            # An edge in line cannot make anything certain sooner than this; looking at it before is wasted.
            dues.append(self._waiting[0][0] + self._shortest_settle_ns)
        return min(dues) + self._delivery_ns if dues else None

    def _bursts(self) -> list[int]:
        return [contact.burst_ns for contact in self._contacts.values() if contact.burst_ns is not None]

    def _hold(self, reports: tuple[Report, ...]) -> None:
        for report in reports:
            heapq.heappush(self._held, (report.at_ns, self._reported, report))
            self._reported += 1
            counts = self._counts[report.input]
            match report:
                case Pressed(bounces=bounces):
                    counts.update(presses=1, bounces=bounces)
                case Released(bounces=bounces):
                    counts.update(bounces=bounces)
                case Spike():
                    counts["spikes"] += 1

    def _ripe(self) -> tuple[Report, ...]:
        oldest = min(self._bursts(), default=None)
        ripe: list[Report] = []
        while self._held and (oldest is None or self._held[0][0] <= oldest):
            ripe.append(heapq.heappop(self._held)[2])
        return tuple(ripe)
