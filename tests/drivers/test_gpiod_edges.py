"""Edges through the gpiod factory: stamps, order, losses, handlers; under gpiozero's own devices.

The kernel is a strict one of our own; the contract tests run the same factory on a real one.
"""

from __future__ import annotations

import errno
import logging
import queue
import threading
from typing import TYPE_CHECKING

import gpiozero
import pytest

from tests.drivers.heard import SOON_S, Heard, watch
from tests.drivers.kernel import Edge, Kernel

if TYPE_CHECKING:
    from drivers.gpiod_pins import GpiodFactory

MS = 1_000_000


def test_an_edge_has_the_kernels_stamp_and_level(kernel: Kernel, gpiod_factory: GpiodFactory) -> None:
    """CLOCK_MONOTONIC in gpiozero's seconds; exact to the nanosecond."""
    heard = Heard()
    device = watch(gpiod_factory, 17, heard)
    kernel.drive(17, high=False, at_ns=1_234_567_891)
    kernel.drive(17, high=True, at_ns=1_234_567_899)
    edges = heard.next(2)
    assert [(round(ticks * 1e9), state) for ticks, state in edges] == [(1_234_567_891, 0), (1_234_567_899, 1)]
    assert gpiod_factory.ticks_diff(edges[1][0], edges[0][0]) == pytest.approx(8e-9, abs=1e-9)
    device.close()


def test_edges_that_arrive_together_are_told_in_the_order_of_their_stamps(
    kernel: Kernel, gpiod_factory: GpiodFactory
) -> None:
    """The thread is held up; meanwhile the white goal, the red goal, and white again fill their queues."""
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    held, go_on = threading.Event(), threading.Event()

    class Goal:
        def __init__(self, name: str) -> None:
            self.name = name

        def edge(self, _: float, __: int) -> None:
            told.put(self.name)

    class Hold:
        def edge(self, _: float, __: int) -> None:
            held.set()
            go_on.wait(SOON_S)

    hold, red, white = Hold(), Goal("red"), Goal("white")
    devices = [gpiozero.InputDevice(number, pull_up=True, pin_factory=gpiod_factory) for number in (5, 4, 27)]
    for device, told_edge in zip(devices, (hold.edge, red.edge, white.edge), strict=True):
        device.pin.when_changed = told_edge
    kernel.drive(5, high=False, at_ns=1 * MS)
    assert held.wait(SOON_S)
    kernel.drive(27, high=False, at_ns=2_200_000)
    kernel.drive(27, high=True, at_ns=9 * MS)
    kernel.drive(4, high=False, at_ns=2_000_000)
    go_on.set()
    assert [told.get(timeout=SOON_S) for _ in range(3)] == ["red", "white", "white"]


def test_edges_that_the_kernel_dropped_are_counted(kernel: Kernel, gpiod_factory: GpiodFactory) -> None:
    """5 kHz noise while the program is held up for 0.2 s: 2000 edges, of which the kernel keeps the last 1024."""
    held, go_on = threading.Event(), threading.Event()
    heard = Heard()

    class Hold:
        def edge(self, _: float, __: int) -> None:
            held.set()
            go_on.wait(SOON_S)

    hold = Hold()
    key = gpiozero.InputDevice(5, pull_up=True, pin_factory=gpiod_factory)
    key.pin.when_changed = hold.edge
    watch(gpiod_factory, 17, heard)
    kernel.drive(5, high=False, at_ns=1)
    assert held.wait(SOON_S)
    for number in range(2000):
        kernel.drive(17, high=number % 2 == 1, at_ns=1_000 + number * 100_000)
    go_on.set()
    assert len(heard.next(1024)) == 1024
    assert gpiod_factory.lost_edges[17] == 2000 - 1024
    assert gpiod_factory.lost_edges[5] == 0


@pytest.mark.parametrize(("edges", "states"), [("rising", [1, 1]), ("falling", [0, 0])])
def test_one_kind_of_edge_can_be_asked_for(
    edges: str, states: list[int], kernel: Kernel, gpiod_factory: GpiodFactory
) -> None:
    """Also while the pin is watched already."""
    heard = Heard()
    device = watch(gpiod_factory, 17, heard)
    device.pin.edges = edges
    assert device.pin.edges == edges
    for number in range(4):
        kernel.drive(17, high=number % 2 == 1, at_ns=number + 1)
    assert [state for _, state in heard.next(2)] == states
    assert heard.nothing


