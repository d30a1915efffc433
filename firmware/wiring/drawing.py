"""The wiring drawing of a board, as SVG: the header in the middle, its parts at both sides, the keys below.

Lives here: where everything stands. Never here: what is joined (`joints.py`).

Each wire is a level line from its place outwards: the resistor at the Pi, the part, and the rail of ground at the edge.
"""

from collections.abc import Collection, Iterator
from itertools import groupby
from textwrap import wrap
from typing import Final

from firmware.profile import KEYS, Profile
from firmware.wiring.header import GPIO_AT, GROUNDS, PLACE_OF, PLACES, POWER, name_of
from firmware.wiring.joints import HAND, Joint, Kind, beside_the_header, joints
from firmware.wiring.symbols import INK, PALE, box, button, dot, ground, resistor, text, wire

WIDTH: Final = 1320
MIDDLE: Final = WIDTH // 2
TOP: Final = 150
ROW: Final = 36
PIN: Final = 28
NAME_AT: Final = 50
RESISTOR_AT: Final = 150
PART_AT: Final = 205
PART_WIDTH: Final = 236
RAIL_AT: Final = 455
LONGEST: Final = 72
BOTTOM: Final = TOP + 20 * ROW

COLOURS: Final[dict[Kind, str]] = {
    "key": "#1f5fbf", "barrier": "#1a7f37", "oled": "#7b3fb0", "led": "#c05600", "lamp": "#8a6d00", "piezo": "#8a6d00",
    "serial": "#00707a", "i2s": "#00707a",
}  # fmt: skip
POWERED: Final = {"5 V": "#c62828", "3.3 V": "#e07a00"}


def drawing(profile: Profile) -> str:
    """Return the whole drawing."""
    wires = joints(profile)
    by_place = {joint.place: joint for joint in wires}
    notes = beside_the_header(profile)
    height = BOTTOM + 270 + 24 * max(0, len(notes) - 4)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" font-family="DejaVu Sans, Arial, sans-serif">'
        ),
        f"<title>Kaderuhr, board {profile.name}: wiring of the 40-pin header</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        text(40, 40, f"Board {profile.name}", size=26, bold=True),
        text(
            40, 72, "The header seen from above, the edge of the board to the right, place 1 at the top left."
        ),
        text(40, 96, "5 V must never reach a GPIO: it destroys the Pi. Wire with the supply switched off."),
        *_rails(by_place),
        *_header(by_place),
        *_parts(wires),
        *_keypad(profile),
        *_notes(notes),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _side(place: int) -> int:
    """Return -1 for the left column, 1 for the right one."""
    return 1 if place % 2 == 0 else -1


