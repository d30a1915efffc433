"""The pin factory on gpiod, under gpiozero's own devices: claims, pulls, outputs, edges, and what goes wrong.

The kernel is a strict one of our own; the contract tests run the same factory on a real one.
"""

from __future__ import annotations

import errno
import importlib.util
import inspect
import logging
import os
import queue
import threading
from typing import TYPE_CHECKING

import gpiozero
import pytest
from gpiozero.exc import (
    BadPinFactory,
    GPIOPinInUse,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinPWMUnsupported,
    PinSetInput,
)

from drivers.gpiod_pins import GpiodFactory
from tests.drivers.kernel import Bias, Direction, Edge, Kernel, LineRequest, LineSettings, Value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PI_3B = 0xA02082
MS = 1_000_000
SOON_S = 5.0
"""No test waits this long unless it fails."""


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """A Pi 3 with nothing on its header."""
    kernel = Kernel()
    kernel.install(monkeypatch)
    monkeypatch.setattr(GpiodFactory, "_get_revision", lambda _: PI_3B)
    return kernel


@pytest.fixture
def factory(kernel: Kernel) -> Iterator[GpiodFactory]:
    """The factory on it, closed at the end, when nothing may be left claimed."""
    made = GpiodFactory("/dev/gpiochip0", consumer="test")
    yield made
    made.close()
    assert kernel.claimed == []
    assert kernel.open_chips == 0
    assert not any(thread.name == "gpiod-pins" for thread in threading.enumerate())


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


def watch(factory: GpiodFactory, number: int, heard: Heard) -> gpiozero.InputDevice:
    """An input to ground, with its edges told to somebody, who keeps it: a forgotten device closes itself."""
    device = gpiozero.InputDevice(number, pull_up=True, pin_factory=factory)
    device.pin.when_changed = heard.edge
    heard.devices.append(device)
    return device


def test_an_edge_has_the_kernels_stamp_and_level(kernel: Kernel, factory: GpiodFactory) -> None:
    """CLOCK_MONOTONIC in gpiozero's seconds; exact to the nanosecond."""
    heard = Heard()
    device = watch(factory, 17, heard)
    kernel.drive(17, high=False, at_ns=1_234_567_891)
    kernel.drive(17, high=True, at_ns=1_234_567_899)
    edges = heard.next(2)
    assert [(round(ticks * 1e9), state) for ticks, state in edges] == [(1_234_567_891, 0), (1_234_567_899, 1)]
    assert factory.ticks_diff(edges[1][0], edges[0][0]) == pytest.approx(8e-9, abs=1e-9)
    device.close()


