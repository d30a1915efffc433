"""Which chip the gpiod factory opens, and whether our kernel has the real gpiod's shape.

The kernel is a strict one of our own; the contract tests run the same factory on a real one.
"""

from __future__ import annotations

import importlib.util
import inspect
from typing import TYPE_CHECKING

import pytest
from gpiozero.exc import (
    BadPinFactory,
)

from drivers.gpiod_pins import GpiodFactory
from tests.drivers.kernel import Kernel, LineRequest, LineSettings

if TYPE_CHECKING:
    from pathlib import Path


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
