"""Names, colours, times and numbers as a sheet says them in its language."""

from firmware.sheet.sheet import Sheet
from firmware.texts import Texts
from rules import ByContestant, Contestant, Ns, Side
from rules.words import SECOND

Names = ByContestant[tuple[str, ...]]


def called(names: Names, who: Contestant, say: Texts) -> str:
    """Return the names of a contestant."""
    return " / ".join(name_of(name, say) for name in names.of(who))


def contestant(sheet: Sheet, who: Contestant, say: Texts) -> str:
    """Return the names of a contestant of this sheet."""
    return called(sheet.names, who, say)


def name_of(name: str, say: Texts) -> str:
    """Return a name; a place that nobody gave a name has one in every language."""
    for place, text in (("home", say("Home")), ("away", say("Visitors"))):
        if name == place or name in (f"{place} 1", f"{place} 2"):
            return text + name.removeprefix(place)
    return name


def colour(side: Side, say: Texts) -> str:
    """Return the word for a side."""
    return say("red") if side == "red" else say("white")


def clock(t: Ns) -> str:
    """Return an instant or a span as minutes and seconds."""
    minutes, seconds = divmod(t // SECOND, 60)
    return f"{minutes}:{seconds:02}"


def seconds(ns: Ns, say: Texts) -> str:
    """Return a span as seconds with a tenth."""
    return number(f"{ns / SECOND:.1f}", say)


def number(text: str, say: Texts) -> str:
    """Return a number with the decimal sign of the language."""
    return text if say.language == "en" else text.replace(".", ",")