def test_edges_that_arrive_together_are_told_in_the_order_of_their_stamps(
    kernel: Kernel, factory: GpiodFactory
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
    devices = [gpiozero.InputDevice(number, pull_up=True, pin_factory=factory) for number in (5, 4, 27)]
    for device, told_edge in zip(devices, (hold.edge, red.edge, white.edge), strict=True):
        device.pin.when_changed = told_edge
    kernel.drive(5, high=False, at_ns=1 * MS)
    assert held.wait(SOON_S)
    kernel.drive(27, high=False, at_ns=2_200_000)
    kernel.drive(27, high=True, at_ns=9 * MS)
    kernel.drive(4, high=False, at_ns=2_000_000)
    go_on.set()
    assert [told.get(timeout=SOON_S) for _ in range(3)] == ["red", "white", "white"]


def test_edges_that_the_kernel_dropped_are_counted(kernel: Kernel, factory: GpiodFactory) -> None:
    """5 kHz noise while the program is held up for 0.2 s: 2000 edges, of which the kernel keeps the last 1024."""
    held, go_on = threading.Event(), threading.Event()
    heard = Heard()

    class Hold:
        def edge(self, _: float, __: int) -> None:
            held.set()
            go_on.wait(SOON_S)

    hold = Hold()
    key = gpiozero.InputDevice(5, pull_up=True, pin_factory=factory)
    key.pin.when_changed = hold.edge
    watch(factory, 17, heard)
    kernel.drive(5, high=False, at_ns=1)
    assert held.wait(SOON_S)
    for number in range(2000):
        kernel.drive(17, high=number % 2 == 1, at_ns=1_000 + number * 100_000)
    go_on.set()
    assert len(heard.next(1024)) == 1024
    assert factory.lost_edges[17] == 2000 - 1024
    assert factory.lost_edges[5] == 0


@pytest.mark.parametrize(("edges", "states"), [("rising", [1, 1]), ("falling", [0, 0])])
def test_one_kind_of_edge_can_be_asked_for(
    edges: str, states: list[int], kernel: Kernel, factory: GpiodFactory
) -> None:
    """Also while the pin is watched already."""
    heard = Heard()
    device = watch(factory, 17, heard)
    device.pin.edges = edges
    assert device.pin.edges == edges
    for number in range(4):
        kernel.drive(17, high=number % 2 == 1, at_ns=number + 1)
    assert [state for _, state in heard.next(2)] == states
    assert heard.nothing


def test_a_handler_that_raises_costs_one_edge_and_is_told(
    kernel: Kernel, factory: GpiodFactory, caplog: pytest.LogCaptureFixture
) -> None:
    """I8: on lgpio this ends all edges of the process without a word."""
    heard = Heard()

    class Broken:
        def edge(self, _: float, __: int) -> None:
            message = "no such key"
            raise KeyError(message)

    broken = Broken()
    device = gpiozero.InputDevice(5, pull_up=True, pin_factory=factory)
    device.pin.when_changed = broken.edge
    watch(factory, 17, heard)
    with caplog.at_level(logging.ERROR, "gpiod_pins"):
        kernel.drive(5, high=False, at_ns=1)
        kernel.drive(17, high=False, at_ns=2)
        assert heard.next(1)
    assert factory.alive
    assert isinstance(factory.fault, KeyError)
    assert factory.reader.faults == 1
    assert "GPIO5 raised" in caplog.text


def test_a_handler_may_close_its_own_pin_and_the_factory(kernel: Kernel, factory: GpiodFactory) -> None:
    """gpiozero's users do."""
    done = threading.Event()

    class Closing:
        def edge(self, _: float, __: int) -> None:
            device.close()
            factory.close()
            done.set()

    closing = Closing()
    device = gpiozero.InputDevice(5, pull_up=True, pin_factory=factory)
    device.pin.when_changed = closing.edge
    kernel.drive(5, high=False, at_ns=1)
    assert done.wait(SOON_S)
    for thread in threading.enumerate():
        if thread.name == "gpiod-pins":
            thread.join(SOON_S)
    assert not factory.alive


def test_a_line_that_can_no_longer_be_read_is_told_and_ends_nothing(
    kernel: Kernel, factory: GpiodFactory, caplog: pytest.LogCaptureFixture
) -> None:
    """A chip that is gone (an expander on USB): announced once, not in an endless loop."""
    heard = Heard()
    broken = Heard()
    watch(factory, 5, broken)
    watch(factory, 17, heard)
    request = kernel.lines[5].request
    assert request is not None
    request.breaks_with = errno.ENODEV
    with caplog.at_level(logging.CRITICAL, "gpiod_pins"):
        kernel.drive(5, high=False, at_ns=1)
        kernel.drive(17, high=False, at_ns=2)
        assert heard.next(1)
    assert isinstance(factory.fault, OSError)
    assert factory.reader.faults == 1


@pytest.mark.parametrize(
    ("pull_up", "bias", "state"),
    [(True, Bias.PULL_UP, True), (False, Bias.PULL_DOWN, False), (None, Bias.DISABLED, False)],
)
def test_an_input_has_the_pull_that_was_asked_for(
    pull_up: bool | None, bias: Bias, state: bool, kernel: Kernel, factory: GpiodFactory
) -> None:
    """And says so."""
    device = gpiozero.InputDevice(
        17, pull_up=pull_up, active_state=True if pull_up is None else None, pin_factory=factory
    )
    assert kernel.lines[17].settings.bias == bias
    assert kernel.lines[17].settings.direction == Direction.INPUT
    assert device.pull_up == pull_up
    assert device.pin.state == state
    assert kernel.lines[17].holder == "test"


def test_a_pin_with_a_resistor_of_its_own_keeps_it(factory: GpiodFactory) -> None:
    """GPIO2 and 3 have pull-ups of 1.8 kilohm on the board."""
    assert gpiozero.InputDevice(2, pull_up=True, pin_factory=factory).pull_up
    with pytest.raises(PinFixedPull, match="physical pull-up"):
        gpiozero.InputDevice(3, pull_up=False, pin_factory=factory)


def test_an_output_is_switched_from_its_first_state_on_without_another_in_between(
    kernel: Kernel, factory: GpiodFactory
) -> None:
    """A relay must not click at the start."""
    lamp = gpiozero.LED(22, pin_factory=factory, initial_value=True)
    assert [(step.direction, step.output_value) for step in kernel.lines[22].history] == [
        (Direction.OUTPUT, Value.ACTIVE)
    ]
    lamp.off()
    assert not kernel.lines[22].high
    lamp.toggle()
    assert kernel.lines[22].high
    assert lamp.is_lit


def test_a_closed_output_is_an_input_so_that_what_it_drove_goes_off(
    kernel: Kernel, factory: GpiodFactory
) -> None:
    """The kernel of a Pi leaves a released output as it was driven last (persist_gpio_outputs)."""
    lamp = gpiozero.OutputDevice(22, pin_factory=factory, initial_value=True)
    lamp.close()
    assert kernel.lines[22].settings.direction == Direction.INPUT
    assert not kernel.lines[22].high
    assert kernel.claimed == []


def test_an_output_taken_as_it_is_found_stays_as_it_is(kernel: Kernel, factory: GpiodFactory) -> None:
    """gpiozero's initial_value=None."""
    kernel.lines[22].settings = LineSettings(direction=Direction.OUTPUT, output_value=Value.ACTIVE)
    lamp = gpiozero.OutputDevice(22, pin_factory=factory, initial_value=None)
    assert kernel.lines[22].settings.direction == Direction.OUTPUT
    assert kernel.lines[22].high
    assert lamp.is_active


def test_a_closed_pin_can_be_used_again_and_as_something_else(kernel: Kernel, factory: GpiodFactory) -> None:
    """gpiozero hands out the same pin object again."""
    heard = Heard()
    gpiozero.InputDevice(17, pull_up=True, pin_factory=factory).close()
    gpiozero.LED(17, pin_factory=factory).close()
    device = watch(factory, 17, heard)
    kernel.drive(17, high=False, at_ns=5)
    assert heard.next(1) == [(5e-9, 0)]
    assert device.is_active


def test_gpiozeros_button_presses_holds_and_releases(kernel: Kernel, factory: GpiodFactory) -> None:
    """The device most programs use, with its own thread for holding."""
    button = gpiozero.Button(17, pin_factory=factory)
    pressed, released = threading.Event(), threading.Event()
    button.when_pressed, button.when_released = pressed.set, released.set
    kernel.drive(17, high=False, at_ns=10 * MS)
    assert pressed.wait(SOON_S)
    assert button.is_pressed
    kernel.drive(17, high=True, at_ns=80 * MS)
    assert released.wait(SOON_S)
    assert button.wait_for_release(SOON_S)
    button.close()


def test_an_event_device_knows_since_when_it_is_active(kernel: Kernel, factory: GpiodFactory) -> None:
    """ticks() and the stamps are one clock: CLOCK_MONOTONIC."""
    device = gpiozero.DigitalInputDevice(17, pull_up=True, pin_factory=factory)
    seen = threading.Event()
    device.when_activated = seen.set
    kernel.drive(17, high=False, at_ns=round(factory.ticks() * 1e9) - 250 * MS)
    assert seen.wait(SOON_S)
    assert device.active_time is not None
    assert 0.25 <= device.active_time < 0.25 + SOON_S


def test_bounce_is_the_kernels_debouncing(kernel: Kernel, factory: GpiodFactory) -> None:
    """Off unless asked for: it would swallow a ball."""
    heard = Heard()
    device = watch(factory, 17, heard)
    assert device.pin.bounce is None
    assert kernel.lines[17].settings.debounce_period.total_seconds() == 0
    device.pin.bounce = 0.02
    assert device.pin.bounce == 0.02
    assert kernel.lines[17].settings.debounce_period.total_seconds() == 0.02


def test_what_gpiozero_forbids_is_refused_in_its_words(kernel: Kernel, factory: GpiodFactory) -> None:
    """Each with the exception that gpiozero documents."""
    pin = factory.pin(17)
    pin.input_with_pull("up")
    for exception, attribute, value in (
        (PinSetInput, "state", True),
        (PinInvalidFunction, "function", "spi"),
        (PinInvalidPull, "pull", "sideways"),
        (PinInvalidEdges, "edges", "some"),
        (PinInvalidBounce, "bounce", -1),
        (PinPWMUnsupported, "frequency", 100),
    ):
        with pytest.raises(exception):
            setattr(pin, attribute, value)
    pin.output_with_state(False)
    with pytest.raises(PinFixedPull):
        pin.pull = "up"
    with pytest.raises(PinInvalidFunction):
        pin.when_changed = print
    pin.function = "input"
    assert kernel.lines[17].settings.direction == Direction.INPUT


def test_edges_of_a_pin_that_nobody_listens_to_are_not_asked_for(
    kernel: Kernel, factory: GpiodFactory
) -> None:
    """The kernel then has no interrupt to serve."""
    heard = Heard()
    device = watch(factory, 17, heard)
    asked = [kernel.lines[17].settings.edge_detection]
    device.pin.when_changed = None
    asked.append(kernel.lines[17].settings.edge_detection)
    assert asked == [Edge.BOTH, Edge.NONE]
    kernel.drive(17, high=False, at_ns=1)
    assert device.is_active


def test_a_pin_that_another_program_holds_is_refused_with_its_name(
    kernel: Kernel, factory: GpiodFactory
) -> None:
    """gpioinfo would say the same."""
    kernel.lines[17].holder = "old-scoreboard"
    with pytest.raises(GPIOPinInUse, match="GPIO17 is held by 'old-scoreboard'"):
        gpiozero.InputDevice(17, pull_up=True, pin_factory=factory)


def test_closing_and_opening_fifty_times_leaves_nothing_behind(kernel: Kernel) -> None:
    """No file, no thread, no claim; and the fiftieth still hears."""
    files = os.listdir("/proc/self/fd")  # noqa: PTH208  names, not paths
    for number in range(50):
        factory = GpiodFactory("/dev/gpiochip0")
        heard = Heard()
        devices = [watch(factory, pin, heard) for pin in (4, 17, 27)]
        kernel.drive(17, high=False, at_ns=number * 2 + 1)
        assert heard.next(1) == [((number * 2 + 1) / 1e9, 0)]
        kernel.drive(17, high=True, at_ns=number * 2 + 2)
        assert heard.next(1)
        for device in devices:
            device.close()
        factory.close()
        factory.close()
    assert len(os.listdir("/proc/self/fd")) == len(files)  # noqa: PTH208
    assert kernel.claimed == []
    assert kernel.open_chips == 0


@pytest.mark.parametrize(
    ("labels", "path"),
    [
        ({"gpiochip0": "pinctrl-bcm2835", "gpiochip1": "raspberrypi-exp-gpio"}, "gpiochip0"),
        ({"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip4": "pinctrl-rp1"}, "gpiochip4"),
        ({"gpiochip10": "pinctrl-rp1", "gpiochip2": "", "gpiochip9": "ftdi"}, "gpiochip10"),
    ],
)
def test_the_header_is_found_by_its_label(
    labels: dict[str, str], path: str, kernel: Kernel, tmp_path: Path
) -> None:
    """gpiozero#1166: the number moved twice on the Pi 5. A chip that may not be opened is passed over."""
    import gpiod

    from drivers.gpiod_pins.chips import find_chip

    kernel.labels = {str(tmp_path / name): label for name, label in labels.items()}
    for name in (*labels, "gpiochip7"):
        (tmp_path / name).touch()
    assert find_chip(gpiod, tmp_path) == str(tmp_path / path)


def test_without_a_header_all_that_was_found_is_told(kernel: Kernel, tmp_path: Path) -> None:
    """Not a Pi, or no permission."""
    import gpiod

    from drivers.gpiod_pins.chips import find_chip

    kernel.labels = {str(tmp_path / "gpiochip0"): "pinctrl-amd", str(tmp_path / "gpiochip1"): ""}
    for name in ("gpiochip0", "gpiochip1"):
        (tmp_path / name).touch()
    with pytest.raises(BadPinFactory, match=r"gpiochip0 \(pinctrl-amd\), .*gpiochip1 \(.*Permission denied"):
        find_chip(gpiod, tmp_path)
    with pytest.raises(BadPinFactory, match="none at all"):
        find_chip(gpiod, tmp_path / "nowhere")


def test_a_gpiod_of_the_old_interface_is_refused(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian 12's python3-libgpiod 1.6.3 has the same name."""
    old = kernel.install(monkeypatch)
    monkeypatch.delattr(old, "request_lines")
    monkeypatch.setattr(old, "__version__", "1.6.3")
    with pytest.raises(BadPinFactory, match=r"gpiod 1\.6\.3 is too old: 2\.1 or newer"):
        GpiodFactory()


def test_the_kernels_module_has_the_real_gpiods_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is used of the real one is there, with the parameters that are given. Skipped without gpiod."""
    if importlib.util.find_spec("gpiod") is None:
        pytest.skip("the extra 'gpiod' is not installed")
    import gpiod as real

    for name in ("Chip", "LineSettings", "EdgeEvent", "LineRequest", "is_gpiochip_device", "request_lines"):
        assert hasattr(real, name)
    for mine, theirs in (
        (LineSettings, real.LineSettings),
        (LineRequest.get_value, real.LineRequest.get_value),
        (LineRequest.set_value, real.LineRequest.set_value),
        (LineRequest.reconfigure_lines, real.LineRequest.reconfigure_lines),
        (LineRequest.read_edge_events, real.LineRequest.read_edge_events),
    ):
        assert list(inspect.signature(mine).parameters) == list(inspect.signature(theirs).parameters)
    fake = Kernel().install(monkeypatch)
    wanted = inspect.signature(real.Chip.request_lines).parameters
    assert set(inspect.signature(fake.Chip.request_lines).parameters) <= set(wanted)
    for words in ("Value", "Direction", "Bias", "Drive", "Edge", "Clock"):
        assert {word.name for word in getattr(fake.line, words)} == {
            word.name for word in getattr(real.line, words)
        }
    assert {kind.name for kind in fake.EdgeEvent.Type} == {kind.name for kind in real.EdgeEvent.Type}
