"""Benches: a pin factory, and a way to drive its lines from outside at given instants.

Lives here: what makes mock pins, a kernel of ours and a real kernel's gpio-sim alike to a test. Never here: what is
expected.
"""

from __future__ import annotations

import os
import queue
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from drivers.factories import PROMISES, Promises, open_factory
from drivers.gpiod_pins import GpiodFactory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpiozero.pins import Factory

    from drivers.mock_pins import ScriptedFactory
    from drivers.ports import Edge
    from tests.drivers.kernel import Kernel

SIM: Final = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
QUIET_S: Final = 0.25
"""A real bench has told all edges when none has come for so long."""
PAUSE_NS: Final = 1_000_000
MANY: Final = 512
SLACK_NS: Final = 3_000_000
"""On a real bench a stamp lies within its write, or so much later: a virtual processor serves interrupts late."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """A line is driven to ``level`` at ``at_ns`` of the script."""

    at_ns: int
    pin: int
    level: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Driven:
    """A step that was done: the edge's stamp must lie between these two instants."""

    step: Step
    after_ns: int
    before_ns: int


class Bench(Protocol):
    """A factory under test."""

    name: str
    promises: Promises
    real_time: bool

    def open(self) -> Factory:
        """Open the factory, for the first time or again."""

    def play(self, script: Sequence[Step]) -> list[Driven]:
        """Do the steps in order, each at its instant from now on; return when each was done."""

    def gather(self, edges: queue.SimpleQueue[Edge], count: int) -> list[Edge]:
        """Return the edges told; at least ``count`` are waited for, within reason."""


class MockBench:
    """gpiozero's mock pins on the script's own time."""

    name = "mock"
    promises = PROMISES["mock"]
    real_time = False

    def __init__(self) -> None:
        """Begin at 1 s, so that no instant is 0."""
        self._now_ns = 1_000_000_000
        self._factory: ScriptedFactory | None = None

    def open(self) -> Factory:
        """Open it."""
        from drivers.mock_pins import ScriptedFactory

        self._factory = ScriptedFactory(at_ns=self._now_ns)
        return self._factory

    def play(self, script: Sequence[Step]) -> list[Driven]:
        """Do the steps."""
        assert self._factory is not None
        began, done = self._now_ns, []
        for step in script:
            self._now_ns = began + step.at_ns
            self._factory.drive(step.pin, level=step.level, at_ns=self._now_ns)
            done.append(Driven(step=step, after_ns=self._now_ns, before_ns=self._now_ns))
        return done

    def gather(self, edges: queue.SimpleQueue[Edge], count: int) -> list[Edge]:
        """All are there already."""
        assert count >= 0
        return [edges.get_nowait() for _ in range(edges.qsize())]


class KernelBench:
    """Our gpiod factory on a kernel of ours: real threads and files, given stamps."""

    name = "gpiod-kernel"
    promises = PROMISES["gpiod"]
    real_time = False

    def __init__(self, kernel: Kernel) -> None:
        """Take a kernel that is installed."""
        self._kernel = kernel
        self._now_ns = 1_000_000_000

    def open(self) -> Factory:
        """Open it."""
        return GpiodFactory("/dev/gpiochip0")

    def play(self, script: Sequence[Step]) -> list[Driven]:
        """Do the steps with their stamps, without their pauses: in each the reader gets as far as it would."""
        began, done = self._now_ns, []
        for step in script:
            if began + step.at_ns - self._now_ns >= PAUSE_NS or self._kernel.waiting > MANY:
                while self._kernel.waiting:
                    os.sched_yield()
            self._now_ns = began + step.at_ns
            self._kernel.drive(step.pin, high=bool(step.level), at_ns=self._now_ns)
            done.append(Driven(step=step, after_ns=self._now_ns, before_ns=self._now_ns))
        return done

    def gather(self, edges: queue.SimpleQueue[Edge], count: int) -> list[Edge]:
        """Wait for the reader's thread."""
        return [edges.get(timeout=5) for _ in range(count)]


class SimBench:
    """A real factory on a real kernel's gpio-sim, in real time."""

    real_time = True

    def __init__(self, name: str) -> None:
        """Require the virtual board."""
        self.name = name
        self.promises = PROMISES[name]
        if not SIM.is_dir():
            message = f"{SIM} is not there: the contract of {name} is tested inside the virtual board"
            raise LookupError(message)
        for pull in SIM.glob("sim_gpio*/pull"):
            pull.write_text("pull-up")

    def open(self) -> Factory:
        """Open it."""
        return open_factory(self.name)

    def play(self, script: Sequence[Step]) -> list[Driven]:
        """Do the steps, none of them nearer to the one before than the script says, however slow this machine is."""
        done: list[Driven] = []
        due_ns, at_ns = time.monotonic_ns(), 0
        for step in script:
            due_ns, at_ns = due_ns + step.at_ns - at_ns, step.at_ns
            rest_s = (due_ns - time.monotonic_ns()) / 1e9
            if rest_s > 0:
                time.sleep(rest_s)
            file = SIM / f"sim_gpio{step.pin}" / "pull"
            after_ns = time.monotonic_ns()
            file.write_text("pull-up" if step.level else "pull-down")
            due_ns = time.monotonic_ns()
            done.append(Driven(step=step, after_ns=after_ns, before_ns=due_ns + SLACK_NS))
        return done

    def gather(self, edges: queue.SimpleQueue[Edge], count: int) -> list[Edge]:
        """Wait until all is quiet."""
        found: list[Edge] = []
        while True:
            try:
                found.append(edges.get(timeout=5 if len(found) < count else QUIET_S))
            except queue.Empty:
                return found
