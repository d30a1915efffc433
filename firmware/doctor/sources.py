"""Where the message `inputs` comes from: the running service, or the pins themselves where none runs.

Lives here: asking for it, in one shape from both. Never here: what is made of it (`inputs.py`, `watch.py`).
"""

from __future__ import annotations

import queue
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from drivers.contact import Timing
from drivers.contacts import Contacts
from firmware.link import WATCH, LinkClient, LinkDown, found
from firmware.pulses import Pulses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from drivers.ports import Edge
    from firmware.profile import Profile

AGAIN_S: Final = 1.0
STEP_S: Final = 0.1
MILLISECOND: Final = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """What a running service tells: its board, its troubles in sentences, and the message `inputs`."""

    board: str
    troubles: tuple[str, ...]
    inputs: Mapping[str, object] | None


def socket_of(profile: Profile, named: Path | None) -> Path:
    """Return where the service of this board is or would be: where it was named, or where it listens."""
    return found(profile.state.folder) if named is None else named


class FromService:
    """Watches a running service. Iterate for its messages, those of the link itself included."""

    def __init__(self, path: Path, *, clock: Callable[[], int] = time.monotonic_ns) -> None:
        """Nothing is connected before the iteration."""
        self._client = LinkClient(path)
        self._clock = clock
        self._ended = threading.Event()

    def __iter__(self) -> Iterator[Mapping[str, object]]:
        """Yield messages until closed; of `inputs` none that is older than this."""
        since_ns = self._clock()
        asks = threading.Thread(target=self._ask, name="doctor-asks", daemon=True)
        asks.start()
        for message in self._client:
            told_ns = message.get("at_ns")
            if message["kind"] == "inputs" and isinstance(told_ns, int) and told_ns < since_ns:
                continue
            yield message

    def _ask(self) -> None:
        while not self._ended.is_set():
            try:
                self._client.send(WATCH)
                wait_s = AGAIN_S
            except LinkDown:
                wait_s = STEP_S
            self._ended.wait(wait_s)

    def close(self) -> None:
        """End the iteration."""
        self._ended.set()
        self._client.close()


class FromPins:
    """Watches the pins of a board that no service holds. Raises `DeviceError` where they cannot be had."""

    def __init__(self, profile: Profile, *, clock: Callable[[], int] = time.monotonic_ns) -> None:
        """Open them."""
        from drivers.factories import open_factory
        from drivers.inputs import open_inputs

        self._edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
        self._clock = clock
        self._ended = False
        specs = profile.inputs()
        self._factory = open_factory(profile.pins.factory)
        self._inputs = open_inputs(specs, factory=self._factory, on_edge=self._edges.put)
        timing = Timing(
            settle_ns=profile.filter.settle_ms * MILLISECOND,
            window_ns=profile.filter.window_ms * MILLISECOND,
        )
        now_ns = clock()
        initial = self._inputs.initial
        self._contacts = Contacts(timings=dict.fromkeys(initial, timing), initial=initial, at_ns=now_ns)
        self._pulses = Pulses(specs, initial, now_ns)

    def __iter__(self) -> Iterator[Mapping[str, object]]:
        """Yield the message `inputs` ten times a second until closed."""
        while not self._ended:
            yield self.message(STEP_S)

    def message(self, after_s: float) -> Mapping[str, object]:
        """Return the message after listening for so long."""
        until_ns = self._clock() + round(after_s * 1e9)
        while (left_ns := until_ns - self._clock()) > 0:
            try:
                edge = self._edges.get(timeout=left_ns / 1e9)
            except queue.Empty:
                break
            self._pulses.edge(edge)
            self._contacts.edge(edge)
        self._contacts.settle(self._clock())
        return {
            "kind": "inputs",
            **self._pulses.message(self._contacts.counters, self._clock(), self._inputs.losses),
        }

    def close(self) -> None:
        """Let go of the pins."""
        self._ended = True
        self._inputs.close()
        self._factory.close()


def ask_service(path: Path, *, within_s: float = 3.0) -> Seen | str:
    """Return what the service at `path` tells, or the sentence why none is there."""
    board = ""
    troubles: tuple[str, ...] = ()
    inputs: Mapping[str, object] | None = None
    with closing(FromService(path)) as service:
        stop = threading.Timer(within_s, service.close)
        stop.start()
        try:
            for message in service:
                match message:
                    case {"kind": "link", "up": False, "why": why}:
                        return str(why)
                    case {"kind": "board", "board": name}:
                        board = str(name)
                    case {"kind": "troubles", "troubles": list(told)}:
                        troubles = tuple(f"{each['name']}: {each['what']}" for each in told)
                    case {"kind": "inputs"}:
                        inputs = message
                        break
        finally:
            stop.cancel()
    if not board:
        return f"what answers at {path} does not say what it is"
    return Seen(board=board, troubles=troubles, inputs=inputs)
