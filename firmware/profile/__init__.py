"""Board profiles: which pins, displays, sounds and lines a box has, read from a TOML file.

Lives here: the profile as a frozen value (`values.py`), every key and what it is for (`keys.py`), who has which GPIO
(`pins.py`), and the reading that finds every mistake of a file at once (`reading.py`). Never here: a device that is
opened. The boards that come with the program lie in `hardware/boards`.
"""

from firmware.profile.reading import ProfileErrors, board_names, load_profile
from firmware.profile.values import (
    FACTORIES,
    KEYS,
    LANGUAGES,
    WORDS,
    Factory,
    Filter,
    Hall,
    Keys,
    Lamps,
    Language,
    Led,
    NewMatch,
    Oled,
    Page,
    Piezo,
    Pins,
    Profile,
    Sensors,
    Sound,
    State,
    Word,
)
from firmware.settings import Problem

__all__ = [
    "FACTORIES",
    "KEYS",
    "LANGUAGES",
    "WORDS",
    "Factory",
    "Filter",
    "Hall",
    "Keys",
    "Lamps",
    "Language",
    "Led",
    "NewMatch",
    "Oled",
    "Page",
    "Piezo",
    "Pins",
    "Problem",
    "Profile",
    "ProfileErrors",
    "Sensors",
    "Sound",
    "State",
    "Word",
    "board_names",
    "load_profile",
]
