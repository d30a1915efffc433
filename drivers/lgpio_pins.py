"""gpiozero's lgpio factory with its traps defended.

Here lives what gpiozero's own lgpio factory leaves open. What may never be known here: which pins are used. Import it
only where lgpio may be imported: that makes a FIFO (``factories.py`` says where).

lgpio has one callback thread for all pins, and an exception in any handler ends it without a word (lgpio.py calls them
bare). The chip goes by number in gpiozero, which is wrong on some Pi 5 kernels (gpiozero#1166). And its alert thread
misses the wake-up of a first claim that comes while it starts (71 of 150 times if nothing is waited for), so that edges
stay unread until another pin is claimed: here it is given time to start. Claiming a watched pin anew is no remedy: the
kernel says that it is busy, because that thread lets go of it later.
"""

from __future__ import annotations

import logging
from pathlib import Path
from threading import Event
from typing import Any, Final

import lgpio
from gpiozero.exc import BadPinFactory
from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

from drivers.gpiod_pins.chips import CHIP_LABELS

__all__ = ["SafeLgpioFactory", "SafeLgpioPin"]

LOG: Final = logging.getLogger("lgpio_pins")
UNTIL_IT_WAITS_S: Final = 0.05
"""lgpio's alert thread starts when a chip is opened and waits for claims within one round, 0.5 ms."""


class SafeLgpioPin(LGPIOPin):  # type: ignore[misc]
    """A pin whose handler may raise."""

    def _call_when_changed(self, chip: int, gpio: int, level: int, ticks: int) -> None:
        try:
            super()._call_when_changed(chip, gpio, level, ticks)
        except Exception as error:
            LOG.exception("the handler of GPIO%d raised; the pins go on", gpio)
            self.factory.fault = self.factory.fault or error


class SafeLgpioFactory(LGPIOFactory):  # type: ignore[misc]
    """The header's chip by its label, pins whose handlers may raise, and a thread that is looked after."""

    def __init__(self) -> None:
        """Open the chip; gpiozero's ``BadPinFactory`` if no chip is a Raspberry Pi's header."""
        self.fault: Exception | None = None
        super().__init__(chip=_find_chip())
        self.pin_class = SafeLgpioPin
        Event().wait(UNTIL_IT_WAITS_S)

    @property
    def alive(self) -> bool:
        """Whether lgpio's callback thread still runs. It has no public name; where it has another, nobody knows."""
        thread: Any = getattr(lgpio, "_notify_thread", None)
        return thread is None or bool(thread.is_alive())


def _find_chip() -> int:
    seen: list[str] = []
    numbers = [path.name.removeprefix("gpiochip") for path in Path("/dev").glob("gpiochip*")]
    for number in sorted(int(digits) for digits in numbers if digits.isdigit()):
        chip = lgpio.gpiochip_open(number)
        try:
            label = lgpio.gpio_get_chip_info(chip)[3]
        finally:
            lgpio.gpiochip_close(chip)
        if label in CHIP_LABELS:
            return number
        seen.append(f"gpiochip{number} ({label})")
    message = f"no GPIO chip is a Raspberry Pi's header; found: {', '.join(seen) or 'none at all'}"
    raise BadPinFactory(message)
