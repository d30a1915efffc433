"""The header of a Raspberry Pi: 40 places, the same on every board with 40 of them.

Lives here: what is at which place, from the Raspberry Pi documentation ("GPIO and the 40-pin header"). Never here: who
uses it.
"""

from typing import Final

POWER: Final = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"}
GROUNDS: Final = (6, 9, 14, 20, 25, 30, 34, 39)
GPIO_AT: Final = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25, 23: 11,
    24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
PLACES: Final = range(1, 41)
PLACE_OF: Final = {gpio: place for place, gpio in GPIO_AT.items()}


def name_of(place: int) -> str:
    """Return what is printed beside a place."""
    if place in POWER:
        return POWER[place]
    return "GND" if place in GROUNDS else f"GPIO {GPIO_AT[place]}"
