"""Names, pages and paths: what a stranger meets when opening any file or folder."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import ROOT, folders, project_files, python_files

# A name that fits everything says nothing.
EMPTY_NAME = re.compile(r"manager|handler|util|helper", re.IGNORECASE)
# Where a developer's machine keeps things: of no meaning on any other.
OF_A_MACHINE = re.compile(r"/(?:work|farm|root|Users)/|/home/(?!pi\b)\w")


def opens_with_a_page(folder: Path) -> bool:
    """A README.md, or a package docstring."""
    if (folder / "README.md").is_file():
        return True
    package = folder / "__init__.py"
    return package.is_file() and bool(ast.get_docstring(ast.parse(package.read_text())))


def needing_a_page() -> list[Path]:
    """Top-level folders, and below them those that hold Python, but for tests/, which mirrors what it tests."""
    return [
        folder
        for folder in folders()
        if folder.parent == ROOT
        or (any(folder.glob("*.py")) and folder.relative_to(ROOT).parts[0] != "tests")
    ]


def defined(source: str) -> Iterator[tuple[int, str]]:
    """Line and name of each class and function."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name


@pytest.mark.parametrize("folder", needing_a_page(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_folder_says_what_lives_there(folder: Path) -> None:
    assert opens_with_a_page(folder)


@pytest.mark.parametrize("path", python_files("rules", "drivers", "firmware"), ids=lambda path: path.name)
def test_no_name_is_empty_of_meaning(path: Path) -> None:
    names = [(0, path.stem), *defined(path.read_text())]
    assert [(line, name) for line, name in names if EMPTY_NAME.search(name)] == []


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    found = []
    for path in project_files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue  # pictures and sounds
        for number, line in enumerate(text.splitlines(), start=1):
            if OF_A_MACHINE.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}")
    assert found == []


@pytest.mark.parametrize("name", ["EventManager", "key_handler", "utils", "make_helper"])
def test_an_empty_name_is_found(name: str) -> None:
    assert EMPTY_NAME.search(name)


@pytest.mark.parametrize("text", ["see /" + "work/main", "cd /" + "home/anna/x", "/" + "root/.cache"])
def test_a_place_on_a_machine_is_found(text: str) -> None:
    assert OF_A_MACHINE.search(text)
