"""The card beside the box: one page a language, and it says what the screen says."""

import pytest

from firmware.card.card import card
from firmware.texts import LANGUAGES, Language


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_a_card_of_one_page(language: Language) -> None:
    """A text that does not fit its page raises; the same card gives the same bytes."""
    made = card(language)
    assert made.startswith(b"%PDF")
    assert made.count(b"/Type /Page\n") == 1
    assert made == card(language)
