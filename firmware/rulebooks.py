"""A club's own rulebook: a TOML file beside its configuration, read into the value that `rules` plays by.

Lives here: finding and reading it, with every mistake of the file at once. Never here: what a setting does. The keys
are the fields of `rules.Rulebook`, so a new setting there is a new key here; `firmware/law/README.md` says what each
one means. A file sets what differs from the rulebook it is `based_on`; its name is the file's.
"""

import os
from pathlib import Path
from typing import Any, Final

from msgspec import inspect, structs

from firmware.settings import (
    FLAG,
    Kind,
    Problem,
    Reader,
    Right,
    SettingsErrors,
    hint,
    one_of,
    read_toml,
    whole,
)  # fmt: skip
from rules import BOOK, RULEBOOKS, Rulebook

BASED_ON: Final = "based_on"

RIGHT_FILE: Final = "right is a readable file, saved as UTF-8, with lines such as call = 40"


class RulebookErrors(SettingsErrors):
    """A rulebook cannot be used."""


def load_rulebook(name_or_path: str | Path) -> Rulebook:
    """Return a rulebook that ships, by name, or a club's own: a path holds a slash or ends in `.toml`.

    Raises `RulebookErrors` with everything that is wrong.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or os.sep in text or text.endswith(".toml"):
        return _from_file(Path(name_or_path))
    if text in RULEBOOKS:
        return RULEBOOKS[text]
    right = f"there are {', '.join(RULEBOOKS)}, and a file of your own by its path{hint(text, RULEBOOKS)}"
    raise RulebookErrors([Problem(file=text, wrong="there is no rulebook of this name", right=right)])


def _from_file(path: Path) -> Rulebook:
    right = Right(missing=RIGHT_FILE, encoding=RIGHT_FILE, line=RIGHT_FILE)
    values = read_toml(path, right=right, errors=RulebookErrors)
    reader = Reader(str(path))
    name = path.name.removesuffix(".toml")
    if name.casefold() in RULEBOOKS:
        wrong = f"{name} is a rulebook that comes with the program"
        reader.refuse(wrong=wrong, right="give the file a name of its own")
    kinds = _kinds()
    base = _take(reader, values, BASED_ON, one_of(*RULEBOOKS))
    settings = {key: _take(reader, values, key, kind) for key, kind in kinds.items() if key in values}
    _refuse_unknown(reader, values, (BASED_ON, *kinds))
    if reader.problems:
        raise RulebookErrors(reader.problems)
    return structs.replace(RULEBOOKS[base or BOOK.name], name=name, **settings)


def _kinds() -> dict[str, Kind[Any]]:
    """Return for each setting of a rulebook what its value may be."""
    return {
        field.name: _kind(inspect.type_info(field.type))
        for field in structs.fields(Rulebook)
        if field.name != "name"
    }


def _kind(of: inspect.Type) -> Kind[Any]:
    match of:
        case inspect.IntType(ge=int(least), le=int(most)):
            return whole(least, most, meaning=" (seconds)")
        case inspect.BoolType():
            return FLAG
        case inspect.LiteralType(values=values):
            return one_of(*values)
        case inspect.VarTupleType():
            return _SPOTS
        case _:
            raise TypeError(f"no rulebook file can hold a setting of the kind {of}")


def _spots(value: object) -> tuple[tuple[int, ...], ...] | None:
    spot = whole(1, 5)
    if not isinstance(value, list) or not all(isinstance(group, list) for group in value):
        return None
    numbers = [number for group in value for number in group]
    right = all(spot.read(number) is not None for number in numbers) and len(set(numbers)) == len(numbers)
    return tuple(map(tuple, value)) if right and value and all(value) else None


_SPOTS: Final = Kind[tuple[tuple[int, ...], ...]](
    right="a list of groups of penalty spots from 1 to 5, none twice and no group empty, such as [[1, 2], [3]]",
    read=_spots,
    stand_in=(),
)


def _take(reader: Reader, values: dict[str, object], key: str, kind: Kind[Any]) -> Any:  # noqa: ANN401  as the kind
    """Read a key; None where it is absent or, with a problem noted, wrong."""
    if key not in values:
        return None
    taken = kind.read(values[key])
    if taken is None:
        right = f"right is {kind.right}{hint(values[key], kind.choices)}"
        reader.refuse(key=key, value=values[key], wrong="wrong", right=right)
    return taken


def _refuse_unknown(reader: Reader, values: dict[str, object], keys: tuple[str, ...]) -> None:
    for key, value in values.items():
        if key == "name":
            right = "take it out: a rulebook is called as its file"
        elif key not in keys:
            right = f"a rulebook has {', '.join(keys)}{hint(key, keys)}"
        else:
            continue
        reader.refuse(key=key, value=value, wrong="there is no such key", right=right)
