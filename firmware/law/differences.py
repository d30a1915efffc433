"""What a rulebook sets differently, which clauses that touches, and where it is written.

Lives here: the link from settings to clauses, and the sources of the rulebooks that ship. Never here: words of a
language, or a value of a setting: those stand in `rules.rulebook`.
"""

from collections.abc import Iterator
from typing import Final, Literal, get_args

from firmware.law.wording import Settings, Wording
from rules import BOOK, ClauseId, Rulebook

Setting = Literal[
    "call", "grace", "call_duo", "grace_duo", "spot_choice", "own_out", "opponent_out", "one_all_loses", "early_aim",
    "decider_colour",
]  # fmt: skip
SETTINGS: Final[tuple[Setting, ...]] = get_args(Setting)
"""The fields of `Rulebook`, but for its name."""

CLAUSES_OF: Final[dict[Setting, tuple[ClauseId, ...]]] = {
    "call": ("ZEI-01",),
    "grace": ("ZEI-01",),
    "call_duo": ("ZEI-01",),
    "grace_duo": ("ZEI-01",),
    "spot_choice": ("STR-01", "STR-05"),
    "own_out": ("FEH-06",),
    "opponent_out": ("FEH-07",),
    "one_all_loses": ("FEH-08",),
    "early_aim": ("ZIE-03",),
    "decider_colour": (),
}
"""The clauses a setting changes; none where the book says nothing on the matter."""

SOURCES: Final[dict[str, tuple[str, dict[Setting, int]]]] = {
    "aalst": (
        "Speelreglement Aalst, art. {article}",
        {
            "call": 2,
            "call_duo": 16,
            "spot_choice": 15,
            "own_out": 9,
            "opponent_out": 9,
            "one_all_loses": 9,
            "early_aim": 10,
            "decider_colour": 2,
        },
    ),
}
"""For each rulebook that ships, its document, whose address stands in `rules.rulebook`, and each setting's article."""


def differing(rulebook: Rulebook) -> tuple[Setting, ...]:
    """Return the settings whose value is not the book's."""
    return tuple(name for name in SETTINGS if getattr(rulebook, name) != getattr(BOOK, name))


def touched(rulebook: Rulebook) -> frozenset[ClauseId]:
    """Return the clauses that read differently under `rulebook`."""
    return frozenset(clause for setting in differing(rulebook) for clause in CLAUSES_OF[setting])


def said_of(wording: Wording, rulebook: Rulebook, clause: ClauseId | None, file: str = "") -> Iterator[str]:
    """Say in sentences what `rulebook` makes of `clause`; with None, what it sets that no clause speaks of.

    `file` is the source of a club's own rulebook.
    """
    for setting in differing(rulebook):
        clauses = CLAUSES_OF[setting]
        if clause in clauses or (clause is None and not clauses):
            source = source_of(rulebook, setting) or file
            sentence = _sentence(wording, rulebook, setting)
            yield f"{sentence} ({source})" if source else sentence


def source_of(rulebook: Rulebook, setting: Setting) -> str:
    """Return where a setting of a rulebook that ships is written; empty for any other."""
    document, articles = SOURCES.get(rulebook.name, ("", {}))
    return document.format(article=articles[setting]) if setting in articles else ""


def _sentence(wording: Wording, rulebook: Rulebook, setting: Setting) -> str:
    value, book = getattr(rulebook, setting), getattr(BOOK, setting)
    sentence = _template(wording.settings, setting, value)
    if setting == "spot_choice":
        return sentence.format(value=_groups(wording, rulebook.spot_choice))
    return sentence.format(value=value, book=book)


def _template(settings: Settings, setting: Setting, value: object) -> str:
    found: str | dict[str, str] = getattr(settings, setting)
    return found if isinstance(found, str) else found[str(value).lower()]


def _groups(wording: Wording, groups: tuple[tuple[int, ...], ...]) -> str:
    """Write spots as a choice: "1 or 2, else 3"."""
    either, otherwise = wording.labels.or_, wording.labels.else_
    return otherwise.join(_listed(map(str, group), either) for group in groups)


def _listed(words: Iterator[str], either: str) -> str:
    *first, last = words
    return f"{', '.join(first)}{either}{last}" if first else last
