"""gpiozero's mock pins on the script's time: strict, and as gpiozero behaves."""

from __future__ import annotations

import pytest
from gpiozero import DigitalInputDevice, InputDevice, OutputDevice

from drivers.mock_pins import ScriptedFactory, ScriptedPin

MS = 1_000_000


def test_gpiozeros_own_event_devices_see_the_scripts_time() -> None:
    """A DigitalInputDevice calls its handler and measures 250 ms of activity, with no real time passing."""
    factory = ScriptedFactory()
    device = DigitalInputDevice(17, pull_up=True, pin_factory=factory)
    seen: list[str] = []
    device.when_activated = lambda: seen.append("on")
    device.when_deactivated = lambda: seen.append("off")
    factory.drive(17, level=0, at_ns=1_000 * MS)
    factory.drive(18, level=1, at_ns=1_250 * MS)
    assert device.active_time == 0.25
    factory.drive(17, level=1, at_ns=1_300 * MS)
    assert seen == ["on", "off"]


def test_the_board_is_a_pi_zero_2_w() -> None:
    """The smallest board the box runs on."""
    assert ScriptedFactory().board_info.model == "Zero2W"


def test_the_pins_history_counts_in_the_scripts_time() -> None:
    """gpiozero's record of states gives the distances of the script."""
    factory = ScriptedFactory()
    device = InputDevice(17, pull_up=True, pin_factory=factory)
    assert isinstance(device.pin, ScriptedPin)
    device.pin.clear_states()
    factory.drive(17, level=0, at_ns=30 * MS)
    factory.drive(17, level=1, at_ns=50 * MS)
    assert [(round(state.timestamp * 1000), state.state) for state in device.pin.states] == [
        (0, True),
        (30, False),
        (20, True),
    ]


def test_a_level_from_outside_is_stronger_than_the_pull() -> None:
    """A pressed key stays pressed when the input is opened and its pull-up switched on."""
    factory = ScriptedFactory()
    factory.drive(17, level=0, at_ns=0)
    device = InputDevice(17, pull_up=True, pin_factory=factory)
    assert device.is_active
    device.close()
    assert not factory.pin(17).state


def test_a_pin_nobody_drives_follows_its_pull() -> None:
    """An open contact reads high on a pull-up, low on a pull-down."""
    factory = ScriptedFactory()
    up, down = (
        InputDevice(17, pull_up=True, pin_factory=factory),
        InputDevice(18, pull_up=False, pin_factory=factory),
    )
    assert (bool(up.pin.state), bool(down.pin.state)) == (True, False)


def test_time_never_goes_back() -> None:
    """The same instant again is fine, an earlier one is not, and then nothing has changed."""
    factory = ScriptedFactory()
    factory.drive(17, level=1, at_ns=MS)
    factory.drive(18, level=1, at_ns=MS)
    with pytest.raises(
        ValueError, match="pin 17 cannot change at 999999 ns: the script is at 1000000 ns already"
    ):
        factory.drive(17, level=0, at_ns=MS - 1)
    assert factory.pin(17).state


@pytest.mark.parametrize(
    ("pin", "level", "said"),
    [
        (17, 2, "0 or 1, not 2"),
        (28, 0, "has no pin GPIO28"),
        (-1, 0, "has no pin GPIO-1"),
        (4, 0, "GPIO4 is an output"),
    ],
)
def test_what_a_script_cannot_mean_is_refused(pin: int, level: int, said: str) -> None:
    """Levels are 0 and 1, pins are the board's, outputs are not driven from outside."""
    factory = ScriptedFactory()
    lamp = OutputDevice(4, pin_factory=factory)
    with pytest.raises(ValueError, match=said):
        factory.drive(pin, level=level, at_ns=0)
    lamp.close()
