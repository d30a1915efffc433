"""Which GPIO belongs to what: the header's buses, and the claims of a profile's keys.

Lives here: the numbers that a bus takes, and the problem of a pin that is claimed twice. Never here: opening a pin.
"""

from collections.abc import Iterable
from typing import Final

from firmware.settings import Reader

GPIOS: Final = range(2, 28)
"""The header's GPIOs by BCM number. 0 and 1 belong to the memory of an add-on board (HAT)."""

I2C1: Final = (2, 3)
SPI0: Final = (7, 8, 9, 10, 11)
UART0: Final = (14, 15)
I2S: Final = (18, 19, 20, 21)

UART_DEVICES: Final = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
"""The names under which the header's own serial line appears."""


class Claims:
    """Who has which GPIO of a file being read."""

    def __init__(self, reader: Reader) -> None:
        """Begin with all free."""
        self._reader = reader
        self._owners: dict[int, str] = {}
        self._doubles: list[tuple[str, str, object, int]] = []

    def reserve(self, pins: Iterable[int], owner: str) -> None:
        """Give pins to a bus; done before any key claims one."""
        self._owners.update(dict.fromkeys(pins, owner))

    def claim(self, pins: Iterable[int], *, table: str, key: str, value: object) -> None:
        """Give pins to a key; one that is taken already is noted."""
        for pin in pins:
            if pin in self._owners:
                self._doubles.append((table, key, value, pin))
            else:
                self._owners[pin] = f"[{table}] {key}"

    def refuse_doubles(self) -> None:
        """Report the pins claimed twice, once it is known which are free."""
        free = ", ".join(str(pin) for pin in GPIOS if pin not in self._owners)
        for table, key, value, pin in self._doubles:
            wrong = f"GPIO {pin} belongs to {self._owners[pin]} already"
            self._reader.refuse(table=table, key=key, value=value, wrong=wrong, right=f"free are {free}")
