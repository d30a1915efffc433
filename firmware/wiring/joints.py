"""What a board's parts join to the header.

Lives here: from a profile to a list of joints, place by place. Never here: how it is drawn.
"""

from dataclasses import dataclass
from typing import Final, Literal

from firmware.profile import Profile
from firmware.wiring.header import PLACE_OF

Kind = Literal["key", "barrier", "oled", "led", "lamp", "piezo", "serial", "i2s"]

HAND: Final = "hand button"
SHIFTER: Final = "74AHCT125"
"""Lifts 3.3 V to the 5 V that a MAX7219 wants to see: at least 3.5 V (data sheet 19-4452)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Joint:
    """One wire: a place of the header, the kind of part at its other end, the part, and the part's own terminal.

    `through`: what sits in between, at the Pi's end of the wire.
    """

    place: int
    kind: Kind
    part: str
    terminal: str
    through: str = ""


def joints(profile: Profile) -> tuple[Joint, ...]:
    """Return every wire of a board, by place."""
    found = [*_inputs(profile), *_outputs(profile), *_buses(profile)]
    return tuple(sorted(found, key=lambda joint: joint.place))


def _inputs(profile: Profile) -> list[Joint]:
    found = []
    for spec in profile.inputs():
        goal = spec.name.removeprefix("goal_") if spec.name.startswith("goal_") else None
        part = f"light barrier, {goal} goal" if goal else HAND if spec.name == "hand" else f"key {spec.name}"
        found += [
            Joint(
                place=PLACE_OF[gpio],
                kind="barrier" if goal else "key",
                part=part,
                terminal="OUT" if goal else "one side; the other to GND",
                through="1 kΩ",
            )
            for gpio in spec.pins
        ]
    return found


def _outputs(profile: Profile) -> list[Joint]:
    found = [
        Joint(
            place=PLACE_OF[gpio],
            kind="lamp",
            part=f"MOSFET, lamp {name.replace('_', ' ')}",
            terminal="gate",
            through="220 Ω",
        )
        for name, gpios in profile.lamps.pins().items()
        for gpio in gpios
    ]
    if profile.piezo.pin is not None:
        found.append(
            Joint(
                place=PLACE_OF[profile.piezo.pin],
                kind="piezo",
                part="transistor, piezo",
                terminal="base",
                through="1 kΩ",
            )
        )
    return found


def _buses(profile: Profile) -> list[Joint]:
    found = []
    if profile.oled.kind != "desk" and profile.oled.port == 1:
        oled = f"OLED ({profile.oled.kind})"
        for place, terminal in ((1, "VCC"), (3, "SDA"), (5, "SCL"), (9, "GND")):
            found.append(Joint(place=place, kind="oled", part=oled, terminal=terminal))
    if profile.led.kind == "max7219":
        led = f"LED board {profile.led.width} x {profile.led.rows}"
        for place, terminal in ((19, "DIN"), (23, "CLK"), (24, "CS"), (20, "GND")):
            through = "" if terminal == "GND" else SHIFTER
            found.append(Joint(place=place, kind="led", part=led, terminal=terminal, through=through))
    if profile.hall.device in {"/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0"}:
        for place, terminal in ((8, "RX, DI"), (10, "TX, RO")):
            found.append(Joint(place=place, kind="serial", part="adapter to the hall", terminal=terminal))
    if profile.sound.i2s:
        for place, terminal in ((12, "BCLK"), (35, "LRC"), (40, "DIN")):
            found.append(Joint(place=place, kind="i2s", part="amplifier", terminal=terminal))
    return found


def beside_the_header(profile: Profile) -> tuple[str, ...]:
    """Return what is joined elsewhere, in sentences."""
    found = []
    if profile.sound.kind == "aplay" and not profile.sound.i2s:
        found.append(f"USB: sound card (ALSA id {profile.sound.card}), loudspeaker at its output.")
    if profile.hall.kind == "serial" and "/dev/tty" in profile.hall.device and "USB" in profile.hall.device:
        found.append(
            f"USB: serial adapter ({profile.hall.device}) to the hall's display, {profile.hall.baud} baud."
        )
    if profile.led.kind == "max7219":
        found.append(
            "The LED board's VCC (5 V) comes from a supply of its own; its GND is joined to the Pi's."
        )
    if profile.sensors.goal_red or profile.sensors.goal_white:
        found.append(
            "The light barriers' supply is what they ask for, 3.3 V (places 1 and 17) or 5 V (places 2 and 4). "
            "Their OUT must be an open collector."
        )
    return tuple(found)
