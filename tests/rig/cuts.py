"""Power cuts at random instants of a running match: a boot from what each left must go on from what was seen.

QEMU is stopped as a whole, its disk copied, and it goes on: the copy is what killing it there would have left, so one
match gives many cuts.
Simulated: everything in the board's memory is lost (page cache, SQLite's and ext4's), and the disk is left as the
board's block layer had written it, in any state between two requests. Not simulated: a card that lies about flushes,
tears sectors or loses its own cache, and brown-outs.
"""

from __future__ import annotations

import json
import random
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from firmware.profile import load_profile
from firmware.script import Opened, read_lines
from firmware.stage import Stage
from rules import BOOK, AnyEvent, End, counts_so_far, take, write
from tests.rig import compare, glass, logs, scripts
from tests.rig.board import board
from tests.rig.errors import BoardError, say
from tests.rig.images import state_disk
from tests.rig.matches import PROFILE, guest, profile_text, replay

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tests.rig.board import Board

START_LIMIT_S: Final = 600
A_MATCH: Final = 10
"""Cuts in one match, each with a disk of its own to boot from."""
FIRST_SIZE: Final = 12_000
"""Bytes on the bus in one match, about; after the first it is known."""
PLAY: Final = """
export BOARD=/out/board.toml
stty -F /dev/ttyS2 raw -echo 115200
cat /dev/vbus >/dev/ttyS2 &
rigtool link /run/kaderuhr/kaderuhr.sock /run/log/link &
start_service
sleep 1
sync
rigtool drive /out/plan /out/driven
sleep 2
touch /out/over
sleep 600
"""
LOOK: Final = """
export BOARD=/out/board.toml
for disk in /sys/block/vd*; do
    name=$(cat "$disk/serial")
    case "$name" in cut-*) ;; *) continue ;; esac
    mount -t ext4 "/dev/${disk##*/}" /var/lib/kaderuhr
    rm -f /run/log/link
    rigtool link /run/kaderuhr/kaderuhr.sock /run/log/link &
    start_service
    sleep 1
    cp /run/log/link "/out/resumed-$name"
    stop_service
    journal >"/out/kept-$name"
    umount /var/lib/kaderuhr
done
"""


def dense_match() -> scripts.Table:
    """A match with a report every half second; about 15 s."""
    table = scripts.Table("rig-cut")
    table.press(0.5, "stroke").press(0.5, "rest").press(0.5, "red")
    for side in ("red", "red", "white", "white"):
        table.press(0.5, "stroke").ball(0.4, side).press(0.5, "rest")
        if side == "red" and table.t > 3:
            table.press(0.5, "stroke").press(0.5, "rest")
    for _ in range(6):
        table.press(0.5, "stroke").press(0.5, "rest")
    return table


@dataclass(frozen=True, kw_only=True)
class Expected:
    """The script's reports with their seconds, as replay folds them, and its pictures."""

    opened: Opened
    reports: tuple[tuple[float, AnyEvent], ...]
    pictures: tuple[tuple[float, bytes], ...]
    plan: str


@dataclass(frozen=True, kw_only=True)
class Cut:
    """One cut: reports made by then, confirmed on the screen by then, and found afterwards."""

    confirmed: int
    kept: int
    problems: tuple[str, ...]


def expected(folder: Path) -> Expected:
    """Play the script here."""
    lines = scripts.to_pins(dense_match().lines, load_profile(PROFILE).inputs())
    read = [item for _, item in read_lines([json.dumps(line) for line in lines], "cuts", BOOK)]
    opened = read[0]
    if not isinstance(opened, Opened):
        raise BoardError("the script of the power cuts opens no match")
    kept: list[tuple[float, AnyEvent]] = []
    stage = Stage(
        opened,
        load_profile(PROFILE),
        say=lambda _: None,
        keep=lambda event: kept.append((event.t / 1e9, event)),
    )
    for item in read[1:]:
        stage.play(item)  # type: ignore[arg-type]  # only edges follow
    stage.finish()
    stage.close()
    pictures = replay(lines, folder).pictures
    return Expected(opened=opened, reports=tuple(kept), pictures=pictures, plan=scripts.plan(lines))


def confirmed(expect: Expected, states: Sequence[tuple[int, bytes]]) -> int:
    """Return how many reports the screen had confirmed: up to the last of replay's pictures that was seen whole."""
    if not states:
        return 0
    shown = compare.shown_in_order(expect.pictures, states, end_ns=states[-1][0])
    if not shown.seen:
        return 0
    second = expect.pictures[shown.seen[-1][1]][0]
    return sum(t <= second for t, event in expect.reports if not isinstance(event, End))


