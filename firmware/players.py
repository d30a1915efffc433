"""The club's players, from `players.toml`: names to choose from when a match is set up.

Lives here: reading the file, with everything that is wrong in it at once. Never here: who plays.

    players = [
        "Anna Vermeulen",
        "Jürgen Müller",
    ]

Written on any machine: a byte order mark, any ends of line, and accents in one sign or two are all taken.
"""

import codecs
import re
import tomllib
import unicodedata
from pathlib import Path
from typing import Final

FILE: Final = "players.toml"
LONGEST: Final = 40
"""Letters of a name; the screen cuts longer ones, and nobody has one."""
MOST: Final = 500
_KEY: Final = "players"
_RESERVED: Final = ("home", "away")
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class PlayersErrors(ValueError):  # noqa: N818  one exception, many errors
    """A list of players cannot be used; `problems` holds a sentence for each mistake, the message a line for each."""

    def __init__(self, path: Path, problems: list[str]) -> None:
        """Keep all of them."""
        self.problems = tuple(f"{path}: {problem}" for problem in problems)
        super().__init__("\n".join(self.problems))


def read_players(path: Path) -> tuple[str, ...]:
    """Return the names in the order of the file; none where there is no file. Raises `PlayersErrors`."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise PlayersErrors(
            path, [f"cannot be read ({error.strerror}); check its owner and rights"]
        ) from error
    text = _text(path, raw)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what = f'{error}; a line is "Name", with quotes and a comma, between players = [ and ]'
        raise PlayersErrors(path, [what]) from error
    problems = [f"unknown key {key!r}; the only key is {_KEY}" for key in values if key != _KEY]
    names = values.get(_KEY)
    if names is None:
        problems.append(f'the key {_KEY} is missing; right is {_KEY} = ["Anna", "Bert"]')
    elif not isinstance(names, list):
        problems.append(f'{_KEY}: {names!r} is no list; right is {_KEY} = ["Anna", "Bert"]')
    else:
        good, bad = _names(names)
        if not problems and not bad:
            return good
        problems += bad
    raise PlayersErrors(path, problems)


def _text(path: Path, raw: bytes) -> str:
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            return _decoded(path, raw[len(mark) :], encoding)
    return _decoded(path, raw, "utf-8")


def _decoded(path: Path, raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        what = f"line {line}: byte 0x{raw[error.start]:02x} is no {encoding.upper()}; save the file as UTF-8"
        raise PlayersErrors(path, [what]) from error


def _names(given: list[object]) -> tuple[tuple[str, ...], list[str]]:
    names: list[str] = []
    problems: list[str] = []
    for place, value in enumerate(given, 1):
        name = (
            " ".join(unicodedata.normalize("NFC", value).split(" ")).strip() if isinstance(value, str) else ""
        )
        wrong = _wrong(value, name, names)
        if wrong is None:
            names.append(name)
        else:
            problems.append(f"{_KEY}, entry {place}: {wrong}")
    if len(given) > MOST:
        problems.append(f"{_KEY}: {len(given)} names are more than {MOST}")
    return tuple(names), problems


def _wrong(value: object, name: str, names: list[str]) -> str | None:
    if not isinstance(value, str):
        return f'{value!r} is no name; right is a text such as "Anna"'
    if not name:
        return "this name is empty; remove it"
    if len(name) > LONGEST:
        return f"{name!r} has {len(name)} letters; the limit is {LONGEST}"
    if re.search(r"[\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e]", name) or not name.isprintable():
        return f"{name!r} has a sign that cannot be shown; type it anew"
    if name in _RESERVED:
        return f"{name!r} means a player without a name; choose another"
    if name in names:
        return f"{name!r} stands there twice; remove one, or add a letter"
    return None
