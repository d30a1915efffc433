"""The service: one thread that owns the fold and waits on one queue; everything slow has a thread of its own.

Lives here: the loop, match time, start and end of the box. Never here: law, drawing, bytes.

An evening's time: instants of a match count from its first line on CLOCK_MONOTONIC, so a stepped wall clock changes
nothing. After a start the match stands as of its last line, paused; the player gains, never loses.
"""

from __future__ import annotations

import heapq
import queue
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from drivers.inputs import open_factory, open_inputs
from drivers.ports import Edge
from firmware.journal import Journal, new_evening, read_journal
from firmware.link import CommandError, LinkServer, Pulse, Push, read_command
from firmware.outputs import Outputs
from firmware.said import Click, Said
from firmware.script import KEYS, Opened
from firmware.stage import core_for
from firmware.texts import Texts
from firmware.view import Trouble, TroubleKind, View
from rules import AnyEvent, End, Ns, Recovered, Signal, read, take

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from firmware.profile import Profile

PULSE: Final = 30_000_000
"""Nanoseconds a ball covers a simulated sensor."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Drive:
    """A simulated contact changes at an instant of the monotonic clock."""

    at_ns: int
    input: str
    active: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class _Told:
    """A device's trouble began, changed, or ended."""

    name: str
    trouble: Trouble | None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Saved:
    """So many lines are on the card."""

    lines: int


class _Stop:
    """The box is to end."""


Item = Edge | _Drive | _Told | _Saved | _Stop


