"""The journal: every accepted report of every match on the card, and the matches it gives back.

Lives here: keeping (`journal.py`), coming back (`recovery.py`), a file that is not what it was (`damage.py`), the
club's look at old matches (`archive.py`, `export.py`). Never here: law, the loop, sheets.

    service --keep--> queue --worker--> one transaction, synced --> on_saved --> the mark goes

Nothing is held back for the card: the picture changes at once and bears a mark until the report is durable. A line has
a seal (`lines.py`), so that what is left of a damaged file can be told from what is not.
"""

from firmware.journal.archive import Archive
from firmware.journal.errors import BlockedError, DamagedError, JournalError, NoMatchError
from firmware.journal.journal import Found, Journal
from firmware.journal.kept import KeptMatch, Run, Told, told
from firmware.journal.lock import TakenError
from firmware.journal.notes import Note
from firmware.journal.patience import Patience
from firmware.journal.recovery import Back, CameBack
from firmware.journal.wall import SystemWall, Wall, WallTime
from firmware.journal.writer import Machine, this_machine

__all__ = [
    "Archive",
    "Back",
    "BlockedError",
    "CameBack",
    "DamagedError",
    "Found",
    "Journal",
    "JournalError",
    "KeptMatch",
    "Machine",
    "NoMatchError",
    "Note",
    "Patience",
    "Run",
    "SystemWall",
    "TakenError",
    "Told",
    "Wall",
    "WallTime",
    "this_machine",
    "told",
]
