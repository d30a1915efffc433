"""A box without a loop: a journal, a core at given time, and a machine whose clocks the test sets."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition
from types import TracebackType
from typing import Any, Final, Self

from firmware.console.setup import Setup, opened_by
from firmware.journal import Found, Journal, Machine, Note, WallTime
from firmware.script import Opened
from rules import (
    BOOK,
    AnyEvent,
    Choose,
    Concede,
    Correct,
    Drop,
    End,
    Fault,
    Match,
    Ns,
    Opening,
    Out,
    Pause,
    Record,
    Rest,
    Resume,
    Side,
    Stroke,
    Undo,
    take,
)  # fmt: skip
from rules.words import SECOND

RELEASED = 1_800_000_000


@dataclass
class FakeWall:
    """The world's time as the test says; asking for it before it is set fails."""

    utc_s: int = RELEASED
    known: bool = False
    asked_later_than: list[int] = field(default_factory=list)

    def now(self, later_than_s: int) -> WallTime:
        """Return it."""
        self.asked_later_than.append(later_than_s)
        return WallTime(utc_s=self.utc_s, known=self.known)


@dataclass
class FakeMachine:
    """A machine with its boot, its clocks; `reboot` starts another boot whose monotonic clock begins anew."""

    monotonic_ns: int = 100 * SECOND
    boot: str = "boot-1"
    wall: FakeWall = field(default_factory=FakeWall)

    def machine(self) -> Machine:
        """Return it as the journal sees it."""
        return Machine(wall=self.wall, boot=self.boot, monotonic=lambda: self.monotonic_ns)

    def reboot(self) -> None:
        """Start another boot."""
        self.boot += "+"
        self.monotonic_ns = 20 * SECOND


class Box:
    """The service's half of a journal: keeps events and counts what is saved."""

    def __init__(self, folder: Path, machine: FakeMachine | None = None, **opened: Any) -> None:  # noqa: ANN401
        """Start on what `folder` holds; `opened` are the fields of the `Setup` a new match begins with."""
        self.machine = machine or FakeMachine()
        self.troubles: list[Note | None] = []
        self.notes: list[Note] = []
        self._changed = Condition()
        self._saved = 0
        self.journal = Journal(
            folder,
            on_saved=self._on_saved,
            on_trouble=self._on_trouble,
            on_note=self.notes.append,
            machine=self.machine.machine(),
            retry_s=0.01,
        )
        self.found: Found = self.journal.recover()
        self.kept: list[AnyEvent] = []
        came = self.found.came
        if came is not None:
            self.opened: Opened = came.opened
            self.record: Record = self.opened.record
            self.origin_ns = came.origin_ns
            self.kept.append(came.recovered)
        else:
            self.new(**opened)

    def new(self, *, wanted: bool = True, **setup: Any) -> None:  # noqa: ANN401 - fields of a Setup
        """Begin a match that was set up."""
        self.opened = opened_by(Setup(**{"rulebook": BOOK, **setup}), "match")
        self.record, self.kept = self.opened.record, []
        self.origin_ns = self.machine.monotonic_ns
        self.journal.begin(self.opened, self.origin_ns, wanted=wanted)

    def __enter__(self) -> Self:
        """Use it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Switch it off in order."""
        self.journal.close()

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self.record.match

    @property
    def now(self) -> Ns:
        """The instant of the match."""
        return Ns(self.machine.monotonic_ns - self.origin_ns)

    def take(self, event: AnyEvent) -> "Box":
        """Let time run to an event and take it, as the core does: refused ones are not kept."""
        before = self.match
        self.machine.monotonic_ns = max(self.machine.monotonic_ns, self.origin_ns + event.t)
        self.record, _ = take(self.opened.rulebook, self.record, event)
        if self.match is not before:
            self.kept.append(event)
            self.journal.keep(event, self.match)
        return self

    def saved(self) -> "Box":
        """Wait until everything is on the card."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._saved == self.journal.kept, timeout=20):
                raise AssertionError(f"{self._saved} of {self.journal.kept} saved; {self.troubles}")
        return self

    def troubled(self) -> Note:
        """Wait until saving fails, and return what is told."""
        with self._changed:
            if not self._changed.wait_for(
                lambda: bool(self.troubles) and self.troubles[-1] is not None, timeout=20
            ):
                raise AssertionError("saving does not fail")
        note = self.troubles[-1]
        assert note is not None
        return note

    def is_saved(self) -> bool:
        """Say whether everything is on the card."""
        return self._saved == self.journal.kept

    def _on_saved(self, count: int) -> None:
        with self._changed:
            self._saved = count
            self._changed.notify_all()

    def _on_trouble(self, note: Note | None) -> None:
        with self._changed:
            self.troubles.append(note)
            self._changed.notify_all()


def seconds(value: float) -> Ns:
    """Return seconds as whole nanoseconds."""
    return Ns(round(value * SECOND))


BOOK_MATCH: Opened = opened_by(Setup(rulebook=BOOK), "match")
"""A match of two players by the book, best of three, before its first opening."""

Reporting = Callable[[Ns, Side], AnyEvent]
REPORTS: Final[dict[str, Reporting]] = {
    "opening": lambda t, side: Opening(t=t, nearest=side),
    "stroke": lambda t, _: Stroke(t=t),
    "rest": lambda t, _: Rest(t=t),
    "drop": lambda t, side: Drop(t=t, goal=side, ball=side),
    "undo": lambda t, _: Undo(t=t),
    "touch": lambda t, _: Fault(t=t, fault="touch", ball="own"),
    "late": lambda t, _: Fault(t=t, fault="foot_off_floor"),
    "out": lambda t, side: Out(t=t, ball=side),
    "choose": lambda t, _: Choose(t=t, spot=1),
    "pause": lambda t, _: Pause(t=t),
    "resume": lambda t, _: Resume(t=t),
    "end": lambda t, _: End(t=t),
    "left": lambda t, _: Correct(t=t, left=Ns(20 * SECOND)),
    "concede": lambda t, side: Concede(t=t, side=side),
}
"""One report of each kind that matters here, at an instant, about a side."""
