"""The rig's command line: `python -m tests.rig smoke`, `all`, or one check by its name.

Exit 0: all that ran is right. 1: something is wrong. 3: the rig cannot be had here, nothing was tested.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.rig import cuts, edges, figures, load, matches, scripts, trouble
from tests.rig.board import HERE, board, prepared
from tests.rig.compare import spread
from tests.rig.errors import BoardError, NotRunError, say
from tests.rig.images import state_disk

NOT_RUN = 3
FACTORIES = ("lgpio", "gpiod")
README = HERE / "README.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table: what was looked at, what came of it, and what is wrong with that."""

    what: str
    figure: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Options:
    """How much to do and where."""

    factory: str
    times: float
    folder: Path

    def count(self, usual: int) -> int:
        """Return how many of something to do."""
        return max(1, round(usual * self.times))


Check = Callable[[Options], list[Row]]


def main(argv: Sequence[str] | None = None) -> int:
    """Run checks and print their table."""
    parser = argparse.ArgumentParser(prog="python -m tests.rig", description="The virtual board.")
    parser.add_argument("check", nargs="+", choices=["all", *CHECKS], help="what to run")
    parser.add_argument("--factory", default="lgpio", choices=FACTORIES, help="pin factory (lgpio)")
    parser.add_argument(
        "-n",
        type=float,
        default=1.0,
        metavar="N",
        help="N times the usual pairs, presses, calls and cuts (1)",
    )
    parser.add_argument("--write", action="store_true", help="put the table into tests/rig/README.md")
    given = parser.parse_args(argv)
    wanted = [name for name in CHECKS if name != "smoke"] if "all" in given.check else given.check
    rows: list[Row] = []
    try:
        prepared()
    except NotRunError as error:
        say(f"rig: NOT RUN, {error}")
        return NOT_RUN
    for name in wanted:
        try:
            with _folder(name) as folder:
                began = time.monotonic()
                rows += CHECKS[name](Options(factory=given.factory, times=given.n, folder=folder))
                say(f"rig: {name}: {time.monotonic() - began:.0f} s")
        except NotRunError as error:
            say(f"rig: NOT RUN, {error}")
            return NOT_RUN
        except BoardError as error:
            rows.append(Row(what=name, figure="the board failed", problems=(str(error),)))
    for row in rows:
        say(f"{'WRONG' if row.problems else 'right'}  {row.what}: {row.figure}")
        for problem in row.problems:
            say(f"       {problem}")
    if given.write:
        _write(rows, given.factory)
    return 1 if any(row.problems for row in rows) else 0


@contextmanager
def _folder(name: str) -> Iterator[Path]:
    """Give a check a folder; with RIG_KEEP it stays, for a look at the logs."""
    keep = os.environ.get("RIG_KEEP")
    if keep:
        folder = Path(keep) / f"{name}-{time.time_ns()}"
        folder.mkdir(parents=True)
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="rig-check-") as made:
        yield Path(made)


def _match(table: scripts.Table, options: Options) -> list[Row]:
    played = matches.play(table, options.folder, factory=options.factory)
    replayed = played.replayed
    rulings = sum(line["out"] == "ruling" for line in replayed.lines)
    figure = (
        f"{rulings} rulings, {len(played.shown.seen)} of {len(replayed.pictures)} pictures, "
        f"{len(replayed.hall)} hall lines as in replay"
    )
    what = f"{replayed.lines[0]['script']} through {options.factory}"
    return [Row(what=what, figure=figure, problems=played.problems)]


def smoke(options: Options) -> list[Row]:
    """Play one short match through the pins."""
    return _match(scripts.short_match(), options)


def match(options: Options) -> list[Row]:
    """Play a whole match, through each factory in turn."""
    rows = []
    for factory in FACTORIES:
        folder = options.folder / factory
        folder.mkdir()
        rows += _match(scripts.whole_match(), replace(options, factory=factory, folder=folder))
    return rows


def calls(options: Options) -> list[Row]:
    """Play turns that are called: latencies from the press, and how late the call is heard."""
    played = matches.play(scripts.calls(options.count(20)), options.folder, factory=options.factory)
    return [
        Row(
            what="turns that are called",
            figure=f"{len(played.shown.seen)} pictures",
            problems=played.problems,
        ),
        Row(what="press to signal", figure=spread(figures.to_signal(played))),
        Row(what="press to the glass's first change", figure=spread(figures.to_glass(played))),
        Row(what="press to the whole picture, report confirmed", figure=spread(figures.to_picture(played))),
        Row(what="press to the hall line's first byte", figure=spread(figures.to_hall(played))),
        Row(what="deadline to ZEIT's signal", figure=spread(figures.zeit_signal(played))),
        Row(what="deadline to ZEIT's first recorded sample", figure=spread(figures.zeit_heard(played))),
    ]


def order(options: Options) -> list[Row]:
    """Drive pairs of goals, and presses that bounce."""
    problems, found = edges.check(options.factory, options.count(1000), options.count(2000))
    rows = {
        "pairs": "pairs of goals",
        "presses": "presses of 40-400 ms, 5 ms bounce, spikes",
        "stamp": "from the write that makes an edge to its stamp",
        "delivery": "from an edge's stamp to Python",
    }
    return [
        Row(what=what, figure=found[name], problems=tuple(p for p in problems if p.startswith(f"{name}:")))
        for name, what in rows.items()
    ]


