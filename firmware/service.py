"""The service: one thread that owns the fold and waits on one queue; everything slow has a thread of its own.

Lives here: the loop, match time, start and end of the box. Never here: law, drawing, bytes.

An evening's time: instants of a match count from its first line on CLOCK_MONOTONIC, so a stepped wall clock changes
nothing. After a start the last match comes back from the journal, paused (`firmware/journal/recovery.py`).
"""

from __future__ import annotations

import heapq
import queue
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from drivers.factories import open_factory
from drivers.inputs import open_inputs
from drivers.ports import Edge
from firmware.club import club_choices
from firmware.console.setup import NOBODY, Setup, opened_by, setup_of
from firmware.journal import Journal, Note, Patience
from firmware.link import CommandError, LinkServer, Pulse, Push, is_watch, read_command
from firmware.outputs import Outputs
from firmware.pulses import Pulses
from firmware.resting import is_left
from firmware.said import Click, Said
from firmware.script import KEYS, Opened
from firmware.stage import core_for
from firmware.texts import Texts
from firmware.view import Trouble, TroubleKind, View
from rules import BOOK, AnyEvent, End, Ns, Signal, Undo, read

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from firmware.profile import Profile
    from rules import Rulebook

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


class _Watched:
    """Somebody wants to be told what the inputs do."""


class _Stop:
    """The box is to end."""


Item = Edge | _Drive | _Told | _Saved | _Watched | _Stop


