"""The watch on a terminal: the picture drawn over and over, or a line for each pulse where the output is a file.

Lives here: the loop and the terminal. Never here: what is shown (`watch.py`).
"""

import sys
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import IO, Final

from drivers.ports import DeviceError
from firmware.doctor.sources import FromPins, FromService, ask_service, socket_of
from firmware.doctor.watch import WIDTH, Watch
from firmware.profile import Profile

HOME: Final = "\x1b[H"
CLEAR: Final = "\x1b[2J"
REST_OF_LINE: Final = "\x1b[K"
BELOW: Final = "\x1b[J"
NEWEST: Final = 4
FAILED: Final = 1


def watch(profile: Profile, named: Path | None, out: IO[str]) -> int:
    """Show what the inputs do until somebody presses Ctrl-C; return the exit status."""
    path = socket_of(profile, named)
    seen = ask_service(path)
    try:
        if not isinstance(seen, str):
            with closing(FromService(path)) as service:
                return show(service, profile, f"through the service at {path}", out)
        if profile.pins.factory == "mock":
            sys.stderr.write(f"{seen}, and the pins of the board {profile.name} are mock pins\n")
            return FAILED
        with closing(FromPins(profile)) as pins:
            return show(pins, profile, f"the pins themselves ({seen})", out)
    except DeviceError as error:
        sys.stderr.write(f"{error}\n")
        return FAILED
    except KeyboardInterrupt:
        return 0


def show(messages: Iterable[Mapping[str, object]], profile: Profile, source: str, out: IO[str]) -> int:
    """Show messages until they end; return the exit status."""
    drawn = out.isatty()
    state = Watch(profile)
    newest: list[str] = []
    out.write(f"{CLEAR if drawn else ''}watching {source}; end with Ctrl-C\n")
    for message in messages:
        if message["kind"] == "link" and message["up"] is False:
            sys.stderr.write(f"{message['why']}\n")
            return FAILED
        if message["kind"] != "inputs":
            continue
        pulses = state.take(message)
        if drawn:
            newest = [*newest, *pulses][-NEWEST:]
            head = f"board {profile.name}, Ctrl-C ends; {source}"
            lines = [head[:WIDTH], *state.table(), f"newest: {'; '.join(newest)}"[:WIDTH]]
            out.write(HOME + "\n".join(f"{line}{REST_OF_LINE}" for line in lines) + BELOW)
        elif pulses:
            out.write("".join(f"{line}\n" for line in pulses))
        out.flush()
    if not drawn:
        out.write("\n".join(state.table()) + "\n")
    return 0
