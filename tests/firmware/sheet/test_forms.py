"""The four forms of a sheet: what stands on them, that nothing in them is code, and that bytes never differ."""

import csv
import io
import json
import re
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from firmware.console.setup import Setup
from firmware.sheet.html import html
from firmware.sheet.page import Drawing, Signatures, Table
from firmware.sheet.pages import page_of
from firmware.sheet.pdf import pdf
from firmware.sheet.sheet import Sheet
from firmware.sheet.story import sheet_of
from firmware.sheet.svg import svg
from firmware.sheet.tables import csv_of, json_of
from firmware.sheet.timeline import Bar, Dot, Label, Stick, picture
from firmware.texts import LANGUAGES, Texts
from rules import BOOK, Opening, Recovered
from tests.firmware.sheet.played import RUN, by_chance, kept, s

NAMED = Setup(rulebook=BOOK, home_names=("Jürgen Müßig", ""), away_names=("Élodie", ""))


@pytest.fixture(scope="module")
def told() -> Sheet:
    return sheet_of(kept(by_chance(4), NAMED))


def say(language: str = "en") -> Texts:
    return Texts(language, "club")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_can_be_signed_in_every_language(told: Sheet, language: str) -> None:
    page = page_of(told, say(language))
    blocks = {type(block) for block in page.blocks}
    assert blocks == {Table, Drawing, Signatures}
    assert {"de": "Spielleiter", "nl": "Wedstrijdleider", "fr": "Arbitre", "en": "Referee"}[language] in html(
        page
    )
    assert page.score == f"{told.games_won.home} : {told.games_won.away}"
    assert pdf(page).startswith(b"%PDF-")


def test_the_date_is_local_and_the_times_inside_are_not(told: Sheet, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "Europe/Brussels")
    time.tzset()
    try:
        facts = dict(page_of(told, say()).facts)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert facts["Date"] == "03 Jan 2027"
    assert facts["Time"].startswith("19:13")
    assert told.day is not None
    assert told.day.began_s == 1_799_000_000


def test_a_guessed_date_is_left_for_the_pen() -> None:
    guessed = sheet_of(kept([Opening(t=s(3), nearest="red")], run=replace(RUN, known=False)))
    page = page_of(guessed, say())
    assert dict(page.facts)["Date"] == "____________________"
    assert page.notes == ("The box did not know the date: please fill it in.",)


def test_a_time_learnt_later_in_the_same_boot_dates_the_whole_match() -> None:
    match = kept([Opening(t=s(3), nearest="red")], run=replace(RUN, known=False))
    learnt = replace(RUN, at_ns=60 * 10**9, utc_s=RUN.utc_s + 60)
    day = sheet_of(replace(match, runs=(*match.runs, learnt))).day
    assert day is not None
    assert day.began_s == RUN.utc_s
    another = replace(learnt, boot="another")
    assert sheet_of(replace(match, runs=(*match.runs, another))).day is None


def test_a_power_cut_is_said_on_the_sheet() -> None:
    cut = sheet_of(kept([Opening(t=s(3), nearest="red"), Recovered(t=s(9), dark=None)]))
    assert "The box was without power in between" in page_of(cut, say()).notes[0]


def test_a_result_the_box_saw_otherwise_is_said() -> None:
    match = kept(by_chance(4), NAMED)
    other = sheet_of(replace(match, result='{"match":"home","home":9,"away":0}'))
    assert other.seen is not None
    assert any("another result" in note for note in page_of(other, say()).notes)


def test_names_are_text_and_never_code() -> None:
    evil = Setup(
        rulebook=BOOK, home_names=("<script>alert(1)</script>", ""), away_names=('=HYPERLINK("x")', "")
    )
    told = sheet_of(kept(by_chance(2), evil))
    assert "<script" not in html(page_of(told, say()))
    assert "&lt;script&gt;" in html(page_of(told, say()))
    rows = list(csv.reader(io.StringIO(csv_of(told, say()).removeprefix("\ufeff"))))
    assert {row[4] for row in rows[1:]} == {"<script>alert(1)</script>", '\'=HYPERLINK("x")'}
    assert pdf(page_of(told, say())).startswith(b"%PDF-")


@pytest.mark.parametrize(
    "name", ["Łukasz Šťastný", "Ναυσικά", "李小龍", "a" * 40, "\u202eAnna", "Ann\u0000a"]
)
def test_every_name_can_be_printed(name: str) -> None:
    told = sheet_of(kept(by_chance(1), Setup(rulebook=BOOK, home_names=(name, ""))))
    assert len(pdf(page_of(told, say()))) > 10_000


def test_html_needs_nothing_from_elsewhere(told: Sheet) -> None:
    text = html(page_of(told, say()))
    assert re.findall(r"(?:src|href)=", text) == []
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text) == []


def test_the_same_sheet_is_the_same_bytes(told: Sheet) -> None:
    page = page_of(told, say())
    assert pdf(page) == pdf(page_of(sheet_of(kept(by_chance(4), NAMED)), say()))
    assert json_of(told) == json_of(sheet_of(kept(by_chance(4), NAMED)))


def test_json_has_everything_in_seconds(told: Sheet) -> None:
    plain = json.loads(json_of(told))
    assert plain["number"] == 7
    assert plain["turns"][0]["used_s"] == told.turns[0].used / 1e9
    assert plain["day"]["began_s"] == 1_799_000_000
    assert len(plain["turns"]) == len(told.turns)


@pytest.mark.parametrize(("language", "delimiter", "comma"), [("de", ";", ","), ("en", ",", ".")])
def test_a_spreadsheet_opens_the_csv_as_it_is(told: Sheet, language: str, delimiter: str, comma: str) -> None:
    text = csv_of(told, say(language))
    assert text.startswith("\ufeff")
    assert "\r\n" in text
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter=delimiter))
    assert len(rows) == len(told.turns)
    assert rows[0]["used_s"] == f"{told.turns[0].used / 1e9:.3f}".replace(".", comma)


def test_the_picture_shows_every_turn_goal_fault_and_game(told: Sheet) -> None:
    shapes = picture(told).shapes
    assert sum(isinstance(shape, Bar) for shape in shapes) == len(told.turns)
    goals = sum(player.goals for player in told.players)
    assert sum(isinstance(shape, Dot) and shape.radius < 1 for shape in shapes) == goals
    assert sum(isinstance(shape, Dot) and shape.radius > 1 for shape in shapes) == len(told.games)
    faulted = sum(bool(turn.faults) for turn in told.turns)
    assert sum(isinstance(shape, Label) and shape.text == "F" for shape in shapes) >= faulted > 0
    strokes = sum(turn.strokes for turn in told.turns)
    assert sum(isinstance(shape, Stick) and shape.ink == "faint" for shape in shapes) == strokes


@pytest.mark.parametrize("seed", range(8))
def test_nothing_in_the_picture_lies_outside_it(seed: int) -> None:
    drawn = picture(sheet_of(kept(by_chance(seed))))
    for shape in drawn.shapes:
        if isinstance(shape, Bar):
            assert 0 <= shape.x <= shape.x + shape.width <= drawn.width
        elif isinstance(shape, Dot):
            assert shape.radius <= shape.x <= drawn.width - shape.radius
            assert shape.radius <= shape.y <= drawn.height - shape.radius


def test_the_svg_is_well_formed(told: Sheet) -> None:
    root = ET.fromstring(svg(picture(told), "Anna & Bert"))  # noqa: S314 - our own text
    assert root[0].text == "Anna & Bert"
