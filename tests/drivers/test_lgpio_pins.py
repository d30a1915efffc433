"""The lgpio factory with its traps defended.

lgpio stands here as a module of our own under its name: off a Pi it does nothing. What is shown is what the program
does with it, not what it does; the contract tests run the real one on a real kernel.
"""

from __future__ import annotations

import logging
import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from drivers.factories import factory_fault, open_factory
from drivers.inputs import open_inputs
from drivers.ports import DeviceError, Edge, InputSpec

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_mock import MockerFixture

STROKE = InputSpec(name="stroke", pins=(17,))


class Lgpio(ModuleType):
    """What gpiozero's lgpio factory and ours use of lgpio."""

    SET_BIAS_DISABLE, SET_BIAS_PULL_UP, SET_BIAS_PULL_DOWN = 128, 32, 64
    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3

    class error(Exception):  # noqa: N801, N818  lgpio's name
        """As lgpio's."""

    def __init__(self) -> None:
        """Begin with a living thread and two chips."""
        super().__init__("lgpio")
        self._notify_thread = SimpleNamespace(is_alive=lambda: True)
        self.labels = {0: "gpio-brcmstb", 4: "pinctrl-rp1"}
        self.opened: list[int] = []
        self.callbacks: dict[int, Callable[[int, int, int, int], None]] = {}

    def gpiochip_open(self, number: int) -> int:
        """As lgpio's: the handle is the number here."""
        self.opened.append(number)
        return number

    def gpiochip_close(self, handle: int) -> None:
        """As lgpio's."""
        self.opened.remove(handle)

    def gpio_get_chip_info(self, handle: int) -> list[object]:
        """As lgpio's."""
        return [0, 54, f"gpiochip{handle}", self.labels[handle]]

    def gpio_claim_input(self, *_: int) -> None:
        """As lgpio's."""

    def gpio_claim_output(self, *_: int) -> None:
        """As lgpio's."""

    def gpio_free(self, *_: int) -> None:
        """As lgpio's."""

    def gpio_claim_alert(self, *_: int) -> None:
        """As lgpio's."""

    def gpio_set_debounce_micros(self, _: int, __: int, micros: int) -> None:
        """As lgpio's; never asked for."""
        assert micros == 0

    def gpio_get_mode(self, *_: int) -> int:
        """As lgpio's."""
        return 32

    def gpio_read(self, *_: int) -> int:
        """As lgpio's: all lines are high."""
        return 1

    def callback(
        self, _: int, number: int, edges: int, call: Callable[[int, int, int, int], None]
    ) -> SimpleNamespace:
        """As lgpio's."""
        assert edges == self.BOTH_EDGES
        self.callbacks[number] = call
        return SimpleNamespace(cancel=lambda: self.callbacks.pop(number))


@pytest.fixture
def lg(mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch) -> Lgpio:
    """Lgpio on a Pi 5 of an older kernel."""
    library = Lgpio()
    monkeypatch.setenv("LG_WD", "/nowhere")
    mocker.patch.dict(sys.modules, {"lgpio": library})
    for name in ("gpiozero.pins.lgpio", "drivers.lgpio_pins"):
        sys.modules.pop(name, None)
    mocker.patch("gpiozero.pins.local.get_pi_revision", return_value=0xC04170)
    mocker.patch("pathlib.Path.glob", return_value=[SimpleNamespace(name=f"gpiochip{n}") for n in (4, 0)])
    return library


def test_lgpio_opens_the_header_by_its_label(lg: Lgpio) -> None:
    """gpiozero#1166. The other chips are closed again."""
    factory = open_factory("lgpio")
    assert lg.opened == [4]
    factory.close()
    assert lg.opened == []


def test_lgpio_without_a_header_says_what_was_found(lg: Lgpio) -> None:
    """Another maker's board."""
    lg.labels[4] = "pinctrl-other"
    with pytest.raises(
        DeviceError, match=r"found: gpiochip0 \(gpio-brcmstb\), gpiochip4 \(pinctrl-other\)\); run on"
    ):
        open_factory("lgpio")


def test_an_lgpio_that_is_too_old_is_refused(lg: Lgpio, mocker: MockerFixture) -> None:
    """pip takes 0.0.0.2 where it may only take wheels; that one lacks what gpiozero calls."""
    assert lg.opened == []
    mocker.patch.dict(sys.modules, {"lgpio": ModuleType("lgpio")})
    with pytest.raises(DeviceError, match=r"lgpio cannot be imported .*; install the extra 'lgpio'"):
        open_factory("lgpio")


def test_on_lgpio_a_handler_that_raises_is_told_and_raises_nothing_into_the_only_thread(
    lg: Lgpio, caplog: pytest.LogCaptureFixture
) -> None:
    """lgpio.py calls handlers bare: an exception would end its thread, and with it every key and sensor."""
    from gpiozero import InputDevice

    factory = open_factory("lgpio")

    class Broken:
        def edge(self, _: float, __: int) -> None:
            message = "no such key"
            raise KeyError(message)

    broken = Broken()
    device = InputDevice(17, pull_up=True, pin_factory=factory)
    device.pin.when_changed = broken.edge
    with caplog.at_level(logging.CRITICAL, "lgpio_pins"):
        lg.callbacks[17](4, 17, 0, 1_000)
    fault = factory_fault(factory)
    assert fault is not None
    assert "KeyError" in fault.what
    device.close()
    factory.close()


def test_a_dead_callback_thread_of_lgpio_is_told(lg: Lgpio) -> None:
    """I4: nothing else would say so; the inputs are dead."""
    factory = open_factory("lgpio")
    inputs = open_inputs([STROKE], factory=factory, on_edge=print)
    assert inputs.fault is None
    lg.__dict__["_notify_thread"] = SimpleNamespace(is_alive=lambda: False)
    assert inputs.fault is not None
    assert "the thread that tells the edges has ended" in inputs.fault.what
    inputs.close()
    factory.close()


def test_lgpios_stamps_are_the_kernels(lg: Lgpio) -> None:
    """Nanoseconds of CLOCK_MONOTONIC, through gpiozero's seconds and back."""
    edges: list[Edge] = []
    factory = open_factory("lgpio")
    inputs = open_inputs([STROKE], factory=factory, on_edge=edges.append)
    lg.callbacks[17](4, 17, 0, 1_234_567_891)
    assert edges == [Edge(input="stroke", at_ns=1_234_567_891, active=True)]
    inputs.close()
    factory.close()
