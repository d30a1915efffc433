"""The players' board: what is lit, on boards of 8 and 16 rows."""

import pytest
from PIL import Image

from firmware.screens import led
from firmware.screens.samples import Sample, at, played, samples
from firmware.screens.seconds import next_change
from rules import BySide

BOARDS = [(64, 8), (64, 16), (128, 8), (128, 16), (96, 8), (32, 8), (256, 16)]


def board(name: str, width: int = 64, height: int = 8) -> Image.Image:
    return led.draw(*samples()[name], width, height)


def lit(picture: Image.Image, left: int, right: int) -> int:
    return sum(bool(picture.getpixel((x, y))) for x in range(left, right) for y in range(picture.height))


@pytest.mark.parametrize("sample", samples().values(), ids=samples().keys())
@pytest.mark.parametrize(("width", "height"), BOARDS)
def test_everything_fits_on_every_board(sample: Sample, width: int, height: int) -> None:
    canvas = led.paint(*sample, width, height)
    assert canvas.clipped == set()
    assert canvas.lacking == set()
    assert canvas.image.size == (width, height)
    assert canvas.image.mode == "1"


@pytest.mark.parametrize(("height", "least"), [(8, 7), (16, 15)])
def test_the_seconds_are_as_high_as_the_board_allows(height: int, least: int) -> None:
    middle = board("turn", height=height).crop((24, 0, 40, height))
    box = middle.getbbox()
    assert box is not None
    assert box[3] - box[1] >= least


@pytest.mark.parametrize("height", [8, 16])
def test_the_side_whose_turn_it_is_is_lit(height: int) -> None:
    """Scenario B6: one look at the board."""
    red, white = (led.draw(*played(at(5, 5, turn), now=5), 64, height) for turn in ("red", "white"))
    assert lit(red, 0, 13) > lit(red, 51, 64)
    assert lit(white, 51, 64) > lit(white, 0, 13)


@pytest.mark.parametrize("height", [8, 16])
def test_the_grace_is_lit_and_dark_by_turns_and_no_ordinary_second_is(height: int) -> None:
    view, now = played(at(5, 4), now=53)
    half = next_change(view, now)
    assert half is not None
    first, second = (led.draw(view, t, 64, height) for t in (now, half))
    assert lit(first, 16, 48) > lit(second, 16, 48)
    ordinary = played(at(5, 4), now=43)
    assert led.draw(*ordinary, 64, height).crop((28, 0, 36, height)) != first.crop((28, 0, 36, height))


@pytest.mark.parametrize("height", [8, 16])
def test_the_kader_lamp_shows_in_kader_play_alone(height: int) -> None:
    """Both ends and the seconds are alike but for the counts: what differs between them is the lamp."""
    kader, before = (led.draw(*played(at(3, white), now=5), 64, height) for white in (1, 2))
    lamp = (0, 8, 7, 16) if height == 16 else (38, 0, 50, 8)
    assert lit(kader.crop(lamp), 0, lamp[2] - lamp[0]) != lit(before.crop(lamp), 0, lamp[2] - lamp[0])


def test_a_clock_that_stands_looks_different_from_one_that_runs() -> None:
    running, stopped, paused = played(at(5, 4), now=21), samples()["rolling"], samples()["paused"]
    pictures = {
        led.draw(*sample, 64, 8).crop((16, 0, 50, 8)).tobytes() for sample in (running, stopped, paused)
    }
    assert len(pictures) == 3


def test_nothing_of_a_game_stands_on_the_board_between_games() -> None:
    """Scenario H19."""
    blocks = [board("opening").crop(box).tobytes() for box in ((0, 0, 13, 8), (51, 0, 64, 8))]
    assert [board("game-won").crop(box).tobytes() for box in ((0, 0, 13, 8), (51, 0, 64, 8))] == blocks


def test_a_board_can_have_other_letters_for_the_colours() -> None:
    french = led.draw(*samples()["turn"], 64, 8, BySide(red="R", white="B"))
    assert french.tobytes() != board("turn").tobytes()
