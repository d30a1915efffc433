"""What the service costs on the virtual board: processor, wake-ups and memory, idle and with a clock running."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from firmware.profile import load_profile
from tests.rig import logs, scripts
from tests.rig.board import board
from tests.rig.errors import BoardError
from tests.rig.images import state_disk
from tests.rig.matches import PROFILE, guest, profile_text

if TYPE_CHECKING:
    from pathlib import Path

TICKS: Final = 100
"""The kernel counts a process's time in hundredths of a second."""
LOOP: Final = """
import time
began = time.perf_counter()
s = 0
for i in range(300_000):
    s += i * i % 7
print(time.perf_counter() - began)
"""
SPAN_S: Final = 30


@dataclass(frozen=True, kw_only=True)
class Snap:
    """One look at the process."""

    at_ns: int
    ticks: int
    wakes: int
    rss_kb: int


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Between two looks: percent of the one core, wake-ups of all threads a second, resident megabytes at the end."""

    cpu: float
    wakes: float
    rss_mb: float


@dataclass(frozen=True, kw_only=True)
class Load:
    """All of it; `loop_s` is a loop in plain Python, which tells how fast this core is."""

    idle: Cost
    running: Cost
    armed_s: tuple[float, ...]
    loop_s: float


def read_snap(path: Path) -> Snap:
    """Read what `snap` wrote."""
    text = path.read_text()
    at, stat = text.splitlines()[:2]
    fields = stat.rpartition(")")[2].split()
    wakes = sum(map(int, re.findall(r"^voluntary_ctxt_switches:\s+(\d+)", text, flags=re.MULTILINE)))
    rss = re.search(r"VmRSS:\s+(\d+)", text)
    return Snap(
        at_ns=int(at), ticks=int(fields[11]) + int(fields[12]), wakes=wakes, rss_kb=int(rss[1]) if rss else 0
    )


def between(first: Snap, last: Snap) -> Cost:
    """Return what it cost from one look to the other."""
    span_s = (last.at_ns - first.at_ns) / 1e9
    return Cost(
        cpu=(last.ticks - first.ticks) / TICKS / span_s * 100,
        wakes=(last.wakes - first.wakes) / span_s,
        rss_mb=last.rss_kb / 1024,
    )


def measure(folder: Path, factory: str) -> Load:
    """Boot, start the service three times, and look at it idle and with the book's clock running."""
    table = scripts.Table("load").opening("red")
    plan = scripts.plan(scripts.to_pins(table.lines, load_profile(PROFILE).inputs()))
    body = f"""
export BOARD=/out/board.toml RULEBOOK=book
for start in 1 2 3; do
    rm -f /run/log/link
    rigtool link /run/kaderuhr/kaderuhr.sock /run/log/link &
    start_service
    cp /run/log/exec /out/exec-$start
    cp /run/log/link /out/link-$start
    if [ $start -lt 3 ]; then stop_service; sleep 1; fi
done
kill %?link || true
cat /dev/vbus >/dev/null &
sleep 5
snap idle-1
sleep {SPAN_S}
snap idle-2
rigtool drive /out/plan /run/log/driven
sleep 5
snap running-1
sleep {SPAN_S}
snap running-2
stop_service
"$PYTHON" -c '{LOOP}' >/out/loop
"""
    files = {"plan": plan, "board.toml": profile_text(factory)}
    with board(guest(body), files=files, state=state_disk(folder / "state.ext4")) as run:
        status = run.wait()
        if status != 0:
            raise BoardError(f"measuring the load ended with {status}:\n{run.console[-2000:]}")
        out = run.out
        armed = []
        for start in (1, 2, 3):
            began = int((out / f"exec-{start}").read_text())
            armed += [at - began for at, m in logs.link(out / f"link-{start}") if m.get("kind") == "board"][
                :1
            ]
        snaps = {
            name: read_snap(out / f"snap-{name}") for name in ("idle-1", "idle-2", "running-1", "running-2")
        }
        return Load(
            idle=between(snaps["idle-1"], snaps["idle-2"]),
            running=between(snaps["running-1"], snaps["running-2"]),
            armed_s=tuple(ns / 1e9 for ns in armed),
            loop_s=float((out / "loop").read_text()),
        )
