"""A match on the virtual board and the same script in `kaderuhr replay`: the same rulings, pictures and hall lines."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from firmware.profile import load_profile
from tests.rig import compare, glass, logs, scripts
from tests.rig.board import HERE, board
from tests.rig.errors import BoardError
from tests.rig.images import ROOT, state_disk

if TYPE_CHECKING:
    from tests.rig.scripts import Line, Table

PROFILE: Final = HERE / "board.toml"


@dataclass(frozen=True, kw_only=True)
class Replayed:
    """What replay says: its lines, and the pictures and hall lines with the script's seconds."""

    lines: tuple[dict[str, Any], ...]
    pictures: tuple[tuple[float, bytes], ...]
    hall: tuple[tuple[float, str], ...]


@dataclass(frozen=True, kw_only=True)
class Played:
    """A script played on the board: where its logs are, what replay says, and what does not fit."""

    out: Path
    replayed: Replayed
    start_ns: int
    driven: tuple[logs.Driven, ...]
    states: tuple[tuple[int, bytes], ...]
    hall: tuple[tuple[int, str], ...]
    shown: compare.Shown
    problems: tuple[str, ...]


def guest(body: str) -> str:
    """Return a command that has the rig's functions."""
    python = shlex.quote(os.path.realpath(sys.executable))
    return f"export PYTHON={python}\n. /rig/code/tests/rig/guest/lib.sh\n{body}"


def profile_text(factory: str) -> str:
    """Return the rig's board with a pin factory."""
    return re.sub(r'factory = "\w+"', f'factory = "{factory}"', PROFILE.read_text(encoding="utf-8"))


def replay(lines: list[Line], folder: Path) -> Replayed:
    """Play a script in `kaderuhr replay` with all pictures."""
    script = folder / "script.jsonl"
    script.write_text(scripts.text(lines), encoding="utf-8")
    said = _replay(script, "--frames", str(folder / "frames"))
    pictures: list[tuple[float, bytes]] = []
    hall: list[tuple[float, str]] = []
    for line in said:
        if line["out"] != "display":
            continue
        if line["panel"] == "oled":
            from PIL import Image

            with Image.open(line["frame"]) as image:
                pictures.append((line["t"], image.convert("1").tobytes()))
        elif line["panel"] == "hall":
            hall.append((line["t"], Path(line["frame"]).read_text(encoding="utf-8").rstrip("\n")))
    return Replayed(lines=tuple(said), pictures=tuple(pictures), hall=tuple(hall))


def _replay(script: Path, *options: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "firmware.cli", "replay", str(script), "--board", str(PROFILE), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BoardError(f"kaderuhr replay {script.name} ended with {done.returncode}: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def play(
    table: Table, folder: Path, *, factory: str = "lgpio", during: str = "", sound: bool = True
) -> Played:
    """Play a script on a board of its own; `during` runs inside beside it. Raises `BoardError` where it cannot."""
    lines = scripts.to_pins(table.lines, load_profile(PROFILE).inputs())
    replayed = replay(lines, folder)
    # The script's own end, so that what lapses after the last key is seen too.
    body = f"""
export BOARD=/out/board.toml
observe
{"listen" if sound else ""}
start_service
sleep 2
rigtool drive /out/plan /run/log/driven &
driving=$!
{during}
wait $driving
sleep {max(0.0, table.t - lines[-1]["t"]) + 1:.1f}
stop_service
bring_out
"""
    files = {"plan": scripts.plan(lines), "board.toml": profile_text(factory)}
    with board(guest(body), files=files, state=state_disk(folder / "state.ext4"), pace="leaping") as run:
        status = run.wait()
        sent = bytes(run.hall)
        out = folder / "out"
        run.out.rename(out)
        run.out.mkdir()
    if status != 0:
        raise BoardError(f"the board's command ended with {status}:\n{(out / 'console').read_text()[-2000:]}")
    return _judge(table, replayed, out, sent)


def _judge(table: Table, replayed: Replayed, out: Path, sent: bytes) -> Played:
    start, driven = logs.driven(out / "driven")
    end = start + round(table.t * 1e9)
    states = [(at, state) for at, state in glass.pictures(logs.bus(out / "bus")) if at < end]
    shown = compare.shown_in_order(replayed.pictures, states, end_ns=end)
    hall = [(at, line) for at, line in logs.hall_lines(out / "trace") if at < end]
    problems = [f"OLED: {problem}" for problem in shown.problems]
    problems += compare.lines_in_order(replayed.hall, [line for _, line in hall])
    wire = [line.decode("ascii", "replace") for line in sent.split(b"\r\n") if line]
    if compare.runs(wire)[: len(compare.runs(line for _, line in hall))] != compare.runs(
        line for _, line in hall
    ):
        problems.append("the hall's socket did not get what was written to the serial line")
    again = _replay(journal_script(out))
    problems += compare.differences(compare.rulings(replayed.lines), compare.rulings(again), "ruling")
    if int((out / "lost").read_text()) > 0:
        problems.append("the virtual bus lost records, so pictures may be missing here: the rig's own fault")
    service = (out / "service").read_text()
    if service:
        problems.append(f"the service said: {service.strip()}")
    return Played(
        out=out,
        replayed=replayed,
        start_ns=start,
        driven=tuple(driven),
        states=tuple(states),
        hall=tuple(hall),
        shown=shown,
        problems=tuple(problems),
    )


def journal_script(out: Path) -> Path:
    """Write what the journal kept as a script, and return it."""
    kept = [
        line for line in (out / "journal").read_text().splitlines() if '"script"' in line or '"event"' in line
    ]
    script = out / "journal.jsonl"
    script.write_text("".join(line + "\n" for line in kept), encoding="utf-8")
    return script


def deadlines(out: Path) -> list[int]:
    """Return the instants of the calls and expiries that the journal kept, on CLOCK_MONOTONIC."""
    origin: int | None = None
    found = []
    for text in (out / "journal").read_text().splitlines():
        line = json.loads(text)
        if "run" in line:
            origin = int(line["run"]["origin_ns"])
        elif line.get("event") == "end" and origin is not None:
            found.append(origin + round(line["t"] * 1e9))
    return found