def bare(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event's line without its instants, which are the board's own."""
    return {key: value for key, value in event.items() if key not in ("t", "at")}


def judge(expect: Expected, seen: int, kept_lines: Sequence[str], resumed: Sequence[dict[str, Any]]) -> Cut:
    """Compare what was kept with what was confirmed and made."""
    kept = [json.loads(line) for line in kept_lines if '"event"' in line]
    came = [line for line in kept if line["event"] == "recovered"]
    reports = [bare(line) for line in kept if line["event"] not in ("recovered", "end")]
    made = [bare(write(event)) for _, event in expect.reports]
    made = [line for line in made if line["event"] != "end"]
    problems = []
    if reports != made[: len(reports)]:
        problems.append(f"what was kept is no prefix of what was reported: {reports}")
    if len(reports) < seen:
        problems.append(f"{seen} reports were confirmed on the screen, {len(reports)} came back")
    if reports and not came:
        problems.append("the service did not go on with the match")
    if reports == made[: len(reports)]:
        record = expect.opened.record
        for _, event in [pair for pair in expect.reports if write(pair[1])["event"] != "end"][: len(reports)]:
            record, _ = take(expect.opened.rulebook, record, event)
        counts = counts_so_far(record.match)
        wanted = f"R{counts.red} W{counts.white}"
        halls = [message["line"] for message in resumed if message.get("kind") == "hall"]
        opening = record.match.phase == "opening"
        if not opening and not any(wanted in str(line) for line in halls[-1:]):
            problems.append(f"the hall shows {halls[-1:]} after the cut, not {wanted}")
    return Cut(confirmed=seen, kept=len(reports), problems=tuple(problems))


def run(folder: Path, count: int, *, factory: str = "lgpio", seed: int = 1) -> list[Cut]:
    """Cut the power `count` times, some in each match, and boot from what each cut left."""
    expect = expected(folder)
    rng = random.Random(seed)  # noqa: S311 - a test's plan
    files = {"plan": expect.plan, "board.toml": profile_text(factory)}
    cuts: list[Cut] = []
    size = FIRST_SIZE
    while len(cuts) < count:
        wanted = min(A_MATCH, count - len(cuts))
        disk = state_disk(folder / "state.ext4")
        with board(guest(PLAY), files=files, state=disk, pace="leaping", limit_s=START_LIMIT_S) as played:
            begun = _await_start(played)
            marks = sorted(begun + rng.randrange(size) for _ in range(wanted))
            start, taken = logs.driven(played.out / "driven")[0], []
            for number, mark in enumerate(marks):
                _await_size(played, mark)
                time.sleep(rng.random() * 0.05)
                copy = folder / f"cut-{number}.ext4"
                with played.frozen():
                    subprocess.run(["cp", "--sparse=always", disk, copy], check=True)
                    taken.append((copy, _seen(played.out / "third", start, expect)))
            _await_over(played)
            size = (played.out / "third").stat().st_size - begun
        cuts += _look(expect, taken, files)
        say(f"rig: {len(cuts)} cuts: {[(cut.confirmed, cut.kept) for cut in cuts[-wanted:]]}")
    return cuts


def _look(expect: Expected, taken: list[tuple[Path, int]], files: dict[str, str]) -> list[Cut]:
    """Boot from each disk, let the service go on, and judge."""
    disks = {f"cut-{number}": copy for number, (copy, _) in enumerate(taken)}
    with board(guest(LOOK), files=files, disks=disks, pace="counted", limit_s=START_LIMIT_S) as after:
        status = after.wait()
        if status != 0:
            raise BoardError(f"the boot after the power cuts ended with {status}:\n{after.console[-2000:]}")
        cuts = []
        for number, (_, seen) in enumerate(taken):
            kept = (after.out / f"kept-cut-{number}").read_text().splitlines()
            resumed = [message for _, message in logs.link(after.out / f"resumed-cut-{number}")]
            cuts.append(judge(expect, seen, kept, resumed))
        return cuts


def _seen(bus: Path, start: int, expect: Expected) -> int:
    """Return how many reports the glass has confirmed by now."""
    states = list(glass.pictures(logs.bus(bus)))
    first = next((place for place, (at, _) in enumerate(states) if at >= start), len(states))
    return confirmed(expect, states[max(0, first - 1) :])


def _await_start(played: Board) -> int:
    """Wait for the match's first edge; return how long the bus's log is."""
    driven = played.out / "driven"
    _await(
        played, lambda: driven.exists() and driven.read_text().startswith("start"), "the match did not begin"
    )
    return (played.out / "third").stat().st_size


def _await_size(played: Board, size: int) -> None:
    bus, over = played.out / "third", played.out / "over"
    _await(played, lambda: bus.stat().st_size >= size or over.exists(), "the glass stands still")


def _await_over(played: Board) -> None:
    _await(played, (played.out / "over").exists, "the match did not end")


def _await(played: Board, is_so: Callable[[], bool], otherwise: str) -> None:
    ends = time.monotonic() + START_LIMIT_S
    while not is_so():
        if time.monotonic() > ends or played.process.poll() is not None:
            raise BoardError(f"{otherwise}:\n{played.console[-2000:]}")
        time.sleep(0.001)
