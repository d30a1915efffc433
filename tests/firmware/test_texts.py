"""Texts: four catalogues that hold every message, and a compiled one that is fresh."""

import io
from gettext import GNUTranslations
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import firmware
from firmware.texts import LANGUAGES, NoCatalogueError, Texts
from tests.firmware.screens.messages import used

LOCALE = Path(firmware.__file__).parent / "locale"
EACH = pytest.mark.parametrize("language", LANGUAGES)


def source(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "kaderuhr.po"


def catalogue(language: str) -> Catalog:
    with source(language).open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def translations(language: str) -> dict[str, str]:
    return {str(message.id): str(message.string) for message in catalogue(language) if message.id}


def places(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text)} - {None}


@EACH
def test_every_message_is_in_the_catalogue(language: str) -> None:
    assert sorted(used() - translations(language).keys()) == []


@EACH
def test_the_catalogue_holds_nothing_that_nobody_says(language: str) -> None:
    assert sorted(translations(language).keys() - used()) == []


@EACH
def test_no_translation_is_empty_fuzzy_or_lacks_a_place(language: str) -> None:
    assert [msgid for msgid, text in translations(language).items() if not text.strip()] == []
    assert [message.id for message in catalogue(language) if message.id and message.fuzzy] == []
    assert {
        msgid: text for msgid, text in translations(language).items() if places(msgid) != places(text)
    } == {}


@EACH
def test_the_compiled_catalogue_is_made_from_this_one(language: str) -> None:
    """If this fails, run `make texts`."""
    with source(language).with_suffix(".mo").open("rb") as file:
        compiled = GNUTranslations(file)
    assert {msgid: compiled.gettext(msgid) for msgid in translations(language)} == translations(language)


@EACH
def test_compiling_twice_gives_the_same_bytes(language: str) -> None:
    """The header carries its own dates, so a wheel does not differ by when it was built."""
    once, again = io.BytesIO(), io.BytesIO()
    write_mo(once, catalogue(language))
    write_mo(again, catalogue(language))
    assert once.getvalue() == again.getvalue() == source(language).with_suffix(".mo").read_bytes()


@EACH
def test_texts_speak_their_language(language: str) -> None:
    texts = Texts(language)
    assert texts.language == language
    assert texts("TIME") == {"de": "ZEIT", "nl": "TIJD", "fr": "TEMPS", "en": "TIME"}[language]


def test_german_is_spoken_where_nothing_is_said() -> None:
    assert Texts()("Stroke") == "Stoß"


def test_places_are_filled() -> None:
    assert Texts("nl")("fresh {seconds} s", seconds="50") == "nieuwe 50 s"


def test_a_message_nobody_translated_is_shown_as_it_is() -> None:
    assert Texts("de")("no such message") == "no such message"
    assert Texts("de")("") == ""


def test_a_place_to_break_is_a_soft_hyphen() -> None:
    assert Texts("de")("touch") == "Berüh\u00adrung"


def test_an_unknown_language_is_named_with_the_known_ones() -> None:
    with pytest.raises(NoCatalogueError, match="no language is called 'it'; there are de, nl, fr, en"):
        Texts("it")


def test_a_catalogue_that_was_not_compiled_says_what_to_do() -> None:
    with pytest.raises(NoCatalogueError, match=r"absent\.mo is not there: run `make texts`"):
        Texts("de", "absent")
