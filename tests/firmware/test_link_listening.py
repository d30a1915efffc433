"""Where the service listens."""

from __future__ import annotations

import socket
import stat
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from firmware.link import LinkError, LinkServer
from firmware.link.lines import BEAT

if TYPE_CHECKING:
    from pathlib import Path

    from firmware.link import Message


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s"


def nothing(command: Message) -> None:
    del command


def test_the_socket_is_for_owner_and_group(path: Path) -> None:
    with closing(LinkServer(path, nothing)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o660


def test_the_socket_of_a_dead_process_is_replaced(path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(path))
    assert path.exists()
    with (
        closing(LinkServer(path, nothing)),
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer,
    ):
        peer.connect(str(path))
        assert peer.recv(100) == BEAT
    assert not path.exists()


def test_a_file_in_the_way_is_left_alone(path: Path) -> None:
    path.write_text("a match")
    with pytest.raises(LinkError, match="a file, not a socket, and is left alone"):
        LinkServer(path, nothing)
    assert path.read_text() == "a match"


@pytest.mark.parametrize(
    ("name", "error"),
    [("no/folder/s", "no socket can be made here"), ("x" * 120, "at most 107 bytes")],
)
def test_a_place_where_no_socket_can_be_is_told(tmp_path: Path, name: str, error: str) -> None:
    with pytest.raises(LinkError, match=error):
        LinkServer(tmp_path / name, nothing)


def test_a_process_that_was_killed_leaves_nothing_in_the_way(path: Path) -> None:
    code = f"from firmware.link import LinkServer; LinkServer({str(path)!r}, print); print('there'); input()"
    with subprocess.Popen(
        [sys.executable, "-uc", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "there\n"
        with pytest.raises(LinkError, match="another kaderuhr runs here"):
            LinkServer(path, nothing)
        other.kill()
        other.wait(10)
        with closing(LinkServer(path, nothing)):
            assert path.exists()
