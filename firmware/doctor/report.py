"""The whole examination: every probe asked once, and its findings as text or JSON.

Lives here: which probes there are and in which order. Never here: what any of them looks at.
"""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from drivers.ports import DeviceError
from firmware.doctor import buses, lines, machine, pins, software
from firmware.doctor.configuration import configuration
from firmware.doctor.findings import Finding, Findings, State, fine, note, wrong
from firmware.doctor.inputs import inputs
from firmware.doctor.sources import FromPins, Seen, ask_service, socket_of
from firmware.doctor.world import World
from firmware.profile import Profile

LISTEN_S: Final = 1.0
MARKS: Final[dict[State, str]] = {"fine": "ok", "note": "--", "wrong": "!!"}

OF_THE_MACHINE: Final[dict[str, tuple[Callable[[World], Findings], ...]]] = {
    "Program": (software.program,),
    "Machine": (machine.model, machine.kernel, machine.power, machine.heat, machine.clock),
}
OF_THE_BOARD: Final[dict[str, tuple[Callable[[World, Profile], Findings], ...]]] = {
    "Libraries": (software.libraries,),
    "Disk": (machine.disk,),
    "Pins": (pins.chips, pins.factory),
    "Displays": (buses.i2c, buses.spi),
    "Sound and hall": (lines.sound, lines.serial),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """What was found, under headings."""

    board: str
    parts: dict[str, Findings]

    @property
    def wrong(self) -> int:
        """How many things are wrong."""
        return sum(finding.state == "wrong" for findings in self.parts.values() for finding in findings)

    def text(self) -> str:
        """Return it for people."""
        out: list[str] = []
        for part, findings in self.parts.items():
            if findings:
                out += [part, *map(_line, findings), ""]
        many = {0: "Nothing is wrong.", 1: "One thing is wrong."}
        return "\n".join([*out, many.get(self.wrong, f"{self.wrong} things are wrong.")]) + "\n"

    def json(self) -> str:
        """Return it for programs: one object."""
        found = [
            {"part": part, **asdict(finding)} for part, findings in self.parts.items() for finding in findings
        ]
        report = {"board": self.board, "wrong": self.wrong, "findings": found}
        return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def examine(
    board: str,
    world: World,
    *,
    socket: Path | None = None,
    ask: Callable[[Path], Seen | str] = ask_service,
    read_pins: Callable[[Profile], Findings] | None = None,
) -> Report:
    """Look at everything. `ask` asks the service at a socket, `read_pins` the pins where there is none."""
    profile, configured = configuration(board)
    parts: dict[str, Findings] = {
        name: tuple(finding for probe in probes for finding in probe(world))
        for name, probes in OF_THE_MACHINE.items()
    }
    if profile is not None and profile.pins.factory == "mock" and machine.is_pi(world):
        now = "name the box's: kaderuhr doctor --board NAME_OR_FILE"
        configured = (
            *configured,
            note("This is a Raspberry Pi, and a board without hardware was looked at.", now),
        )
    parts["Configuration"] = configured
    if profile is not None:
        for name, of_board in OF_THE_BOARD.items():
            parts[name] = tuple(finding for probe in of_board for finding in probe(world, profile))
        path = socket_of(profile, socket)
        seen = ask(path)
        if isinstance(seen, Seen):
            parts["Service"], parts["Keys and sensors"] = _service(profile, path, seen)
        else:
            parts["Service"] = (note(f"The service does not run: {seen}.", "", socket=str(path)),)
            parts["Keys and sensors"] = (read_pins or _read_pins)(profile)
    return Report(board=board, parts=parts)


def _line(finding: Finding) -> str:
    says = finding.says
    return f"  {MARKS[finding.state]}  {says}" + (f"\n      -> {finding.now}" if finding.now else "")


def _service(profile: Profile, path: Path, seen: Seen) -> tuple[Findings, Findings]:
    """Say what a running service complains of, and what its keys and sensors read."""
    found = [fine(f"The service runs on the board {seen.board}.", board=seen.board, socket=str(path))]
    if seen.board != profile.name:
        now = f"give the doctor the same: --board {seen.board}"
        found.append(note(f"It runs on another board than the one looked at here, {profile.name}.", now))
    found += [
        wrong(f"The service says: {told.removesuffix('.')}.", "the sentence says it")
        for told in seen.troubles
    ]
    if seen.inputs is None:
        return (*found, note("It did not tell what the inputs do.", "is it of an older version?")), ()
    return tuple(found), inputs(seen.inputs)


def _read_pins(profile: Profile) -> Findings:
    """Read the pins for a moment. Mock pins would only say that nobody drives them."""
    if profile.pins.factory == "mock":
        return ()
    try:
        with closing(FromPins(profile)) as source:
            return inputs(source.message(LISTEN_S))
    except DeviceError as error:
        return (wrong(f"{error.device}: {error.what}.", error.remedy),)
