"""Players' names in the room there is.

Lives here: the rule by which a name is shortened, and who is meant by a side. The rule, each step only where the one
before does not fit: the whole name; given names as initials ("J. Vandenbroucke"); the family name; the family name cut,
with "…" at its end. A hyphen starts a new initial, and all but the first word belongs to the family name.
"""

from typing import Final

from firmware.screens.canvas import width_of, wrapped
from firmware.texts import N_, Texts
from firmware.view import View
from rules import Contestant, Side, contestant_of

CUT: Final = "…"
PLACES: Final = {"home": N_("home"), "away": N_("away")}


def fitting(name: str, width: int, *, bold: bool = False) -> str:
    """Return the name as one line of at most `width` columns."""
    for form in _forms(name):
        if width_of(form, bold=bold) <= width:
            return form
    return cut(_forms(name)[-1], width, bold=bold)


def in_lines(name: str, width: int, most: int) -> list[str]:
    """Return the name in up to `most` lines of at most `width` columns."""
    for form in _forms(name):
        lines = wrapped(form, width)
        if len(lines) <= most and all(width_of(line) <= width for line in lines):
            return lines
    return [fitting(name, width)]


def cut(text: str, width: int, *, bold: bool = False) -> str:
    """Return the text cut to `width` columns, with "…" where something is missing."""
    if width_of(text, bold=bold) <= width:
        return text
    for end in range(len(text), 0, -1):
        if width_of(text[:end].rstrip() + CUT, bold=bold) <= width:
            return text[:end].rstrip() + CUT
    return ""


def pair(names: tuple[str, ...], width: int) -> str:
    """Return the names of a contestant in one line: one, or both of a duo."""
    if len(names) == 1:
        return fitting(names[0], width)
    together = " / ".join(names)
    if width_of(together) <= width:
        return together
    between = width_of(" / ") + 2
    short = [fitting(name, (width - between) // 2) for name in names]
    return " / ".join(short)


def called(texts: Texts, name: str) -> str:
    """Return a name as it is shown: who has none is called by the place, `home` or `away 2`."""
    place, _, number = name.partition(" ")
    if place not in PLACES or number not in ("", "1", "2"):
        return name
    return f"{texts(PLACES[place])} {number}".strip()


def player(view: View, texts: Texts, side: Side) -> str:
    """Return who of `side` is at the table, or plays next."""
    names = view.names.of(contestant_of(view.match, side))
    index = view.match.player if side == view.match.turn else view.match.next.of(side)
    return called(texts, names[index % len(names)])


def contestant(view: View, texts: Texts, who: Contestant, width: int) -> str:
    """Return the contestant's name or names in one line."""
    return pair(tuple(called(texts, name) for name in view.names.of(who)), width)


def _forms(name: str) -> tuple[str, ...]:
    given, _, family = " ".join(name.split()).partition(" ")
    if not family:
        return (given,)
    initials = "-".join(f"{part[:1]}." for part in given.split("-") if part)
    return (f"{given} {family}", f"{initials} {family}", family)
