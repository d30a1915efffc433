"""Somebody who listens to pins, and hands what is told to the test's thread.

Lives here: waiting for edges without sleeping. Never here: what is expected.
"""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING, Final

import gpiozero

if TYPE_CHECKING:
    from gpiozero.pins import Factory

SOON_S: Final = 5.0
"""No test waits this long unless it fails."""


class Heard:
    """Takes edges in the factory's thread and hands them to the test's. gpiozero holds its method weakly."""

    def __init__(self) -> None:
        """Begin with none."""
        self._edges: queue.SimpleQueue[tuple[float, int]] = queue.SimpleQueue()
        self.devices: list[gpiozero.InputDevice] = []

    def __call__(self, ticks: float, state: int) -> None:
        """Take one."""
        self._edges.put((ticks, state))

    def edge(self, ticks: float, state: int) -> None:
        """Take one; a bound method, as gpiozero's users give."""
        self(ticks, state)

    def next(self, count: int) -> list[tuple[float, int]]:
        """Wait for so many."""
        return [self._edges.get(timeout=SOON_S) for _ in range(count)]

    @property
    def nothing(self) -> bool:
        """Whether none has come beyond those that were waited for."""
        return self._edges.empty()


def watch(factory: Factory, number: int, heard: Heard) -> gpiozero.InputDevice:
    """An input to ground, with its edges told to somebody, who keeps it: a forgotten device closes itself."""
    device = gpiozero.InputDevice(number, pull_up=True, pin_factory=factory)
    device.pin.when_changed = heard.edge
    heard.devices.append(device)
    return device
