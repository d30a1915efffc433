"""The values that cross the ports."""

from __future__ import annotations

import pytest

from drivers.ports import DeviceError, InputSpec


def test_a_device_error_is_one_sentence_with_the_remedy() -> None:
    """What, where, what now: as the screen and the log show it."""
    error = DeviceError(device="OLED", what="it does not answer", remedy="check its wires")
    assert str(error) == "OLED: it does not answer; check its wires"
    assert (error.device, error.what, error.remedy) == ("OLED", "it does not answer", "check its wires")


def test_a_device_error_without_a_remedy_is_refused() -> None:
    """Somebody stands in front of it and wants to know what to do."""
    with pytest.raises(ValueError, match="names device, what and remedy"):
        DeviceError(device="OLED", what="it does not answer", remedy="")


@pytest.mark.parametrize("pins", [(), (17, 17)])
def test_an_input_needs_pins_and_each_once(pins: tuple[int, ...]) -> None:
    """An input without a pin could never be pressed."""
    with pytest.raises(ValueError, match="input 'stroke' needs one or more different pins"):
        InputSpec(name="stroke", pins=pins)
