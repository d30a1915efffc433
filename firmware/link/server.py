"""The service's end of the link: publishes to everybody, waits for nobody."""

from __future__ import annotations

import json
import os
import socket
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from threading import Condition, Event, Lock, Thread
from typing import TYPE_CHECKING, Final, NoReturn

from firmware.link.lines import BEAT, BEAT_S, COMMAND_BYTES, Message, Outbox, Slot, Splitter, encode, slot_of
from firmware.link.listening import listen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["LinkServer"]

STALE_NS: Final = 1_000_000_000
AHEAD_NS: Final = 100_000_000
"""A sender that only estimates this clock may be ahead by so much."""
IDENT_LENGTH: Final = 64
REMEMBERED: Final = 1024
CLIENTS: Final = 16
SEND_TIMEOUT_S: Final = 5.0
SEND_BUFFER: Final = 16_384
"""Small, so that what a slow client has yet to get waits in its outbox, where the newer replaces the older."""


class LinkServer:
    """Opens and serves at once; all methods from any thread.

    ``on_command`` gets each command that is neither stale nor a repeat, in a thread of its client's, and returns what
    the answer holds (``{"error": sentence}`` to refuse) or None. It must not wait for the thread that closes the link.
    """

    def __init__(
        self,
        path: Path | str,
        on_command: Callable[[Message], Mapping[str, object] | None],
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        beat_s: float = BEAT_S,
    ) -> None:
        """Listen at ``path``, mode 0660; :class:`LinkError` if another live process does, or if it cannot be done.

        The file beside it that ends in ``.lock`` is locked for as long as this process lives, which no crash outlasts.
        """
        self._on_command = on_command
        self._clock = clock
        self._beat_s = beat_s
        self._path = Path(path)
        self._lock = Lock()
        self._kept: dict[Slot, bytes] = {}
        self._clients: set[_Client] = set()
        self._taken: deque[str] = deque(maxlen=REMEMBERED)
        self._closing = Event()
        self._lock_file, self._socket = listen(self._path)
        self._thread = Thread(target=self._accept, name="link", daemon=True)
        self._thread.start()

    def publish(self, kind: str, message: Mapping[str, object]) -> None:
        """Send a message to everybody. Never blocks; one that says the same as the last of its slot is not sent."""
        body = {**message, "kind": kind}
        slot = slot_of(body)
        if slot is None:
            body.setdefault("at_ns", self._clock())
        line = encode(body)
        with self._lock:
            if slot is not None:
                if self._kept.get(slot) == line:
                    return
                self._kept[slot] = line
            for client in self._clients:
                client.put(slot, line)

    def close(self) -> None:
        """Send everybody away and take the socket from the disk; any number of times."""
        if self._closing.is_set():
            return
        self._closing.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()
        with self._lock:
            clients = list(self._clients)
        for client in clients:
            client.end()
        for client in clients:
            client.join()
        with suppress(FileNotFoundError):
            self._path.unlink()
        os.close(self._lock_file)

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                # Closing; or out of file descriptors: then newcomers wait, and the service does not suffer.
                self._closing.wait(1.0)
                continue
            with self._lock:
                if len(self._clients) < CLIENTS:
                    client = _Client(connection, answer=self._answer, leave=self._leave, beat_s=self._beat_s)
                    for slot, line in self._kept.items():
                        client.put(slot, line)
                    self._clients.add(client)
                    client.start()
                    continue
            with connection, suppress(OSError):
                connection.sendall(_refusal(None, f"there are {CLIENTS} clients already; end one of them"))

    def _leave(self, client: _Client) -> None:
        with self._lock:
            self._clients.discard(client)
        for name in sorted(client.held):
            self._on_command({"input": name, "active": False})

    def _answer(self, client: _Client, line: bytes | None) -> bytes:
        if line is None:
            return _refusal(None, f"a command has at most {COMMAND_BYTES} bytes; this one was dropped")
        try:
            command = json.loads(line, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            return _refusal(None, f"a command is one JSON object on one line ({error})")
        if not isinstance(command, dict):
            return _refusal(None, f"a command is a JSON object, not {line[:40].decode(errors='replace')}")
        ident, at_ns = command.get("id"), command.get("at_ns")
        if not isinstance(ident, str) or not 1 <= len(ident) <= IDENT_LENGTH:
            return _refusal(
                None, f"a command has an id, a text of 1 to {IDENT_LENGTH} characters, not {ident!r:.80}"
            )
        if not isinstance(at_ns, int) or isinstance(at_ns, bool):
            return _refusal(ident, f"a command has at_ns, nanoseconds of CLOCK_MONOTONIC, not {at_ns!r:.80}")
        age_ns = self._clock() - at_ns
        if age_ns < -AHEAD_NS:
            return _refusal(ident, "at_ns lies in the future; it is CLOCK_MONOTONIC of this machine, in ns")
        if age_ns > STALE_NS and command.get("active") is not False:
            return _refusal(
                ident, f"this is {age_ns / 1e9:.1f} s old and too late, 1 s is the limit; press again"
            )
        with self._lock:
            if ident in self._taken:
                return _refusal(ident, "this id was taken before; a command is carried out once")
            self._taken.append(ident)
        answer = self._on_command(command) or {}
        if "error" not in answer:
            client.note(command)
        return encode({**answer, "reply": ident})


class _Client:
    """One connection: a thread that reads commands and one that writes what is in the outbox."""

    def __init__(
        self,
        connection: socket.socket,
        *,
        answer: Callable[[_Client, bytes | None], bytes],
        leave: Callable[[_Client], None],
        beat_s: float,
    ) -> None:
        self.held: set[str] = set()
        self._connection = connection
        connection.settimeout(SEND_TIMEOUT_S)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._answer = answer
        self._leave = leave
        self._beat_s = beat_s
        self._wake = Condition()
        self._outbox = Outbox()
        self._outbox.put(("beat", ""), BEAT)
        self._gone = False
        self._reader = Thread(target=self._read, name="link-reader", daemon=True)
        self._writer = Thread(target=self._write, name="link-writer", daemon=True)

    def start(self) -> None:
        self._writer.start()
        self._reader.start()

    def join(self) -> None:
        self._reader.join(SEND_TIMEOUT_S)

    def put(self, slot: Slot | None, line: bytes) -> None:
        with self._wake:
            behind = not self._outbox.put(slot, line)
            self._wake.notify()
        if behind:
            self.end()

    def end(self) -> None:
        with self._wake:
            self._gone = True
            self._wake.notify()
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def note(self, command: Message) -> None:
        """Keep in mind what this client holds."""
        name, active = command.get("input"), command.get("active")
        if isinstance(name, str) and active is True:
            self.held.add(name)
        elif isinstance(name, str):
            self.held.discard(name)

    def _write(self) -> None:
        with suppress(OSError):  # it has gone, or takes nothing
            while not self._gone:
                self._connection.sendall(self._next())
        self.end()

    def _next(self) -> bytes:
        with self._wake:
            lines = self._outbox.take()
            if not lines and not self._gone:
                self._wake.wait(self._beat_s)
                lines = self._outbox.take()
                if not lines and not self._gone:
                    lines = [BEAT]
        return b"".join(lines)

    def _read(self) -> None:
        splitter = Splitter(COMMAND_BYTES)
        try:
            while data := self._receive():
                for line in splitter.feed(data):
                    self.put(None, self._answer(self, line))
        finally:
            self.end()
            self._leave(self)
            self._writer.join()
            self._connection.close()

    def _receive(self) -> bytes:
        """Wait for the next bytes; none if the client has gone."""
        while not self._gone:
            try:
                return self._connection.recv(COMMAND_BYTES)
            except TimeoutError:
                continue  # most clients only look on
            except OSError:
                break
        return b""


def _refusal(ident: str | None, sentence: str) -> bytes:
    return encode({"reply": ident, "error": sentence})


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
