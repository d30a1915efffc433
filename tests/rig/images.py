"""The two read-only disks a virtual board starts with: what Python needs, and this tree.

Reading a library of thousands of small files through the shared root takes an emulated board half a minute; from a disk
image it takes seconds. `libs` is made once for each set of versions, `code` once for every run of the rig.
"""

from __future__ import annotations

import atexit
import compileall
import fcntl
import hashlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.rig.errors import NotRunError

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[2]
EXTRAS: Final = ("lgpio==0.2.2.0", "gpiod>=2.1")
"""What only hardware needs, as in `pyproject.toml`; an environment for the desk has neither."""
LEFT_OUT: Final = ("__pycache__", "site-packages", "test", "tests", "idlelib", "tkinter", "lib2to3", "ensurepip",
                   "turtledemo", "config-*")  # fmt: skip
CODE: Final = ("rules", "drivers", "firmware", "hardware", "tests/rig", "systemd")


def libs_image(kept: Path) -> Path:
    """Return the disk with the interpreter's library and the packages; it is made where there is none of these."""
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _libs_image(kept)


def _libs_image(kept: Path) -> Path:
    stdlib = Path(sysconfig.get_path("stdlib"))
    wanted = sorted(_requirements("kaderuhr"))
    spare = _extras(kept)
    stamp = "\n".join([sys.version, str(stdlib), *wanted, *EXTRAS, *_recipe()])
    image = kept / f"libs-{hashlib.sha256(stamp.encode()).hexdigest()[:12]}.ext4"
    if image.exists():
        return image
    top = kept / "libs.part"
    shutil.rmtree(top, ignore_errors=True)
    shutil.copytree(stdlib, top / "stdlib", ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
    (top / "stdlib" / "site-packages").mkdir(exist_ok=True)
    site = top / "site"
    site.mkdir()
    for name in wanted:
        _copy_package(name, site)
    shutil.copytree(spare, site, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "bin"))
    _compile(top / "stdlib", stdlib)
    _compile(site, Path("/rig/libs/site"))
    _make_ext4(top, image)
    shutil.rmtree(top)
    for old in set(kept.glob("libs-*.ext4")) - {image}:
        old.unlink()
    return image


@cache
def code_image() -> Path:
    """Return a disk with this tree as it was at the first call: all boots of a run have the same program."""
    made = tempfile.TemporaryDirectory(prefix="rig-code-")
    atexit.register(made.cleanup)
    folder = Path(made.name)
    top = folder / "code.part"
    for name in CODE:
        shutil.copytree(ROOT / name, top / name, ignore=shutil.ignore_patterns("__pycache__", "*.po"))
    _compile(top, Path("/rig/code"))
    image = folder / "code.ext4"
    _make_ext4(top, image)
    shutil.rmtree(top)
    return image


def state_disk(path: Path, megabytes: int = 64) -> Path:
    """Make an empty ext4 disk for the state, in place of any there was."""
    path.unlink(missing_ok=True)
    _call("mkfs.ext4", "-q", "-F", str(path), f"{megabytes}M")
    return path


def _requirements(name: str) -> set[str]:
    """Return the names of all that a distribution needs here, without extras."""
    found: set[str] = set()
    todo = [name]
    while todo:
        for line in metadata.distribution(todo.pop()).requires or ():
            requirement, _, marker = line.partition(";")
            base = requirement.strip().split(" ")[0]
            for sign in "<>=!~[(":
                base = base.split(sign)[0]
            if "extra" in marker or base.lower() in found:
                continue
            try:
                metadata.distribution(base)
            except metadata.PackageNotFoundError:
                continue  # for another platform or Python
            found.add(base.lower())
            todo.append(base)
    return found


def _copy_package(name: str, site: Path) -> None:
    for file in metadata.distribution(name).files or ():
        if ".." in file.parts or "__pycache__" in file.parts:
            continue
        target = site / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(str(file.locate()), target)


def _extras(kept: Path) -> Path:
    """Return a folder with the packages that only hardware needs."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    folder = kept / f"extras-{version}"
    stamp = folder / ".complete"
    if stamp.exists() and stamp.read_text() == "\n".join(EXTRAS):
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--only-binary=:all:",
           "--no-deps", "--target", str(folder), *EXTRAS]  # fmt: skip
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise NotRunError(f"pip cannot install {' '.join(EXTRAS)}: {reason[0]}")
    stamp.write_text("\n".join(EXTRAS))
    return folder


def _recipe() -> Iterator[str]:
    yield Path(__file__).read_text(encoding="utf-8")
    for lock in ("requirements.lock",):
        yield (ROOT / lock).read_text(encoding="utf-8")


def _compile(folder: Path, seen_as: Path) -> None:
    # Unchecked: the disk is read-only and no file's time matters.
    compileall.compile_dir(
        folder,
        quiet=2,
        stripdir=str(folder),
        prependdir=str(seen_as),
        workers=1,
    )


def _make_ext4(folder: Path, image: Path) -> None:
    used = sum(path.lstat().st_size + 4096 for path in folder.rglob("*"))
    part = image.with_name(image.name + ".part")
    part.unlink(missing_ok=True)
    size = used * 12 // 10 // (1 << 20) + 16
    # Times are kept, so what was compiled is still newer than its source.
    _call("mkfs.ext4", "-q", "-F", "-O", "^has_journal", "-m", "0", "-d", str(folder), str(part), f"{size}M")
    part.rename(image)


def _call(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NotRunError(f"{command[0]} failed: {done.stderr.strip()}")
