"""Players' names in the room there is: whole, initials, family name, cut."""

import pytest

from firmware.screens import names
from firmware.screens.canvas import width_of
from firmware.texts import Texts

LONG = "Jean-Baptiste Van den Bossche"


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (200, "Jean-Baptiste Van den Bossche"),
        (110, "J.-B. Van den Bossche"),
        (80, "Van den Bossche"),
        (50, "Van den…"),
    ],
)
def test_a_name_is_shortened_step_by_step(width: int, shown: str) -> None:
    assert names.fitting(LONG, width) == shown


@pytest.mark.parametrize("name", [LONG, "W" * 30, "Ĳ" * 30, "Ann", "a b c d e f g h i j k l m n o"])
@pytest.mark.parametrize("width", [20, 50, 70, 128])
def test_a_name_never_takes_more_than_its_room(name: str, width: int) -> None:
    assert width_of(names.fitting(name, width)) <= width
    assert all(width_of(line) <= width for line in names.in_lines(name, width, 2))
    assert width_of(names.pair((name, name), 120)) <= 120


def test_two_lines_keep_the_whole_name_where_one_would_not() -> None:
    assert names.in_lines("Jean-Baptiste Vandenbroucke", 80, 2) == ["Jean-Baptiste", "Vandenbroucke"]
    assert names.in_lines("Jean-Baptiste Vandenbroucke", 80, 1) == ["Vandenbroucke"]


def test_who_has_no_name_is_called_by_the_place_in_the_boards_language() -> None:
    assert names.called(Texts("de"), "home") == "Heim"
    assert names.called(Texts("nl"), "away 2") == "Bezoekers 2"
    assert names.called(Texts("de"), "Homer") == "Homer"
