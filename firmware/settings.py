"""Settings read from a TOML file: what a value may be, and a reading that finds every mistake of the file at once.

Lives here: kinds of values, the problems of a file and their sentences, a table that is read key by key. Never here:
what a setting is for. Board profiles (`firmware/profile/`) and rulebooks (`firmware/rulebooks.py`) are both
read with it.

Each key is read by a kind, which knows what would be right. What is wrong goes on the reader's list and reading goes on
with a stand-in, which nobody sees, because a list that is not empty is raised at the end.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from typing import Final, Generic, TypeVar

T = TypeVar("T")
C = TypeVar("C", bound=str | int)

MUST: Final = "must be there"


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One mistake of a file: where it is, what is wrong there, and what would be right.

    `table` and `key` are empty where the mistake is the whole file's or table's. `value` is written as in the file,
    empty where there is none.
    """

    file: str
    table: str = ""
    key: str = ""
    value: str = ""
    wrong: str
    right: str

    def __str__(self) -> str:
        """Return one line for people."""
        place = f"[{self.table}] {self.key}".strip() if self.table else self.key
        shown = f"{place} = {self.value}" if self.value else place
        return ": ".join(part for part in (self.file, shown, f"{self.wrong}; {self.right}") if part)


class SettingsErrors(ValueError):  # noqa: N818  one exception, many errors
    """A file of settings cannot be used. `problems` holds every mistake found; the message has a line for each."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep all of them."""
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Right:
    """What to do about a file that cannot be read: it is not there, not UTF-8, or not TOML."""

    missing: str
    encoding: str = "save the file as UTF-8"
    line: str = 'a line is [table] or key = value, and words stand in quotes: kind = "ssd1306"'


def read_toml(file: Traversable, *, right: Right, errors: type[SettingsErrors]) -> dict[str, object]:
    """Return what a TOML file holds; raise `errors` with the one problem that keeps it from being read."""
    try:
        return tomllib.loads(file.read_bytes().decode())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        problem = Problem(file=str(file), wrong=f"cannot be read: {reason}", right=right.missing)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        problem = Problem(file=str(file), wrong=f"line {line} is not UTF-8", right=right.encoding)
    except ValueError as error:  # tomllib's own, and Python's for a number of thousands of digits
        problem = Problem(file=str(file), wrong=f"this is not TOML: {error}", right=right.line)
    raise errors([problem])


