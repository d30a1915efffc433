"""Letters and digits: sheets that can be read, and letters put together from base and marks."""

import pytest

from firmware.screens.canvas import Canvas, balanced, width_of, wrapped
from firmware.screens.glyphs import GlyphError, digits, letters, parse

SHEET = """\
-- a remark
height 4

rows 1

A   b
##  #
##  #
"""


def test_a_sheet_is_read_with_its_rows_in_place() -> None:
    sheet = parse("x.txt", SHEET)
    assert sheet.height == 4
    assert sheet.glyphs["A"] == (2, ((0, 1), (1, 1), (0, 2), (1, 2)))
    assert sheet.glyphs["b"] == (1, ((0, 1), (0, 2)))


@pytest.mark.parametrize(
    ("line", "instead", "error"),
    [
        ("height 4", "height four", "x.txt:2: 'height' stands alone with a number"),
        ("rows 1", "rows 3", "x.txt:6: rows 3 to 4 in a line of height 4"),
        ("A   b", "A", "x.txt:7: 2 cells below 1 names"),
        ("A   b", "A   A", "x.txt:6: 'A' is drawn twice"),
        ("A   b", "A   bee", "x.txt:6: 'bee' is no name of a glyph"),
        ("##  #\n##  #", "##  #\n#   #", "x.txt:8: 'A' is 1 wide here and 2 above"),
        ("##  #\n##  #", "##  #\n#x  #", "x.txt:8: '#x' of 'A': a cell holds"),
    ],
)
def test_a_mistake_in_a_sheet_is_named_with_its_line(line: str, instead: str, error: str) -> None:
    with pytest.raises(GlyphError) as caught:
        parse("x.txt", SHEET.replace(line, instead))
    assert str(caught.value).startswith(error)


LETTERS = "äöüÄÖÜßẞéèêëïîçÇÉÈÀàùôœŒæÆøØåÅñÑšŠčČřŘžŽěďťľłŁőűğşİıĳĲȘț"
SIGNS = "…\u2013\u2014\u201e\u201c\u201d\u2018\u2019«»·•●○→▲▼\u00d7°"


@pytest.mark.parametrize("char", LETTERS + SIGNS)
def test_the_font_has_what_names_and_texts_are_written_with(char: str) -> None:
    assert letters().of(char) is not None


def test_every_printable_ascii_character_is_drawn() -> None:
    assert [chr(n) for n in range(32, 127) if letters().of(chr(n)) is None] == []


def test_each_glyph_stays_in_its_line() -> None:
    for char in "ÄÉÅŠŐÇęĲgjpqyÿ":
        glyph = letters().of(char)
        assert glyph is not None
        assert all(0 <= x < glyph.width and 0 <= y < letters().height for x, y in glyph.lit)


def test_a_letter_with_a_mark_differs_from_the_letter_and_from_other_marks() -> None:
    drawn = [letters().of(char) for char in "eéèêë"]
    assert len(set(drawn)) == 5


@pytest.mark.parametrize(
    ("height", "narrow"), [(32, False), (20, False), (15, False), (15, True), (7, False)]
)
def test_digits_fill_their_height_and_are_all_of_one_width(height: int, narrow: bool) -> None:
    glyphs = [digits(height, narrow=narrow).glyphs[char] for char in "0123456789"]
    assert {glyph.width for glyph in glyphs} == {glyphs[0].width}
    assert all({y for _, y in glyph.lit} == set(range(height)) for glyph in glyphs)
    assert len(set(glyphs)) == 10


def test_the_seconds_of_the_referee_are_at_least_27_pixels_high() -> None:
    assert digits(32).height >= 27


def test_what_the_font_lacks_is_a_dot_and_is_noted() -> None:
    lacking, dot = Canvas(20, 12), Canvas(20, 12)
    lacking.text(0, 2, "漢")
    dot.text(0, 2, "·")
    assert lacking.lacking == {"漢"}
    assert lacking.image.tobytes() == dot.image.tobytes()


def test_a_text_too_wide_for_its_place_is_cut_there_and_noted() -> None:
    canvas = Canvas(40, 12)
    canvas.text(0, 2, "Strafmarke", width=20)
    assert canvas.clipped == {"Strafmarke"}
    assert not any(canvas.image.getpixel((x, y)) for x in range(20, 40) for y in range(12))


def test_a_text_that_leaves_the_picture_is_noted() -> None:
    canvas = Canvas(40, 12)
    canvas.text(0, 6, "g")
    assert canvas.clipped == {"g"}


def test_texts_break_at_spaces_and_at_soft_hyphens() -> None:
    assert wrapped("Im Anstoß zählt nur das eigene Tor.", 60) == [
        "Im Anstoß",
        "zählt nur",
        "das eigene",
        "Tor.",
    ]
    assert balanced("Berüh\u00adrung") == ["Berüh-", "rung"]
    assert balanced("Zeit um") == ["Zeit", "um"]
    assert balanced("Touch") == ["Touch"]
    assert width_of("Berüh\u00adrung") == width_of("Berührung")
