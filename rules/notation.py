"""The notation: events, outcomes and states as plain JSON values, both ways (`replay.md`).

Lives here: seconds to whole nanoseconds and back, and errors that name the key, the value and the valid ones. Never
here: files, lines, or JSON text itself.
"""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import inspect

from rules.events import AnyEvent
from rules.rulebook import Rulebook
from rules.words import SECOND, Ns

Raw = dict[str, Any]
LONGEST_S = 2_000_000
"""No script, match or evening is longer (23 days); below it whole nanoseconds stay exact in a JSON number."""
_TIMES = frozenset({"t", "at", "left", "grace", "dark"})
_SETTINGS = "rulebook"
"""The key of a rulebook within another value; its settings are whole seconds as they stand."""


class NotationError(ValueError):
    """A value that cannot be read: says the key, what is wrong with it, and what would be right."""


def read_event(raw: Mapping[str, Any]) -> AnyEvent:
    """Return the event of one line, given as its JSON object without `script`. Raises `NotationError`."""
    event: AnyEvent = read(AnyEvent, raw)
    if event.t < 0:
        raise NotationError(f"t: {raw['t']} is before the script's start; seconds from 0")
    return event


def write(value: msgspec.Struct) -> Raw:
    """Return an event, an outcome or a rulebook as its JSON object, nanoseconds as seconds."""
    plain: Raw = msgspec.to_builtins(value)
    shown: Raw = plain if isinstance(value, Rulebook) else to_s(plain)
    return shown


def read(kind: Any, raw: Any) -> Any:  # noqa: ANN401 - the kind is a type or a union of types
    """Convert `raw` to `kind`, seconds to whole nanoseconds. Raises `NotationError`."""
    try:
        return msgspec.convert(raw if kind is Rulebook else to_ns(raw), kind, strict=True)
    except msgspec.ValidationError as error:
        raise NotationError(explain(str(error), kind, raw)) from None


def to_ns(raw: Any, key: str = "") -> Any:  # noqa: ANN401 - any JSON value
    """Return a JSON value with the seconds under the time keys as whole nanoseconds."""
    if key == _SETTINGS:
        return raw
    if isinstance(raw, Mapping):
        return {name: to_ns(value, str(name)) for name, value in raw.items()}
    if isinstance(raw, list | tuple):
        return [to_ns(value) for value in raw]
    if key in _TIMES and isinstance(raw, int | float) and not isinstance(raw, bool):
        if not abs(raw) <= LONGEST_S:
            raise NotationError(f"{key}: {raw} is not a number of seconds up to {LONGEST_S}")
        return Ns(round(raw * SECOND))
    return raw


def to_s(plain: Any, key: str = "") -> Any:  # noqa: ANN401 - any JSON value
    """Return a JSON value with the nanoseconds under the time keys as seconds."""
    if isinstance(plain, Mapping):
        return {name: to_s(value, str(name)) for name, value in plain.items()}
    if isinstance(plain, list | tuple):
        return [to_s(value) for value in plain]
    return plain / SECOND if key in _TIMES and isinstance(plain, int) else plain


_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


def explain(text: str, kind: Any, raw: Any) -> str:  # noqa: ANN401 - any type, any JSON value
    """Return a sentence for a decoder's complaint: the key, the value, and the valid ones."""
    said, _, path = text.partition(" - at `")
    node, value, where = inspect.type_info(kind), raw, []
    node = _member(node, value)
    for name, index in _STEP.findall(path):
        where.append(name or index)
        node, value = _into(node, name), _value(value, name or index)
        node = _member(node, value)
    key = ".".join(where)
    at = f"{key}: " if key else ""
    if said.startswith("Object contains unknown field"):
        unknown = said.split("`")[1]
        keys = ", ".join(field.encode_name for field in getattr(node, "fields", ()))
        tag = getattr(node, "tag_field", None)
        return f"{at}unknown key '{unknown}'; the keys here are {', '.join(filter(None, (tag, keys)))}"
    if said.startswith("Object missing required field"):
        return f"{at}the key '{said.split('`')[1]}' is missing"
    if said.startswith("Invalid"):
        return f"{at}{value!r} is not one of {', '.join(_choices(node, kind, where))}"
    if said.startswith("Expected"):
        return f"{at}{value!r} is not {_wanted(said, node, where)}"
    return said


def _wanted(said: str, node: Any, where: list[str]) -> str:  # noqa: ANN401 - a node of the type tree
    if isinstance(node, inspect.IntType) and node.ge is not None:
        return f"a whole number from {node.ge} to {node.le}"
    if where and where[-1] in _TIMES:
        return "a number of seconds"
    return said.replace("`", "").replace("Expected ", "").split(", got")[0]


def _member(node: Any, value: Any) -> Any:  # noqa: ANN401 - a node of the type tree
    """Return the member of a union that `value` belongs to, as far as it shows."""
    if not isinstance(node, inspect.UnionType):
        return node
    for member in node.types:
        if isinstance(member, inspect.StructType):
            if isinstance(value, Mapping) and member.tag in (None, value.get(member.tag_field)):
                return member
        elif (
            value is not None and not isinstance(value, Mapping) and not isinstance(member, inspect.NoneType)
        ):
            return member
    return node


def _into(node: Any, name: str) -> Any:  # noqa: ANN401 - a node of the type tree
    for field in getattr(node, "fields", ()):
        if field.encode_name == name:
            return field.type
    return getattr(node, "item_type", node)


def _value(value: Any, step: str) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, Mapping):
        return value.get(step)
    return value[int(step)]


def _choices(node: Any, kind: Any, where: list[str]) -> list[str]:  # noqa: ANN401 - a node of the type tree
    if isinstance(node, inspect.LiteralType):
        return [str(value) for value in node.values]
    whole = inspect.type_info(kind)
    members = whole.types if isinstance(whole, inspect.UnionType) else (whole,)
    tags = [str(m.tag) for m in members if isinstance(m, inspect.StructType) and [m.tag_field] == where]
    return tags or ["what replay.md lists"]