def test_a_handler_that_raises_costs_one_edge_and_is_told(
    kernel: Kernel, gpiod_factory: GpiodFactory, caplog: pytest.LogCaptureFixture
) -> None:
    """I8: on lgpio this ends all edges of the process without a word."""
    heard = Heard()

    class Broken:
        def edge(self, _: float, __: int) -> None:
            message = "no such key"
            raise KeyError(message)

    broken = Broken()
    device = gpiozero.InputDevice(5, pull_up=True, pin_factory=gpiod_factory)
    device.pin.when_changed = broken.edge
    watch(gpiod_factory, 17, heard)
    with caplog.at_level(logging.ERROR, "gpiod_pins"):
        kernel.drive(5, high=False, at_ns=1)
        kernel.drive(17, high=False, at_ns=2)
        assert heard.next(1)
    assert gpiod_factory.alive
    assert isinstance(gpiod_factory.fault, KeyError)
    assert gpiod_factory.reader.faults == 1
    assert "GPIO5 raised" in caplog.text


def test_a_handler_may_close_its_own_pin_and_the_factory(kernel: Kernel, gpiod_factory: GpiodFactory) -> None:
    """gpiozero's users do."""
    done = threading.Event()

    class Closing:
        def edge(self, _: float, __: int) -> None:
            device.close()
            gpiod_factory.close()
            done.set()

    closing = Closing()
    device = gpiozero.InputDevice(5, pull_up=True, pin_factory=gpiod_factory)
    device.pin.when_changed = closing.edge
    kernel.drive(5, high=False, at_ns=1)
    assert done.wait(SOON_S)
    for thread in threading.enumerate():
        if thread.name == "gpiod-pins":
            thread.join(SOON_S)
    assert not gpiod_factory.alive


def test_a_line_that_can_no_longer_be_read_is_told_and_ends_nothing(
    kernel: Kernel, gpiod_factory: GpiodFactory, caplog: pytest.LogCaptureFixture
) -> None:
    """A chip that is gone (an expander on USB): announced once, not in an endless loop."""
    heard = Heard()
    broken = Heard()
    watch(gpiod_factory, 5, broken)
    watch(gpiod_factory, 17, heard)
    request = kernel.lines[5].request
    assert request is not None
    request.breaks_with = errno.ENODEV
    with caplog.at_level(logging.CRITICAL, "gpiod_pins"):
        kernel.drive(5, high=False, at_ns=1)
        kernel.drive(17, high=False, at_ns=2)
        assert heard.next(1)
    assert isinstance(gpiod_factory.fault, OSError)
    assert gpiod_factory.reader.faults == 1


def test_gpiozeros_button_presses_holds_and_releases(kernel: Kernel, gpiod_factory: GpiodFactory) -> None:
    """The device most programs use, with its own thread for holding."""
    button = gpiozero.Button(17, pin_factory=gpiod_factory)
    pressed, released = threading.Event(), threading.Event()
    button.when_pressed, button.when_released = pressed.set, released.set
    kernel.drive(17, high=False, at_ns=10 * MS)
    assert pressed.wait(SOON_S)
    assert button.is_pressed
    kernel.drive(17, high=True, at_ns=80 * MS)
    assert released.wait(SOON_S)
    assert button.wait_for_release(SOON_S)
    button.close()


def test_an_event_device_knows_since_when_it_is_active(kernel: Kernel, gpiod_factory: GpiodFactory) -> None:
    """ticks() and the stamps are one clock: CLOCK_MONOTONIC."""
    device = gpiozero.DigitalInputDevice(17, pull_up=True, pin_factory=gpiod_factory)
    seen = threading.Event()
    device.when_activated = seen.set
    kernel.drive(17, high=False, at_ns=round(gpiod_factory.ticks() * 1e9) - 250 * MS)
    assert seen.wait(SOON_S)
    assert device.active_time is not None
    assert 0.25 <= device.active_time < 0.25 + SOON_S


def test_bounce_is_the_kernels_debouncing(kernel: Kernel, gpiod_factory: GpiodFactory) -> None:
    """Off unless asked for: it would swallow a ball."""
    heard = Heard()
    device = watch(gpiod_factory, 17, heard)
    assert device.pin.bounce is None
    assert kernel.lines[17].settings.debounce_period.total_seconds() == 0
    device.pin.bounce = 0.02
    assert device.pin.bounce == 0.02
    assert kernel.lines[17].settings.debounce_period.total_seconds() == 0.02


def test_edges_of_a_pin_that_nobody_listens_to_are_not_asked_for(
    kernel: Kernel, gpiod_factory: GpiodFactory
) -> None:
    """The kernel then has no interrupt to serve."""
    heard = Heard()
    device = watch(gpiod_factory, 17, heard)
    asked = [kernel.lines[17].settings.edge_detection]
    device.pin.when_changed = None
    asked.append(kernel.lines[17].settings.edge_detection)
    assert asked == [Edge.BOTH, Edge.NONE]
    kernel.drive(17, high=False, at_ns=1)
    assert device.is_active
