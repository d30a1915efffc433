"""A thread for each slow device, with a mailbox in which only the newest item counts.

Here lives what keeps I2C, SPI, serial and sound off the fast path: posting is a note in a slot, and a device that
hangs, fails or is not there is this thread's trouble alone. What may never be known here: what an item is, and which
device takes it.

:class:`Mailbox` is all of the behaviour and no thread: ``step(now)`` does what is due and says when it wants to be
called again, so that tests run it in virtual time. :class:`Worker` is the thread around it, and nothing else.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Condition, Thread
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from drivers.ports import DeviceError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Closeable", "Mailbox", "Worker", "drawing"]

FIRST_RETRY_NS: Final = 500_000_000
LAST_RETRY_NS: Final = 4_000_000_000
"""With the time an opening takes, a device is back within 5 s of its return."""
SHORTEST_REST_NS: Final = 1_000_000
"""No device is called more often than this by its own wish: a wish for "now" must not become a busy loop."""


class Closeable(Protocol):
    """What a mailbox asks of every device."""

    def close(self) -> None:
        """Let go of the hardware; any number of times, raising nothing."""


Device = TypeVar("Device", bound=Closeable)
Item = TypeVar("Item")
View = TypeVar("View")
Frame = TypeVar("Frame")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Letter(Generic[Item]):
    """A posted item; two posts of the same item are two letters."""

    item: Item
    at_ns: int


def drawing(
    *,
    draw: Callable[[View, int], Frame],
    show: Callable[[Device, Frame], None],
    next_change: Callable[[View, int], int | None],
) -> Callable[[Device, View, int], int | None]:
    """Return the ``do`` of a mailbox for something that shows a view, which changes with time by itself.

    ``draw(view, now_ns)`` makes the picture (or the line, or what the device takes), ``show(device, picture)``
    puts it there, ``next_change(view, now_ns)`` says at which later instant another is due, None if never.
    """

    def do(device: Device, view: View, now_ns: int) -> int | None:
        show(device, draw(view, now_ns))
        return next_change(view, now_ns)

    return do


class Mailbox(Generic[Device, Item]):
    """The newest item for one device, and the device's life: opened, used, lost and opened again.

    ``open_device()`` returns the device. ``do(device, item, now_ns)`` is called once for each newest item, and again
    with the same item at the instant it returned, if it returned one. ``keep(device)``, if given, is called every
    ``keep_every_ns`` while the device is open: a look at its health, a refresh of its registers. All three may raise
    :class:`DeviceError`; then the device is closed and opened again after 0.5, 1, 2, 4, 4 ... seconds, and the newest
    item is done again. With ``stale_ns`` an older item is dropped instead: a sound that comes late is wrong.

    ``on_trouble(name, error)`` is called when a trouble begins or changes, and with None when the device does its work
    again. Another exception than :class:`DeviceError` is a fault of the program and goes through.
    """

    def __init__(
        self,
        *,
        name: str,
        open_device: Callable[[], Device],
        do: Callable[[Device, Item, int], int | None],
        on_trouble: Callable[[str, DeviceError | None], None],
        keep: Callable[[Device], None] | None = None,
        keep_every_ns: int = 1_000_000_000,
        stale_ns: int | None = None,
    ) -> None:
        """Begin without a device and without an item; the first step opens."""
        self.name = name
        self._open_device = open_device
        self._do = do
        self._on_trouble = on_trouble
        self._keep = keep
        self._keep_every_ns = keep_every_ns
        self._stale_ns = stale_ns
        self._slot: _Letter[Item] | None = None
        self._taken: _Letter[Item] | None = None
        self._device: Device | None = None
        self._item_due_ns: int | None = None
        self._keep_due_ns: int | None = None
        self._retry_ns = 0
        self._pause_ns = FIRST_RETRY_NS
        self._trouble: DeviceError | None = None

    def post(self, item: Item, *, at_ns: int) -> None:
        """Put the item in the slot, in place of one that nobody took. O(1), any thread, never blocks."""
        self._slot = _Letter(item=item, at_ns=at_ns)

    @property
    def trouble(self) -> DeviceError | None:
        """What is wrong with the device now, None if nothing. Any thread."""
        return self._trouble

    def step(self, now_ns: int) -> int | None:
        """Do what is due and return the instant of the next step, None if only a post can bring one.

        May block for as long as the device does. One thread only.
        """
        letter = self._slot
        if letter is not self._taken:
            self._taken = letter
            self._item_due_ns = now_ns
        try:
            if self._device is None:
                if self._trouble is not None and now_ns < self._retry_ns:
                    return self._retry_ns
                self._device = self._open_device()
                self._item_due_ns = None if self._taken is None else now_ns
                self._keep_due_ns = None if self._keep is None else now_ns + self._keep_every_ns
            self._work(self._device, now_ns)
        except DeviceError as error:
            self._lose(error, now_ns)
            return self._retry_ns
        self._pause_ns = FIRST_RETRY_NS
        if self._trouble is not None:
            self._trouble = None
            self._on_trouble(self.name, None)
        return min((due for due in (self._item_due_ns, self._keep_due_ns) if due is not None), default=None)

    def tell_fault(self, error: Exception) -> None:
        """Make a fault of the program, which ends the stepping, the trouble of this device."""
        self._trouble = DeviceError(
            device=self.name,
            what=f"its driver has stopped ({error!r})",
            remedy="this is a fault of the program: start it again and report it",
        )
        self._on_trouble(self.name, self._trouble)

    def close(self) -> None:
        """Close the device; a later step would open it again."""
        device, self._device = self._device, None
        if device is not None:
            device.close()

    def _work(self, device: Device, now_ns: int) -> None:
        if self._taken is not None and self._item_due_ns is not None and self._item_due_ns <= now_ns:
            if self._stale_ns is not None and now_ns - self._taken.at_ns > self._stale_ns:
                self._item_due_ns = None
            else:
                wish = self._do(device, self._taken.item, now_ns)
                self._item_due_ns = None if wish is None else max(wish, now_ns + SHORTEST_REST_NS)
        if self._keep is not None and self._keep_due_ns is not None and self._keep_due_ns <= now_ns:
            self._keep(device)
            self._keep_due_ns = now_ns + self._keep_every_ns

    def _lose(self, error: DeviceError, now_ns: int) -> None:
        self.close()
        self._retry_ns = now_ns + self._pause_ns
        self._pause_ns = min(2 * self._pause_ns, LAST_RETRY_NS)
        known, self._trouble = self._trouble, error
        if known is None or str(known) != str(error):
            self._on_trouble(self.name, error)


class Worker(Generic[Device, Item]):
    """The thread of one mailbox. ``on_trouble`` and the device's calls run in it.

    A fault of the program ends it: the device is closed, the fault is told once through ``on_trouble`` and to
    ``threading.excepthook``, and :attr:`alive` is False.
    """

    def __init__(
        self, mailbox: Mailbox[Device, Item], *, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        """Start at once. ``clock`` gives the nanoseconds that the mailbox's instants count in."""
        self._mailbox = mailbox
        self._clock = clock
        self._wake = Condition()
        self._posted = False
        self._closing = False
        # daemon: a device that hangs in the kernel must not keep the process from ending.
        self._thread = Thread(target=self._run, name=f"worker-{mailbox.name}", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the thread still works."""
        return self._thread.is_alive()

    def post(self, item: Item) -> None:
        """Hand over the newest item and return at once, whatever the device does. Any thread."""
        with self._wake:
            self._mailbox.post(item, at_ns=self._clock())
            self._posted = True
            self._wake.notify()

    def close(self, *, timeout_s: float = 2.0) -> bool:
        """End the thread, which closes the device. False: it hangs in the device and was left behind."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            due_ns: int | None = self._clock()
            while self._wait(due_ns):
                due_ns = self._mailbox.step(self._clock())
        except Exception as error:
            self._mailbox.tell_fault(error)
            raise
        finally:
            self._mailbox.close()

    def _wait(self, due_ns: int | None) -> bool:
        """Wait for a post, or until ``due_ns``; False when the worker is closed."""
        with self._wake:
            while not (self._closing or self._posted):
                rest_ns = None if due_ns is None else due_ns - self._clock()
                if rest_ns is not None and rest_ns <= 0:
                    break
                self._wake.wait(None if rest_ns is None else rest_ns / 1e9)
            self._posted = False
            return not self._closing
