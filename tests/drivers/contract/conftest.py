"""The benches, one after the other, for every test of the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drivers.gpiod_pins import GpiodFactory
from tests.drivers.contract.benches import Bench, KernelBench, MockBench, SimBench
from tests.drivers.kernel import Kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

PI_3B = 0xA02082


@pytest.fixture(
    params=[
        "mock",
        "gpiod-kernel",
        pytest.param("gpiod", marks=pytest.mark.rig),
        pytest.param("lgpio", marks=pytest.mark.rig),
    ]
)
def bench(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A factory, and a way to drive its lines."""
    name = str(request.param)
    if name == "mock":
        yield MockBench()
    elif name == "gpiod-kernel":
        kernel = Kernel()
        kernel.install(monkeypatch)
        monkeypatch.setattr(GpiodFactory, "_get_revision", lambda _: PI_3B)
        yield KernelBench(kernel)
        assert kernel.claimed == []
    else:
        try:
            yield SimBench(name)
        except LookupError as error:
            pytest.fail(str(error))
