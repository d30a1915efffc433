"""Asks the page without a network, and a link without a service."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from firmware.page.app import create_app
from firmware.page.tabs import Tabs

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    from starlette.types import ASGIApp, Message, Scope

    from firmware.link import Message as LinkMessage

PATIENCE_S = 5.0
NOW_NS = 5_000_000_000
UP: LinkMessage = {"kind": "link", "up": True}


class FakeLink:
    """Yields what it is told to, and keeps what is sent. ``answer``: what it says to commands."""

    def __init__(self) -> None:
        """Begin without a message."""
        self.sent: list[dict[str, object]] = []
        self.answer: LinkMessage | Exception = {}
        self._messages: SimpleQueue[LinkMessage | Exception | None] = SimpleQueue()

    def say(self, message: LinkMessage | Exception) -> None:
        """Let a message come, or a fault of the program."""
        self._messages.put(message)

    def __iter__(self) -> Iterator[LinkMessage]:
        """Yield messages until closed."""
        while (message := self._messages.get()) is not None:
            if isinstance(message, Exception):
                raise message
            yield message

    def send(
        self, command: Mapping[str, object], *, at_ns: int | None = None, ident: str | None = None
    ) -> LinkMessage:
        """Keep the command."""
        self.sent.append({**command, "at_ns": at_ns, "ident": ident})
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def close(self) -> None:
        """End the iteration."""
        self._messages.put(None)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def error(self) -> str:
        """The sentence of a refusal."""
        return str(json.loads(self.body)["error"])


def _scope(method: str, path: str, headers: Mapping[str, str]) -> Scope:
    path, _, query = path.partition("?")
    all_headers = {"host": "127.0.0.1:8050", **headers}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in all_headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8050),
    }


@dataclass(frozen=True, kw_only=True)
class Browser:
    """Asks one application."""

    app: ASGIApp

    async def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """Make one request and return its answer."""
        parts: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            parts.append(message)

        await self.app(_scope(method, path, headers), receive, send)
        return Answer(
            status=parts[0]["status"],
            headers={name.decode(): value.decode() for name, value in parts[0]["headers"]},
            body=b"".join(part.get("body", b"") for part in parts[1:]),
        )

    async def _run(self, path: str, stream: Stream) -> None:
        await self.app(_scope("GET", path, {}), stream.receive, stream.send)

    async def put(self, **command: object) -> Answer:
        """Post a command as the page does."""
        return await self.ask("POST", "/input", json.dumps(command).encode(), origin="http://127.0.0.1:8050")

    @asynccontextmanager
    async def events(self, path: str = "/events?tab=t") -> AsyncIterator[Stream]:
        """Open a stream; leaving it hangs up."""
        stream = Stream()
        task: asyncio.Task[None] = asyncio.create_task(self._run(path, stream))
        try:
            yield stream
        finally:
            stream.hung_up.set()
            await asyncio.wait_for(task, PATIENCE_S)


class Stream:
    """The reading end of a stream of events."""

    def __init__(self) -> None:
        """Begin unread."""
        self.hung_up = asyncio.Event()
        self._parts: asyncio.Queue[Message] = asyncio.Queue()
        self._rest = b""
        self.raw = b""

    async def receive(self) -> Message:
        """Tell the application that the browser has gone, once it has."""
        await self.hung_up.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Take a part of the answer."""
        await self._parts.put(message)

    async def part(self) -> Message:
        """Return the next part as it came."""
        return await asyncio.wait_for(self._parts.get(), PATIENCE_S)

    async def next(self) -> dict[str, Any]:
        """Return the next event that is no beat."""
        while (event := await self._event())["kind"] == "beat":
            pass
        return event

    async def beat(self) -> dict[str, Any]:
        """Return the next beat."""
        while (event := await self._event())["kind"] != "beat":
            pass
        return event

    async def _event(self) -> dict[str, Any]:
        while True:
            block, end, rest = self._rest.partition(b"\n\n")
            if end:
                self._rest = rest
                if block.startswith(b"data: "):
                    event: dict[str, Any] = json.loads(block.removeprefix(b"data: "))
                    return event
                continue
            data = (await self.part()).get("body", b"")
            self.raw += data
            self._rest += data


@asynccontextmanager
async def page(
    link: FakeLink,
    *,
    clock: Callable[[], int] = lambda: NOW_NS,
    beat_s: float = 60.0,
    broken: list[str] | None = None,
) -> AsyncIterator[Browser]:
    """Run the page on a link. Its clock stands still unless another is given."""
    tabs = Tabs(
        link,
        on_broken=lambda: (broken if broken is not None else []).append("broken"),
        clock=clock,
        beat_s=beat_s,
    )
    tabs.start()
    try:
        yield Browser(app=create_app(tabs, hosts=frozenset({"kaderuhr.local"})))
    finally:
        await tabs.stop()
