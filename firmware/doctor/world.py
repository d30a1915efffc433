"""The world as the probes may see it: a root folder, and the few questions that no file answers.

Lives here: asking. Never here: judging the answer. A test builds a folder that looks like a Raspberry Pi and gives its
own answers; `this_machine` is the real one.
"""

import fcntl
import os
import shutil
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from firmware.journal.wall import SystemWall, WallTime

FIRST_ADDRESS: Final = 0x08
LAST_ADDRESS: Final = 0x77
EBUSY: Final = 16
ETIMEDOUT: Final = 110

CHIP_INFO: Final = 0x8044_B401
CHIP_INFO_BYTES: Final = 68
LINE_INFO: Final = 0xC100_B405
LINE_USED: Final = 1
LINES: Final = 28
"""GPIO_GET_CHIPINFO_IOCTL, GPIO_V2_GET_LINEINFO_IOCTL and their structs, as in Linux's uapi/linux/gpio.h."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Space:
    """Room on the disk a folder lies on, in bytes, and whether it can be written to."""

    free: int
    total: int
    writable: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Scan:
    """Who answered on an I2C bus. `kernel`: addresses a kernel driver holds; `error`: why the bus cannot be asked."""

    found: tuple[int, ...] = ()
    kernel: tuple[int, ...] = ()
    stuck: bool = False
    error: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Chip:
    """A GPIO chip: its label, and who holds which of its first 28 lines, by number."""

    label: str
    held: dict[int, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class World:
    """Where to look (`root`) and whom to ask.

    `may`: this user may read and write a device; `version`: of an installed package; `requires`: what the program
    asks for, as its metadata says; `chip`: a GPIO chip by its device, None where it may not be asked; `scan`: an I2C
    bus by number; `tool`: a program on PATH.
    """

    root: Path
    may: Callable[[Path], bool]
    space: Callable[[Path], Space | None]
    version: Callable[[str], str | None]
    requires: Callable[[], tuple[str, ...]]
    chip: Callable[[Path], Chip | None]
    scan: Callable[[int], Scan]
    tool: Callable[[str], bool]
    wall: Callable[[], WallTime]

    def path(self, name: str) -> Path:
        """Return the file that this machine has under an absolute name."""
        return self.root / name.lstrip("/")

    def name(self, path: Path) -> str:
        """Return the name under which people know a file of this world."""
        return f"/{path.relative_to(self.root)}"

    def read(self, name: str) -> str | None:
        """Return a file's text without the end that the kernel puts there, None where there is none."""
        with suppress(OSError):
            return self.path(name).read_bytes().rstrip(b"\0\n ").decode(errors="replace")
        return None

    def number(self, name: str) -> int | None:
        """Return the first number of a cell of the device tree: 32 bits, the highest first."""
        with suppress(OSError, struct.error):
            return int(struct.unpack(">I", self.path(name).read_bytes()[:4])[0])
        return None

    def glob(self, pattern: str) -> tuple[Path, ...]:
        """Return the files that match, in order."""
        return tuple(sorted(self.root.glob(pattern.lstrip("/"))))


def this_machine() -> World:
    """Return the machine this runs on."""
    return World(
        root=Path("/"),
        may=lambda path: os.access(path, os.R_OK | os.W_OK),
        space=_space,
        version=_version,
        requires=_requires,
        chip=_chip,
        scan=_scan,
        tool=lambda name: shutil.which(name) is not None,
        wall=lambda: SystemWall().now(0),
    )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _requires() -> tuple[str, ...]:
    with suppress(metadata.PackageNotFoundError):
        return tuple(metadata.requires("kaderuhr") or ())
    return ()


def _space(folder: Path) -> Space | None:
    place = next((place for place in (folder, *folder.parents) if place.exists()), None)
    if place is None:
        return None
    with suppress(OSError):
        room = os.statvfs(place)
        size = room.f_frsize
        writable = not room.f_flag & os.ST_RDONLY
        return Space(free=room.f_bavail * size, total=room.f_blocks * size, writable=writable)
    return None


def _chip(device: Path) -> Chip | None:
    """Ask the kernel itself, so that no pin library is needed to tell why none works."""
    held: dict[int, str] = {}
    with suppress(OSError):
        file = os.open(device, os.O_RDONLY | os.O_CLOEXEC)
        try:
            info = fcntl.ioctl(file, CHIP_INFO, bytes(CHIP_INFO_BYTES))
            for line in range(min(LINES, struct.unpack_from("I", info, 64)[0])):
                asked = struct.pack("64xI188x", line)
                told = fcntl.ioctl(file, LINE_INFO, asked)
                if struct.unpack_from("Q", told, 72)[0] & LINE_USED:
                    held[line] = _text(told[32:64]) or "somebody"
        finally:
            os.close(file)
        return Chip(label=_text(info[32:64]), held=held)
    return None


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode(errors="replace")


def _scan(bus: int) -> Scan:
    """Read a byte from each address, as i2cdetect does; end at the first that holds the bus, for a second each."""
    from smbus2 import SMBus

    found: list[int] = []
    kernel: list[int] = []
    try:
        with SMBus(bus) as wires:
            for address in range(FIRST_ADDRESS, LAST_ADDRESS + 1):
                try:
                    wires.read_byte(address)
                except OSError as error:
                    if error.errno == ETIMEDOUT:
                        return Scan(found=tuple(found), kernel=tuple(kernel), stuck=True)
                    if error.errno == EBUSY:
                        kernel.append(address)
                    continue
                found.append(address)
    except OSError as error:
        return Scan(error=error.strerror or str(error))
    return Scan(found=tuple(found), kernel=tuple(kernel))
