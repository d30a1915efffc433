"""The link's other end: it looks on, sends, and comes back by itself."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import closing
from queue import SimpleQueue
from typing import TYPE_CHECKING

import pytest

from firmware.link import LinkClient, LinkDown, LinkServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from firmware.link import Message

UP: Message = {"kind": "link", "up": True}
PATIENCE_S = 5.0


class Watcher:
    """A client, and the thread that iterates it."""

    def __init__(self, path: Path, **options: float) -> None:
        """Start at once."""
        self.client = LinkClient(path, **{"retry_s": 0.01, **options})
        self._messages: SimpleQueue[Message] = SimpleQueue()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        for message in self.client:
            self._messages.put(message)

    def next(self) -> Message:
        return self._messages.get(timeout=PATIENCE_S)

    def close(self) -> None:
        self.client.close()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s"


@pytest.fixture
def watcher(path: Path) -> Iterator[Watcher]:
    with closing(Watcher(path)) as watcher:
        yield watcher


def nothing(command: Message) -> None:
    del command


def test_it_tells_that_nobody_is_there_once_and_then_that_somebody_is(path: Path, watcher: Watcher) -> None:
    assert watcher.next() == {"kind": "link", "up": False, "why": f"no kaderuhr runs at {path}"}
    with closing(LinkServer(path, nothing)) as server:
        assert watcher.next() == UP
        server.publish("hall", {"line": "5-5"})
        assert watcher.next() == {"kind": "hall", "line": "5-5"}


def test_it_comes_back_after_a_restart_and_gets_everything_anew(path: Path, watcher: Watcher) -> None:
    watcher.next()
    for line in ("5-5", "4-5"):
        with closing(LinkServer(path, nothing)) as server:
            server.publish("hall", {"line": line})
            assert watcher.next() == UP
            assert watcher.next() == {"kind": "hall", "line": line}
        assert watcher.next() == {"kind": "link", "up": False, "why": "the service has ended"}
        assert watcher.next()["why"] == f"no kaderuhr runs at {path}"


def test_a_service_that_has_stopped_without_a_word_counts_as_gone(path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as frozen:
        frozen.bind(str(path))
        frozen.listen()
        with closing(Watcher(path, silent_s=0.05)) as watcher:
            assert watcher.next() == {
                "kind": "link",
                "up": False,
                "why": "the service has said nothing for 0.05 s",
            }


@pytest.mark.parametrize("line", [b"220 mail", b"[" * 4000, b"{}", b"\xff"])
def test_what_is_no_kaderuhr_is_said_to_be_none(path: Path, watcher: Watcher, line: bytes) -> None:
    watcher.next()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
        other.bind(str(path))
        other.listen()
        connection, _ = other.accept()
        with connection:
            connection.sendall(line + b"\n")
            message = watcher.next()
    assert f"what answers there is no kaderuhr: {line!r:.40}" in str(message["why"])


def test_a_command_gets_its_answer_with_the_instant_it_was_wanted_at(path: Path, watcher: Watcher) -> None:
    got: list[Message] = []

    def desk(command: Message) -> Message:
        got.append(command)
        return {"pressed": command["input"]}

    with closing(LinkServer(path, desk)):
        while watcher.next() != UP:
            pass
        at_ns = time.monotonic_ns() - 5
        answer = watcher.client.send({"input": "rest", "active": True}, at_ns=at_ns, ident="tab-1")
        assert answer == {"reply": "tab-1", "pressed": "rest"}
        assert got == [{"input": "rest", "active": True, "id": "tab-1", "at_ns": at_ns}]
        assert watcher.client.send({"input": "rest", "active": False})["pressed"] == "rest"


def test_a_command_without_a_service_is_not_kept_for_later(path: Path, watcher: Watcher) -> None:
    watcher.next()
    with pytest.raises(LinkDown, match="the service is not there; nothing was sent"):
        watcher.client.send({"input": "rest", "active": True})
    got: list[Message] = []
    with closing(LinkServer(path, got.append)) as server:
        assert watcher.next() == UP
        server.publish("hall", {"line": "5-5"})
        watcher.next()
    assert got == []


def test_a_command_that_is_not_answered_is_told_and_not_sent_again(path: Path, watcher: Watcher) -> None:
    done = threading.Event()
    got: list[Message] = []

    def stuck(command: Message) -> None:
        got.append(command)
        done.wait(PATIENCE_S)

    with closing(LinkServer(path, stuck)):
        while watcher.next() != UP:
            pass
        with pytest.raises(LinkDown, match="did not answer; look whether it took the command"):
            watcher.client.send({"input": "rest", "active": True}, timeout_s=0.05)
        done.set()
    assert len([command for command in got if command["active"]]) == 1


def test_a_command_too_long_for_the_link_is_the_senders_fault(path: Path, watcher: Watcher) -> None:
    with closing(LinkServer(path, nothing)):
        while watcher.next() != UP:
            pass
        with pytest.raises(ValueError, match="at most 4096 bytes"):
            watcher.client.send({"input": "x" * 5000, "active": True})


def test_closing_ends_the_iteration_while_nobody_is_there(path: Path) -> None:
    watcher = Watcher(path, retry_s=3600)
    watcher.next()
    watcher.close()
