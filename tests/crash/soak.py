"""Wear and growth over a long evening: what `evening_long.py` measured, judged against its own beginning."""

import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.crash.scripted import say

LATENCY_MS: Final = 100
"""From a press to the picture, at the end of the evening (issue 5, F17)."""
SLOWER: Final = 3
"""So many times the work a press may be in the last ten matches: this machine varies by 2, growth would be by 6."""
MEMORY_KB: Final = 4096
"""So much the memory may grow from the tenth match to the last: caches that fill, not a leak of every report."""
ROW_BYTES: Final = 200
"""So much a report may add to the journal: its text, its seal and its share of a page."""


def main() -> int:
    """Print the figures; return 1 where something grows."""
    with tempfile.TemporaryDirectory(prefix="kaderuhr-soak-", dir="/var/tmp") as top:
        counts = Path(top) / "counts"
        command = [sys.executable, "-m", "tests.crash.evening_long", f"{top}/state"]
        if shutil.which("strace"):
            only = ["strace", "-f", "-c", "--seccomp-bpf", "-e", "trace=fsync,fdatasync", "-o", str(counts)]
            command = [*only, *command]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
        syncs = _syncs(counts.read_text()) if counts.exists() else None
    return judge(json.loads(done.stdout), syncs)


def judge(measured: dict[str, Any], syncs: int | None) -> int:
    """Print what was measured, and return 1 where something grows."""
    matches = measured["matches"]
    first, last, reports = matches[:10], matches[-10:], matches[-1]["reports"]
    work = [statistics.median(match["work_ms"] for match in part) for part in (first, last)]
    p99 = [statistics.median(match["p99_ms"] for match in part) for part in (first, last)]
    grown_kb = matches[-1]["memory_kb"] - matches[9]["memory_kb"]
    say(f"evening: {len(matches)} matches in {measured['virtual_h']:.1f} virtual hours, {reports} reports")
    say(
        f"  from the edge to the picture {work[0]:.2f} ms of work in the first ten matches, {work[1]:.2f} in the last"
    )
    say(f"  p99 {p99[0]:.1f} ms in the first ten, {p99[1]:.1f} in the last")
    say(f"  memory {matches[9]['memory_kb']} kB after ten matches, {matches[-1]['memory_kb']} after the last")
    left, card = measured["left"], matches[-1]["written"] - matches[0]["written"]
    say(f"  journal {left} bytes, {left / reports:.0f} a report, {left // len(matches)} a match")
    say(f"  {card / (reports - matches[0]['reports']):.0f} bytes to the card a report")
    if syncs is not None:
        say(f"  {syncs} syncs, {syncs / reports:.2f} a report, {syncs / len(matches):.0f} a match")
    grows = (
        p99[1] > LATENCY_MS
        or work[1] > work[0] * SLOWER
        or grown_kb > MEMORY_KB
        or measured["left"] > reports * ROW_BYTES
    )
    return int(grows)


def _syncs(counts: str) -> int:
    return sum(
        int(calls)
        for calls in re.findall(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+).*sync$", counts, flags=re.MULTILINE)
    )
