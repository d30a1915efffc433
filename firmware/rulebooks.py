"""A club's own rulebook: a TOML file beside its configuration, read into the value that `rules` plays by.

Lives here: finding and reading it, with every mistake of the file at once. Never here: what a setting does. The keys
are the fields of `rules.Rulebook`, so a new setting there is a new key here; `firmware/law/README.md` says what each
one means. A file sets what differs from the rulebook it is `based_on`; its name is the file's.
"""

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from msgspec import inspect, structs

# The kinds and problems of board profiles serve here unchanged.
from firmware.profile import (
    _FLAG,
    Problem,
    ProfileErrors,
    _hint,
    _Kind,
    _one_of,
    _read,
    _Reader,
    _whole,
)
from rules import BOOK, RULEBOOKS, Rulebook

BASED_ON: Final = "based_on"

RIGHT_FILE: Final = "right is a readable file, saved as UTF-8, with lines such as call = 40"


class RulebookErrors(ValueError):  # noqa: N818  one exception, many errors
    """A rulebook cannot be used. `problems` holds every mistake found; the message has a line for each."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep all of them."""
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def load_rulebook(name_or_path: str | Path) -> Rulebook:
    """Return a rulebook that ships, by name, or a club's own: a path holds a slash or ends in `.toml`.

    Raises `RulebookErrors` with everything that is wrong.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or os.sep in text or text.endswith(".toml"):
        return _from_file(Path(name_or_path))
    if text in RULEBOOKS:
        return RULEBOOKS[text]
    right = f"there are {', '.join(RULEBOOKS)}, and a file of your own by its path{_hint(text, RULEBOOKS)}"
    raise RulebookErrors([Problem(file=text, wrong="there is no rulebook of this name", right=right)])


def _from_file(path: Path) -> Rulebook:
    try:
        values = _read(path)
    except ProfileErrors as error:
        raise RulebookErrors(replace(problem, right=RIGHT_FILE) for problem in error.problems) from None
    reader = _Reader(str(path))
    name = path.name.removesuffix(".toml")
    if name.casefold() in RULEBOOKS:
        wrong = f"{name} is a rulebook that comes with the program"
        reader.refuse(wrong=wrong, right="give the file a name of its own")
    kinds = _kinds()
    base = _take(reader, values, BASED_ON, _one_of(*RULEBOOKS))
    settings = {key: _take(reader, values, key, kind) for key, kind in kinds.items() if key in values}
    _refuse_unknown(reader, values, (BASED_ON, *kinds))
    if reader.problems:
        raise RulebookErrors(reader.problems)
    return structs.replace(RULEBOOKS[base or BOOK.name], name=name, **settings)


def _kinds() -> dict[str, _Kind[Any]]:
    """Return for each setting of a rulebook what its value may be."""
    return {
        field.name: _kind(inspect.type_info(field.type))
        for field in structs.fields(Rulebook)
        if field.name != "name"
    }


def _kind(of: inspect.Type) -> _Kind[Any]:
    match of:
        case inspect.IntType(ge=int(least), le=int(most)):
            return _whole(least, most, meaning=" (seconds)")
        case inspect.BoolType():
            return _FLAG
        case inspect.LiteralType(values=values):
            return _one_of(*values)
        case inspect.VarTupleType():
            return _SPOTS
        case _:
            raise TypeError(f"no rulebook file can hold a setting of the kind {of}")


def _spots(value: object) -> tuple[tuple[int, ...], ...] | None:
    spot = _whole(1, 5)
    if not isinstance(value, list) or not all(isinstance(group, list) for group in value):
        return None
    numbers = [number for group in value for number in group]
    right = all(spot.read(number) is not None for number in numbers) and len(set(numbers)) == len(numbers)
    return tuple(map(tuple, value)) if right and value and all(value) else None


_SPOTS: Final = _Kind[tuple[tuple[int, ...], ...]](
    right="a list of groups of penalty spots from 1 to 5, none twice and no group empty, such as [[1, 2], [3]]",
    read=_spots,
    stand_in=(),
)


def _take(reader: _Reader, values: dict[str, object], key: str, kind: _Kind[Any]) -> Any:  # noqa: ANN401  as the kind
    """Read a key; None where it is absent or, with a problem noted, wrong."""
    if key not in values:
        return None
    taken = kind.read(values[key])
    if taken is None:
        right = f"right is {kind.right}{_hint(values[key], kind.choices)}"
        reader.refuse(key=key, value=values[key], wrong="wrong", right=right)
    return taken


def _refuse_unknown(reader: _Reader, values: dict[str, object], keys: tuple[str, ...]) -> None:
    for key, value in values.items():
        if key == "name":
            right = "take it out: a rulebook is called as its file"
        elif key not in keys:
            right = f"a rulebook has {', '.join(keys)}{_hint(key, keys)}"
        else:
            continue
        reader.refuse(key=key, value=value, wrong="there is no such key", right=right)
