"""All screens as pictures in a folder: `python -m firmware.screens.gallery FOLDER [LANGUAGE]`.

Lives here: writing PNG files for people, each pixel of a screen enlarged. Never here: a screen.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PIL import Image

from firmware.screens import hall, led, oled
from firmware.screens.samples import samples
from firmware.texts import LANGUAGES, Texts

if TYPE_CHECKING:
    from collections.abc import Sequence

SCALE: Final = 4
BOARDS: Final = ((64, 8), (64, 16), (128, 16))
"""Width and height of the LED boards that are drawn."""
GAP: Final = 8
COLUMNS: Final = 4


def write(folder: Path, language: str = LANGUAGES[0]) -> list[Path]:
    """Write each screen of each panel, a sheet of each kind, and the hall's lines; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    texts, written = Texts(language), []
    sheets: dict[str, list[Image.Image]] = {"oled": []}
    lines = []
    for name, (view, now) in samples().items():
        pictures = {"oled": oled.draw(view, now, texts)}
        pictures |= {f"led-{w}x{h}": led.draw(view, now, w, h) for w, h in BOARDS}
        lines.append(f"{hall.line(view, now)}|  {name}")
        for kind, picture in pictures.items():
            sheets.setdefault(kind, []).append(picture)
            written.append(_save(enlarged(picture), folder / f"{kind}-{name}.png"))
    written += [_save(sheet(pictures), folder / f"all-{kind}.png") for kind, pictures in sheets.items()]
    (folder / "hall.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [*written, folder / "hall.txt"]


def enlarged(picture: Image.Image, scale: int = SCALE) -> Image.Image:
    """Return a picture with each pixel as a square of `scale`."""
    size = (picture.width * scale, picture.height * scale)
    return picture.convert("L").resize(size, Image.Resampling.NEAREST)


def sheet(pictures: "Sequence[Image.Image]") -> Image.Image:
    """Return pictures of one size side by side, twice enlarged, on grey."""
    wide, high = pictures[0].width * 2 + GAP, pictures[0].height * 2 + GAP
    rows = -(-len(pictures) // COLUMNS)
    whole = Image.new("L", (COLUMNS * wide + GAP, rows * high + GAP), 96)
    for index, picture in enumerate(pictures):
        place = (GAP + index % COLUMNS * wide, GAP + index // COLUMNS * high)
        whole.paste(enlarged(picture, 2), place)
    return whole


def _save(picture: Image.Image, path: Path) -> Path:
    picture.save(path)
    return path


def main(arguments: "Sequence[str]") -> int:
    """Write the gallery into the folder that is named."""
    if not 1 <= len(arguments) <= 2:  # noqa: PLR2004 - a folder and a language
        sys.stderr.write("usage: python -m firmware.screens.gallery FOLDER [LANGUAGE]\n")
        return 2
    written = write(Path(arguments[0]), *arguments[1:])
    sys.stdout.write(f"{len(written)} files in {arguments[0]}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