def cost(options: Options) -> list[Row]:
    """Measure processor, wake-ups, memory and start, through each factory in turn."""
    rows = []
    for factory in FACTORIES:
        folder = options.folder / factory
        folder.mkdir()
        rows += _cost(replace(options, factory=factory, folder=folder))
    return rows


def _cost(options: Options) -> list[Row]:
    found = load.measure(options.folder, options.factory)
    armed = ", ".join(f"{seconds:.2f}" for seconds in found.armed_s)
    shown = {f"{options.factory}, idle": found.idle, f"{options.factory}, clock running": found.running}
    rows = [
        Row(
            what=f"cost, {name}",
            figure=f"{c.cpu:.1f} % of the core, {c.wakes:.0f} wake-ups/s, {c.rss_mb:.0f} MB",
        )
        for name, c in shown.items()
    ]
    rows.append(Row(what=f"exec to armed inputs, {options.factory}", figure=f"{armed} s (three starts)"))
    rows.append(Row(what="this core: a loop of 300 000 in Python", figure=f"{found.loop_s * 1000:.0f} ms"))
    return rows


def devices(options: Options) -> list[Row]:
    """Take devices away during a match, and give them back."""
    found = trouble.run(options.folder, options.factory)
    rows = []
    for scene in found.scenes:
        told = "never" if scene.told_s is None else f"{scene.told_s:.1f} s"
        cleared = "never" if scene.cleared_s is None else f"{scene.cleared_s:.1f} s"
        figure = (
            f"clock late {spread(scene.clock_ns)}; told after {told}, used again {cleared} after its return"
        )
        problems = tuple(p for p in found.problems if p.startswith(scene.name))
        rows.append(Row(what=scene.name, figure=figure, problems=problems))
    rest = tuple(p for p in found.problems if not any(p.startswith(scene.name) for scene in found.scenes))
    return [
        *rows,
        Row(what="the match beside them", figure="rulings and last picture as in replay", problems=rest),
    ]


def power(options: Options) -> list[Row]:
    """Cut the power."""
    found = cuts.run(options.folder, options.count(30), factory=options.factory)
    seen = sum(cut.confirmed for cut in found)
    kept = sum(cut.kept for cut in found)
    figure = f"{len(found)} cuts: {seen} reports were confirmed on the screen, {kept} came back"
    return [Row(what="power cuts", figure=figure, problems=tuple(p for cut in found for p in cut.problems))]


def systemd(options: Options) -> list[Row]:
    """Start the service under systemd as PID 1."""
    command = matches.guest(
        """
cat /proc/1/comm >/out/pid1
systemctl is-system-running >/out/running || true
systemd-run --quiet --collect --unit=kaderuhr-rig --service-type=exec --property=RuntimeDirectory=kaderuhr \\
    --setenv=PYTHONPATH="$PYTHONPATH" --setenv=LG_WD=/run/lgpio \\
    "$PYTHON" -m firmware.cli run --board /rig/code/tests/rig/board.toml
rigtool link /run/kaderuhr/kaderuhr.sock /out/link &
for _ in $(seq 200); do
    if grep -q '"kind":"board"' /out/link 2>/dev/null; then break; fi
    sleep 0.1
done
systemctl is-active kaderuhr-rig >/out/active
systemctl stop kaderuhr-rig
systemctl is-active kaderuhr-rig >/out/stopped || true
"""
    )
    with board(command, systemd=True, state=state_disk(options.folder / "state.ext4")) as run:
        status = run.wait()
        out = {name: (run.out / name).read_text().strip() for name in ("pid1", "active", "stopped", "link")
               if (run.out / name).exists()}  # fmt: skip
    problems = [] if status == 0 else [f"the command ended with {status}"]
    if out.get("pid1") != "systemd":
        problems.append(f"PID 1 is {out.get('pid1')}")
    if out.get("active") != "active" or '"kind":"board"' not in out.get("link", ""):
        problems.append("the service did not arm its inputs under systemd")
    figure = "the service starts, arms its inputs and stops"
    return [Row(what="systemd as PID 1", figure=figure, problems=tuple(problems))]


CHECKS: dict[str, Check] = {
    "smoke": smoke,
    "match": match,
    "calls": calls,
    "order": order,
    "cost": cost,
    "devices": devices,
    "systemd": systemd,
    "power": power,
}


def _write(rows: list[Row], factory: str) -> None:
    """Put the table between its marks in the README."""
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    cores = os.cpu_count()
    lines = [
        f"{today}, pins through `{factory}`, QEMU without KVM on a shared virtual machine (x86-64, {cores} cores).",
        "",
        "| what | figure | |",
        "| --- | --- | --- |",
        *(f"| {row.what} | {row.figure} | {'wrong' if row.problems else 'right'} |" for row in rows),
    ]
    wrong = [f"- {row.what}: {problem}" for row in rows for problem in row.problems]
    if wrong:
        lines += ["", "Wrong:", "", *wrong]
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text("\n".join([before + BEGIN, *lines, END]) + after, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
