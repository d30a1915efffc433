"""The mark of a report that is not on the card yet: how long it may stay before the screen says so.

Lives here: counting and one instant. Never here: a clock; instants come in.
"""

from typing import Final

from firmware.journal.notes import Note

PATIENCE_NS: Final = 2_000_000_000
"""A report is durable within milliseconds; after 2 s something is wrong."""


class Patience:
    """Knows since when something is unsaved. Belongs to one thread."""

    def __init__(self) -> None:
        """Start with everything saved."""
        self._since_ns: int | None = None

    def look(self, now_ns: int, *, unsaved: bool) -> None:
        """See at `now_ns` whether something is unsaved."""
        if not unsaved:
            self._since_ns = None
        elif self._since_ns is None:
            self._since_ns = now_ns

    def due_ns(self, now_ns: int) -> int | None:
        """Return when patience ends, if that is still to come."""
        if self._since_ns is None or now_ns >= self._since_ns + PATIENCE_NS:
            return None
        return self._since_ns + PATIENCE_NS

    def note(self, now_ns: int) -> Note | None:
        """Return what to tell people at `now_ns`; None while there is nothing to tell."""
        if self._since_ns is None or now_ns < self._since_ns + PATIENCE_NS:
            return None
        return Note(text="The last reports are not on the card yet; do not switch off.")
