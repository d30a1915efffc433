"""The machine: which Pi, its kernel, its power, its heat, its card, its clock.

Lives here: what holds for any board. Never here: pins and devices.
"""

import re
from datetime import UTC, datetime
from typing import Final

from firmware.doctor.findings import Findings, fine, note, wrong
from firmware.doctor.world import World
from firmware.profile import Profile

MODEL: Final = "/proc/device-tree/model"
MEGABYTE: Final = 1_000_000
LEAST_FREE: Final = 50 * MEGABYTE
"""Below this an evening's journal might not fit."""
LITTLE_FREE: Final = 500 * MEGABYTE
HOT: Final = 80
"""Degrees at which a Pi begins to slow down (Raspberry Pi documentation, frequency management)."""

LOW_NOW: Final = 1 << 0
LOW_ONCE: Final = 1 << 16
SLOWED: Final = (1 << 1) | (1 << 2) | (1 << 17) | (1 << 18)
"""Bits of get_throttled: under-voltage now and since the start; frequency capped or throttled."""

BETTER_SUPPLY: Final = (
    "use the supply made for this Pi (5.1 V) with its own short cable, "
    "and feed the LED board from a supply of its own"
)


def is_pi(world: World) -> bool:
    """Whether this is a Raspberry Pi."""
    return (world.read(MODEL) or "").startswith("Raspberry Pi")


def kernel_version(world: World) -> tuple[int, int]:
    """Return the kernel's version in two numbers, (0, 0) where it cannot be told."""
    found = re.match(r"(\d+)\.(\d+)", world.read("/proc/sys/kernel/osrelease") or "")
    return (int(found[1]), int(found[2])) if found else (0, 0)


def model(world: World) -> Findings:
    """Say which machine this is."""
    named = world.read(MODEL)
    if named is None or not is_pi(world):
        what = named or "no board that names itself"
        return (note(f"This is not a Raspberry Pi ({what}): only a desk board runs here.", model=named),)
    return (fine(f"{named}.", model=named),)


def kernel(world: World) -> Findings:
    """Say which kernel and system run."""
    release = world.read("/proc/sys/kernel/osrelease") or "unknown"
    lines = (world.read("/etc/os-release") or "").splitlines()
    system = next(
        (line.partition("=")[2].strip('"') for line in lines if line.startswith("PRETTY_NAME=")), "unknown"
    )
    return (fine(f"Kernel {release}, {system}.", kernel=release, system=system),)


def power(world: World) -> Findings:
    """Say whether the supply was ever too weak."""
    texts = [
        path.read_text().strip() for path in world.glob("/sys/devices/platform/*/*firmware*/get_throttled")
    ]
    alarms = [
        path.with_name("in0_lcrit_alarm").read_text().strip() == "1"
        for path in world.glob("/sys/class/hwmon/hwmon*/name")
        if path.read_text().strip() == "rpi_volt" and path.with_name("in0_lcrit_alarm").exists()
    ]
    if not texts and not alarms:
        if not is_pi(world):
            return ()
        return (
            note(
                "This kernel does not tell whether the supply is strong enough.",
                "look with vcgencmd get_throttled",
            ),
        )
    bits = int(texts[0], 16) if texts else 0
    if bits & LOW_NOW:
        return (wrong("The supply's voltage is too low now.", BETTER_SUPPLY, throttled=bits),)
    if bits & LOW_ONCE or any(alarms):
        return (
            wrong("The supply's voltage has been too low since the start.", BETTER_SUPPLY, throttled=bits),
        )
    if bits & SLOWED:
        return (
            note("The Pi has slowed itself down since the start.", "give the case some air", throttled=bits),
        )
    return (fine("The supply has been strong enough since the start.", throttled=bits),)


def heat(world: World) -> Findings:
    """Say how warm the chip is."""
    text = world.read("/sys/class/thermal/thermal_zone0/temp") or ""
    if not text.lstrip("-").isdigit():
        return ()
    degrees = int(text) // 1000
    if degrees >= HOT:
        return (
            wrong(
                f"The chip has {degrees} degrees and slows down.",
                "give the case holes or a heat sink",
                celsius=degrees,
            ),
        )
    return (fine(f"The chip has {degrees} degrees.", celsius=degrees),)


def disk(world: World, profile: Profile) -> Findings:
    """Say whether the journal can be kept."""
    folder = profile.state.folder
    space = world.space(folder)
    if space is None:
        return (wrong(f"{folder} is on no disk that can be asked.", "name another folder under [state]"),)
    megabytes = space.free // MEGABYTE
    what = f"{folder}: {megabytes} MB are free"
    if not space.writable:
        return (
            wrong(
                f"{folder} lies on a disk that cannot be written to: nothing of a match is kept.",
                "restart the Pi; if it comes back so, the card is worn out: take a new one",
                free_mb=megabytes,
            ),
        )
    if space.free < LEAST_FREE:
        return (
            wrong(
                f"{what}, too few for an evening.",
                "copy old evenings to a stick and delete them",
                free_mb=megabytes,
            ),
        )
    if space.free < LITTLE_FREE:
        return (note(f"{what}.", "make room before the season", free_mb=megabytes),)
    return (fine(f"{what}.", free_mb=megabytes),)


def clock(world: World) -> Findings:
    """Say what the date is worth. No match depends on it; its sheet carries it."""
    now = world.wall()
    shown = datetime.fromtimestamp(now.utc_s, UTC).strftime("%Y-%m-%d %H:%M UTC")
    chip = world.read("/sys/class/rtc/rtc0/name")
    of_chip = f"with a clock chip ({chip.split()[0]})" if chip else "without a clock chip"
    values = {"utc_s": now.utc_s, "known": now.known, "rtc": chip}
    if now.known:
        return (fine(f"It is {shown}, {of_chip}, and the time is known.", **values),)
    return (
        note(
            f"It may be {shown}, {of_chip}: the time is a guess, and match sheets will say so.",
            "join a network for a minute, or put in a DS3231 (hardware/circuits.md)",
            **values,
        ),
    )
