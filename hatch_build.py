"""The build step: compiles the catalogues, for a wheel, an editable install, and by hand (`python hatch_build.py`).

Lives here: `.po` to `.mo` beside it. Fuzzy entries are left out, as everywhere; broken ones stop the build.
"""

import sys
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogues(root: Path) -> list[Path]:
    """Compile every catalogue below `root` and return the files written; one that is up to date keeps its bytes."""
    written = []
    for source in sorted((root / "firmware" / "locale").glob("*/LC_MESSAGES/*.po")):
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parts[-3], abort_invalid=True)
        compiled = source.with_suffix(".mo")
        # Written beside and renamed: a program that is just starting reads the whole old one or the whole new one.
        fresh = compiled.with_suffix(".mo.new")
        with fresh.open("wb") as file:
            write_mo(file, catalogue)
        fresh.replace(compiled)
        written.append(compiled)
    return written


class CustomBuildHook(BuildHookInterface[BuilderConfig]):
    """What hatchling calls before it collects files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Compile the catalogues into the tree; `artifacts` in pyproject.toml takes them into the wheel."""
        compile_catalogues(Path(self.root))


if __name__ == "__main__":
    for path in compile_catalogues(Path(__file__).resolve().parent):
        sys.stdout.write(f"{path}\n")
