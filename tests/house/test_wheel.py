"""The wheel is whole: installed into an empty environment, it runs from another folder without the checkout.

Its dependencies are this environment's, seen through a path file. Path files found that way are not read in turn, so
the editable install among them, and with it the checkout, stays out of sight; the first test makes sure.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

import firmware
from tests.house.tree import ROOT
from tests.law.check import judge

LIMIT_S = 60
IN_THE_WHEEL = ("rules", "drivers", "firmware", "hardware/boards")


@dataclass(frozen=True, kw_only=True)
class Box:
    """An environment with the wheel in it, and the folder from which its commands run."""

    wheel: Path
    source: Path
    programs: Path
    folder: Path

    def run(self, program: str, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        """Run one of its programs with nothing of this shell's environment but PATH."""
        return subprocess.run(
            [self.programs / program, *arguments],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "HOME": str(self.folder)},
            input=text,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    """Build the wheel from a copy of the sources, without a network, and install it."""
    top = tmp_path_factory.mktemp("wheel")
    source = top / "source"
    for folder in ("rules", "drivers", "firmware", "hardware"):
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("*.mo", "__pycache__"))
    for file in ("pyproject.toml", "README.md", "LICENSE", "hatch_build.py", ".gitignore"):
        shutil.copy(ROOT / file, source / file)
    _call(
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "--target",
        "wheel",
        "--directory",
        str(top),
        folder=source,
    )
    (wheel,) = top.glob("kaderuhr-*.whl")

    home = top / "environment"
    venv.create(home, symlinks=True)
    programs = home / "bin"
    places = {"base": str(home), "platbase": str(home)}
    site_packages = Path(sysconfig.get_path("purelib", scheme="venv", vars=places))
    (site_packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "--disable-pip-version-check"]
    _call(
        *pip,
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--no-compile",
        "--ignore-installed",
        str(wheel),
        folder=top,
    )
    elsewhere = top / "elsewhere"
    elsewhere.mkdir()
    return Box(wheel=wheel, source=source, programs=programs, folder=elsewhere)


def _call(*command: str, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert done.returncode == 0, done.stderr


def test_the_packages_come_from_the_wheel_and_not_from_the_checkout(box: Box) -> None:
    script = """
import sys, rules, drivers, firmware, hardware
print(rules.__file__, drivers.__file__, firmware.__file__, *hardware.__path__)
print(*sys.path)
"""
    packages, path = (line.split() for line in box.run("python", "-c", script).stdout.splitlines())
    assert all(place.startswith(str(box.programs.parent)) for place in packages)
    assert str(ROOT) not in path


def test_everything_but_python_travels_too(box: Box) -> None:
    """Sounds, static files of the page, boards, catalogues: the wheel holds every file of the packages."""
    packed = {name for name in zipfile.ZipFile(box.wheel).namelist() if ".dist-info/" not in name}
    files = {
        str(path.relative_to(box.source))
        for folder in IN_THE_WHEEL
        for path in (box.source / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == files
    assert {name.removesuffix(".po") + ".mo" for name in packed if name.endswith(".po")} <= packed


def test_the_command_says_its_version(box: Box) -> None:
    done = box.run("kaderuhr", "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert firmware.__version__ in done.stdout.split()


def test_a_law_case_runs(box: Box) -> None:
    case = next(
        case
        for case in map(json.loads, (ROOT / "tests/law/cases.jsonl").read_text().splitlines())
        if case["name"] == "zeit"
    )
    done = box.run(
        "kaderuhr", "replay", "-", text="".join(f"{json.dumps(line)}\n" for line in case["script"])
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert judge(case, [json.loads(line) for line in done.stdout.splitlines()]) is None


@pytest.mark.parametrize("board", ["desk", "club-table"])
def test_a_board_is_found(box: Box, board: str) -> None:
    script = f"from firmware.profile import load_profile; print(load_profile({board!r}).name)"
    done = box.run("python", "-c", script)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, board, "")


def test_the_desk_board_takes_a_key(box: Box) -> None:
    lines = [
        {"script": "desk", "position": {"balls": {"red": 5, "white": 5}, "turn": "red"}},
        {"t": 5, "press": "stroke"},
        {"t": 9, "press": "rest"},
        {"t": 10, "event": "end"},
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    done = box.run("kaderuhr", "replay", "-", "--board", "desk", text=text)
    assert (done.returncode, done.stderr) == (0, "")
    rulings = [line for line in map(json.loads, done.stdout.splitlines()) if line["out"] == "ruling"]
    assert [(line["t"], line["next"]) for line in rulings] == [(9, "white")]
