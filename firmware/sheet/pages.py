"""A sheet in words: what stands on it, in which order and in which language; HTML and PDF lay out the same blocks.

Lives here: the words. Never here: a tag, a font, a millimetre.
"""

from datetime import UTC, datetime
from typing import Final

from firmware.law.wording import wording_in
from firmware.sheet.page import Drawing, Heading, Page, Signatures
from firmware.sheet.rows import corrections, faults, games, players, turns
from firmware.sheet.said import Names, called, clock, contestant
from firmware.sheet.sheet import Day, Sheet
from firmware.sheet.timeline import picture
from firmware.texts import Language, Texts
from rules import ByContestant, Ns
from rules.words import Winner

PEN: Final = "____________________"
"""Where the date is left for the pen."""
_DATES: Final[dict[Language, str]] = {"de": "%d.%m.%Y", "nl": "%d-%m-%Y", "fr": "%d/%m/%Y", "en": "%d %b %Y"}


def page_of(sheet: Sheet, say: Texts) -> Page:
    """Return the sheet's blocks in the language of `say`, from the catalogue `club`."""
    words = wording_in(say.language)
    head = heading(sheet.names, sheet.games_won, sheet.result, say, clock_only=sheet.clock_only)
    return Page(
        language=say.language,
        title=say("Match sheet {number}", number=str(sheet.number)),
        home=head.home,
        away=head.away,
        score=head.score,
        outcome=head.outcome,
        facts=_facts(sheet, say),
        notes=_notes(sheet, say),
        blocks=(
            games(sheet, say),
            Drawing(title=say("Course of the match"), picture=picture(sheet), key=_key(say)),
            players(sheet, say),
            faults(sheet, say, words),
            corrections(sheet, say),
            Signatures(names=_signing(sheet, say)),
            turns(sheet, say),
        ),
        foot=say(
            "Made by Kaderuhr {program} from the journal of the match.",
            program=", ".join(sheet.program) or "?",
        ),
    )


def heading(
    names: Names, games: ByContestant[int], result: Winner | None, say: Texts, *, clock_only: bool
) -> Heading:
    """Return who played and how it ended."""
    outcome = say("Not finished")
    if clock_only:
        outcome = say("Training: clock only")
    elif result == "abandoned":
        outcome = say("Abandoned, no winner")
    elif result is not None:
        outcome = say("Winner: {name}", name=called(names, result, say))
    return Heading(
        home=called(names, "home", say),
        away=called(names, "away", say),
        score="" if clock_only else f"{games.home} : {games.away}",
        outcome=outcome,
    )


def _signing(sheet: Sheet, say: Texts) -> tuple[str, ...]:
    """Return who signs; the referee alone where only the clock ran."""
    if sheet.clock_only:
        return (say("Referee"),)
    sides = [(say("Home"), "home"), (say("Visitors"), "away")]
    named = [
        title
        if (name := contestant(sheet, "home" if who == "home" else "away", say)) == title
        else f"{title}: {name}"
        for title, who in sides
    ]
    return (*named, say("Referee"))


def _facts(sheet: Sheet, say: Texts) -> tuple[tuple[str, str], ...]:
    day, hours = (PEN, PEN) if sheet.day is None else when(sheet.day, say)
    kind = say("Duo") if sheet.duo else say("Singles")
    return (
        (say("Date"), day),
        (say("Time"), hours),
        (say("Kind"), kind if sheet.clock_only else f"{kind}, {say('best of {n}', n=str(sheet.best_of))}"),
        (say("Rulebook"), sheet.rulebook),
        (say("Duration"), clock(Ns(sheet.ended - sheet.began))),
    )


def when(day: Day, say: Texts) -> tuple[str, str]:
    """Return the local date, and from when to when."""
    begun = _local(day.began_s)
    end = "" if day.ended_s is None else f" - {_local(day.ended_s):%H:%M}"
    return begun.strftime(_DATES[say.language]), f"{begun:%H:%M}{end}"


def _local(utc_s: int) -> datetime:
    return datetime.fromtimestamp(utc_s, UTC).astimezone()


def _notes(sheet: Sheet, say: Texts) -> tuple[str, ...]:
    notes = []
    if sheet.day is None:
        notes.append(say("The box did not know the date: please fill it in."))
    if any(not pause.known for pause in sheet.pauses):
        notes.append(say("The box was without power in between; the time of that is not counted."))
    if sheet.problem is not None:
        notes.append(say("Not all of this match can be read: {why}", why=sheet.problem))
    if sheet.seen is not None:
        notes.append(say("The box showed another result when it was played: {seen}", seen=sheet.seen))
    return tuple(notes)


def _key(say: Texts) -> str:
    return say("A bar is a turn: filled for red, outlined for white. Thin line: stroke. Dot: goal. F: fault. Z: call. "
               "Tall line: time over. Large dot: game won.")  # fmt: skip
