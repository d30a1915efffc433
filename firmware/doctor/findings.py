"""What a probe found: a sentence, whether it is well, and what to do.

Lives here: the value and its shortest spellings. Never here: looking.
"""

from dataclasses import dataclass, field
from typing import Literal

State = Literal["fine", "note", "wrong"]
Value = str | int | float | bool | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that was seen. `now` is what to do about it, never empty where something is wrong.

    `values` are the figures behind the sentence, for programs.
    """

    state: State
    says: str
    now: str = ""
    values: dict[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a complaint without advice."""
        if self.state == "wrong" and not self.now:
            raise ValueError(f"what is wrong needs a remedy: {self.says!r}")


Findings = tuple[Finding, ...]


def fine(says: str, **values: Value) -> Finding:
    """Return what is as it should be."""
    return Finding(state="fine", says=says, values=values)


def note(says: str, now: str = "", **values: Value) -> Finding:
    """Return what somebody may want to know, and does no harm."""
    return Finding(state="note", says=says, now=now, values=values)


def wrong(says: str, now: str, **values: Value) -> Finding:
    """Return what keeps the box from working as its profile says."""
    return Finding(state="wrong", says=says, now=now, values=values)
