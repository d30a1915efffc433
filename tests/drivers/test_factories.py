"""The choice of a pin factory: what is opened, what is refused and why, and what each one lacks.

RPi.GPIO stands here as a module of our own under its name: off a Pi it cannot even be imported. What is shown is what
the program does with it, not what it does.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from drivers.factories import FACTORIES, PROMISES, factory_fault, lost_edges, open_factory
from drivers.gpiod_pins import GpiodFactory
from drivers.inputs import open_inputs
from drivers.mock_pins import ScriptedFactory
from drivers.ports import DeviceError, Edge, InputSpec
from tests.drivers.kernel import Kernel

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_mock import MockerFixture

PI_3B = 0xA02082
STROKE = InputSpec(name="stroke", pins=(17,))


class RpiGpio(ModuleType):
    """What gpiozero uses of RPi.GPIO, with one line that is driven; strict, because a module has nothing else."""

    BCM, IN, OUT, I2C, SPI, HARD_PWM, SERIAL, UNKNOWN = 11, 1, 0, 42, 41, 43, 40, -1
    PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
    RISING, FALLING, BOTH = 31, 32, 33

    def __init__(self) -> None:
        """Begin high."""
        super().__init__("RPi.GPIO")
        self.level = 1
        self.callbacks: dict[int, Callable[[int], None]] = {}
        self.bounce: dict[int, int] = {}
        self.setups: list[tuple[int, int, int]] = []
        self.cleaned = 0

    def setmode(self, mode: int) -> None:
        """As RPi.GPIO's."""
        assert mode == self.BCM

    def setwarnings(self, flag: bool) -> None:
        """As RPi.GPIO's."""
        assert flag is False

    def setup(self, channel: int, direction: int, pull_up_down: int = 20) -> None:
        """As RPi.GPIO's."""
        self.setups.append((channel, direction, pull_up_down))

    def gpio_function(self, channel: int) -> int:
        """As RPi.GPIO's."""
        assert channel >= 0
        return self.IN

    def input(self, channel: int) -> int:
        """As RPi.GPIO's."""
        assert channel >= 0
        return self.level

    def add_event_detect(
        self, channel: int, edge: int, *, callback: Callable[[int], None], bouncetime: int
    ) -> None:
        """As RPi.GPIO's."""
        assert edge == self.BOTH
        self.callbacks[channel] = callback
        self.bounce[channel] = bouncetime

    def remove_event_detect(self, channel: int) -> None:
        """As RPi.GPIO's."""
        del self.callbacks[channel]

    def cleanup(self, *channels: int) -> None:
        """As RPi.GPIO's."""
        assert len(channels) <= 1
        self.cleaned += 1


@pytest.fixture
def rpi(mocker: MockerFixture) -> RpiGpio:
    """RPi.GPIO on a Pi 3."""
    library = RpiGpio()
    package = ModuleType("RPi")
    package.GPIO = library  # type: ignore[attr-defined]
    mocker.patch.dict(sys.modules, {"RPi": package, "RPi.GPIO": library})
    sys.modules.pop("gpiozero.pins.rpigpio", None)
    mocker.patch("gpiozero.pins.local.get_pi_revision", return_value=PI_3B)
    return library


def test_rpigpio_opens_before_kernel_6_6_and_hands_on_edges_without_any_bounce_time(rpi: RpiGpio) -> None:
    """A level is read when Python runs, and its instant is then, which is why stamps are not promised."""
    edges: list[Edge] = []
    factory = open_factory("rpigpio", release="6.1.21-v8+")
    inputs = open_inputs([STROKE], factory=factory, on_edge=edges.append)
    assert rpi.setups[-1] == (17, rpi.IN, rpi.PUD_UP)
    assert rpi.bounce[17] == -666
    rpi.level = 0
    before_ns = round(factory.ticks() * 1e9)
    rpi.callbacks[17](17)
    assert [(edge.input, edge.active) for edge in edges] == [("stroke", True)]
    assert edges[0].at_ns >= before_ns
    assert inputs.losses["stroke"].lost is None
    inputs.close()
    factory.close()
    assert rpi.cleaned >= 1


