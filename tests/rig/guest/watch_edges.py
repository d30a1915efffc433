"""Inside the board: the real pins, devices and filter without the game; every edge and report goes to a log.

    watch_edges.py FACTORY SECONDS LOG

The loop is the service's: one thread waits on one queue, and everything is settled by stamps. When the inputs are open
the log's folder gets a file "armed".
"""

from __future__ import annotations

import queue
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from drivers.contact import Timing
from drivers.contacts import Contacts
from drivers.factories import open_factory
from drivers.inputs import open_inputs
from firmware.profile import load_profile

if TYPE_CHECKING:
    from drivers.contact import Report
    from drivers.ports import Edge


def main(factory: str, seconds: float, log: Path) -> None:
    """Watch for so long, then write down what came."""
    sys.setswitchinterval(0.001)
    profile = load_profile("/rig/code/tests/rig/board.toml")
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    pins = open_factory(factory)
    inputs = open_inputs(profile.inputs(), factory=pins, on_edge=edges.put)
    timing = Timing(
        settle_ns=profile.filter.settle_ms * 1_000_000, window_ns=profile.filter.window_ms * 1_000_000
    )
    names = [spec.name for spec in profile.inputs()]
    contacts = Contacts(
        timings=dict.fromkeys(names, timing),
        initial={name: inputs.initial.get(name, False) for name in names},
        at_ns=time.monotonic_ns(),
    )
    came: list[tuple[int, Edge]] = []
    reports: list[Report] = []
    log.with_name("armed").touch()
    ends = time.monotonic_ns() + round(seconds * 1e9)
    while (now := time.monotonic_ns()) < ends:
        due = contacts.due_ns()
        wait_s = max(0.0, (min(due or ends, ends) - now) / 1e9)
        try:
            item = edges.get(timeout=wait_s)
            while True:
                came.append((time.monotonic_ns(), item))
                contacts.edge(item)
                item = edges.get_nowait()
        except queue.Empty:
            pass
        reports.extend(contacts.settle(time.monotonic_ns()))
    if inputs.fault is not None:
        raise inputs.fault
    inputs.close()
    with log.open("w") as out:
        for at, edge in came:
            out.write(f"edge {at} {edge.at_ns} {edge.input} {int(edge.active)}\n")
        for report in reports:
            out.write(f"report {type(report).__name__} {report.at_ns} {report.certain_ns} {report.input}\n")
        for name, count in contacts.counters.items():
            out.write(f"late {name} {count.late}\n")


main(sys.argv[1], float(sys.argv[2]), Path(sys.argv[3]))
