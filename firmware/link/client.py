"""The link's other end: looks on, sends commands, and comes back by itself."""

from __future__ import annotations

import itertools
import json
import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock
from typing import TYPE_CHECKING, Final

from firmware.link.lines import COMMAND_BYTES, Message, Splitter, encode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["LinkClient", "LinkDown"]

SILENT_S: Final = 3.0
"""Three beats were missed."""
RETRY_S: Final = 0.5
MESSAGE_BYTES: Final = 1 << 20


class LinkDown(Exception):  # noqa: N818  a state of the link, said to people; nothing is wrong in here
    """A command did not get its answer; the message is a sentence."""


class LinkClient:
    """Iterate for messages, in one thread; :meth:`send` commands from any other. Nothing is connected before.

    Beside the service's messages there are ``{"kind": "link", "up": true}`` when it is there, before its first message,
    and ``{"kind": "link", "up": false, "why": SENTENCE}`` when it is not. The iteration ends with :meth:`close`.
    """

    def __init__(self, path: Path | str, *, silent_s: float = SILENT_S, retry_s: float = RETRY_S) -> None:
        """Look at the service at ``path``; given up after ``silent_s`` without a line, tried anew every ``retry_s``."""
        self._path = Path(path)
        self._silent_s = silent_s
        self._retry_s = retry_s
        self._closing = Event()
        self._lock = Lock()
        self._connection: socket.socket | None = None
        self._waiting: dict[str, SimpleQueue[Message | None]] = {}
        self._numbers = itertools.count(1)
        self._name = f"{os.getpid()}-{time.monotonic_ns():x}"

    def __iter__(self) -> Iterator[Message]:
        """Yield messages until closed."""
        told: str | None = None
        while not self._closing.is_set():
            why = "the service has ended"
            try:
                for message in self._receive():
                    if told != "":
                        told = ""
                        yield {"kind": "link", "up": True}
                    if message.get("kind") != "beat":
                        yield message
            except OSError as error:
                why = self._reason(error)
            self._forget()
            if self._closing.is_set():
                return
            if told != why:
                told = why
                yield {"kind": "link", "up": False, "why": why}
            self._closing.wait(self._retry_s)

    def send(
        self,
        command: Mapping[str, object],
        *,
        at_ns: int | None = None,
        ident: str | None = None,
        timeout_s: float = 1.0,
    ) -> Message:
        """Send a command and return its answer, in which ``error`` says why it was refused.

        ``at_ns`` is when it was wanted, ``ident`` what makes it one of its kind; None: now, and new. It is never sent
        twice: without an answer :class:`LinkDown` is raised, and it is for a person to look whether it was taken.
        """
        name = f"{self._name}-{next(self._numbers)}" if ident is None else ident
        line = encode({**command, "id": name, "at_ns": time.monotonic_ns() if at_ns is None else at_ns})
        if len(line) > COMMAND_BYTES:
            raise ValueError(f"a command has at most {COMMAND_BYTES} bytes, not {len(line)}")
        answers: SimpleQueue[Message | None] = SimpleQueue()
        with self._lock:
            connection = self._connection
            if connection is None:
                raise LinkDown("the service is not there; nothing was sent")
            self._waiting[name] = answers
            try:
                connection.sendall(line)
            except OSError as error:
                # A part may be on its way: nothing can follow it on this connection.
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
                raise LinkDown(f"the service takes no commands ({error})") from error
        try:
            answer = answers.get(timeout=timeout_s)
        except Empty:
            answer = None
        finally:
            self._waiting.pop(name, None)
        if answer is None:
            raise LinkDown(
                "the service did not answer; look whether it took the command before you repeat it"
            )
        return answer

    def close(self) -> None:
        """End the iteration, wherever it waits; any number of times."""
        self._closing.set()
        with self._lock:
            if self._connection is not None:
                with suppress(OSError):
                    self._connection.shutdown(socket.SHUT_RDWR)

    def _receive(self) -> Iterator[Message]:
        """Connect, yield messages and hand answers to their senders, until the other end closes."""
        splitter = Splitter(MESSAGE_BYTES)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(self._silent_s)
            connection.connect(str(self._path))
            while data := connection.recv(65_536):
                with self._lock:
                    self._connection = connection
                    if self._closing.is_set():
                        return
                for line in splitter.feed(data):
                    message = _decoded(line)
                    if "reply" not in message:
                        yield message
                    elif waiting := self._waiting.get(str(message["reply"])):
                        waiting.put(message)

    def _reason(self, error: OSError) -> str:
        match error:
            case FileNotFoundError() | ConnectionRefusedError():
                return f"no kaderuhr runs at {self._path}"
            case PermissionError():
                return f"{self._path} may not be opened by this user; make it a member of the socket's group"
            case TimeoutError():
                return f"the service has said nothing for {self._silent_s:g} s"
            case _:
                return f"the link to {self._path} broke ({error})"

    def _forget(self) -> None:
        with self._lock:
            self._connection = None
            for answers in self._waiting.values():
                answers.put(None)


def _decoded(line: bytes | None) -> Message:
    try:
        message = None if line is None else json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or not message.keys() & {"kind", "reply"}:
        raise OSError(f"what answers there is no kaderuhr: {line!r:.80}")
    return message
