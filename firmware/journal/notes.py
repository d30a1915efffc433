"""What the journal tells people, as a message id and what fills its places: the catalogue says it in their language."""

from rules.words import Value


class Note(Value, frozen=True, kw_only=True):
    """A sentence; `str` gives it in English."""

    text: str
    values: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """Return the sentence as it stands, its places filled."""
        return self.text.format(**dict(self.values)) if self.values else self.text
