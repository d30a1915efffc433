"""Sound and serial: what is plugged in and changes its number from start to start.

Lives here: whether the card and the line of the profile are there, and who else has them. Never here: what goes out.
"""

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.doctor.buses import CONFIG
from firmware.doctor.findings import Finding, Findings, fine, note, wrong
from firmware.doctor.world import World
from firmware.profile import Profile
from firmware.profile.pins import UART_DEVICES

CARD: Final = re.compile(r"^\s*(\d+) \[(\S+)\s*\]: (.*)$", re.MULTILINE)
BY_ID: Final = "/dev/serial/by-id"


def sound(world: World, profile: Profile) -> Findings:
    """Say which cards there are, and whether the profile's is among them."""
    if profile.sound.kind != "aplay":
        return ()
    cards = {name: what for _, name, what in CARD.findall(world.read("/proc/asound/cards") or "")}
    shown = ", ".join(f"{name} ({what})" for name, what in cards.items()) or "none at all"
    wanted = profile.sound.card
    found: list[Finding] = []
    if wanted in cards:
        found += [
            fine(f"Sound goes to the card {wanted} ({cards[wanted]}).", card=wanted),
            *_of_card(wanted, cards, awake=profile.sound.awake),
        ]
    else:
        now = "plug the sound card in, or set [sound] card to the id of one that is there"
        found.append(wrong(f"There is no sound card {wanted}; there are: {shown}.", now, card=wanted))
    if not world.tool("aplay"):
        found.append(wrong("aplay is missing, which plays the sounds.", "sudo apt install alsa-utils"))
    return (*found, *_may_play(world))


def _of_card(wanted: str, cards: dict[str, str], *, awake: bool) -> Findings:
    what = cards[wanted].lower()
    if "hdmi" in what and not awake:
        return (
            note(
                "A screen on HDMI swallows the first second of a sound when it has slept.",
                "set [sound] awake = true, or use a USB sound card and a loudspeaker",
            ),
        )
    if "headphones" in what:
        now = "a USB sound card for a few euros is better"
        return (note("The Pi's own headphone jack is noisy and shares its clock with PWM.", now),)
    return ()


def _may_play(world: World) -> Findings:
    barred = [path for path in world.glob("/dev/snd/pcmC*p") if not world.may(path)]
    if not barred:
        return ()
    names = ", ".join(map(world.name, barred))
    return (wrong(f"This user may not play on {names}.", "make it a member of the group audio"),)


def serial(world: World, profile: Profile) -> Findings:
    """Say which serial adapters there are, and whether the hall's line is free."""
    adapters = {path.name: os.path.realpath(path) for path in world.glob(f"{BY_ID}/*")}
    shown = tuple(
        fine(f"Serial adapter {BY_ID}/{name}.", device=str(device)) for name, device in adapters.items()
    )
    if profile.hall.kind != "serial":
        return shown
    device = profile.hall.device
    path = world.path(device)
    if not path.exists():
        names = ", ".join(f"{BY_ID}/{name}" for name in adapters) or "none by id"
        now = "plug the adapter in, or name one that is there under [hall] device"
        return (*shown, wrong(f"The hall's line {device} is not there; there are: {names}.", now))
    found = [*shown, *_console(world, device), *_holders(world, path)]
    if not world.may(path):
        found.append(wrong(f"This user may not open {device}.", "make it a member of the group dialout"))
    elif not any(finding.state == "wrong" for finding in found):
        found.append(fine(f"The hall's line is {device} at {profile.hall.baud} baud.", device=device))
    if len(adapters) > 1 and re.fullmatch(r"/dev/tty(USB|ACM)\d+", device):
        now = f"name it by {BY_ID}/..., which stays"
        found.append(
            note(f"There are {len(adapters)} adapters, and {device} may be another one next time.", now)
        )
    return tuple(found)


def _console(world: World, device: str) -> Findings:
    """Say where the kernel talks on the header's serial line."""
    if device not in UART_DEVICES or not re.search(
        r"console=(serial0|ttyAMA0|ttyS0)", world.read("/proc/cmdline") or ""
    ):
        return ()
    now = f"raspi-config, Interface, Serial: no login shell, yes hardware (and enable_uart=1 in {CONFIG})"
    return (wrong(f"The system's console talks on {device}, so the hall would show its messages.", now),)


def _holders(world: World, path: Path) -> Findings:
    """Say which other program has the line open, as far as this user may know."""
    real = path.resolve()
    holders: set[str] = set()
    for link in world.glob("/proc/[0-9]*/fd/*"):
        with suppress(OSError):
            target = link.readlink()
            if target == real or world.path(str(target)) == real:
                holders.add((world.read(world.name(link.parents[1] / "comm")) or "?").strip())
    others = sorted(holders - {"kaderuhr"})
    if not others:
        return ()
    return (
        wrong(
            f"{', '.join(others)} has {world.name(path)} open.", "end it; one program at a time has a line"
        ),
    )
