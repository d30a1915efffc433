"""rules <- firmware -> drivers: who may import whom, and that the law touches neither clock nor world."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import ROOT, python_files

OURS = ("rules", "drivers", "firmware", "hardware", "tests")
MAY_IMPORT = {"rules": {"rules"}, "drivers": {"drivers"}, "firmware": {"firmware", "rules", "drivers"}}

# What the law may be written with. All else is refused, so that nobody has to list what could reach a clock or a file.
FOR_LAW = {
    "__future__", "collections", "dataclasses", "enum", "functools", "itertools", "math", "msgspec", "operator", "re",
    "types", "typing",
}  # fmt: skip
OUT_OF_THE_LAW = {"open", "print", "input", "exec", "eval", "compile", "breakpoint", "__import__"}


def imported(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Line and dotted name of each import, wherever it stands; a relative one is one of `package`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, level=0):
                yield node.lineno, str(module)
            case ast.ImportFrom():
                yield node.lineno, package
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node.lineno, name


def wrong_directions(source: str, package: str) -> list[tuple[int, str]]:
    """Imports of ours that this package may not make."""
    return [
        (line, name)
        for line, name in imported(ast.parse(source), package)
        if name.partition(".")[0] in OURS and name.partition(".")[0] not in MAY_IMPORT[package]
    ]


def out_of_the_law(source: str) -> list[tuple[int, str]]:
    """Where a file of the law reaches beyond values: an import that is not on the list, a call to the world."""
    tree = ast.parse(source)
    imports = [
        (line, name)
        for line, name in imported(tree, "rules")
        if name.partition(".")[0] not in FOR_LAW | {"rules"}
    ]
    calls = [
        (node.lineno, node.id)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id in OUT_OF_THE_LAW
    ]
    return sorted(imports + calls)


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", python_files(*MAY_IMPORT), ids=shown)
def test_a_package_imports_only_what_lies_below_it(path: Path) -> None:
    assert wrong_directions(path.read_text(), path.relative_to(ROOT).parts[0]) == []


@pytest.mark.parametrize("path", python_files("rules"), ids=shown)
def test_the_law_touches_no_clock_and_no_world(path: Path) -> None:
    assert out_of_the_law(path.read_text()) == []


def test_hardware_holds_no_python() -> None:
    assert python_files("hardware") == []


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("rules", "import drivers"),
        ("rules", "from firmware.cli import main"),
        ("drivers", "def f():\n    from rules import step"),
        ("drivers", "if True:\n    import firmware.core as core"),
        ("drivers", "import importlib\nimportlib.import_module('rules.step')"),
        ("firmware", "from tests.house import tree"),
        ("firmware", "import hardware"),
    ],
)
def test_a_wrong_direction_is_found_wherever_it_stands(package: str, source: str) -> None:
    assert len(wrong_directions(source, package)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "import time",
        "from datetime import datetime",
        "def f():\n    import os.path",
        "from importlib import import_module",
        "import random, math",
        "print(1)",
        "open('x')",
        "say = print",
        "__import__",
    ],
)
def test_a_law_that_reaches_out_is_found(source: str) -> None:
    assert len(out_of_the_law(source)) == 1


@pytest.mark.parametrize(
    "source", ["import msgspec", "from . import words", "from rules.words import Ns", "import enum"]
)
def test_values_are_within_the_law(source: str) -> None:
    assert out_of_the_law(source) == []


MODULES = {"pillow": "PIL", "pyserial": "serial", "RPi.GPIO": "RPi", "luma.core": "luma"}
"""Distributions whose module has another name."""
BROUGHT = {"smbus2"}
"""What a declared library brings by its own declaration: luma.core its bus."""


def test_what_the_program_imports_is_declared_as_a_dependency() -> None:
    """A library that only happens to be installed is missing in a new environment."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(one for extra in extras for one in extra)]
    names = [re.split(r"[<>=!~ \[]", one)[0] for one in wanted]
    known = {MODULES.get(name, name) for name in names} | BROUGHT | set(OURS) | set(sys.stdlib_module_names)
    for package in ("rules", "drivers", "firmware"):
        for path in python_files(package):
            for line, name in imported(ast.parse(path.read_text()), package):
                assert name.split(".")[0] in known, f"{path.relative_to(ROOT)}:{line} imports {name}"
