"""The watchdog: a service that is stopped dead must be started again by itself.

Lives here: stopping it, by the person's hand, and timing its return. Never here: the watchdog (systemd's).
"""

import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from firmware.doctor.bench.hands import PASSED_OVER, Hands
from firmware.doctor.findings import Findings, fine, note, wrong
from firmware.link import LinkClient

UNIT: Final = "kaderuhr.service"
PATIENCE_S: Final = 90.0


def check(
    path: Path,
    hands: Hands,
    *,
    ask: Callable[[], Mapping[str, str]] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Findings:
    """Have the service stopped with SIGSTOP, and wait for the next one."""
    told = (unit if ask is None else ask)()
    if told.get("MainPID", "0") == "0":
        return (note("Passed over: the service does not run under systemd.", f"sudo systemctl start {UNIT}"),)
    if told.get("WatchdogUSec", "0") in {"0", "infinity"}:
        return (wrong(f"{UNIT} has no watchdog.", "install the unit that comes with the program"),)
    if not hands.ready(f"Watchdog. In another terminal: sudo kill -STOP {told['MainPID']}"):
        return (PASSED_OVER,)
    hands.say(f"waiting for the service to come back, {PATIENCE_S:g} s at most ...")
    with closing(LinkClient(path)) as client:
        patience = threading.Timer(PATIENCE_S, client.close)
        patience.start()
        back_s = until_back(client, clock)
        patience.cancel()
    if back_s is None:
        return (wrong("The service did not come back.", f"sudo systemctl restart {UNIT}, and report this"),)
    return (fine(f"{back_s:.1f} s after it was stopped the service was there again.", back_s=back_s),)


def until_back(messages: Iterable[Mapping[str, object]], clock: Callable[[], float]) -> float | None:
    """Return how long the link took to be lost and found, None where they ended first."""
    since, lost = clock(), False
    for message in messages:
        if message["kind"] == "link":
            if lost and message["up"] is True:
                return clock() - since
            lost = lost or message["up"] is False
    return None


def unit() -> Mapping[str, str]:
    """Return what systemd says of the service; nothing where there is no systemd."""
    command = ["systemctl", "show", UNIT, "--property=MainPID,WatchdogUSec,NRestarts"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    pairs = (line.partition("=") for line in done.stdout.splitlines())
    return {name: value for name, _, value in pairs}
