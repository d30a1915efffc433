"""The hall's line: 24 columns of ASCII that say match and clock."""

import re

import pytest

from firmware.screens import hall
from firmware.screens.samples import Sample, samples

FORM = re.compile(r"(G\d\d?|END|ABD|TRN) +(\d+:\d+|-) +R[\d-] W[\d-] (>[RW]|  ) [K ][ !=-][\d ]{3}")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("opening", "G1   0:0  R- W-         "),
        ("turn", "G2   1:0  R5 W4 >R    38"),
        ("turn-kader", "G2   1:0  R3 W1 >W K   7"),
        ("turn-three-digits", "G2   1:0  R5 W4 >R   168"),
        ("grace", "G2   1:0  R5 W4 >R  ! 10"),
        ("expired", "G2   1:0  R5 W4 >R  !  0"),
        ("paused", "G2   1:0  R5 W4 >R  = 29"),
        ("rolling-goal", "G2   1:0  R4 W4 >R  - 39"),
        ("training", "TRN   -   R- W-       46"),
        ("match-won", "END  2:0  R- W-         "),
        ("abandoned", "ABD  1:0  R- W-         "),
    ],
)
def test_the_line_says_game_games_balls_turn_kader_and_clock(name: str, line: str) -> None:
    assert hall.line(*samples()[name]) == line


@pytest.mark.parametrize("sample", samples().values(), ids=samples().keys())
def test_the_line_always_has_24_columns_of_ascii(sample: Sample) -> None:
    line = hall.line(*sample)
    assert len(line) == hall.WIDTH
    assert line.isascii()
    assert FORM.fullmatch(line)
