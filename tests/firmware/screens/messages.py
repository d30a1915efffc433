"""The message ids in the source, found by reading it: what is called as a text, marked as one, or put on a cell."""

import ast
from collections.abc import Iterator
from pathlib import Path

from firmware.said import REFUSALS

FIRMWARE = Path(__file__).resolve().parents[3] / "firmware"
SPEAK = {"texts", "N_", "Entry", "Cell", "Menu", "on_keys", "_number", "_ask"}
"""Calls whose first argument, `text` or `title` is a message id."""


ELSEWHERE = {"sheet"}
"""Folders whose texts stand in a catalogue of their own."""


def used() -> set[str]:
    """Return every message id of the box."""
    found = set(REFUSALS.values())
    for path in sorted(FIRMWARE.rglob("*.py")):
        if ELSEWHERE.intersection(path.relative_to(FIRMWARE).parts):
            continue
        found |= set(_in(ast.parse(path.read_text(encoding="utf-8")), console="console" in path.parts))
    return {msgid for msgid in found if msgid}


def _in(tree: ast.Module, *, console: bool) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args, keywords=keywords):
                if name in SPEAK:
                    for said in (*args[:1], *(key.value for key in keywords if key.arg in ("text", "title"))):
                        yield from _constants(said)
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ) if console and value is not None:
                yield from _named(name, value)
            case ast.Tuple(elts=[first, ast.Tuple() | ast.Name(), *more]) if console and len(more) <= 1:
                # An answer of a menu's question (text, values, event), or a question (title, who asks it).
                yield from (text for text in _constants(first) if more or text.endswith("?"))
            case ast.Tuple(elts=[ast.Constant(value=bool()), ast.Constant(value=str(text))]) if console:
                yield text


def _named(name: str, value: ast.expr) -> Iterator[str]:
    """Tables of texts, and a text that is one of two."""
    if name.endswith("TEXTS") and isinstance(value, ast.Dict):
        for each in value.values:
            yield from _constants(each)
    elif isinstance(value, ast.IfExp):
        yield from _constants(value)


def _constants(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)
