"""Claims, pulls, outputs and refusals of the gpiod factory, under gpiozero's own devices.

The kernel is a strict one of our own; the contract tests run the same factory on a real one.
"""

from __future__ import annotations

import os

import gpiozero
import pytest
from gpiozero.exc import (
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
from tests.drivers.heard import Heard, watch
from tests.drivers.kernel import Bias, Direction, Kernel, LineSettings, Value


@pytest.mark.parametrize(
    ("pull_up", "bias", "state"),
    [(True, Bias.PULL_UP, True), (False, Bias.PULL_DOWN, False), (None, Bias.DISABLED, False)],
)
def test_an_input_has_the_pull_that_was_asked_for(
    pull_up: bool | None, bias: Bias, state: bool, kernel: Kernel, gpiod_factory: GpiodFactory
) -> None:
    """And says so."""
    device = gpiozero.InputDevice(
        17, pull_up=pull_up, active_state=True if pull_up is None else None, pin_factory=gpiod_factory
    )
    assert kernel.lines[17].settings.bias == bias
    assert kernel.lines[17].settings.direction == Direction.INPUT
    assert device.pull_up == pull_up
    assert device.pin.state == state
    assert kernel.lines[17].holder == "test"


def test_a_pin_with_a_resistor_of_its_own_keeps_it(gpiod_factory: GpiodFactory) -> None:
    """GPIO2 and 3 have pull-ups of 1.8 kilohm on the board."""
    assert gpiozero.InputDevice(2, pull_up=True, pin_factory=gpiod_factory).pull_up
    with pytest.raises(PinFixedPull, match="physical pull-up"):
        gpiozero.InputDevice(3, pull_up=False, pin_factory=gpiod_factory)


def test_an_output_is_switched_from_its_first_state_on_without_another_in_between(
    kernel: Kernel, gpiod_factory: GpiodFactory
) -> None:
    """A relay must not click at the start."""
    lamp = gpiozero.LED(22, pin_factory=gpiod_factory, initial_value=True)
    assert [(step.direction, step.output_value) for step in kernel.lines[22].history] == [
        (Direction.OUTPUT, Value.ACTIVE)
    ]
    lamp.off()
    assert not kernel.lines[22].high
    lamp.toggle()
    assert kernel.lines[22].high
    assert lamp.is_lit


def test_a_closed_output_is_an_input_so_that_what_it_drove_goes_off(
    kernel: Kernel, gpiod_factory: GpiodFactory
) -> None:
    """The kernel of a Pi leaves a released output as it was driven last (persist_gpio_outputs)."""
    lamp = gpiozero.OutputDevice(22, pin_factory=gpiod_factory, initial_value=True)
    lamp.close()
    assert kernel.lines[22].settings.direction == Direction.INPUT
    assert not kernel.lines[22].high
    assert kernel.claimed == []


def test_an_output_taken_as_it_is_found_stays_as_it_is(kernel: Kernel, gpiod_factory: GpiodFactory) -> None:
    """gpiozero's initial_value=None."""
    kernel.lines[22].settings = LineSettings(direction=Direction.OUTPUT, output_value=Value.ACTIVE)
    lamp = gpiozero.OutputDevice(22, pin_factory=gpiod_factory, initial_value=None)
    assert kernel.lines[22].settings.direction == Direction.OUTPUT
    assert kernel.lines[22].high
    assert lamp.is_active


def test_a_closed_pin_can_be_used_again_and_as_something_else(
    kernel: Kernel, gpiod_factory: GpiodFactory
) -> None:
    """gpiozero hands out the same pin object again."""
    heard = Heard()
    gpiozero.InputDevice(17, pull_up=True, pin_factory=gpiod_factory).close()
    gpiozero.LED(17, pin_factory=gpiod_factory).close()
    device = watch(gpiod_factory, 17, heard)
    kernel.drive(17, high=False, at_ns=5)
    assert heard.next(1) == [(5e-9, 0)]
    assert device.is_active


def test_what_gpiozero_forbids_is_refused_in_its_words(kernel: Kernel, gpiod_factory: GpiodFactory) -> None:
    """Each with the exception that gpiozero documents."""
    pin = gpiod_factory.pin(17)
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


def test_a_pin_that_another_program_holds_is_refused_with_its_name(
    kernel: Kernel, gpiod_factory: GpiodFactory
) -> None:
    """gpioinfo would say the same."""
    kernel.lines[17].holder = "old-scoreboard"
    with pytest.raises(GPIOPinInUse, match="GPIO17 is held by 'old-scoreboard'"):
        gpiozero.InputDevice(17, pull_up=True, pin_factory=gpiod_factory)


def test_closing_and_opening_fifty_times_leaves_nothing_behind(kernel: Kernel) -> None:
    """No file, no thread, no claim; and the fiftieth still hears."""
    files = os.listdir("/proc/self/fd")  # noqa: PTH208  names, not paths
    for number in range(50):
        gpiod_factory = GpiodFactory("/dev/gpiochip0")
        heard = Heard()
        devices = [watch(gpiod_factory, pin, heard) for pin in (4, 17, 27)]
        kernel.drive(17, high=False, at_ns=number * 2 + 1)
        assert heard.next(1) == [((number * 2 + 1) / 1e9, 0)]
        kernel.drive(17, high=True, at_ns=number * 2 + 2)
        assert heard.next(1)
        for device in devices:
            device.close()
        gpiod_factory.close()
        gpiod_factory.close()
    assert len(os.listdir("/proc/self/fd")) == len(files)  # noqa: PTH208
    assert kernel.claimed == []
    assert kernel.open_chips == 0
