"""The pins: the GPIO chip of the header, who holds its lines, and the factory that the board names.

Lives here: whether keys and sensors can be read at all. Never here: what they read (`inputs.py`).
"""

from typing import Final

from drivers.factories import FIRST_KERNEL_WITHOUT_SYSFS, PROMISES
from drivers.gpiod_pins.chips import CHIP_LABELS
from firmware.doctor.findings import Finding, Findings, fine, note, wrong
from firmware.doctor.machine import is_pi, kernel_version
from firmware.doctor.world import Chip, World
from firmware.profile import Profile

OURS: Final = ("kaderuhr", "lg")
"""How our own service is called as a holder of lines: through gpiod, and through lgpio."""


def chips(world: World, profile: Profile) -> Findings:
    """Say which GPIO chip is the header."""
    if profile.pins.factory == "mock":
        return (fine("This board has mock pins: no GPIO is used."),)
    devices = world.glob("/dev/gpiochip*")
    seen = [(device, world.chip(device)) for device in devices]
    for device, chip in seen:
        if chip is not None and chip.label in CHIP_LABELS:
            found = fine(f"The header is {world.name(device)} ({chip.label}).", chip=chip.label)
            return (found, *_held(chip, profile))
    if not devices:
        now = "run on a Raspberry Pi, or choose the board desk"
        return (wrong("This machine has no GPIO chip, and the board has real pins.", now),)
    if any(chip is None for _, chip in seen):
        names = ", ".join(world.name(device) for device, chip in seen if chip is None)
        now = "make this user a member of the group gpio: sudo usermod -aG gpio $USER, then log in again"
        return (wrong(f"This user may not open {names}.", now),)
    labels = ", ".join(f"{world.name(device)} ({chip.label})" for device, chip in seen if chip is not None)
    return (wrong(f"No GPIO chip is a Raspberry Pi's header; there are {labels}.", "run on a Raspberry Pi"),)


def _held(chip: Chip, profile: Profile) -> Findings:
    """Say which pins of keys, sensors, lamps and the piezo another program has."""
    wanted = {pin: spec.name for spec in profile.inputs() for pin in spec.pins}
    wanted |= {pin: f"lamp {name}" for name, pins in profile.lamps.pins().items() for pin in pins}
    if profile.piezo.pin is not None:
        wanted[profile.piezo.pin] = "piezo"
    return tuple(
        wrong(
            f"GPIO {pin} ({name}) is held by {chip.held[pin]!r}.",
            "end that program, take its line out of /boot/firmware/config.txt, or wire another GPIO",
        )
        for pin, name in wanted.items()
        if pin in chip.held and not chip.held[pin].startswith(OURS)
    )


def factory(world: World, profile: Profile) -> Findings:
    """Say through which factory the pins are read, and what it does not promise."""
    name = profile.pins.factory
    if name == "rpigpio":
        refused = _refused(world)
        if refused is not None:
            return (refused,)
    lacks = PROMISES[name].lacks
    if lacks:
        now = "gpiod promises all of it" if name != "gpiod" else ""
        return (note(f"Pin factory {name}: {'; '.join(lacks)}.", now, factory=name),)
    return (fine(f"Pin factory {name}.", factory=name),)


def _refused(world: World) -> Finding | None:
    """Say why RPi.GPIO cannot be used here, if so."""
    if kernel_version(world) >= FIRST_KERNEL_WITHOUT_SYSFS:
        what = "RPi.GPIO finds no edges on kernels from 6.6 on."
    elif is_pi(world) and "Raspberry Pi 5" in (world.read("/proc/device-tree/model") or ""):
        what = "RPi.GPIO knows no Raspberry Pi 5."
    else:
        return None
    return wrong(what, 'set [pins] factory = "gpiod" in the profile')
