"""The service's end of the link, over real Unix sockets."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from firmware.link import LinkError, LinkServer, encode
from firmware.link.lines import OUTBOX_LINES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from firmware.link import Message

BEAT = {"kind": "beat"}
PATIENCE_S = 5.0


class Desk:
    """Takes commands and keeps them."""

    def __init__(self) -> None:
        """Refuse nothing."""
        self.commands: list[Message] = []
        self.answer: Message | None = None
        self.came = threading.Semaphore(0)

    def __call__(self, command: Message) -> Message | None:
        self.commands.append({key: command[key] for key in command if key not in {"id", "at_ns"}})
        self.came.release()
        return self.answer

    def wait(self) -> None:
        assert self.came.acquire(timeout=PATIENCE_S)


class Peer:
    """A client that speaks raw lines."""

    def __init__(self, path: Path) -> None:
        """Connect."""
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE_S)
        self.socket.connect(str(path))
        self._file = self.socket.makefile("rb")

    def next(self) -> Message:
        message: Message = json.loads(self._file.readline())
        return message

    def say(self, **command: object) -> Message:
        """Send a command and return its answer, passing over what else comes."""
        self.socket.sendall(encode(command))
        return self.answer()

    def answer(self) -> Message:
        while True:
            message = self.next()
            if "reply" in message:
                return message

    def close(self) -> None:
        self._file.close()
        self.socket.close()


Connect = Callable[[], Peer]


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s"


@pytest.fixture
def server(path: Path, desk: Desk) -> Iterator[LinkServer]:
    with closing(LinkServer(path, desk, beat_s=60)) as server:
        yield server


@pytest.fixture
def connect(server: LinkServer, path: Path) -> Iterator[Connect]:
    """Connects peers that have heard their first beat: the server knows them."""
    del server  # it listens
    peers: list[Peer] = []

    def one() -> Peer:
        peer = Peer(path)
        peers.append(peer)
        assert peer.next() == BEAT
        return peer

    yield one
    for peer in peers:
        peer.close()


def press(name: str = "stroke", ident: str = "a", age_ns: int = 0) -> dict[str, object]:
    return {"id": ident, "at_ns": time.monotonic_ns() - age_ns, "input": name, "active": True}


def test_a_newcomer_gets_the_newest_of_each_kind_and_part_and_no_old_signal(
    server: LinkServer, connect: Connect
) -> None:
    server.publish("panel", {"panel": "oled", "png": "old"})
    server.publish("panel", {"panel": "led", "png": "L"})
    server.publish("signal", {"signal": "zeit"})
    server.publish("hall", {"line": "5-5"})
    server.publish("panel", {"panel": "oled", "png": "new"})
    peer = connect()
    assert [peer.next() for _ in range(3)] == [
        {"kind": "panel", "panel": "oled", "png": "new"},
        {"kind": "panel", "panel": "led", "png": "L"},
        {"kind": "hall", "line": "5-5"},
    ]


def test_a_signal_goes_to_all_who_are_there_with_its_instant(path: Path, desk: Desk) -> None:
    with closing(LinkServer(path, desk, clock=lambda: 77, beat_s=60)) as server:
        peers = [Peer(path), Peer(path)]
        for peer in peers:
            assert peer.next() == BEAT
        server.publish("signal", {"signal": "key"})
        for peer in peers:
            assert peer.next() == {"kind": "signal", "signal": "key", "at_ns": 77}
            peer.close()


def test_what_says_nothing_new_is_not_sent_again(server: LinkServer, connect: Connect) -> None:
    peer = connect()
    server.publish("hall", {"line": "a"})
    assert peer.next()["line"] == "a"
    server.publish("hall", {"line": "a"})
    server.publish("signal", {"signal": "key"})
    assert peer.next()["kind"] == "signal"


def test_a_quiet_link_beats(path: Path, desk: Desk) -> None:
    with closing(LinkServer(path, desk, beat_s=0.01)):
        peer = Peer(path)
        assert [peer.next() for _ in range(3)] == [BEAT] * 3
        peer.close()


def test_a_client_that_never_reads_holds_nobody_up_and_then_gets_the_newest_only(
    server: LinkServer, connect: Connect
) -> None:
    """2000 pictures of 3 kB: far more than fits into the socket."""
    sleeper, reader = connect(), connect()
    began = time.monotonic()
    for number in range(2000):
        server.publish("panel", {"panel": "oled", "png": f"{number:03000}"})
    assert time.monotonic() - began < 2
    for peer in (reader, sleeper):
        got = [int(str(peer.next()["png"]))]
        while got[-1] != 1999:
            got.append(int(str(peer.next()["png"])))
        assert got == sorted(got)
        assert len(got) < 2000


def test_a_client_that_is_hopelessly_behind_is_dropped_and_the_others_stay(
    server: LinkServer, connect: Connect
) -> None:
    sleeper, reader = connect(), connect()
    for number in range(OUTBOX_LINES * 4):
        server.publish("signal", {"signal": "key", "filling": "x" * 1000})
        assert reader.next()["signal"] == "key", number
    while sleeper.socket.recv(65_536):
        pass


def test_a_command_is_carried_out_and_answered(connect: Connect, desk: Desk) -> None:
    desk.answer = {"done": 1}
    assert connect().say(**press()) == {"reply": "a", "done": 1}
    assert desk.commands == [{"input": "stroke", "active": True}]


def test_an_error_of_the_desk_reaches_its_sender(connect: Connect, desk: Desk) -> None:
    desk.answer = {"error": "this board has keys of its own"}
    assert connect().say(**press()) == {"reply": "a", "error": "this board has keys of its own"}


def test_a_command_that_was_taken_is_refused_from_every_connection(connect: Connect, desk: Desk) -> None:
    first = connect()
    first.say(**press())
    for peer in (first, connect()):
        assert "taken before" in str(peer.say(**press())["error"])
    assert len(desk.commands) == 1


def test_a_press_older_than_a_second_is_refused_and_a_release_never(connect: Connect, desk: Desk) -> None:
    peer = connect()
    late = peer.say(**press(age_ns=1_200_000_000))
    assert late["reply"] == "a"
    assert "1.2 s old and too late, 1 s is the limit; press again" in str(late["error"])
    assert peer.say(**{**press(ident="b", age_ns=9_000_000_000), "active": False}) == {"reply": "b"}
    assert desk.commands == [{"input": "stroke", "active": False}]


def test_a_press_from_the_future_is_refused(connect: Connect) -> None:
    assert "in the future" in str(connect().say(**press(age_ns=-1_000_000_000))["error"])


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"ok", "one JSON object on one line"),
        (b"\xff\xfe{", "one JSON object on one line"),
        (b"[" * 4000, "one JSON object on one line"),
        (b'{"id": "a", "at_ns": NaN}', "NaN is no JSON"),
        (b"[1]", r"a command is a JSON object, not \[1\]"),
        (b"", "one JSON object on one line"),
        (b"{" + b"x" * 5000, "at most 4096 bytes"),
        (b"{" + b"x" * 50_000, "at most 4096 bytes"),
        (b'{"at_ns": 1}', "has an id, a text of 1 to 64 characters, not None"),
        (b'{"id": 7, "at_ns": 1}', "not 7"),
        (b'{"id": "' + b"x" * 65 + b'", "at_ns": 1}', "has an id"),
        (b'{"id": "a"}', "has at_ns, nanoseconds of CLOCK_MONOTONIC, not None"),
        (b'{"id": "a", "at_ns": true}', "not True"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence_and_the_next_command_works(
    connect: Connect, desk: Desk, line: bytes, error: str
) -> None:
    peer = connect()
    peer.socket.sendall(line + b"\n")
    assert error.replace("\\", "") in str(peer.answer()["error"])
    assert peer.say(**press()) == {"reply": "a"}
    assert len(desk.commands) == 1


def test_what_a_client_held_is_let_go_of_when_it_goes(connect: Connect, desk: Desk) -> None:
    peer = connect()
    peer.say(**press("rest", "a"))
    peer.say(**press("ok", "b"))
    peer.say(**{**press("ok", "c"), "active": False})
    desk.commands.clear()
    desk.came = threading.Semaphore(0)
    peer.close()
    desk.wait()
    assert desk.commands == [{"input": "rest", "active": False}]


def test_a_second_kaderuhr_is_told_and_the_first_goes_on(connect: Connect, path: Path, desk: Desk) -> None:
    with pytest.raises(
        LinkError, match=r"s: another kaderuhr runs here; end it, or give this one another socket"
    ):
        LinkServer(path, desk)
    assert connect().say(**press()) == {"reply": "a"}


def test_closing_sends_everybody_away(path: Path, desk: Desk) -> None:
    server = LinkServer(path, desk)
    with closing(Peer(path)) as peer:
        assert peer.next() == BEAT
        server.close()
        server.close()
        assert peer.socket.recv(1) == b""


def test_the_seventeenth_client_is_told_why(connect: Connect, path: Path) -> None:
    for _ in range(16):
        connect()
    with closing(Peer(path)) as peer:
        assert peer.next() == {"reply": None, "error": "there are 16 clients already; end one of them"}