@pytest.mark.parametrize("release", ["6.6.31+rpt-rpi-v8", "6.12.25-v8+", "7.0.0", "unknown"])
def test_rpigpio_is_refused_where_the_kernel_has_no_edges_for_it(release: str) -> None:
    """Since 6.6 the numbers in /sys/class/gpio begin at 512 (raspberrypi/linux#6037)."""
    with pytest.raises(
        DeviceError, match=r"RPi\.GPIO finds no edges on kernel .*; choose the pin factory gpiod"
    ):
        open_factory("rpigpio", release=release)


def test_rpigpio_is_refused_where_rpi_lgpio_has_taken_its_place(rpi: RpiGpio) -> None:
    """Both packages ship the same files; whichever came last wins without a word."""
    rpi.lgpio = object()  # type: ignore[attr-defined]
    with pytest.raises(DeviceError, match=r"the package rpi-lgpio stands here under RPi\.GPIO's name"):
        open_factory("rpigpio", release="6.1.0")


def test_rpigpio_that_refuses_the_board_is_told_in_its_words(mocker: MockerFixture) -> None:
    """Off a Pi and on a Pi 5 the import raises RuntimeError."""
    real = __import__

    def refuse(name: str, *args: object) -> object:
        if name == "gpiozero.pins.rpigpio":
            message = "Cannot determine SOC peripheral base address"
            raise RuntimeError(message)
        return real(name, *args)  # type: ignore[arg-type]

    mocker.patch("builtins.__import__", refuse)
    with pytest.raises(DeviceError, match=r"RPi\.GPIO refuses \(Cannot determine SOC"):
        open_factory("rpigpio", release="6.1.0")


@pytest.mark.parametrize(("name", "extra"), [("rpigpio", "rpigpio"), ("gpiod", "gpiod")])
def test_a_library_that_is_not_installed_is_named_with_its_extra(
    name: str, extra: str, mocker: MockerFixture
) -> None:
    """Not another factory instead."""
    mocker.patch.dict(sys.modules, {"RPi": None, "RPi.GPIO": None, "gpiod": None})
    sys.modules.pop("gpiozero.pins.rpigpio", None)
    with pytest.raises(DeviceError, match=f"install the extra '{extra}'"):
        open_factory(name, release="6.1.0")


def test_gpiod_off_a_pi_is_refused(mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a chip, but no Pi; nothing stays open."""
    from gpiozero.exc import PinUnknownPi

    kernel = Kernel()
    kernel.install(monkeypatch)
    mocker.patch("drivers.gpiod_pins.pins.find_chip", return_value="/dev/gpiochip0")
    mocker.patch.object(GpiodFactory, "_get_revision", side_effect=PinUnknownPi("no revision"))
    with pytest.raises(DeviceError, match="no revision; run on a Raspberry Pi, or choose the board 'desk'"):
        open_factory("gpiod")
    assert kernel.open_chips == 0


def test_gpiod_without_the_right_to_the_chip_names_the_group(
    mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EACCES on /dev/gpiochip0."""
    kernel = Kernel()
    kernel.labels["/dev/gpiochip0"] = ""
    kernel.install(monkeypatch)
    mocker.patch("drivers.gpiod_pins.pins.find_chip", return_value="/dev/gpiochip0")
    mocker.patch.object(GpiodFactory, "_get_revision", return_value=PI_3B)
    with pytest.raises(DeviceError, match=r"Permission denied.*; check membership of the group gpio"):
        open_factory("gpiod")


def test_what_a_factory_does_not_promise_is_said_in_sentences() -> None:
    """For doctor: the default lacks nothing."""
    assert FACTORIES == ("gpiod", "lgpio", "rpigpio", "mock")
    assert PROMISES["gpiod"].lacks == ()
    assert len(PROMISES["lgpio"].lacks) == 2
    assert any("wrong order" in sentence for sentence in PROMISES["rpigpio"].lacks)


def test_mock_pins_lose_nothing_and_have_no_thread_that_could_end() -> None:
    """The desk's answers to the same questions."""
    factory = ScriptedFactory()
    assert factory_fault(factory) is None
    assert lost_edges(factory) == {}
