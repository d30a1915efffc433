"""The service under somebody's keys, killed with SIGKILL at random instants, and started again on what it left.

After each kill the journal must be a prefix of what the displays showed, with everything they showed as confirmed; the
next start must show exactly the fold of that journal and one `recovered`. A kill keeps what the kernel has; what a
power cut takes is `torn.py`'s affair.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.journal import Archive, JournalError, KeptMatch, told
from rules import Ns, Recovered, take
from tests.crash.scripted import digest, digests, say

KILLS: Final = 300
LATEST_S: Final = 1.2


@dataclass
class Figures:
    """What was tried and found."""

    kills: int = 0
    reports: int = 0
    confirmed: int = 0
    unreadable: int = 0
    wrong: int = 0
    lost: int = 0
    plain_unreadable: int = 0


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One view: the match in short, whether something in it was not confirmed, and the instant of its last line."""

    digest: int
    unsaved: bool
    at: Ns


def one_life(folder: Path, seed: int, span_s: float) -> list[Seen]:
    """Let a service live for `span_s` from its first view on, kill it, and return what it showed."""
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "tests.crash.killed", str(folder), str(seed), str(writer)]
    with subprocess.Popen(command, pass_fds=[writer]) as process:
        os.close(writer)
        with os.fdopen(reader) as pipe:
            ready = pipe.readline()
            time.sleep(span_s)
            process.send_signal(signal.SIGKILL)
            lines = pipe.read().splitlines()
    if ready != "ready\n":
        raise SystemExit("the service did not start; see above")
    if process.returncode != -signal.SIGKILL:
        raise SystemExit(f"the service ended by itself, with status {process.returncode}; see above")
    return [
        Seen(digest=int(shown), unsaved=unsaved == "1", at=Ns(int(at)))
        for shown, unsaved, at in (line.split(" ") for line in lines if line.count(" ") == 2)
    ]


def run(kills: int, *, seed: int = 1) -> Figures:
    """Kill again and again, in one folder as long as its match goes on."""
    chance = random.Random(seed)  # noqa: S311 - the instants are the machine's anyway
    figures = Figures()
    with tempfile.TemporaryDirectory(prefix="kaderuhr-kills-") as top:
        folder = Path(top) / "state"
        before: KeptMatch | None = None
        while figures.kills < kills:
            seen = one_life(folder, figures.kills + seed, chance.uniform(0.0, LATEST_S))
            figures.kills += 1
            before = judge(folder, seen, before, figures)
            if (
                before is not None and before.result is not None
            ):  # over and judged; the next one begins elsewhere
                shutil.rmtree(folder)
                before = None
    return figures


def judge(folder: Path, seen: list[Seen], before: KeptMatch | None, figures: Figures) -> KeptMatch | None:
    """Judge what a kill left of a journal that held `before`; return what it holds now."""
    plain = folder / "plain.json"
    if plain.exists():
        try:
            json.loads(plain.read_text(encoding="utf-8"))
        except ValueError:
            figures.plain_unreadable += 1
    try:
        archive = Archive(folder)
        numbers = archive.numbers()
        kept = archive.match(numbers[-1]) if numbers else None
    except JournalError as error:
        say(f"  unreadable: {error}")
        figures.unreadable += 1
        return before
    folded = [] if kept is None else digests(kept)
    confirmed = [view.digest for view in seen if not view.unsaved]
    shown = [view.digest for view in seen]
    figures.confirmed += len(set(confirmed))
    if kept is None:
        figures.lost += len(set(confirmed)) > 1
        return before
    had = () if before is None else before.events
    figures.reports += len(kept.events) - len(had)
    if kept.events[: len(had)] != had:
        figures.lost += 1
        say("  lost: what the journal held before this life is not its beginning any more")
    if confirmed and confirmed[-1] not in folded:
        figures.lost += 1
        say(f"  lost: {len(kept.events)} lines, {len(had)} before, confirmed {confirmed[-1]}")
    if seen and before is not None and seen[0].digest != come_back_at(before, seen[0].at):
        figures.wrong += 1
        say("  wrong: the first view is not the fold of the journal and one `recovered`")
    in_order = [folded.index(one, len(had)) for one in dict.fromkeys(shown) if one in folded[len(had) :]]
    figures.wrong += in_order != sorted(in_order)
    return kept


def come_back_at(before: KeptMatch, at: Ns) -> int:
    """Return the digest of what the next start shows at `at`, in the same boot; that line need not be saved yet."""
    read = told(before)
    record = read.record()
    record, _ = take(read.opened.rulebook, record, Recovered(t=at, dark=Ns(at - record.match.at)))
    return digest(record.match)


def main() -> int:
    """Print the figures; return 1 where something was lost, wrong or unreadable."""
    began = time.monotonic()
    figures = run(int(sys.argv[1]) if len(sys.argv) > 1 else KILLS)
    say(
        f"kills: {figures.kills} with SIGKILL, {figures.reports} reports kept, {figures.confirmed} states confirmed, "
        f"in {time.monotonic() - began:.0f} s"
    )
    say(
        f"  journal: unreadable {figures.unreadable}, no prefix {figures.wrong}, confirmed but lost {figures.lost}"
    )
    say(f"  plain JSON file written in place: unreadable {figures.plain_unreadable}")
    return int(bool(figures.unreadable or figures.wrong or figures.lost))


if __name__ == "__main__":
    raise SystemExit(main())
