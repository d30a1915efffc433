"""The texts of the clauses in one language, as a frozen value.

Lives here: their shape and their reading. Never here: a text, or how a page is laid out.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Final, Literal, get_args

import msgspec

from firmware.texts import Language

Heading = Literal["FEH", "TOR", "ZIE", "BER", "DUR", "EIG", "DRE", "KAD", "STR", "DUO", "ZEI"]
HEADINGS: Final[tuple[Heading, ...]] = get_args(Heading)
"""The first letters of a clause's id, in the order of the book."""


class _Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file; a key too many, or one that is missing, is an error."""


class Text(_Table, frozen=True, kw_only=True):
    """One clause. `reading`: what the box makes of it where the book is silent or can be read two ways."""

    title: str
    text: str
    reading: str = ""


class Labels(_Table, frozen=True, kw_only=True, rename={"or_": "or", "else_": "else"}):
    """The words around a clause."""

    contents: str
    fault: str
    effects: str
    both: str
    open: str
    kader: str
    without_stroke: str
    late: str
    instead: str
    no_effect: str
    reading: str
    differs: str
    same: str
    marked: str
    beyond: str
    or_: str
    else_: str


class Turn(_Table, frozen=True, kw_only=True):
    """What becomes of the turn. `follows`: no clause takes it; `unchanged`: the ball has no part in it."""

    lost: str
    game_lost: str
    follows: str
    with_goal: str
    unchanged: str


class PutBack(_Table, frozen=True, kw_only=True):
    """What is put back; `_else`: a ball is laid elsewhere and so not among them."""

    none: str
    none_else: str
    moved: str
    moved_else: str
    moved_by_fault: str


class Settings(_Table, frozen=True, kw_only=True):
    """What a rulebook's setting means: one sentence, or one for each value that is not the book's."""

    call: str
    grace: str
    call_duo: str
    grace_duo: str
    spot_choice: str
    own_out: dict[str, str]
    opponent_out: dict[str, str]
    one_all_loses: dict[str, str]
    early_aim: dict[str, str]
    decider_colour: dict[str, str]


class Wording(_Table, frozen=True, kw_only=True):
    """Everything `kaderuhr law` says in one language. `place` has a sentence for each ball and where it goes."""

    labels: Labels
    headings: dict[Heading, str]
    turn: Turn
    put_back: PutBack
    place: dict[str, str]
    settings: Settings
    clauses: dict[str, Text]


@cache
def wording_in(language: Language) -> Wording:
    """Return the texts in `language`."""
    text = (files("firmware") / "law" / f"{language}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Wording)
