"""Power cuts by reconstruction: the writes of a traced journal, cut at every point.

Lives here: which states a card can be in when the power goes. What was synced is there. Of what was not, each write may
be there, may be missing, may have come before an earlier one, or be torn: some of its 512-byte sectors are there. Names
that were made, changed or removed since the folder was last synced are in force up to some point.

At each state a box starts. It must find exactly the fold of a prefix of the reports, with every confirmed one in it.
"""

import itertools
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from firmware.journal import Archive, NoMatchError, store
from firmware.journal.kept import told
from rules import Recovered
from tests.crash.scripted import digest, say, script, texts
from tests.crash.trace import Op, traced
from tests.firmware.journal.boxes import Box, FakeMachine

SECTOR: Final = 512
REPORTS: Final = 90
RESTARTS: Final = (30, 60)
"""The journal is closed and opened again after so many reports."""
STATES_AT_EACH: Final = 10


@dataclass
class _Inode:
    """A file's synced content, and what was done to it since."""

    synced: bytearray = field(default_factory=bytearray)
    pending: list[Op] = field(default_factory=list)

    def sync(self) -> None:
        for op in self.pending:
            _apply(self.synced, op)
        self.pending.clear()


def _apply(content: bytearray, op: Op) -> None:
    if op.kind == "cut":
        del content[op.offset :]
        return
    if len(content) < op.offset + len(op.data):
        content.extend(bytes(op.offset + len(op.data) - len(content)))
    content[op.offset : op.offset + len(op.data)] = op.data


class Card:
    """What is on the card, and what only seems to be."""

    def __init__(self) -> None:
        """Start empty."""
        self._names: dict[str, _Inode] = {}
        self._synced: dict[str, _Inode] = {}
        self._renames: list[Op] = []
        self._made: dict[int, _Inode] = {}

    def do(self, op: Op) -> None:
        """Let an operation happen as the program sees it."""
        if op.kind == "make":
            if op.name not in self._names:
                self._names[op.name] = self._made[id(op)] = _Inode()
                self._renames.append(op)
        elif op.kind in ("remove", "rename"):
            self._renames.append(op)
            inode = self._names.pop(op.name)
            if op.kind == "rename":
                self._names[op.other] = inode
        elif op.kind == "sync_folder":
            self._synced = dict(self._names)
            self._renames.clear()
        elif op.kind == "sync":
            self._names[op.name].sync()
        elif op.name in self._names:
            self._names[op.name].pending.append(op)

    def cut(self, chance: random.Random) -> dict[str, bytes]:
        """Return the files as they may be found if the power goes now."""
        names = dict(self._synced)
        for op in self._renames[: chance.randint(0, len(self._renames))]:
            if op.kind == "make":
                names[op.name] = self._made[id(op)]
            elif (inode := names.pop(op.name, None)) is not None and op.kind == "rename":
                names[op.other] = inode
        return {name: self._content(inode, chance) for name, inode in names.items()}

    def _content(self, inode: _Inode, chance: random.Random) -> bytes:
        content, pending = bytearray(inode.synced), list(inode.pending)
        way = chance.choice(["none", "all", "some", "some", "torn", "torn", "reordered"])
        if way == "none":
            return bytes(content)
        if way == "reordered":
            chance.shuffle(pending)
        for op in pending:
            if way in ("all", "reordered") or chance.random() < 0.5:
                _apply(content, op)
            elif way == "torn" and op.kind == "write":
                self._tear(content, op, chance)
        return bytes(content)

    @staticmethod
    def _tear(content: bytearray, op: Op, chance: random.Random) -> None:
        """Let some sectors of a write reach the card: sectors of the card, wherever the write began."""
        at = op.offset
        while at < op.offset + len(op.data):
            end = min((at // SECTOR + 1) * SECTOR, op.offset + len(op.data))
            if chance.random() < 0.5:
                part = op.data[at - op.offset : end - op.offset]
                _apply(content, Op(kind="write", name=op.name, offset=at, data=part))
            at = end


@dataclass
class Figures:
    """What was tried and found."""

    points: int = 0
    states: int = 0
    unreadable: int = 0
    lost: int = 0
    wrong: int = 0
    put_back: int = 0
    said: int = 0
    ahead: int = 0


def run(*, synchronous: str = "FULL", states: int = STATES_AT_EACH, seed: int = 1) -> Figures:
    """Trace, cut everywhere, start a box at each state; return the figures."""
    chance = random.Random(seed)  # noqa: S311 - the same cuts in every run
    expected = texts(event for event, _ in itertools.islice(script(), REPORTS))
    with tempfile.TemporaryDirectory(prefix="kaderuhr-torn-") as top:
        folder = Path(top) / "state"
        ops: list[Op] = []
        for first, last in zip((0, *RESTARTS), (*RESTARTS, REPORTS), strict=True):
            command = ["-m", "tests.crash.traced", str(folder), str(first), str(last), synchronous]
            ops += traced(command, folder, Path(top) / "log")
        return _cut_everywhere(ops, expected, chance, states)


def _cut_everywhere(ops: list[Op], expected: list[str], chance: random.Random, states: int) -> Figures:
    figures, card, confirmed = Figures(), Card(), 0
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a fresh folder in it
    for op in ops:
        if op.kind == "saved":
            confirmed = op.offset
            continue
        card.do(op)
        figures.points += 1
        for _ in range(states):
            figures.states += 1
            with tempfile.TemporaryDirectory(dir=memory) as folder:
                for name, content in card.cut(chance).items():
                    (Path(folder) / name).write_bytes(content)
                _start(Path(folder), expected, confirmed, figures)
    return figures


def _start(folder: Path, expected: list[str], confirmed: int, figures: Figures) -> None:
    """Start a box on a state and judge what it finds."""
    with Box(folder, FakeMachine(boot="after the cut"), wanted=False) as box:
        notes = [str(note) for note in box.found.notes]
        match = box.match
    figures.said += bool(notes)
    figures.put_back += any("put back" in note for note in notes)
    figures.unreadable += any("nothing in it can be read" in note for note in notes)
    try:
        kept = Archive(folder).match(1)
    except NoMatchError:
        figures.lost += confirmed > 0
        return
    found = [text for text in kept.events if not text.startswith('{"event":"recovered"')]
    figures.wrong += found != expected[: len(found)]
    figures.lost += len(found) < confirmed
    figures.ahead += len(found) > confirmed
    figures.wrong += digest(told(kept).record().match) != digest(match)
    if not any(isinstance(event, Recovered) for event in told(kept).events):
        figures.wrong += 1


def main() -> int:
    """Print the figures; return 1 where something was lost, wrong or unreadable, or the control finds nothing."""
    began = time.monotonic()
    figures = run()
    say(
        f"torn writes: {figures.states} states at {figures.points} points, {REPORTS} reports, {len(RESTARTS)} restarts,"
        f" pages of {store.PAGE_BYTES} bytes, in {time.monotonic() - began:.0f} s"
    )
    say(f"  unreadable {figures.unreadable}, no prefix {figures.wrong}, confirmed but lost {figures.lost}")
    say(
        f"  a report more than was confirmed {figures.ahead}, put back from the log {figures.put_back}, states in "
        f"which the box said something {figures.said}"
    )
    control = run(synchronous="OFF", states=1)
    say(f"  control, without syncing: {control.lost} of {control.states} states have lost what was confirmed")
    return int(bool(figures.unreadable or figures.wrong or figures.lost) or control.lost == 0)
