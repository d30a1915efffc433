"""Folders in memory where there are such: what is tested here is what is written, not how fast a disk is."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")  # noqa: S108 - a fresh folder of its own in it


@pytest.fixture(scope="session")
def memory() -> Iterator[Path]:
    """A folder that costs no flush."""
    top = Path(tempfile.mkdtemp(prefix="kaderuhr-test-", dir=MEMORY if MEMORY.is_dir() else None))
    yield top
    shutil.rmtree(top)


@pytest.fixture
def tmp_path(memory: Path) -> Iterator[Path]:
    """A folder for one test."""
    folder = Path(tempfile.mkdtemp(dir=memory))
    yield folder
    shutil.rmtree(folder)