class Service:
    """One evening on one board. Make it, `run` it in the thread that made it; `stop` from anywhere, or a signal."""

    def __init__(self, profile: Profile, socket_path: Path, rulebook: Rulebook | None = None) -> None:
        """Read the journal, open pins and link, and start the workers.

        A new match begins with `rulebook`, which the set-up offers first; None: as the last one.

        Raises `DeviceError` where there are no inputs, `LinkError` where another service runs here.
        """
        self._profile = profile
        self._rulebook = rulebook
        self._items: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._troubles: dict[str, Trouble] = {}
        self._texts = Texts(profile.language)
        self._club = Texts(profile.language, "club")
        self._saved = 0
        self._patience = Patience()
        self._shown: View | None = None
        self._look_ns = 0
        self._driven: list[tuple[int, int, _Drive]] = []
        self._drives = 0
        self._driven_ns = 0
        self._stopping = False
        self._link = LinkServer(socket_path, self._command)
        self._journal = Journal(
            profile.state.folder,
            on_saved=lambda lines: self._items.put(_Saved(lines=lines)),
            on_trouble=lambda note: self._tell("saving", self._sentence(note), "saving"),
            on_note=lambda note: self._tell("journal", self._sentence(note), "saving"),
        )
        opened, number = self._open_match()
        self._factory = open_factory(profile.pins.factory)
        self._inputs = open_inputs(profile.inputs(), factory=self._factory, on_edge=self._items.put)
        self._pulses = Pulses(profile.inputs(), self._inputs.initial, time.monotonic_ns())
        choices, wrong = club_choices(profile.state.folder, rulebook)
        self._trouble("players", wrong, "saving")
        self._core = core_for(
            opened,
            profile,
            say=self._hear,
            keep=self._keep,
            on_match=self._begin,
            number=number,
            choices=choices,
            active=self._inputs.initial,
            now=self._now(),
        )
        self._outputs = Outputs(
            profile,
            self._texts,
            factory=self._factory,
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

    def _open_match(self) -> tuple[Opened, int]:
        """Return the match that goes on, or a new one of its kind, and its number; the box's time begins there."""
        found = self._journal.recover()
        if found.notes:
            self._trouble("journal", " ".join(self._sentence(note) or "" for note in found.notes), "saving")
        if found.came is not None:
            self._origin = found.came.origin_ns
            self._trouble("recovered", self._sentence(found.came.back.note()), "saving")
            return found.came.opened, found.number
        self._origin = time.monotonic_ns()
        like = Setup(rulebook=BOOK) if found.last is None else setup_of(found.last)
        nobody = (NOBODY, NOBODY)
        like = replace(like, clock_only=False, home="white", home_names=nobody, away_names=nobody)
        like = replace(like, rulebook=self._rulebook or like.rulebook)
        opened = opened_by(like, f"match-{found.number}")
        self._journal.begin(opened, self._origin, wanted=False)
        return opened, found.number

    def _begin(self, opened: Opened) -> None:
        """Keep a match that was set up on the keys from here on."""
        self._troubles.pop("journal", None)
        self._journal.begin(opened, self._origin + self._core.started)

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
        self._factory.close()
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
        dues = [self._look_ns] if due is None else [self._look_ns, due + self._origin]
        if self._driven:
            dues.append(self._driven[0][0])
        if (impatient := self._patience.due_ns(time.monotonic_ns())) is not None:
            dues.append(impatient)
        wait_s = max(0.0, (min(dues) - time.monotonic_ns()) / 1e9)
        try:
            item = self._items.get(timeout=wait_s)
            while True:
                self._take(item)
                item = self._items.get_nowait()
        except queue.Empty:
            pass
        while self._driven and self._driven[0][0] <= time.monotonic_ns():
            self._drive(heapq.heappop(self._driven)[2])
        if self._look_ns <= time.monotonic_ns():
            self._look()

    def _look(self) -> None:
        """See to edges that the kernel missed, to what is wrong with the pins, and to a match that was left."""
        self._look_ns = self._inputs.reconcile(time.monotonic_ns())
        fault = self._inputs.fault
        self._trouble("pins", None if fault is None else str(fault), "device")
        if self._shown is not None and self._core.is_quiet and is_left(self._shown, self._now()):
            self._troubles.pop("recovered", None)
            self._journal.begin(
                self._core.renew(self._now()), self._origin + self._core.started, wanted=False
            )

    def _take(self, item: Item) -> None:
        match item:
            case Edge():
                self._pulses.edge(item)
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
            case _Watched():
                self._pulses.watched(time.monotonic_ns())
            case _Stop():
                self._stopping = True

    def _drive(self, drive: _Drive) -> None:
        """Move a simulated contact: through gpiozero's mock pin, like everything else."""
        from drivers.mock_pins import ScriptedFactory

        if isinstance(self._factory, ScriptedFactory):
            pins = next(spec.pins for spec in self._profile.inputs() if spec.name == drive.input)
            self._driven_ns = max(self._driven_ns, drive.at_ns)  # its own instant, however late this loop is
            self._factory.drive(pins[0], level=0 if drive.active else 1, at_ns=self._driven_ns)

    def _show(self) -> None:
        now_ns, unsaved = time.monotonic_ns(), self._saved < self._journal.kept
        self._patience.look(now_ns, unsaved=unsaved)
        self._trouble("unsaved", self._sentence(self._patience.note(now_ns)), "saving")
        troubles = tuple(self._troubles[name] for name in sorted(self._troubles))
        if self._pulses.wants(now_ns):
            self._link.publish(
                "inputs", self._pulses.message(self._core.counters, now_ns, self._inputs.losses)
            )
        view = self._core.view(troubles=troubles, unsaved=unsaved)
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
        self._troubles.pop("recovered", None)
        self._journal.keep(event, self._core.record.match)
        if isinstance(event, Undo):  # what it told of is taken back
            self._outputs.hush("zeit", "expired", "fault", "game", "match")

    def _tell(self, name: str, what: str | None, kind: TroubleKind) -> None:
        """Show a trouble from now on, or (None) no more; any thread."""
        trouble = None if what is None else Trouble(kind=kind, name=name, what=what)
        self._items.put(_Told(name=name, trouble=trouble))

    def _trouble(self, name: str, what: str | None, kind: TroubleKind) -> None:
        """Show a trouble from now on, or (None) no more."""
        if what is None:
            self._troubles.pop(name, None)
        else:
            self._troubles[name] = Trouble(kind=kind, name=name, what=what)

    def _sentence(self, note: Note | None) -> str | None:
        return None if note is None else self._club(note.text, **dict(note.values))

    def _command(self, command: Mapping[str, object]) -> Mapping[str, object] | None:
        """Take a command of the page or the doctor, in the link's thread."""
        if is_watch(command):
            self._items.put(_Watched())
            return None
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
