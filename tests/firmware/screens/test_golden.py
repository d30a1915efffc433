"""Every screen against its text twin: a change of a picture is seen in review.

A golden holds the OLED as half blocks (one character is two pixels, one above the other), two LED boards pixel by
pixel, and the hall's line. With KADERUHR_WRITE_GOLDENS=1 the files are written anew, and the run fails.
"""

import os
from pathlib import Path

import pytest
from PIL import Image

from firmware.screens import hall, led, oled
from firmware.screens.samples import Sample, samples
from firmware.texts import Texts

FOLDER = Path(__file__).parent / "golden"
WRITE = "KADERUHR_WRITE_GOLDENS"
HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def half_blocks(image: Image.Image) -> str:
    rows = []
    for y in range(0, image.height, 2):
        pairs = ((image.getpixel((x, y)), image.getpixel((x, y + 1))) for x in range(image.width))
        rows.append("|" + "".join(HALVES[bool(upper), bool(lower)] for upper, lower in pairs) + "|")
    return "\n".join(rows)


def dots(image: Image.Image) -> str:
    rows = (("#" if image.getpixel((x, y)) else "." for x in range(image.width)) for y in range(image.height))
    return "\n".join("".join(row) for row in rows)


def twin(sample: Sample) -> str:
    view, now = sample
    parts = [
        ("oled 128 x 64, de", half_blocks(oled.draw(view, now, Texts("de")))),
        ("led 64 x 8", dots(led.draw(view, now, 64, 8))),
        ("led 64 x 16", dots(led.draw(view, now, 64, 16))),
        ("hall", hall.line(view, now) + "|"),
    ]
    return "\n".join(f"-- {title}\n{drawn}\n" for title, drawn in parts)


@pytest.mark.parametrize("name", samples())
def test_the_screen_is_as_it_was(name: str) -> None:
    golden, drawn = FOLDER / f"{name}.txt", twin(samples()[name])
    if os.environ.get(WRITE):
        golden.write_text(drawn, encoding="utf-8")
        pytest.fail(f"{golden.name} is written anew: look at the difference, then run without {WRITE}")
    assert golden.is_file(), f"no golden for {name}: look at its picture, then run once with {WRITE}=1"
    assert drawn == golden.read_text(encoding="utf-8")


def test_there_is_no_golden_without_a_screen() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(samples())


def test_a_golden_shows_a_single_pixel() -> None:
    image = Image.new("1", (4, 4))
    dark = half_blocks(image), dots(image)
    image.putpixel((2, 1), 1)
    assert (half_blocks(image), dots(image)) != dark
    assert half_blocks(image) == "|  ▄ |\n|    |"
    assert dots(image) == "....\n..#.\n....\n...."
