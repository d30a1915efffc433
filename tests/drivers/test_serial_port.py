"""The serial line on real pseudo-terminals: bytes out, and every way in which a port can fail."""

from __future__ import annotations

import os
import termios
import tty
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from serial import SerialException

from drivers.ports import DeviceError
from drivers.serial_line import open_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_mock import MockerFixture


class Hall:
    """The far end of the line."""

    def __init__(self) -> None:
        """Plug it in."""
        self.fd, near = os.openpty()
        tty.setraw(near)
        self.port = os.ttyname(near)
        self._near = near
        self._open = True

    def read(self) -> bytes:
        """What has arrived."""
        return os.read(self.fd, 65_536)

    def hang_up(self) -> None:
        """Unplug the far end."""
        if self._open:
            self._open = False
            os.close(self.fd)
            os.close(self._near)


@pytest.fixture
def hall() -> Iterator[Hall]:
    """A display at the end of the hall."""
    far = Hall()
    yield far
    far.hang_up()


def test_what_is_sent_arrives_byte_for_byte(hall: Hall) -> None:
    """All 256 values, control characters included."""
    line = open_line(hall.port, 9600)
    line.send(bytes(range(256)))
    assert hall.read() == bytes(range(256))
    line.close()


def test_after_close_nothing_is_sent_and_closing_again_is_fine(hall: Hall) -> None:
    """The error names the port."""
    line = open_line(hall.port, 9600)
    line.close()
    line.close()
    with pytest.raises(DeviceError, match=f"serial line {hall.port}: it is closed; open it again"):
        line.send(b"x")


def test_a_far_end_that_hangs_up_is_a_device_error_and_the_port_is_closed(hall: Hall) -> None:
    """An adapter that is pulled out: the file must be let go, or it comes back under another name."""
    line = open_line(hall.port, 9600)
    hall.hang_up()
    with pytest.raises(DeviceError, match=r"sending failed .*; check the cable and that the far end is on"):
        line.send(b"x")
    with pytest.raises(DeviceError, match="it is closed"):
        line.send(b"x")
    assert hall.port not in [
        str(file.readlink()) for file in Path("/proc/self/fd").iterdir() if file.is_symlink()
    ]


def test_a_far_end_that_does_not_read_holds_the_sender_for_the_timeout_only(hall: Hall) -> None:
    """Without a write timeout pyserial waits for ever."""
    line = open_line(hall.port, 9600, timeout_s=0.05)
    with pytest.raises(DeviceError, match=r"sending failed \(Write timeout\)"):
        line.send(bytes(1_000_000))


def test_the_line_can_be_opened_again_after_an_error(hall: Hall) -> None:
    """The worker does so."""
    line = open_line(hall.port, 9600, timeout_s=0.05)
    with pytest.raises(DeviceError):
        line.send(bytes(1_000_000))
    hall.read()
    again = open_line(hall.port, 9600)
    again.close()


def test_a_port_belongs_to_one_program(hall: Hall) -> None:
    """Two writers would mix their frames."""
    line = open_line(hall.port, 9600)
    with pytest.raises(DeviceError, match="it cannot be opened"):
        open_line(hall.port, 9600)
    line.close()


def test_a_port_that_cannot_be_is_told(tmp_path: Path, hall: Hall) -> None:
    """Missing, no terminal, impossible rate: what to check is said."""
    (tmp_path / "file").touch()
    for device, rate in ((str(tmp_path / "missing"), 9600), (str(tmp_path / "file"), 9600), (hall.port, -1)):
        with pytest.raises(
            DeviceError, match=f"serial line {device}: it cannot be opened .*; check the cable"
        ):
            open_line(device, rate)


@pytest.mark.parametrize(
    "error", [SerialException("gone"), OSError(5, "gone"), termios.error(5, "gone"), TypeError("gone")]
)
def test_all_four_families_of_a_lost_adapter_are_one_error(
    error: Exception, hall: Hall, mocker: MockerFixture
) -> None:
    """pyserial's own, the system's, termios', and TypeError after a close from elsewhere."""
    line = open_line(hall.port, 9600)
    mocker.patch("serial.Serial.write", side_effect=error)
    with pytest.raises(DeviceError, match=r"sending failed .*gone") as raised:
        line.send(b"x")
    assert raised.value.__cause__ is error
