"""What a club has of its own: its players, and the rulebook it plays by, as the set-up offers them.

Lives here: putting together what can be chosen. Never here: reading a file's text (`players.py`, `rulebooks.py`).
"""

from dataclasses import replace
from pathlib import Path

from firmware.console import Choices
from firmware.core import SHIPPED, offered_first
from firmware.players import FILE, PlayersErrors, read_players
from rules import Rulebook


def club_choices(folder: Path, rulebook: Rulebook | None) -> tuple[Choices, str | None]:
    """Return what can be set up with the players in `folder`, `rulebook` first, and what is wrong with their file.

    A file that is wrong gives no players: a match begins without names rather than not at all.
    """
    choices = SHIPPED if rulebook is None else offered_first(rulebook)
    try:
        return replace(choices, players=read_players(folder / FILE)), None
    except PlayersErrors as error:
        return choices, str(error)
