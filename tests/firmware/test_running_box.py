"""The whole box as a newcomer runs it: real threads, real sockets, a real pty; virtual time cannot show these."""

import os
import socket
import subprocess
import sys
import time
import tty
from pathlib import Path

import pytest

from tests.firmware.running import Box

pytestmark = pytest.mark.host

SHORT = 'based_on = "book"\ncall = 3\ngrace = 2\ncall_duo = 3\ngrace_duo = 2\n'


LATE_S = 1.0
"""How late a signal may come here: another program may have the machine. The figure itself is a benchmark's."""


def opened(box: Box) -> float:
    """Play an opening; return the second at which the turn clock started, as the box stamps its signals."""
    box.press("stroke")
    box.press("rest")
    while not box.messages.empty():
        box.messages.get()
    box.press("red")
    _, message = box.await_message("signal", signal="key")
    return float(message["at_ns"]) / 1e9


def sounded(box: Box, signal: str) -> float:
    """Return the second at which a signal sounded."""
    _, message = box.await_message("signal", signal=signal)
    return float(message["at_ns"]) / 1e9


def test_a_press_changes_the_picture_and_the_call_sounds_at_its_second(tmp_path: Path) -> None:
    """The call comes 3 s (by this rulebook) after the clock's start, never before it, and the expiry 2 s later."""
    with Box(tmp_path, rulebook=SHORT) as box:
        started = opened(box)
        assert 2.9 <= sounded(box, "zeit") - started <= 3.0 + LATE_S
        assert 4.9 <= sounded(box, "expired") - started <= 5.0 + LATE_S


def test_where_nothing_can_be_saved_the_box_starts_says_so_and_saves_once_it_can(tmp_path: Path) -> None:
    """A file lies where the folder should be; on a read-only card it is the same: not even the link has room."""
    (tmp_path / "state").write_text("no folder")
    with Box(tmp_path) as box:
        opened(box)
        told = str(box.newest["troubles"]["troubles"])
        assert "Eine Datei liegt, wo der Ordner des Journals sein sollte" in told
        (tmp_path / "state").unlink()
        while "Eine Datei" in told:
            told = str(box.await_message("troubles")[1]["troubles"])
    with Box(tmp_path) as box:
        assert box.shows("hall", "R5 W5 >R")


def test_a_started_box_stands_where_it_stood(tmp_path: Path) -> None:
    """Switched off and on again: the goal is still counted, the clock waits."""
    with Box(tmp_path) as box:
        opened(box)
        box.press("stroke")
        box.ball("red")
        box.press("rest")
        assert box.shows("hall", "R4 W5")
    with Box(tmp_path) as box:
        assert box.shows("hall", "R4 W5")


def test_the_hall_line_goes_out_and_its_end_does_not_disturb_the_clock(tmp_path: Path) -> None:
    """A real pty as the hall's display: it receives lines; closed, the call still comes in time."""
    master, slave = os.openpty()
    tty.setraw(slave)
    hall = f'[hall]\nkind = "serial"\ndevice = "{os.ttyname(slave)}"\nbaud = 9600\n'
    with Box(tmp_path, more=hall, rulebook=SHORT) as box:
        started = opened(box)
        received = b""
        while b"W5" not in received:
            received += os.read(master, 200)
        os.close(master)
        os.close(slave)
        assert 2.9 <= sounded(box, "zeit") - started <= 3.0 + LATE_S
        assert box.shows("troubles", "hall")


def test_a_taken_port_is_said_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        board = tmp_path / "desk.toml"
        text = (Path(__file__).parents[2] / "hardware" / "boards" / "desk.toml").read_text(encoding="utf-8")
        board.write_text(
            text.replace("port = 8000", f"port = {port}") + f'[state]\nfolder = "{tmp_path / "state"}"\n',
            encoding="utf-8",
        )
        run = subprocess.run(
            [sys.executable, "-m", "firmware.cli", "run", "--board", str(board)],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    assert run.returncode == 2
    assert str(port) in run.stderr
    assert "Traceback" not in run.stderr


def test_two_boxes_on_one_journal_are_refused(tmp_path: Path) -> None:
    with Box(tmp_path) as box:
        run = subprocess.run(
            [sys.executable, "-m", "firmware.cli", "run", "--board", str(box.board)],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        assert run.returncode == 2
        assert "Traceback" not in run.stderr


def test_ending_the_box_ends_its_page(tmp_path: Path) -> None:
    box = Box(tmp_path)
    address = box.address
    assert box.close() == 0
    port = int(address.rsplit(":", 1)[1])
    end = time.monotonic() + 5
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return
        time.sleep(0.1)
    raise AssertionError(f"the page still listens on {address}")
