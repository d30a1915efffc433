"""The catalogue `club`: every text of a sheet and of the journal in every language, and none that nobody says."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po

import firmware
from firmware.texts import LANGUAGES

FIRMWARE = Path(firmware.__file__).parent
EACH = pytest.mark.parametrize("language", LANGUAGES)


def used() -> set[str]:
    """The message ids: what `say` is called with, and the text of each note of the journal."""
    return {
        text
        for folder in ("sheet", "journal")
        for path in (FIRMWARE / folder).glob("*.py")
        for text in _in(ast.parse(path.read_text(encoding="utf-8")))
    }


def _in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="say"), args=[ast.Constant(value=str(text)), *_]):
                yield text
            case ast.Call(func=ast.Name(id="Note"), keywords=keywords):
                for keyword in keywords:
                    if keyword.arg == "text" and isinstance(keyword.value, ast.Constant):
                        yield str(keyword.value.value)
            case ast.Assign(targets=[ast.Name(id="text")], value=ast.Constant(value=str(text))):
                yield text


def translations(language: str) -> dict[str, str]:
    with (FIRMWARE / "locale" / language / "LC_MESSAGES" / "club.po").open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    return {str(message.id): str(message.string) for message in catalogue if message.id}


def places(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text)} - {None}


@EACH
def test_every_text_is_there_and_no_other(language: str) -> None:
    assert sorted(translations(language)) == sorted(used())


@EACH
def test_no_text_is_empty_or_lacks_a_place(language: str) -> None:
    found = translations(language)
    assert {text for text, said in found.items() if not said.strip() or places(text) != places(said)} == set()
