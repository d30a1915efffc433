"""The project's own files, without what tools leave behind."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_BY_TOOLS = ("__pycache__", "build", "dist")


def folders(start: Path = ROOT) -> Iterator[Path]:
    """Every folder below `start` that is not hidden (`.ci` is ours, but has no pages)."""
    for path in sorted(start.iterdir()):
        if path.is_dir() and not path.name.startswith(".") and path.name not in LEFT_BY_TOOLS:
            yield path
            yield from folders(path)


def project_files() -> Iterator[Path]:
    """Every file of ours, the few hidden ones among them."""
    yield from (ROOT / ".ci").iterdir()
    for folder in (ROOT, *folders()):
        yield from sorted(path for path in folder.iterdir() if path.is_file() and path.suffix != ".pyc")


def python_files(*packages: str) -> list[Path]:
    """The Python files of these top-level folders."""
    return [
        path
        for package in packages
        for folder in (ROOT / package, *folders(ROOT / package))
        for path in sorted(folder.glob("*.py"))
    ]
