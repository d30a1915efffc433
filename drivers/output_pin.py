"""One output pin through gpiozero: on or off, and off when nobody steers any more.

Here lives how a pin is driven and made safe. What may never be known here: what it drives.

Off is what a pin is at the start, at the end, and when the program ends by an exception. If it is killed, a kernel that
keeps released outputs as they were (``persist_gpio_outputs``, Raspberry Pi OS since 2024) leaves the pin on until the
next start, a second later; an older one makes it an input at once.
"""

from __future__ import annotations

import weakref
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from drivers.factories import pin_errors
from drivers.ports import DeviceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gpiozero.pins import Factory

__all__ = ["OutputPin"]


class OutputPin:
    """A pin that drives a transistor, a relay or a lamp. ``active_low``: low is on."""

    def __init__(self, name: str, number: int, *, factory: Factory, active_low: bool = False) -> None:
        """Claim the pin, off from the first instant; :class:`DeviceError` if it cannot be had."""
        from gpiozero import OutputDevice

        self._name = name
        self._number = number
        with self._told("cannot be opened"):
            self._device = OutputDevice(number, active_high=not active_low, pin_factory=factory)
        # Also at an exit on which nobody closes.
        self._end = weakref.finalize(self, _end, self._device)

    def set(self, *, on: bool) -> None:
        """Switch it."""
        if not self._end.alive:
            raise DeviceError(device=self._name, what="it is closed", remedy="open it again")
        with self._told("cannot be switched"):
            self._device.value = on

    def close(self) -> None:
        """Switch it off and let go of the pin."""
        self._end()

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        try:
            yield
        except pin_errors() as error:
            raise DeviceError(
                device=self._name,
                what=f"GPIO{self._number} {what} ({error})",
                remedy="check the pin in the board profile, and that no other program holds it",
            ) from error


def _end(device: object) -> None:
    from gpiozero import OutputDevice

    if isinstance(device, OutputDevice):
        with suppress(*pin_errors()):
            if not device.closed:
                device.off()
        with suppress(*pin_errors()):
            device.close()
