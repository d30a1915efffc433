"""Texts in the board's language, from the gettext catalogues in `locale/`.

Lives here: loading a catalogue and filling a text's places. Never here: a text itself. Message ids are short English
sentences where they are used; `N_` marks one that is translated elsewhere, so that the tests find it. The compiled
catalogues (`.mo`) are made from `.po` by `hatch_build.py`, for a wheel and for a checkout alike.
"""

from functools import cache
from gettext import GNUTranslations
from importlib.resources import files
from typing import Final, Literal, get_args

Language = Literal["de", "nl", "fr", "en"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
"""The first is the book's, and the default."""

SOFT_HYPHEN: Final = "\u00ad"


def N_(msgid: str) -> str:  # noqa: N802 - the name translators' tools know
    """Return `msgid`: it is a message id that will be translated where it is shown."""
    return msgid


class NoCatalogueError(LookupError):
    """A language that is not there, or whose catalogue was not compiled; says which, and what to do."""


class Texts:
    """Texts in one language. Calling it with a message id gives the text, its places filled by `values`.

    In a catalogue `~` marks where a long word may be broken; in a text that is a soft hyphen.
    """

    def __init__(self, language: str = LANGUAGES[0], catalogue: str = "kaderuhr") -> None:
        """Load a catalogue of `language`: the box's, or `club` (lists and sheets). Raises `NoCatalogueError`."""
        self.language, self._catalogue = _catalogue(language, catalogue)

    def __call__(self, msgid: str, **values: str) -> str:
        """Return the text of `msgid`; a message the catalogue lacks is shown as it is."""
        text = self._catalogue.gettext(msgid).replace("~", SOFT_HYPHEN) if msgid else ""
        return text.format(**values) if values else text


@cache
def _catalogue(language: str, catalogue: str) -> tuple[Language, GNUTranslations]:
    known: Language | None = next((name for name in LANGUAGES if name == language), None)
    if known is None:
        raise NoCatalogueError(f"no language is called {language!r}; there are {', '.join(LANGUAGES)}")
    compiled = files("firmware") / "locale" / known / "LC_MESSAGES" / f"{catalogue}.mo"
    try:
        with compiled.open("rb") as file:
            return known, GNUTranslations(file)
    except FileNotFoundError:
        remedy = "run `make texts`, or install the package again"
        raise NoCatalogueError(f"the catalogue {compiled} is not there: {remedy}") from None
