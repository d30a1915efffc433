"""`kaderuhr doctor --bench`: what only hands and a real box can show, one check after the other.

Lives here: the list of checks. Each says what to wire or to pull, measures, and returns findings with its figures.
Never here: anything that runs in a match.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.doctor.bench import loop_back, sound, unplug, watchdog
from firmware.doctor.bench.hands import Hands, Terminal
from firmware.doctor.findings import Findings, note
from firmware.doctor.report import Report
from firmware.doctor.sources import ask_service, socket_of
from firmware.profile import Profile

if TYPE_CHECKING:
    from collections.abc import Callable

STOP: Final = "sudo systemctl stop kaderuhr"


def run(profile: Profile, named: Path | None) -> int:
    """Go through the checks with whoever sits at the terminal; return 1 where something is wrong."""
    path = socket_of(profile, named)
    hands = Terminal(sys.stdin, sys.stdout)
    hands.say(
        f"The bench checks of the board {profile.name}. Each one says what to do first; Enter does it, s passes "
        f"it over. Stop a running service before all but the last: {STOP}"
    )
    report = Report(board=profile.name, parts=checks(profile, path, hands))
    sys.stdout.write(f"\n{report.text()}")
    return 1 if report.wrong else 0


def checks(profile: Profile, path: Path, hands: Hands) -> dict[str, Findings]:
    """Return what each check found, those that this board has no parts for left out."""
    steps: tuple[tuple[str, bool, Callable[[Profile, Hands], Findings]], ...] = (
        ("Loop-back", loop_back.fits(profile), loop_back.check),
        ("OLED unplugged", profile.oled.kind != "desk", unplug.oled),
        ("Hall's line unplugged", profile.hall.kind == "serial", unplug.hall),
        ("Sound", profile.sound.kind == "aplay", sound.check),
    )
    free = isinstance(ask_service(path), str)
    found = {
        name: check(profile, hands) if free else (note("Passed over: the service has the devices.", STOP),)
        for name, fits, check in steps
        if fits
    }
    found["Watchdog"] = watchdog.check(path, hands)
    return found