def _at(place: int, offset: float) -> tuple[float, float]:
    """Return the point so far outwards from the middle, on the level of a place."""
    return MIDDLE + _side(place) * offset, TOP + ((place - 1) // 2) * ROW + ROW / 2


def _level(place: int, from_offset: float, to_offset: float, colour: str) -> str:
    (x1, y), (x2, _) = _at(place, from_offset), _at(place, to_offset)
    return wire(f"{x1:g},{y:g} {x2:g},{y:g}", colour)


def _rails(taken: Collection[int]) -> Iterator[str]:
    """Draw ground at both edges, each joined to the lowest place of GND that nothing else takes."""
    for side in (-1, 1):
        x = MIDDLE + side * RAIL_AT
        yield wire(f"{x},{TOP} {x},{BOTTOM + 6}", width=3)
        yield ground(x, BOTTOM + 6)
        yield text(x, TOP - 16, "GND", anchor="middle", bold=True)
        place = max(place for place in GROUNDS if _side(place) == side and place not in taken)
        yield _level(place, 18 + PIN / 2, RAIL_AT, INK)
        yield dot(*_at(place, RAIL_AT))


def _header(wires: dict[int, Joint]) -> Iterator[str]:
    yield box(MIDDLE - 38, TOP - 8, 76, 20 * ROW + 16, fill="#20302a")
    for place in PLACES:
        joint, name = wires.get(place), name_of(place)
        x, y = _at(place, 18)
        fill = (
            COLOURS[joint.kind] if joint else POWERED.get(name, "#000000" if place in GROUNDS else "#d8d8d8")
        )
        ink = INK if fill == "#d8d8d8" else "#ffffff"
        yield box(x - PIN / 2, y - PIN / 2, PIN, PIN, fill=fill, colour="#ffffff")
        yield text(x, y, str(place), size=14, anchor="middle", fill=ink, bold=True)
        words, colour = name, INK
        if joint is None and place in GPIO_AT:
            words, colour = (f"{name} (HAT's memory)" if GPIO_AT[place] in {0, 1} else f"{name}, free"), PALE
        elif place in POWER:
            colour = POWERED[name]
        outer, _ = _at(place, NAME_AT)
        yield text(outer, y - 9, words, size=13, anchor="start" if _side(place) > 0 else "end", fill=colour)


def _parts(wires: tuple[Joint, ...]) -> Iterator[str]:
    for _, column in groupby(
        sorted(wires, key=lambda joint: (_side(joint.place), joint.place)), lambda j: _side(j.place)
    ):
        for (kind, part, grounded), group in groupby(column, lambda j: (j.kind, j.part, j.terminal == "GND")):
            block = list(group)
            for joint in block:
                yield from _to_part(joint)
            if kind != "key":
                yield from _block(
                    block, part, COLOURS[kind], to_rail=kind in {"barrier", "piezo", "lamp"}, flat=grounded
                )


def _to_part(joint: Joint) -> Iterator[str]:
    """Draw a wire from its place to its part, and a key with its way to ground."""
    colour = COLOURS[joint.kind]
    yield _level(joint.place, 18 + PIN / 2, PART_AT, colour)
    if joint.through:
        yield resistor(*_at(joint.place, RESISTOR_AT), joint.through)
    if joint.kind != "key":
        return
    x, y = _at(joint.place, PART_AT + 45)
    side = _side(joint.place)
    yield _level(joint.place, PART_AT, PART_AT + 29, colour)
    yield button(x, y, side)
    yield _level(joint.place, PART_AT + 61, RAIL_AT, INK)
    yield dot(*_at(joint.place, RAIL_AT))
    name_x, _ = _at(joint.place, RAIL_AT + 16)
    name = joint.part.removeprefix("key ")
    yield text(name_x, y, name, size=17, anchor="start" if side > 0 else "end", fill=colour, bold=True)


def _block(block: list[Joint], part: str, colour: str, *, to_rail: bool, flat: bool) -> Iterator[str]:
    """Draw a part as a box with its terminals at the wires' ends."""
    side = _side(block[0].place)
    x, first = _at(block[0].place, PART_AT)
    _, last = _at(block[-1].place, PART_AT)
    left = x if side > 0 else x - PART_WIDTH
    yield box(left, first - 14, PART_WIDTH, last - first + 28, colour=colour)
    if flat:
        yield text(left + PART_WIDTH / 2, first, f"{part}: GND", size=13, anchor="middle", fill=colour)
        return
    for joint in block:
        terminal_x, y = _at(joint.place, PART_AT + 8)
        words = joint.terminal
        yield text(
            terminal_x, y, words, size=13, anchor="start" if side > 0 else "end", fill=colour, bold=True
        )
    name_x, _ = _at(block[0].place, PART_AT + PART_WIDTH - 8)
    yield text(name_x, (first + last) / 2, part, size=13, anchor="end" if side > 0 else "start", fill=colour)
    if to_rail:
        yield _level(block[0].place, PART_AT + PART_WIDTH, RAIL_AT, INK)
        yield dot(*_at(block[0].place, RAIL_AT))


def _keypad(profile: Profile) -> Iterator[str]:
    """Draw the keys as the referee sees them."""
    left, top, width, height = 40, BOTTOM + 70, 150, 48
    yield text(left, top - 20, "The keys as the referee sees them: name, GPIO, place", bold=True)
    for number, key in enumerate((*KEYS[:9], "hand")):
        gpios: tuple[int, ...] = getattr(profile.keys, key)
        if not gpios:
            continue
        x = left + number % 3 * (width + 10) if key != "hand" else left + 3 * (width + 10)
        y = top + (number // 3 if key != "hand" else 1) * (height + 8)
        yield box(x, y, width, height, fill="#eef3fb", colour=COLOURS["key"])
        yield text(x + width / 2, y + 15, HAND if key == "hand" else key, size=15, anchor="middle", bold=True)
        places = ", ".join(f"GPIO {gpio}, place {PLACE_OF[gpio]}" for gpio in gpios)
        yield text(x + width / 2, y + 34, places, size=12, anchor="middle")


def _notes(notes: tuple[str, ...]) -> Iterator[str]:
    left, top = 720, BOTTOM + 70
    yield text(left, top - 20, "Not on the header, and what else is needed", bold=True)
    lines = [*notes, "All GND places are joined inside the Pi: 6, 9, 14, 20, 25, 30, 34, 39."]
    y = top + 14
    for line in lines:
        for words in wrap(line, LONGEST):
            yield text(left, y, words, size=14)
            y += 19
        y += 8
