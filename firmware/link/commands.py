"""What the desk's keys and sensors say over the link, read once for page and service.

``{"input": NAME, "active": true}`` presses and ``false`` lets go; ``{"pulse": SENSOR}`` is a ball through a light
barrier, as long as the service makes it. ``{"watch": "inputs"}`` asks for the message ``inputs`` for a while
(``firmware/pulses.py``), on boards with real keys too. Beside them only ``id`` and ``at_ns`` of the link itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, get_args

from firmware.script import Key, Sensor

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KEYS", "SENSORS", "WATCH", "CommandError", "Pulse", "Push", "is_watch", "read_command"]

KEYS: Final[tuple[Key, ...]] = get_args(Key)
SENSORS: Final[tuple[Sensor, ...]] = get_args(Sensor)
_OF_THE_LINK: Final = frozenset({"id", "at_ns"})
WATCH: Final[Mapping[str, object]] = {"watch": "inputs"}
"""Asks to be told what the inputs do, raw; it drives nothing."""


class CommandError(Exception):
    """A command that cannot be read; the message is a sentence with what would be right."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Push:
    """An input is held from now on (``active``), or let go."""

    name: Key | Sensor
    active: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Pulse:
    """A ball passes a sensor."""

    name: Sensor


def is_watch(command: Mapping[str, object]) -> bool:
    """Say whether a command only asks for the message ``inputs``."""
    return {key: value for key, value in command.items() if key not in _OF_THE_LINK} == WATCH


def read_command(command: Mapping[str, object]) -> Push | Pulse:
    """Read one command, or raise :class:`CommandError`."""
    keys = command.keys() - _OF_THE_LINK
    if keys == {"pulse"}:
        for sensor in SENSORS:
            if command["pulse"] == sensor:
                return Pulse(name=sensor)
        raise CommandError(f"no sensor is called {command['pulse']!r}; there are {', '.join(SENSORS)}")
    if keys != {"input", "active"}:
        raise CommandError(
            f"a command holds input and active, or pulse; this one holds {', '.join(sorted(keys)) or 'none of them'}"
        )
    active = command["active"]
    if not isinstance(active, bool):
        raise CommandError(f"active is true or false, not {active!r}")
    for name in (*KEYS, *SENSORS):
        if command["input"] == name:
            return Push(name=name, active=active)
    raise CommandError(f"no input is called {command['input']!r}; there are {', '.join((*KEYS, *SENSORS))}")
