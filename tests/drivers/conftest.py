"""A kernel of ours with gpiod on it, for whatever is tested on the gpiod factory."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from drivers.gpiod_pins import GpiodFactory
from tests.drivers.kernel import Kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

PI_3B = 0xA02082


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """A Pi 3 with nothing on its header."""
    kernel = Kernel()
    kernel.install(monkeypatch)
    monkeypatch.setattr(GpiodFactory, "_get_revision", lambda _: PI_3B)
    return kernel


@pytest.fixture
def gpiod_factory(kernel: Kernel) -> Iterator[GpiodFactory]:
    """The factory on it, closed at the end, when nothing may be left claimed."""
    made = GpiodFactory("/dev/gpiochip0", consumer="test")
    yield made
    made.close()
    assert kernel.claimed == []
    assert kernel.open_chips == 0
    assert not any(thread.name == "gpiod-pins" for thread in threading.enumerate())
