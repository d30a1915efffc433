"""A clock second costs the bus a tenth of what luma sends: held by every run, because bytes are the same everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from firmware.screens.glyphs import digits
from tests.bench.bus_bytes import CHIPS, luma_bytes, oled_bytes

if TYPE_CHECKING:
    from drivers.oled_bytes import OledChip


@pytest.mark.parametrize("chip", CHIPS)
def test_a_clock_second_is_at_most_120_bytes_at_the_mean_and_never_more_than_300(chip: OledChip) -> None:
    count = oled_bytes(chip)
    assert len(count.seconds) == 49
    assert min(count.seconds) > 0
    assert count.mean <= 120
    assert max(count.seconds) <= 300


def test_the_digits_are_at_least_27_pixels_high() -> None:
    for digit in "0123456789":
        glyph = digits(32).of(digit)
        assert glyph is not None
        rows = [y for _, y in glyph.lit]
        assert max(rows) - min(rows) + 1 >= 27


@pytest.mark.parametrize(("chip", "frame"), [("ssd1306", 1034), ("ssd1309", 1034), ("sh1106", 1080)])
def test_luma_sends_the_whole_frame_for_any_picture(chip: OledChip, frame: int) -> None:
    assert luma_bytes(chip) == frame


@pytest.mark.parametrize("chip", CHIPS)
def test_what_is_repeated_never_holds_up_a_new_picture_for_more_than_4_ms_at_400_khz(chip: OledChip) -> None:
    """The longest transfer is a page."""
    assert oled_bytes(chip).biggest_message * 9 / 400_000 < 0.004
