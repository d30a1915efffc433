"""A kernel with one GPIO chip, and the module gpiod on it: what of gpiod 2 is used, strict, without a device.

Lives here: lines that are driven with given stamps, the kernel's edge queue with its limit, and gpiod's words for them.
What it hides: real interrupts. Edges are announced on a real file, so that epoll works on it. A test holds its shape
against the real gpiod where that is installed.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from threading import Lock
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

LABEL = "pinctrl-bcm2835"


class Value(Enum):
    """As gpiod's."""

    INACTIVE = 0
    ACTIVE = 1


Direction = Enum("Direction", "AS_IS INPUT OUTPUT")
Bias = Enum("Bias", "AS_IS UNKNOWN DISABLED PULL_UP PULL_DOWN")
Drive = Enum("Drive", "PUSH_PULL OPEN_DRAIN OPEN_SOURCE")
Edge = Enum("Edge", "NONE RISING FALLING BOTH")
Clock = Enum("Clock", "MONOTONIC REALTIME HTE")


@dataclass
class LineSettings:
    """As gpiod's."""

    direction: Direction = Direction.AS_IS
    edge_detection: Edge = Edge.NONE
    bias: Bias = Bias.AS_IS
    drive: Drive = Drive.PUSH_PULL
    active_low: bool = False
    debounce_period: timedelta = timedelta()
    event_clock: Clock = Clock.MONOTONIC
    output_value: Value = Value.INACTIVE


class EdgeEvent:
    """As gpiod's."""

    class Type(Enum):
        """As gpiod's."""

        RISING_EDGE = 1
        FALLING_EDGE = 2

    def __init__(self, *, rising: bool, timestamp_ns: int, line_seqno: int) -> None:
        """Made by the kernel."""
        self.event_type = self.Type.RISING_EDGE if rising else self.Type.FALLING_EDGE
        self.timestamp_ns = timestamp_ns
        self.line_seqno = line_seqno


@dataclass
class KernelLine:
    """One line: the level from outside (None: only its pull), its settings, and what was asked of it."""

    offset: int
    outside: bool | None = None
    settings: LineSettings = field(default_factory=lambda: LineSettings(direction=Direction.INPUT))
    holder: str = ""
    history: list[LineSettings] = field(default_factory=list)
    request: LineRequest | None = None

    @property
    def high(self) -> bool:
        """The level that can be measured."""
        if self.settings.direction == Direction.OUTPUT:
            return self.settings.output_value == Value.ACTIVE
        if self.outside is not None:
            return self.outside
        return self.settings.bias == Bias.PULL_UP


class LineRequest:
    """As gpiod's, of one line. Its file counts the edges that wait."""

    def __init__(self, line: KernelLine, size: int) -> None:
        """Made by the chip."""
        self._line = line
        self._size = size
        self.queue: list[EdgeEvent] = []
        self._lock = Lock()
        self._seqno = 0
        self._released = False
        self.breaks_with: int | None = None
        self.fd = os.eventfd(0, os.EFD_SEMAPHORE)

    def release(self) -> None:
        """As gpiod's: the line keeps its direction, as on a Pi with persisting outputs."""
        self._require()
        self._released = True
        self._line.holder, self._line.request = "", None
        os.close(self.fd)

    def get_value(self, line: int) -> Value:
        """As gpiod's."""
        self._require(line)
        return Value.ACTIVE if self._line.high else Value.INACTIVE

    def set_value(self, line: int, value: Value) -> None:
        """As gpiod's: EPERM for an input."""
        self._require(line)
        if self._line.settings.direction != Direction.OUTPUT:
            raise PermissionError(errno.EPERM, "Operation not permitted")
        self._line.settings.output_value = Value(value)

    def reconfigure_lines(self, config: dict[int, LineSettings]) -> None:
        """As gpiod's: the queue stays."""
        self._require()
        (settings,) = config.values()
        self._line.settings = settings
        self._line.history.append(settings)

    def read_edge_events(self, max_events: int) -> list[EdgeEvent]:
        """As gpiod's on a file that does not block."""
        self._require()
        assert not os.get_blocking(self.fd)
        if self.breaks_with is not None:
            raise OSError(self.breaks_with, os.strerror(self.breaks_with))
        with self._lock:
            if not self.queue:
                raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
            taken, self.queue = self.queue[:max_events], self.queue[max_events:]
            for _ in taken:
                os.eventfd_read(self.fd)
            return taken

    def happen(self, *, rising: bool, at_ns: int) -> None:
        """The kernel sees an edge; with a full queue the oldest is dropped (gpiolib-cdev.c, linereq_put_event)."""
        self._seqno += 1
        event = EdgeEvent(rising=rising, timestamp_ns=at_ns, line_seqno=self._seqno)
        with self._lock:
            self.queue.append(event)
            if len(self.queue) > self._size:
                self.queue.pop(0)
            else:
                os.eventfd_write(self.fd, 1)

    def _require(self, line: int | None = None) -> None:
        assert not self._released, "a released request was used"
        assert line in (None, self._line.offset)


