"""The thread around a mailbox: real threads, waiting on events, without a single sleep."""

from __future__ import annotations

import threading
from itertools import pairwise
from threading import Event
from typing import TYPE_CHECKING

from drivers.worker import Mailbox, Worker

if TYPE_CHECKING:
    import pytest

    from drivers.ports import DeviceError

MS = 1_000_000


class Slow:
    """A device that hangs until let go, in a real thread."""

    def __init__(self) -> None:
        """Begin hanging."""
        self.entered = Event()
        self.let_go = Event()
        self.done = Event()
        self.items: list[str] = []
        self.closed = Event()

    def take(self, item: str) -> None:
        """Hang, then note."""
        self.entered.set()
        assert self.let_go.wait(10)
        self.items.append(item)
        if item == "last":
            self.done.set()

    def close(self) -> None:
        """Note."""
        self.closed.set()


def slow_worker(device: Slow, told: list[DeviceError | None] | None = None) -> Worker[Slow, str]:
    """A worker on a slow device."""
    return Worker(
        Mailbox(
            name="slow",
            open_device=lambda: device,
            do=lambda slow, item, _: slow.take(item),
            on_trouble=lambda _, error: None if told is None else told.append(error),
        )
    )


def test_posting_never_waits_for_a_device_that_hangs() -> None:
    """A thousand posts while it hangs; when it is free again it does the newest only."""
    device = Slow()
    worker = slow_worker(device)
    worker.post("first")
    assert device.entered.wait(10)
    for number in range(1_000):
        worker.post(str(number))
    worker.post("last")
    device.let_go.set()
    assert device.done.wait(10)
    assert device.items == ["first", "last"]
    assert worker.close()
    assert device.closed.is_set()
    assert not worker.alive


def test_closing_leaves_a_hanging_device_behind_in_bounded_time() -> None:
    """The process must end although a bus does not."""
    device = Slow()
    worker = slow_worker(device)
    worker.post("last")
    assert device.entered.wait(10)
    assert not worker.close(timeout_s=0.01)
    device.let_go.set()
    assert device.closed.wait(10)


def test_a_worker_wakes_by_itself_when_its_item_asked_for_it() -> None:
    """Real waiting, 1 ms at a time."""
    enough = Event()
    times: list[int] = []

    def do(_: Slow, __: str, now_ns: int) -> int | None:
        times.append(now_ns)
        if len(times) == 3:
            enough.set()
            return None
        return now_ns + MS

    worker = Worker(Mailbox(name="w", open_device=Slow, do=do, on_trouble=lambda *_: None))
    worker.post("a")
    assert enough.wait(10)
    assert worker.close()
    assert all(later - earlier >= MS for earlier, later in pairwise(times))


def test_a_fault_of_the_program_ends_the_worker_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The device is closed, the fault is told as this device's trouble, and the excepthook gets it."""
    hooked: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: hooked.append(args.exc_type))
    told: list[DeviceError | None] = []
    device = Slow()
    mailbox: Mailbox[Slow, str] = Mailbox(
        name="slow",
        open_device=lambda: device,
        do=lambda *_: 1 // 0,
        on_trouble=lambda _, error: told.append(error),
    )
    worker = Worker(mailbox)
    worker.post("a")
    assert device.closed.wait(10)
    assert worker.close()
    assert hooked == [ZeroDivisionError]
    assert [error.what for error in told if error is not None] == [
        "its driver has stopped (ZeroDivisionError('integer division or modulo by zero'))"
    ]
