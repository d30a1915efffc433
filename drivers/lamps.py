"""Lamps on pins: which are lit, by name.

Here lives a group of output pins. What may never be known here: what a lamp tells people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.output_pin import OutputPin
from drivers.ports import DeviceError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from gpiozero.pins import Factory

    from drivers.ports import Lamps

__all__ = ["open_lamps"]


def open_lamps(pins: Mapping[str, Sequence[int]], *, factory: Factory, active_low: bool = False) -> Lamps:
    """Open lamps by name, each on its pins (BCM numbers), all of them dark.

    ``active_low`` for boards of relays that switch on when the pin goes low. :class:`DeviceError` names the lamp whose
    pin cannot be had; then all are let go of again.
    """
    return _PinLamps(pins, factory=factory, active_low=active_low)


class _PinLamps:
    """The open lamps."""

    def __init__(self, pins: Mapping[str, Sequence[int]], *, factory: Factory, active_low: bool) -> None:
        self._lamps: dict[str, list[OutputPin]] = {name: [] for name in pins}
        try:
            for name, numbers in pins.items():
                for number in numbers:
                    lamp = OutputPin(f"lamp {name}", number, factory=factory, active_low=active_low)
                    self._lamps[name].append(lamp)
        except DeviceError:
            self.close()
            raise

    def show(self, lit: AbstractSet[str]) -> None:
        if not lit <= self._lamps.keys():
            unknown, known = ", ".join(sorted(lit - self._lamps.keys())), ", ".join(sorted(self._lamps))
            message = f"no lamp is called {unknown}; there are {known}"
            raise ValueError(message)
        for name, lamps in self._lamps.items():
            for lamp in lamps:
                lamp.set(on=name in lit)

    def close(self) -> None:
        for lamps in self._lamps.values():
            for lamp in lamps:
                lamp.close()
