"""The open tabs: each gets the messages, and what a tab holds is let go of when it goes.

Everything here runs in the event loop's thread, but for the link, which has a thread of its own.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Final, Protocol

from firmware.link import LinkDown, Outbox, Push, encode, read_command, slot_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from firmware.link import Message

__all__ = ["Link", "Refused", "Tab", "Tabs"]

BEAT_S: Final = 1.0
MOST_TABS: Final = 32
RECONNECT: Final = b"retry: 1000\n\n"


class Link(Protocol):
    """What is used of :class:`firmware.link.LinkClient`."""

    def __iter__(self) -> Iterator[Message]:
        """Yield messages until closed."""

    def send(
        self, command: Mapping[str, object], *, at_ns: int | None = None, ident: str | None = None
    ) -> Message:
        """Send a command and return its answer; :class:`LinkDown` without one."""

    def close(self) -> None:
        """End the iteration."""


class Refused(Exception):  # noqa: N818  said to people; nothing is wrong in here
    """Something a browser asked for and does not get; the message is a sentence."""

    def __init__(self, sentence: str, *, status: int) -> None:
        """Keep the sentence and the HTTP status that goes with it."""
        super().__init__(sentence)
        self.status = status


class Tab:
    """One stream to one browser tab: server-sent events, and of each slot only the newest."""

    def __init__(self, name: str, *, clock: Callable[[], int], beat_s: float) -> None:
        """Begin with a beat; it tells the browser this machine's clock."""
        self.name = name
        self.held: set[str] = set()
        self._clock = clock
        self._beat_s = beat_s
        self._beat_ns = clock()
        self._outbox = Outbox()
        self._wake = asyncio.Event()
        self._ended = False
        self._first = RECONNECT

    def put(self, message: Message) -> None:
        """Add a message; a tab that is hopelessly behind is ended and will come again."""
        if not self._outbox.put(slot_of(message), encode(message)):
            self._ended = True
        self._wake.set()

    def end(self) -> None:
        """End the stream."""
        self._ended = True
        self._wake.set()

    async def next(self) -> bytes:
        """Wait for what is to be sent, a beat at the latest; nothing when the stream has ended."""
        first, self._first = self._first, b""
        while not self._ended:
            now_ns = self._clock()
            if now_ns >= self._beat_ns:
                self._beat_ns = now_ns + round(self._beat_s * 1e9)
                self.put({"kind": "beat", "now_ms": now_ns / 1e6})
            if lines := self._outbox.take():
                return first + b"".join(b"data: " + line + b"\n" for line in lines)
            self._wake.clear()
            try:
                async with asyncio.timeout((self._beat_ns - now_ns) / 1e9):
                    await self._wake.wait()
            except TimeoutError:
                continue
        return b""


class Tabs:
    """All tabs, and the link behind them. ``on_broken`` is called if the link's thread ends with a fault."""

    def __init__(
        self,
        link: Link,
        *,
        on_broken: Callable[[], None],
        clock: Callable[[], int] = time.monotonic_ns,
        beat_s: float = BEAT_S,
    ) -> None:
        """Begin without a tab; :meth:`start` begins to listen."""
        self._link = link
        self._on_broken = on_broken
        self._clock = clock
        self._beat_s = beat_s
        self._tabs: set[Tab] = set()
        self._kept: dict[tuple[str, str], Message] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._thread: Thread | None = None

    def start(self) -> None:
        """Listen to the link from now on, in a thread; to be called in the event loop."""
        self._thread = Thread(target=self._listen, args=[asyncio.get_running_loop()], name="page-link")
        self._thread.start()

    async def stop(self) -> None:
        """End the streams, and the thread."""
        self.close()
        self._link.close()
        await asyncio.gather(*self._tasks)
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    def close(self) -> None:
        """End all streams; new ones end at once."""
        self._closed = True
        for tab in self._tabs:
            tab.end()

    def take(self, message: Message) -> None:
        """Give a message to all tabs, and keep it for those to come."""
        if message["kind"] == "link" and message["up"] is True:
            # What an earlier service said is not true of this one; it says all of its own now.
            self._kept.clear()
        slot = slot_of(message)
        if slot is not None:
            self._kept[slot] = message
        for tab in self._tabs:
            tab.put(message)

    @contextmanager
    def opened(self, name: str) -> Iterator[Tab]:
        """Open a stream for a tab; at its end what the tab holds is let go of."""
        if len(self._tabs) >= MOST_TABS:
            raise Refused(f"{MOST_TABS} tabs are open already; close one", status=503)
        tab = Tab(name, clock=self._clock, beat_s=self._beat_s)
        for message in self._kept.values():
            tab.put(message)
        if self._closed:
            tab.end()
        self._tabs.add(tab)
        try:
            yield tab
        finally:
            self._tabs.discard(tab)
            for held in sorted(tab.held):
                task = asyncio.create_task(self._let_go(held))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def send(
        self, command: Mapping[str, object], *, tab_name: str | None, ident: str | None, at_ns: int | None
    ) -> None:
        """Pass a command on; :class:`CommandError`, :class:`Refused` or :class:`LinkDown` if that does nothing."""
        meant = read_command(command)
        if any(
            message.get("inputs") is False for message in self._kept.values() if message["kind"] == "board"
        ):
            raise Refused("this board has keys of its own; the page only looks on", status=403)
        tab = None if tab_name is None else next((tab for tab in self._tabs if tab.name == tab_name), None)
        if isinstance(meant, Push) and meant.active and tab_name is not None:
            if tab is None:
                raise Refused(
                    "a tab that presses reads /events?tab=NAME too; load the page again", status=409
                )
            # Before the answer: a press whose answer got lost is let go of as well.
            tab.held.add(meant.name)
        at_ns = self._clock() if at_ns is None else at_ns
        answer = await asyncio.to_thread(self._link.send, command, at_ns=at_ns, ident=ident)
        if "error" in answer:
            raise Refused(str(answer["error"]), status=409)
        if isinstance(meant, Push) and not meant.active and tab is not None:
            tab.held.discard(meant.name)

    async def _let_go(self, name: str) -> None:
        try:
            await asyncio.to_thread(self._link.send, {"input": name, "active": False})
        except LinkDown:
            return  # the service lets go of it itself when the link breaks

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        broken = True
        try:
            for message in self._link:
                loop.call_soon_threadsafe(self.take, message)
            broken = False
        finally:
            if broken:
                loop.call_soon_threadsafe(self._on_broken)
