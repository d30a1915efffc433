"""`kaderuhr matches`, `kaderuhr sheet` and `kaderuhr export`: the club's commands.

Lives here: their arguments, what they print, and what is said of a wrong one. Never here: a sheet or the journal. What
they work with is imported where it is used, because every start of `kaderuhr` builds these parsers.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.journal import Archive, KeptMatch
    from firmware.sheet.sheet import Sheet
    from firmware.texts import Texts

FAILED = 1
WRONG = 2
FORMATS = ("html", "pdf", "csv", "json")


def add_matches(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the arguments of `kaderuhr matches`, and what it runs."""
    _add_board(parser)
    parser.add_argument(
        "--keep", type=int, metavar="N", help="remove all but the newest N matches; open ones always stay"
    )
    parser.set_defaults(run=lambda options: _run(_matches, options))


def add_sheet(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the arguments of `kaderuhr sheet`, and what it runs."""
    _add_board(parser)
    parser.add_argument(
        "number", type=int, metavar="NUMBER", help="the match, as `kaderuhr matches` lists it"
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="html", help="html, pdf (A4), csv or json (html)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write there instead of standard output")
    parser.set_defaults(run=lambda options: _run(_sheet, options))


def add_export(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the arguments of `kaderuhr export`, and what it runs."""
    _add_board(parser)
    parser.add_argument("numbers", type=int, nargs="*", metavar="NUMBER", help="which matches (all)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write there instead of standard output")
    parser.add_argument(
        "--import", dest="source", type=Path, metavar="FILE", help="take matches in from there"
    )
    parser.set_defaults(run=lambda options: _run(_export, options))


def _add_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--board", default="desk", help="name or file of a board profile (desk)")
    parser.add_argument("--language", metavar="LANGUAGE", help="de, nl, fr or en (the board's)")


def _run(
    command: Callable[[argparse.Namespace, "Archive", "Texts"], int], options: argparse.Namespace
) -> int:
    """Run a command on the board's journal; return the exit status, 2 where something given is wrong."""
    from firmware.journal import Archive, JournalError, NoMatchError
    from firmware.profile import ProfileErrors, load_profile
    from firmware.script import ScriptError
    from firmware.texts import NoCatalogueError, Texts

    try:
        profile = load_profile(options.board)
        say = Texts(options.language or profile.language, "club")
    except (ProfileErrors, NoCatalogueError) as error:
        return _fail(str(error), WRONG)
    try:
        return command(options, Archive(profile.state.folder), say)
    except ScriptError as error:
        return _fail(str(error), WRONG)
    except JournalError as error:
        sentence = say(error.note.text, **dict(error.note.values))
        return _fail(f"{error.place}: {sentence}", WRONG if isinstance(error, NoMatchError) else FAILED)
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}", FAILED)


def _fail(message: str, status: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(message + "\n")
    return status


def _matches(options: argparse.Namespace, archive: "Archive", say: "Texts") -> int:
    if options.keep is not None:
        if options.keep < 1:
            return _fail(f"--keep: {options.keep} is not a number of matches, 1 or more", WRONG)
        gone = archive.prune(options.keep)
        sys.stdout.write(say("Removed: {matches}", matches=", ".join(map(str, gone)) or "-") + "\n")
        return 0
    for number in archive.numbers():
        sys.stdout.write(_listed(archive.match(number), say) + "\n")
    return 0


def _listed(kept: "KeptMatch", say: "Texts") -> str:
    """Return a match as one line. What is over says so itself; only open matches are folded, since there are few."""
    import msgspec

    from firmware.journal.kept import last_instant, told
    from firmware.sheet.pages import heading, when
    from firmware.sheet.story import day_of
    from rules import ByContestant

    if kept.result is None:
        read = told(kept)
        match = read.record().match
        games, result = match.games, match.match
    else:
        read = told(msgspec.structs.replace(kept, events=()))
        stood = msgspec.json.decode(kept.result)
        games, result = ByContestant(home=stood["home"], away=stood["away"]), stood["match"]
    clock_only = read.opened.record.match.clock_only
    head = heading(read.opened.names, games, result, say, clock_only=clock_only)
    day = day_of(kept.runs, last_instant(kept))
    date = "-" if day is None else " ".join(when(day, say))
    damage = "  !" if kept.damage or read.problem else ""
    return f"{kept.number:>5}  {date:<24}  {head.home} - {head.away}  {head.score}  {head.outcome}{damage}"


def _sheet(options: argparse.Namespace, archive: "Archive", say: "Texts") -> int:
    from firmware.sheet.story import sheet_of

    sheet = sheet_of(archive.match(options.number))
    if options.format == "pdf" and options.out is None and sys.stdout.isatty():
        return _fail("a PDF is nothing for a terminal; name a file with --out", WRONG)
    _write(_made(sheet, options.format, say), options.out)
    return 0


def _made(sheet: "Sheet", form: str, say: "Texts") -> bytes:
    """Return the sheet in one of the four forms."""
    if form == "json":
        from firmware.sheet.tables import json_of

        return json_of(sheet).encode()
    if form == "csv":
        from firmware.sheet.tables import csv_of

        return csv_of(sheet, say).encode()
    from firmware.sheet.pages import page_of

    if form == "pdf":
        from firmware.sheet.pdf import pdf

        return pdf(page_of(sheet, say))
    from firmware.sheet.html import html

    return html(page_of(sheet, say)).encode()


def _export(options: argparse.Namespace, archive: "Archive", say: "Texts") -> int:
    from firmware.journal.export import to_script

    if options.source is not None:
        if options.numbers or options.out is not None:
            return _fail("--import takes matches in; it goes with no number and no --out", WRONG)
        return _import(options.source, archive, say)
    numbers = options.numbers or archive.numbers()
    lines = (line for number in numbers for line in to_script(archive.match(number)))
    _write("".join(lines).encode(), options.out)
    return 0


def _import(source: Path, archive: "Archive", say: "Texts") -> int:
    from firmware.journal.export import from_scripts
    from firmware.replay import read_source

    for kept in list(from_scripts(read_source(str(source)), str(source))):
        number, is_new = archive.add(kept)
        values = {"number": str(kept.number), "here": str(number)}
        sys.stdout.write(
            (
                say("Match {number} was taken in as {here}.", **values)
                if is_new
                else say("Match {number} is here already.", **values)
            )
            + "\n"
        )
    return 0


def _write(data: bytes, out: Path | None) -> None:
    if out is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        out.write_bytes(data)