# Kinds --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[T]):
    """What a value may be. `read` returns None for one that is wrong; `right` says what would be right.

    `short` is the same in a few words, with backticks around what is typed, for a table of keys.
    """

    right: str
    read: Callable[[object], T | None]
    stand_in: T
    short: str = ""
    choices: tuple[object, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Setting(Generic[T]):
    """One key of a file, read and explained from this alone.

    `says` is what it says, `beside` which kinds it needs. Without a `default` it must be there, unless `left_out` says
    what holds then: a default that depends on other things is known to the reading only.
    """

    table: str
    key: str
    kind: Kind[T]
    says: str
    beside: str = ""
    default: T | None = None
    left_out: str = ""

    @property
    def without(self) -> str:
        """What holds where the key is left out."""
        if self.left_out:
            return self.left_out
        return MUST if self.default is None else f"`{toml(self.default)}`"


def whole(least: int, most: int, *, meaning: str = "") -> Kind[int]:
    """Return the kind of whole numbers within these bounds."""

    # bool is an int in Python, not in TOML.
    def read(value: object) -> int | None:
        return (
            value
            if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
            else None
        )

    return Kind(
        right=f"a whole number from {least} to {most}{meaning}",
        read=read,
        stand_in=least,
        short=f"{least} to {most}",
    )


def one_of(*choices: C) -> Kind[C]:
    """Return the kind of these values and no other."""

    def read(value: object) -> C | None:
        return next((choice for choice in choices if choice == value and type(choice) is type(value)), None)

    return Kind(
        right=f"one of {', '.join(map(toml, choices))}",
        read=read,
        stand_in=choices[0],
        short=", ".join(
            f"`{toml(choice)}`" if isinstance(choice, str) else toml(choice) for choice in choices
        ),
        choices=choices,
    )


def text(pattern: str, *, right: str, short: str) -> Kind[str]:
    """Return the kind of texts that match `pattern` as a whole."""

    def read(value: object) -> str | None:
        return value if isinstance(value, str) and re.fullmatch(pattern, value) else None

    return Kind(right=right, read=read, stand_in="", short=short)


FLAG: Final = Kind[bool](
    right="true or false",
    read=lambda value: value if isinstance(value, bool) else None,
    stand_in=False,
    short="`true`, `false`",
)


# Reading ------------------------------------------------------------------------------------------------------


class Reader:
    """A file being read, and the problems so far."""

    def __init__(self, file: str) -> None:
        """Begin without a problem; `file` is how people call it."""
        self.problems: list[Problem] = []
        self._file = file

    def refuse(self, *, table: str = "", key: str = "", value: object = None, wrong: str, right: str) -> None:
        """Note a problem."""
        shown = "" if value is None else toml(value)
        self.problems.append(
            Problem(file=self._file, table=table, key=key, value=shown, wrong=wrong, right=right)
        )


class Table:
    """One table being read. `keys` are all that it may hold; `finish` reports what it holds beyond them.

    Without a `name` it is the file itself, whose keys are tables too; `whole_file` is how people call that.
    """

    def __init__(
        self, reader: Reader, values: dict[str, object], name: str, keys: Iterable[str], *, whole_file: str
    ) -> None:
        """Find the table among the file's `values`; one that is not there is read as an empty one."""
        self._reader = reader
        self._name = name
        self._keys = tuple(keys)
        self._whole_file = whole_file
        self._missing: list[str] = []
        self._wrong: set[str] = set()
        found = values.get(name, {}) if name else values
        self._absent = bool(name) and name not in values
        if not isinstance(found, dict):
            reader.refuse(
                key=name, value=found, wrong="not a table", right=f"write [{name}] and its keys below it"
            )
            # Its keys are not called missing as well.
            found, self._wrong = {}, set(self._keys)
        self.values: dict[str, object] = found

    def take(self, setting: Setting[T], *, default: T | None = None, when: bool = True) -> T:
        """Read a key. Without a default it must be there; `when` says whether it has a meaning beside the others."""
        key, kind = setting.key, setting.kind
        default = setting.default if default is None else default
        # A table of unknown kind might need any key, so none is called missing or meaningless in it.
        settled = "kind" not in self._wrong
        if key not in self.values:
            if default is None and when and settled and key not in self._wrong:
                self._missing.append(f"{key} ({kind.right})")
                if not self._absent:
                    self._reader.refuse(
                        table=self._name, key=key, wrong="missing", right=f"give {kind.right}"
                    )
            return kind.stand_in if default is None else default
        value = self.values[key]
        taken = kind.read(value)
        if taken is None:
            self.refuse(key, wrong="wrong", right=f"right is {kind.right}{hint(value, kind.choices)}")
        elif settled and not when:
            wrong = f"without a meaning beside kind = {toml(self.values.get('kind'))}"
            self.refuse(key, wrong=wrong, right="take it out")
        return kind.stand_in if taken is None else taken

    def refuse(self, key: str, *, wrong: str, right: str) -> None:
        """Note a problem of a key."""
        self._wrong.add(key)
        self._reader.refuse(table=self._name, key=key, value=self.values.get(key), wrong=wrong, right=right)

    def ok(self, *keys: str) -> bool:
        """Whether nothing was wrong with these keys."""
        return self._wrong.isdisjoint(keys)

    def finish(self) -> None:
        """Report the table if it is missing and must not be, and every key that it may not hold."""
        if self._absent and self._missing:
            right = f"add [{self._name}] with {', '.join(self._missing)}"
            self._reader.refuse(table=self._name, wrong="this table is missing", right=right)
        what = "key" if self._name else "table or key"
        owner = f"[{self._name}] has" if self._name else f"{self._whole_file} has"
        for key, value in self.values.items():
            if key not in self._keys:
                right = f"{owner} {', '.join(self._keys)}{hint(key, self._keys)}"
                self._reader.refuse(
                    table=self._name, key=key, value=value, wrong=f"there is no such {what}", right=right
                )


def toml(value: object) -> str:
    """Write a value as the file has it, or nearly so; a table or a long list in short."""
    if isinstance(value, dict):
        return "{ ... }"
    return json.dumps(value, ensure_ascii=False, default=str)


def hint(value: object, choices: Iterable[object]) -> str:
    """Return the end of a sentence that names the choice which was probably meant, or nothing."""
    words = [choice for choice in choices if isinstance(choice, str)]
    near = get_close_matches(value, words, n=1) if isinstance(value, str) else []
    return f"; did you mean {near[0]}?" if near else ""
