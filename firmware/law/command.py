"""`kaderuhr law`: the command.

Lives here: its arguments, which page they ask for, and what is said of a wrong one. Never here: a page.
The texts are imported where they are used, because every start of `kaderuhr` builds this parser.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rules import Clause

Name = TypeVar("Name", bound=str)

WRONG = 2


def add_law(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the arguments of `kaderuhr law`, and what it runs."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "clause", nargs="?", metavar="CLAUSE", help="a clause's id, such as BER-03 (all, as a list)"
    )
    which.add_argument("--fault", metavar="NAME", help="the clauses of a fault, such as push_through")
    parser.add_argument("--language", default="de", metavar="LANGUAGE", help="de, nl, fr or en (de)")
    parser.add_argument(
        "--rulebook",
        metavar="NAME",
        help="what this one makes of it: a rulebook's name, or a club's own file",
    )
    parser.set_defaults(run=show)


def show(options: argparse.Namespace) -> int:
    """Write the page that was asked for; return the exit status, 2 where a name is wrong."""
    from firmware.law.pages import contents, page
    from firmware.law.wording import wording_in
    from firmware.rulebooks import RulebookErrors, load_rulebook
    from firmware.texts import LANGUAGES

    try:
        language = _known(options.language.lower(), LANGUAGES, what="language", all_of=", ".join(LANGUAGES))
        clauses = _asked(options.clause, options.fault)
        rulebook = None if options.rulebook is None else load_rulebook(options.rulebook)
    except (_UnknownNameError, RulebookErrors) as error:
        sys.stderr.write(f"{error}\n")
        return WRONG
    wording, file = wording_in(language), Path(options.rulebook or "").name
    pages = [page(wording, clause, rulebook, file) for clause in clauses]
    sys.stdout.write("\n".join(pages) or contents(wording, rulebook, file))
    return 0


class _UnknownNameError(ValueError):
    """There is no such thing; the message says what there is."""


def _asked(name: str | None, fault: str | None) -> tuple["Clause", ...]:
    """Return the clause of this id, or those of this fault; none where neither was named."""
    from rules import BY_ID, CLAUSES, FAULTS

    if name is not None:
        return (BY_ID[_known(name.upper(), tuple(BY_ID), what="clause", all_of=_ranges(BY_ID))],)
    if fault is not None:
        known = _known(fault.lower().replace("-", "_"), FAULTS, what="fault", all_of=", ".join(FAULTS))
        return tuple(clause for clause in CLAUSES if clause.fault == known)
    return ()


def _known(name: str, names: Sequence[Name], *, what: str, all_of: str) -> Name:
    from difflib import get_close_matches

    for known in names:
        if known == name:
            return known
    near = get_close_matches(name, names, n=1)
    hint = f"; did you mean {near[0]}?" if near else "."
    raise _UnknownNameError(f"there is no {what} {name}{hint} The {what}s are {all_of}")


def _ranges(ids: Iterable[str]) -> str:
    """Name all the ids in short: the first and the last under each heading."""
    groups = [list(group) for _, group in groupby(ids, key=lambda name: name.partition("-")[0])]
    return ", ".join(group[0] if len(group) == 1 else f"{group[0]} to {group[-1]}" for group in groups)
