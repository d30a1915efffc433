"""The serial line out of the box, over pyserial.

Here lives how bytes leave a port and what its failures are called. What may never be known here: what the bytes say.

pyserial hands on whatever its system calls raise, so an unplugged adapter comes as one of four exceptions, two of which
are no ``OSError``; and without a write timeout a peer that does not read holds the writer for ever. Both end here.
"""

from __future__ import annotations

import termios
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from drivers.ports import DeviceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from serial import Serial

    from drivers.ports import Line

__all__ = ["open_line"]

TIMEOUT_S: Final = 0.5
"""At 9600 baud 480 bytes leave in this time; a line that takes longer is held up by its peer."""


def open_line(device: str, baud: int, *, timeout_s: float = TIMEOUT_S) -> Line:
    """Open a serial port for this process alone, 8 data bits, no parity, 1 stop bit, no flow control.

    Name it by ``/dev/serial/by-id/...``: an adapter plugged in again may come back as another ttyUSB. Sending blocks
    for ``timeout_s`` at most. After an error the port is closed; open it again.
    """
    return _SerialLine(device, baud, timeout_s=timeout_s)


class _SerialLine:
    """One open port; after an error or a close, none."""

    def __init__(self, device: str, baud: int, *, timeout_s: float) -> None:
        from serial import Serial

        self._device = device
        self._port: Serial | None = None
        with self._told(
            "it cannot be opened", "check the cable, the port's name and baud rate, and the group dialout"
        ):
            self._port = Serial(device, baud, timeout=timeout_s, write_timeout=timeout_s, exclusive=True)

    def send(self, data: bytes) -> None:
        port = self._port
        if port is None:
            raise DeviceError(device=self._name, what="it is closed", remedy="open it again")
        with self._told("sending failed", "check the cable and that the far end is on"):
            port.write(data)

    def close(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            with suppress(*_failures()):
                # What the peer never took would hold the close of some drivers for 30 s.
                port.reset_output_buffer()
            with suppress(*_failures()):
                port.close()

    @property
    def _name(self) -> str:
        return f"serial line {self._device}"

    @contextmanager
    def _told(self, what: str, remedy: str) -> Iterator[None]:
        try:
            yield
        except _failures() as error:
            self.close()
            raise DeviceError(device=self._name, what=f"{what} ({error})", remedy=remedy) from error


def _failures() -> tuple[type[Exception], ...]:
    """All that pyserial raises for a port: its own, the system's, and TypeError where the port was closed meanwhile.

    ValueError: a baud rate that the port cannot do.
    """
    from serial import SerialException

    return (SerialException, OSError, termios.error, TypeError, ValueError)