class Service:
    """One evening on one board. Make it, `run` it in the thread that made it; `stop` from anywhere, or a signal."""

    def __init__(self, profile: Profile, socket_path: Path) -> None:
        """Read the journal, open pins and link, and start the workers.

        Raises `DeviceError` where there are no inputs, `LinkError` where another service runs here.
        """
        self._profile = profile
        self._items: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._troubles: dict[str, Trouble] = {}
        self._kept = self._saved = 0
        self._shown: View | None = None
        self._driven: list[tuple[int, int, _Drive]] = []
        self._drives = 0
        self._stopping = False
        self._link = LinkServer(socket_path, self._command)
        self._journal = Journal(
            profile.state.folder,
            on_saved=lambda lines: self._items.put(_Saved(lines=lines)),
            on_trouble=lambda what: self._tell("saving", what, "saving"),
        )
        opened, now = self._open_match()
        self._origin = time.monotonic_ns() - now
        self._factory = open_factory(profile.pins.factory)
        self._inputs = open_inputs(profile.inputs(), factory=self._factory, on_edge=self._items.put)
        self._core = core_for(
            opened,
            profile,
            say=self._hear,
            keep=self._keep,
            on_match=self._begin,
            number=self._number,
            active=self._inputs.initial,
            now=now,
        )
        self._outputs = Outputs(
            profile,
            Texts(profile.language),
            to_box=self._to_box,
            publish=self._link.publish,
            on_trouble=lambda name, trouble: self._items.put(_Told(name=name, trouble=trouble)),
        )
        drivable = profile.pins.factory == "mock"
        self._link.publish(
            "board",
            {"board": profile.name, "keys": list(KEYS), "inputs": drivable, "language": profile.language},
        )
        self._link.publish("troubles", {"troubles": []})

    # Start ----------------------------------------------------------------------------------------------------

    def _open_match(self) -> tuple[Opened, Ns]:
        """Return the open match of the journal, paused where its clock ran, or a new one; and its instant now."""
        folder = self._profile.state.folder
        try:
            found = read_journal(folder)
        except OSError as error:
            self._tell("journal", f"cannot read {folder}: {error.strerror}; a new match begins", "saving")
            return self._new(1)
        if found.damage is not None:
            self._tell("journal", found.damage, "saving")
        if found.opened is None or found.opened.record.match.phase == "over":
            return self._new(found.matches + 1)
        self._number = found.matches
        opened, now = found.opened, found.opened.record.match.at
        back = Recovered(t=now, dark=None)
        record, _ = take(opened.rulebook, opened.record, back)
        if found.damage is not None:
            self._journal.begin(opened)
        self._keep(back)
        return msgspec.structs.replace(opened, record=record), now

    def _new(self, number: int) -> tuple[Opened, Ns]:
        self._number = number
        opened = new_evening(number)
        self._begin(opened)
        return opened, Ns(0)

    def _begin(self, opened: Opened) -> None:
        """Open a match in the journal: the first one, or one that was set up on the keys."""
        self._kept += 1
        self._journal.begin(opened)

    # The loop -------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Serve until stopped."""
        while not self._stopping:
            self._show()
            self._wait()
            self._core.advance(self._now())
        self._core.report(End(t=Ns(self._now() - self._core.started)))
        self._outputs.close()
        self._inputs.close()
        self._journal.close()
        self._link.close()

    def stop(self) -> None:
        """End the loop; any thread, also a signal handler."""
        self._items.put(_Stop())

    def page_ended(self, status: int) -> None:
        """Show that the page's process is gone; the clock does not mind. Any thread."""
        if not self._stopping:
            self._tell(
                "page",
                f"its process ended with status {status}; start it again with `kaderuhr page`",
                "device",
            )

    def _now(self) -> Ns:
        return self._to_box(time.monotonic_ns())

    def _to_box(self, now_ns: int) -> Ns:
        return Ns(now_ns - self._origin)

    def _wait(self) -> None:
        """Take what has come; wait for something, but not past the next instant that matters."""
        due = self._core.due()
        dues = [due + self._origin] if due is not None else []
        if self._driven:
            dues.append(self._driven[0][0])
        wait_s = max(0.0, (min(dues) - time.monotonic_ns()) / 1e9) if dues else None
        try:
            item = self._items.get(timeout=wait_s)
            while True:
                self._take(item)
                item = self._items.get_nowait()
        except queue.Empty:
            pass
        while self._driven and self._driven[0][0] <= time.monotonic_ns():
            self._drive(heapq.heappop(self._driven)[2])

    def _take(self, item: Item) -> None:
        match item:
            case Edge():
                self._core.edge(item.input, self._to_box(item.at_ns), active=item.active)
            case _Drive():
                self._drives += 1
                heapq.heappush(self._driven, (item.at_ns, self._drives, item))
            case _Told(name=name, trouble=None):
                self._troubles.pop(name, None)
            case _Told(name=name, trouble=trouble) if trouble is not None:
                self._troubles[name] = trouble
            case _Saved(lines=lines):
                self._saved = lines
            case _Stop():
                self._stopping = True

    def _drive(self, drive: _Drive) -> None:
        """Move a simulated contact: through gpiozero's mock pin, like everything else."""
        from drivers.mock_pins import ScriptedFactory

        if isinstance(self._factory, ScriptedFactory):
            pins = next(spec.pins for spec in self._profile.inputs() if spec.name == drive.input)
            self._factory.drive(pins[0], level=0 if drive.active else 1, at_ns=time.monotonic_ns())

    def _show(self) -> None:
        view = self._core.view(
            troubles=tuple(self._troubles[name] for name in sorted(self._troubles)),
            unsaved=self._saved < self._kept,
        )
        if view != self._shown:
            if self._shown is None or view.troubles != self._shown.troubles:
                told = [{"name": trouble.name, "what": trouble.what} for trouble in view.troubles]
                self._link.publish("troubles", {"troubles": told})
            self._shown = view
            self._outputs.post(view)
            if read(view.match.clock, Ns(self._now() - view.started)).state != "called":
                self._outputs.hush("zeit")

    # Between --------------------------------------------------------------------------------------------------

    def _hear(self, said: Said) -> None:
        if isinstance(said, Signal | Click):
            self._outputs.sound(said.signal)

    def _keep(self, event: AnyEvent) -> None:
        self._kept += 1
        self._journal.keep(event)

    def _tell(self, name: str, what: str | None, kind: TroubleKind) -> None:
        trouble = None if what is None else Trouble(kind=kind, name=name, what=what)
        self._items.put(_Told(name=name, trouble=trouble))

    def _command(self, command: Mapping[str, object]) -> Mapping[str, object] | None:
        """Take a command of the page, in the link's thread."""
        if self._profile.pins.factory != "mock":
            return {"error": "this board has real keys; the page only looks on"}
        try:
            wanted = read_command(command)
        except CommandError as error:
            return {"error": str(error)}
        now = time.monotonic_ns()
        if isinstance(wanted, Pulse):
            self._items.put(_Drive(at_ns=now, input=wanted.name, active=True))
            self._items.put(_Drive(at_ns=now + PULSE, input=wanted.name, active=False))
        elif isinstance(wanted, Push):
            self._items.put(_Drive(at_ns=now, input=wanted.name, active=wanted.active))
        return None
