"""The one thread that reads the edges of all lines.

Here lives the order in which edges are told, and what becomes of a handler that raises. What may never be known here:
what a handler does.

The thread sleeps in epoll until the kernel has edges: nothing polls. It reads from every line that has some, sorts what
it read by the kernel's stamps, which compare across lines, and tells it in that order. No lock is held while a handler
runs, so a handler may close pins, its own too, and other threads may wait for it or not, as they please.
"""

from __future__ import annotations

import logging
import os
import select
from dataclasses import dataclass
from threading import Lock, Thread, current_thread
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from drivers.gpiod_pins.line import KernelEdge, Line

__all__ = ["Reader"]

LOG: Final = logging.getLogger("gpiod_pins")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Watch:
    """A line that is watched, and who is told."""

    line: Line
    tell: Callable[[KernelEdge], None]


class Reader:
    """Tells edges as they come. Any thread may watch, forget and close; ``tell`` runs in the reader's thread."""

    def __init__(self) -> None:
        """Begin without a thread; the first line that is watched starts it."""
        self._lock = Lock()
        self._watches: dict[int, _Watch] = {}
        self._epoll = select.epoll()
        self._wake = os.eventfd(0)
        self._epoll.register(self._wake, select.EPOLLIN)
        self._thread: Thread | None = None
        self._closing = False
        self._fault: Exception | None = None
        self._faults = 0

    @property
    def alive(self) -> bool:
        """Whether edges are being read, or none are asked for yet."""
        return not self._closing and (self._thread is None or self._thread.is_alive())

    @property
    def fault(self) -> Exception | None:
        """The first exception that a handler raised, or that reading a line did."""
        return self._fault

    @property
    def faults(self) -> int:
        """How many exceptions there were."""
        return self._faults

    def watch(self, line: Line, tell: Callable[[KernelEdge], None]) -> None:
        """Tell the line's edges from now on. The line is claimed already and stays so until it is forgotten."""
        with self._lock:
            self._watches[line.fd] = _Watch(line=line, tell=tell)
            self._epoll.register(line.fd, select.EPOLLIN)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="gpiod-pins", daemon=True)
                self._thread.start()

    def forget(self, line: Line) -> None:
        """Tell the line's edges no more; what is being told in this moment may still come."""
        with self._lock:
            for fd in [fd for fd, watch in self._watches.items() if watch.line is line]:
                del self._watches[fd]
                self._epoll.unregister(fd)

    def close(self) -> None:
        """End the thread, and wait for its end unless it is the caller; twice is fine."""
        with self._lock:
            if self._closing:
                return
            self._closing = True
            self._watches.clear()
            thread = self._thread
        os.eventfd_write(self._wake, 1)
        if thread is None:
            self._let_go()
        elif thread is not current_thread():
            thread.join()

    def _run(self) -> None:
        try:
            while not self._closing:
                self._tell(self._epoll.poll())
        finally:
            self._let_go()

    def _let_go(self) -> None:
        self._epoll.close()
        os.close(self._wake)

    def _tell(self, ready: list[tuple[int, int]]) -> None:
        edges: list[tuple[KernelEdge, int, _Watch]] = []
        for fd, _ in ready:
            with self._lock:
                watch = self._watches.get(fd)
            if watch is not None:
                edges += [(edge, fd, watch) for edge in self._read(watch)]
        edges.sort(key=lambda found: found[0].at_ns)
        for edge, fd, watch in edges:
            if self._watches.get(fd) is not watch:
                continue
            try:
                watch.tell(edge)
            except Exception as error:
                LOG.exception("the handler of GPIO%d raised; the pins go on", watch.line.offset)
                self._keep(error)

    def _read(self, watch: _Watch) -> list[KernelEdge]:
        try:
            return watch.line.take()
        except OSError as error:
            # A line that cannot be read would be announced again at once, and for ever.
            LOG.exception("GPIO%d can no longer be read", watch.line.offset)
            self._keep(error)
            self.forget(watch.line)
            return []

    def _keep(self, error: Exception) -> None:
        self._faults += 1
        self._fault = self._fault or error
