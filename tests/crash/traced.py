"""What `torn.py` traces: a journal that keeps a scripted match and says on standard output what is confirmed.

python -m tests.crash.traced FOLDER FROM TO SYNCHRONOUS
"""

import os
import sqlite3
import sys
from pathlib import Path
from threading import Condition

from firmware.journal import Journal, Machine, Note, SystemWall, store
from tests.crash.scripted import OPENED, script

CHECKPOINT_PAGES = 12
"""Instead of SQLite's 1000: a checkpoint every few reports, so that they are traced too."""


def main(folder: Path, first: int, last: int, synchronous: str) -> None:
    """Keep the events of the script from `first` up to `last`, one by one; FULL is what a box does, OFF a control."""
    connect = store.connect

    def often(path: Path, *, uri: str = "mode=rw", create: bool = False) -> sqlite3.Connection:
        db = connect(path, uri=uri, create=create)
        db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        db.execute(f"PRAGMA synchronous = {synchronous}")
        return db

    store.connect = often
    changed, saved = Condition(), 0

    def on_saved(count: int) -> None:
        nonlocal saved
        with changed:
            saved = count
            changed.notify_all()

    def on_trouble(note: Note | None) -> None:
        if note is not None:
            raise RuntimeError(str(note))

    machine = Machine(wall=SystemWall(), boot=f"boot {first}", monotonic=lambda: 0)
    journal = Journal(folder, on_saved=on_saved, on_trouble=on_trouble, on_note=print, machine=machine)
    found = journal.recover()
    if found.came is None:
        journal.begin(OPENED, 0)
    for number, (event, match) in enumerate(script()):
        if number >= last:
            break
        if number >= first:
            journal.keep(event, match)
            with changed:
                changed.wait_for(lambda: saved == journal.kept)
            os.write(1, b"SAVED %d\n" % (number + 1))
    journal.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
