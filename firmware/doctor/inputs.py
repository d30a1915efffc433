"""Keys and sensors: each with its level now and what its line has done since the start.

Lives here: judging the message `inputs` (`firmware/pulses.py`). Never here: getting it (`sources.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from firmware.doctor.findings import Finding, Findings, Value, fine, note, wrong

MANY_SPIKES: Final = 100
SENSORS: Final = ("goal_red", "goal_white")


@dataclass(frozen=True, kw_only=True, slots=True)
class Input:
    """One input as the message tells it."""

    name: str
    pins: tuple[int, ...]
    active: bool
    edges: int
    presses: int
    spikes: int
    bounces: int
    late: int
    lost: int | None
    repaired: int

    @property
    def is_sensor(self) -> bool:
        """Whether it is a goal's."""
        return self.name in SENSORS

    @property
    def level(self) -> str:
        """What it reads, in the words of its kind."""
        return (
            ("covered" if self.active else "free")
            if self.is_sensor
            else ("pressed" if self.active else "open")
        )

    @property
    def place(self) -> str:
        """How people find it."""
        return f"{self.name} (GPIO {', '.join(map(str, self.pins))})"


def inputs_of(message: Mapping[str, Any]) -> tuple[Input, ...]:
    """Read the inputs of a message."""
    names = [field.name for field in fields(Input) if field.name not in {"name", "pins"}]
    return tuple(
        Input(name=told["input"], pins=tuple(told["pins"]), **{name: told[name] for name in names})
        for told in message["inputs"]
    )


def inputs(message: Mapping[str, Any]) -> Findings:
    """Say what each input reads and has done."""
    return tuple(map(_one, inputs_of(message)))


def _one(seen: Input) -> Finding:
    done = (
        f"{seen.edges} edges, {seen.presses} {'balls or hands' if seen.is_sensor else 'presses'}, "
        f"{seen.spikes} spikes left out, {seen.bounces} bounces"
    )
    says = f"{seen.place} is {seen.level}: {done}."
    values: dict[str, Value] = {
        "input": seen.name, "gpio": " ".join(map(str, seen.pins)), "active": seen.active, "edges": seen.edges,
        "presses": seen.presses, "spikes": seen.spikes, "bounces": seen.bounces, "late": seen.late, "lost": seen.lost,
        "repaired": seen.repaired,
    }  # fmt: skip
    if seen.active and seen.is_sensor:
        now = "take the ball out of the barrier, or align it (kaderuhr doctor --watch shows it live)"
        return wrong(says, now, **values)
    if seen.active:
        now = "let go of the key; if nobody holds it, its wire touches ground or it sits on another pin"
        return wrong(says, now, **values)
    if seen.spikes >= MANY_SPIKES:
        now = "its cable picks up noise: twisted pair, 1 kΩ in series and 100 nF at the Pi (hardware/circuits.md)"
        return wrong(says, now, **values)
    if seen.lost or seen.repaired:
        now = "a line that noisy, or a Pi that busy, loses edges; look at its cable, then at what else runs (top)"
        what = f"{seen.lost or 0} edges were lost, {seen.repaired} levels were repaired by a look"
        return wrong(f"{says} {what.capitalize()}.", now, **values)
    if seen.late:
        now = "the Pi is too busy, or its supply too weak"
        return note(f"{says} {seen.late} edges came too late to be put in order.", now, **values)
    return note(says, "", **values) if seen.spikes else fine(says, **values)
