"""The program: its version, its Python, the libraries it asks for and the one or two that this board needs.

Lives here: what is installed against what the program's own metadata asks for. Never here: a list of libraries.
"""

import platform
import re
import sys
from typing import Final

from firmware import __version__
from firmware.doctor.findings import Finding, Findings, fine, note, wrong
from firmware.doctor.world import World
from firmware.profile import Profile

REQUIREMENT: Final = re.compile(r"([A-Za-z0-9._-]+)\s*([^;]*?)\s*(?:;.*extra\s*==\s*['\"](\w+)['\"].*)?")
BOUND: Final = re.compile(r"\s*(>=|==|<=|<|>|!=|~=)\s*([0-9][0-9a-z.]*)\s*")


def program(_: World) -> Findings:
    """Say which program runs on which Python."""
    python = platform.python_version()
    return (
        fine(
            f"kaderuhr {__version__} on Python {python}, {platform.machine()}, in {sys.prefix}.",
            kaderuhr=__version__,
            python=python,
            machine=platform.machine(),
        ),
    )


def libraries(world: World, profile: Profile) -> Findings:
    """Say which libraries are there, and what is wrong with those that are not as asked for."""
    asked = [
        match.groups(default="")
        for text in world.requires()
        if (match := REQUIREMENT.fullmatch(text.strip()))
    ]
    if not asked:
        return (
            note(
                "The program is not installed as a package, so nobody can tell which libraries it asks for."
            ),
        )
    needed = {profile.pins.factory, "spi" if profile.led.kind == "max7219" else ""}
    there: list[str] = []
    found: list[Finding] = []
    for package, bounds, extra in asked:
        version = world.version(package)
        if extra and extra not in needed:
            continue
        if version is None:
            found.append(_missing(package, bounds, extra))
        elif not within(version, bounds):
            now = f"install it anew: pip install '{package}{bounds}'"
            found.append(wrong(f"{package} {version} is not the one asked for ({bounds}).", now))
        else:
            there.append(f"{package} {version}")
    values = dict(entry.split(" ", 1) for entry in there)
    found.insert(0, fine(f"Libraries: {', '.join(there)}.", **values))
    return (*found, *_rivals(world))


def within(version: str, bounds: str) -> bool:
    """Whether a version keeps within all bounds, such as `>=2.1,<3`; what cannot be read is let through."""
    for bound in filter(None, bounds.strip("() ").split(",")):
        match = BOUND.fullmatch(bound)
        if match is None:
            continue
        sign, wanted = match.groups()
        ours, theirs = _numbers(version), _numbers(wanted)
        length = max(len(ours), len(theirs))
        ours, theirs = ours + (0,) * (length - len(ours)), theirs + (0,) * (length - len(theirs))
        good = {
            ">=": ours >= theirs,
            "~=": ours >= theirs,
            "==": ours == theirs,
            "<=": ours <= theirs,
            "<": ours < theirs,
            ">": ours > theirs,
            "!=": ours != theirs,
        }[sign]
        if not good:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.match(r"[0-9.]*", version)[0].split(".") if part)  # type: ignore[index]


def _missing(package: str, bounds: str, extra: str) -> Finding:
    if extra:
        return wrong(
            f"{package} is missing, which this board needs.",
            f"pip install '{package}{bounds}' into its environment, or Debian's package of it (hardware/README.md)",
        )
    return wrong(f"{package} is missing.", "install the program anew with its requirements.lock")


def _rivals(world: World) -> Findings:
    """Say where two packages have overwritten each other's files: both bring the folder RPi/GPIO."""
    if world.version("RPi.GPIO") and world.version("rpi-lgpio"):
        return (
            wrong(
                "RPi.GPIO and rpi-lgpio are both installed and have overwritten each other.",
                "pip uninstall both, then install the one that the board's factory needs",
            ),
        )
    return ()
