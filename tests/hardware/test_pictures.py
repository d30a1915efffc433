"""The drawings, pin tables and the table of keys are those of the profiles, and every part is on them."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from firmware.profile import Profile, board_names, load_profile
from firmware.wiring.drawing import PART_WIDTH, drawing
from firmware.wiring.header import GPIO_AT, GROUNDS, PLACE_OF, PLACES, POWER, name_of
from firmware.wiring.joints import joints
from firmware.wiring.pages import pages, pin_table, with_keys
from tests.house.tree import ROOT

HARDWARE = ROOT / "hardware"
WIRED = [name for name in board_names() if load_profile(name).pins.factory != "mock"]


@pytest.mark.parametrize("path", pages(HARDWARE), ids=lambda path: path.name)
def test_a_file_that_is_made_is_as_it_would_be_made_now(path: Path) -> None:
    assert path.read_text() == pages(HARDWARE)[path], "make pictures"


def test_nothing_lies_among_the_made_files_that_is_not_made() -> None:
    assert set((HARDWARE / "wiring").iterdir()) == {
        path for path in pages(HARDWARE) if path.parent.name == "wiring"
    }


def test_the_header_has_forty_places_each_with_one_name() -> None:
    assert sorted([*POWER, *GROUNDS, *GPIO_AT]) == list(PLACES)
    assert sorted(GPIO_AT.values()) == list(range(28))


@pytest.mark.parametrize(
    ("place", "name"),
    [(1, "3.3 V"), (2, "5 V"), (6, "GND"), (7, "GPIO 4"), (11, "GPIO 17"), (33, "GPIO 13"), (40, "GPIO 21")],
)
def test_a_place_is_what_the_documentation_says(place: int, name: str) -> None:
    assert name_of(place) == name


@pytest.fixture(params=WIRED)
def board(request: pytest.FixtureRequest) -> Profile:
    return load_profile(str(request.param))


def test_each_place_has_one_wire_and_each_pin_of_the_profile_a_place(board: Profile) -> None:
    wires = joints(board)
    assert len({wire.place for wire in wires}) == len(wires)
    pins = {pin for spec in board.inputs() for pin in spec.pins}
    pins |= {pin for lamp in board.lamps.pins().values() for pin in lamp}
    assert {PLACE_OF[pin] for pin in pins} <= {wire.place for wire in wires}


def test_no_wire_goes_to_five_volts(board: Profile) -> None:
    assert [wire for wire in joints(board) if name_of(wire.place) == "5 V"] == []


def test_every_input_and_output_has_something_between_it_and_the_world(board: Profile) -> None:
    bare = [
        wire
        for wire in joints(board)
        if wire.kind in {"key", "barrier", "lamp", "piezo", "led"} and not wire.through
    ]
    assert [wire.terminal for wire in bare] == (["GND"] if board.led.kind == "max7219" else [])


def test_the_drawing_is_a_picture_with_every_part_within_it(board: Profile) -> None:
    picture = ET.fromstring(drawing(board))  # noqa: S314  our own text
    words = [element.text or "" for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    for name in ("red", "up", "white", "fault", "ok", "undo", "stroke", "down", "rest", "hand button"):
        assert name in words, name
    assert "light barrier, red goal" in words
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    for element in picture.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 < float(element.attrib["x"]) < width
        assert 0 < float(element.attrib["y"]) < height - 5, element.text


def test_no_name_of_a_part_runs_into_its_terminal(board: Profile) -> None:
    # 7.5 pixels a letter is more than the font takes.
    alone = [wire for wire in joints(board) if wire.kind in {"barrier", "lamp", "piezo"}]
    assert [wire for wire in alone if 7.5 * len(wire.part + wire.terminal) + 16 > PART_WIDTH] == []


def test_the_pin_table_has_forty_rows(board: Profile) -> None:
    assert len(re.findall(r"^\| \d+ \|", pin_table(board), flags=re.MULTILINE)) == 40


def test_a_page_without_its_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="needs the lines"):
        with_keys("# hardware/\n")


@pytest.mark.parametrize("page", sorted(HARDWARE.rglob("*.md")), ids=lambda path: path.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("name", WIRED)
def test_the_page_names_every_board(name: str) -> None:
    assert f"| `{name}` |" in (HARDWARE / "README.md").read_text()