class Kernel:
    """All chips by path, and the lines of the header's."""

    def __init__(self) -> None:
        """Begin with the header's chip and nothing on it."""
        self.labels = {"/dev/gpiochip0": LABEL}
        self.lines = {offset: KernelLine(offset) for offset in range(54)}
        self.open_chips = 0
        self.deaf: set[int] = set()

    def drive(self, offset: int, *, high: bool, at_ns: int) -> None:
        """Put a level on a line from outside at an instant; the kernel sees it unless it is deaf on that line."""
        line = self.lines[offset]
        before = line.high
        line.outside = high
        wanted = {Edge.BOTH: True, Edge.RISING: high, Edge.FALLING: not high, Edge.NONE: False}
        seen = wanted[line.settings.edge_detection] and offset not in self.deaf
        if line.high != before and line.request is not None and seen:
            line.request.happen(rising=high, at_ns=at_ns)

    @property
    def waiting(self) -> int:
        """How many edges nobody has read yet."""
        return sum(len(line.request.queue) for line in self.lines.values() if line.request is not None)

    @property
    def claimed(self) -> list[int]:
        """The lines that somebody holds through gpiod."""
        return [line.offset for line in self.lines.values() if line.request is not None]

    def install(self, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
        """Put the module gpiod on this kernel in the place of the real one."""
        words = ModuleType("gpiod.line")
        for name in ("Value", "Direction", "Bias", "Drive", "Edge", "Clock"):
            setattr(words, name, globals()[name])
        module = ModuleType("gpiod")
        kernel = self

        class Chip(_Chip):
            """As gpiod's."""

            def __init__(self, path: str) -> None:
                super().__init__(kernel, path)

        parts: dict[str, object] = {
            "__version__": "2.5.0",
            "Chip": Chip,
            "LineSettings": LineSettings,
            "EdgeEvent": EdgeEvent,
            "LineRequest": LineRequest,
            "line": words,
            "request_lines": _not_used,
            "is_gpiochip_device": lambda path: path in kernel.labels,
        }
        for name, part in parts.items():
            setattr(module, name, part)
        monkeypatch.setitem(__import__("sys").modules, "gpiod", module)
        monkeypatch.setitem(__import__("sys").modules, "gpiod.line", words)
        return module


def _not_used(*_: object) -> None:
    message = "the factory claims its lines through the chip that it holds open"
    raise AssertionError(message)


class _Chip:
    """As gpiod's."""

    def __init__(self, kernel: Kernel, path: str) -> None:
        if path not in kernel.labels:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        if not kernel.labels[path]:
            raise PermissionError(errno.EACCES, "Permission denied", path)
        self._kernel = kernel
        self._path = path
        self._open = True
        kernel.open_chips += 1

    def close(self) -> None:
        """As gpiod's: closing again is fine."""
        if self._open:
            self._kernel.open_chips -= 1
        self._open = False

    def get_info(self) -> SimpleNamespace:
        """As gpiod's."""
        assert self._open, "a closed chip was used"
        return SimpleNamespace(label=self._kernel.labels[self._path], name=self._path[5:], num_lines=54)

    def get_line_info(self, offset: int) -> SimpleNamespace:
        """As gpiod's."""
        assert self._open, "a closed chip was used"
        line = self._kernel.lines[offset]
        direction = Direction.OUTPUT if line.settings.direction == Direction.OUTPUT else Direction.INPUT
        return SimpleNamespace(consumer=line.holder, direction=direction)

    def request_lines(
        self, config: dict[int, LineSettings], *, consumer: str, event_buffer_size: int
    ) -> LineRequest:
        """As gpiod's: EBUSY for a line that is held."""
        assert self._open, "a closed chip was used"
        ((offset, settings),) = config.items()
        line = self._kernel.lines[offset]
        if line.holder:
            raise OSError(errno.EBUSY, "Device or resource busy")
        line.holder = consumer
        if settings.direction != Direction.AS_IS:
            line.settings = settings
        line.history.append(settings)
        line.request = LineRequest(line, event_buffer_size)
        return line.request


def levels(kernel: Kernel, offsets: Iterable[int]) -> list[bool]:
    """Return what can be measured on these lines."""
    return [kernel.lines[offset].high for offset in offsets]
