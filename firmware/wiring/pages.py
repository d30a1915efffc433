"""The files that are made from profiles: drawings, pin tables, and the table of keys in `hardware/README.md`.

Lives here: their names and their text. Never here: what is joined to what.
"""

from pathlib import Path
from typing import Final

from firmware.profile import Profile, board_names, load_profile
from firmware.profile.explained import page_table
from firmware.wiring.drawing import drawing
from firmware.wiring.header import GPIO_AT, PLACES, name_of
from firmware.wiring.joints import beside_the_header, joints

BEGIN: Final = "<!-- keys: made by `make pictures` from firmware/profile/keys.py -->\n"
END: Final = "<!-- end of keys -->\n"


def pages(hardware: Path) -> dict[Path, str]:
    """Return every file that is made for this folder, with its text."""
    made: dict[Path, str] = {}
    for name in board_names():
        profile = load_profile(name)
        if profile.pins.factory != "mock":
            made[hardware / "wiring" / f"{name}.svg"] = drawing(profile)
            made[hardware / "wiring" / f"{name}.md"] = pin_table(profile)
    readme = hardware / "README.md"
    made[readme] = with_keys(readme.read_text())
    return made


def with_keys(page: str) -> str:
    """Return a page with the table of keys between its two marks; `ValueError` where it lacks them."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the page needs the lines {BEGIN.strip()!r} and {END.strip()!r}")
    return f"{head}{BEGIN}\n{page_table()}\n{END}{tail}"


def pin_table(profile: Profile) -> str:
    """Return the pin table of a board, place by place as on the header."""
    wires = {joint.place: joint for joint in joints(profile)}
    name, circuits = profile.name, "and [circuits.md](../circuits.md) for each part"
    lines = [
        f"# Pins of the board `{name}`",
        "",
        f"Made by `make pictures` from `boards/{name}.toml`: see [the drawing]({name}.svg), {circuits}.",
        "",
        "| place | is | goes to | its terminal | through |",
        "| --- | --- | --- | --- | --- |",
    ]
    for place in PLACES:
        joint = wires.get(place)
        if joint is not None:
            cells = (joint.part, joint.terminal, joint.through)
        elif place in GPIO_AT:
            cells = ("the memory of a HAT: leave it" if GPIO_AT[place] in {0, 1} else "free", "", "")
        else:
            cells = ("", "", "")
        row = (str(place), name_of(place), *cells)
        lines.append("|" + "|".join(f" {cell} " if cell else " " for cell in row) + "|")
    notes = beside_the_header(profile)
    if notes:
        lines += ["", "Not on the header:", "", *(f"- {note}" for note in notes)]
    return "\n".join(lines) + "\n"
