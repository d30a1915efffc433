"""Writes the files anew: `python -m firmware.wiring`, from the top folder of the checkout."""

import sys
from pathlib import Path

from firmware.wiring.pages import pages

if __name__ == "__main__":
    for path, text in pages(Path("hardware")).items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        sys.stdout.write(f"{path}\n")
