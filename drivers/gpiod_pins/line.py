"""One line of a GPIO chip, in the kernel's words: a request of its own, its settings, its edges.

Here lives all that touches ``gpiod``. What may never be known here: gpiozero, and who wants the edges.

A request of libgpiod cannot grow, and gpiozero hands out its pins one by one, so each line is a request of its own.
The kernel numbers the edges of a line; a gap in the numbers is edges that it had to drop because nobody read them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import timedelta
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["Bias", "KernelEdge", "Line", "Setting", "Which"]

Bias = Literal["up", "down", "floating"]
Which = Literal["both", "rising", "falling", "none"]

KEPT_EDGES: Final = 1024
"""How many unread edges of a line the kernel keeps, which is all that it allows: 0.1 s of 5 kHz noise."""
AT_ONCE: Final = 64
"""Edges read from a line before the others have their turn."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """What a line is set to. ``bias`` and ``edges`` are an input's; ``high`` is what an output is driven to."""

    output: bool = False
    high: bool = False
    bias: Bias = "floating"
    edges: Which = "none"
    bounce_s: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class KernelEdge:
    """A line changed at ``at_ns`` of CLOCK_MONOTONIC, by the kernel's stamp."""

    at_ns: int
    rising: bool


class Line:
    """A line that is claimed when it is first set, and let go by :meth:`release`; then it can be set again.

    Any thread. Whatever the kernel refuses comes as ``OSError``.
    """

    def __init__(self, gpiod: ModuleType, chip: Any, offset: int, *, consumer: str) -> None:  # noqa: ANN401  gpiod's
        """Touch nothing yet. ``consumer`` is the name under which the kernel lists who holds the line."""
        self.offset = offset
        self._gpiod = gpiod
        self._chip = chip
        self._consumer = consumer
        self._lock = RLock()
        self._request: Any = None
        self._setting = Setting()
        self._number = 0
        self._lost = 0

    @property
    def claimed(self) -> bool:
        """Whether the line is held by this process."""
        return self._request is not None

    @property
    def setting(self) -> Setting:
        """What the line is set to; of one that is not claimed, what the kernel says of its direction."""
        with self._lock:
            if self._request is not None:
                return self._setting
            info = self._chip.get_line_info(self.offset)
            return Setting(output=info.direction == self._gpiod.line.Direction.OUTPUT)

    @property
    def holder(self) -> str:
        """Who holds the line, by the kernel's list; empty if nobody does."""
        return str(self._chip.get_line_info(self.offset).consumer or "")

    @property
    def lost(self) -> int:
        """How many edges the kernel dropped before they were read."""
        return self._lost

    def set(self, setting: Setting) -> None:
        """Claim the line with this setting, or change to it without letting go: an output does not flicker."""
        with self._lock:
            settings = self._settings(setting)
            if self._request is None:
                self._claim(settings)
            else:
                self._request.reconfigure_lines({self.offset: settings})
            self._setting = setting

    def level(self) -> bool:
        """Return whether the line is high. A line that is not claimed is claimed as it is."""
        with self._lock:
            if self._request is None:
                found = self.setting
                self._claim(self._gpiod.LineSettings())
                self._setting = replace(found, high=found.output and self.level())
            return bool(self._request.get_value(self.offset) == self._gpiod.line.Value.ACTIVE)

    def drive(self, *, high: bool) -> None:
        """Drive an output, which must be set to be one."""
        with self._lock:
            self._request.set_value(self.offset, self._value(high=high))
            self._setting = replace(self._setting, high=high)

    @property
    def fd(self) -> int:
        """The file that becomes readable when there are edges; only while the line is claimed."""
        return int(self._request.fd)

    def take(self) -> list[KernelEdge]:
        """Return the edges that wait, oldest first and not endlessly many; at once, an empty list if there is none."""
        with self._lock:
            if self._request is None:
                return []
            try:
                events = self._request.read_edge_events(AT_ONCE)
            except BlockingIOError:
                return []
            return [self._edge(event) for event in events]

    def release(self) -> None:
        """Let go, if the line is claimed."""
        with self._lock:
            request, self._request = self._request, None
            if request is not None:
                request.release()

    def _claim(self, settings: Any) -> None:  # noqa: ANN401  gpiod's
        self._request = self._chip.request_lines(
            {self.offset: settings}, consumer=self._consumer, event_buffer_size=KEPT_EDGES
        )
        # The thread that reads must never wait for an edge that was only announced.
        os.set_blocking(self._request.fd, False)
        self._number = 0

    def _edge(self, event: Any) -> KernelEdge:  # noqa: ANN401  gpiod's
        # A number that does not rise belongs to a count that the kernel began anew.
        if event.line_seqno > self._number:
            self._lost += event.line_seqno - self._number - 1
        self._number = event.line_seqno
        return KernelEdge(
            at_ns=event.timestamp_ns,
            rising=event.event_type == self._gpiod.EdgeEvent.Type.RISING_EDGE,
        )

    def _value(self, *, high: bool) -> Any:  # noqa: ANN401  gpiod's
        value = self._gpiod.line.Value
        return value.ACTIVE if high else value.INACTIVE

    def _settings(self, setting: Setting) -> Any:  # noqa: ANN401  gpiod's
        line = self._gpiod.line
        if setting.output:
            return self._gpiod.LineSettings(
                direction=line.Direction.OUTPUT, output_value=self._value(high=setting.high)
            )
        biases = {"up": line.Bias.PULL_UP, "down": line.Bias.PULL_DOWN, "floating": line.Bias.DISABLED}
        edges = {
            "both": line.Edge.BOTH,
            "rising": line.Edge.RISING,
            "falling": line.Edge.FALLING,
            "none": line.Edge.NONE,
        }
        return self._gpiod.LineSettings(
            direction=line.Direction.INPUT,
            bias=biases[setting.bias],
            edge_detection=edges[setting.edges],
            event_clock=line.Clock.MONOTONIC,
            debounce_period=timedelta(seconds=setting.bounce_s),
        )
