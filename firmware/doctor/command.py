"""`kaderuhr doctor`: the command.

Lives here: its arguments, and what each of them starts. Never here: looking. What it needs is imported where it is
used, because every start of `kaderuhr` builds this parser.

Exit 0: nothing is wrong. 1: something is. 2: what was given is.
"""

import argparse
import sys
from pathlib import Path
from typing import Final

WRONG: Final = 1
MISUSED: Final = 2


def add_doctor(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the arguments of `kaderuhr doctor`, and what it runs."""
    parser.add_argument("--board", default="desk", help="name or file of a board profile (desk)")
    parser.add_argument("--socket", type=Path, help="the service's socket, where it is not the board's own")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true", help="the report as one JSON object")
    what.add_argument(
        "--explain", action="store_true", help="every key of a board profile, and what it may be"
    )
    what.add_argument(
        "--watch", action="store_true", help="keys and sensors live, with the width of each pulse"
    )
    what.add_argument(
        "--bench", action="store_true", help="the checks that need hands: says what to wire, measures"
    )
    parser.set_defaults(run=examine)


def examine(options: argparse.Namespace) -> int:
    """Do what was asked for; return the exit status."""
    if options.explain:
        from firmware.profile.explained import terminal_text

        sys.stdout.write(terminal_text())
        return 0
    if options.watch:
        return _watch(options)
    if options.bench:
        return _bench(options)
    from firmware.doctor.report import examine as look
    from firmware.doctor.world import this_machine

    report = look(options.board, this_machine(), socket=options.socket)
    sys.stdout.write(report.json() if options.json else report.text())
    return WRONG if report.wrong else 0


def _watch(options: argparse.Namespace) -> int:
    from firmware.doctor.live import watch
    from firmware.profile import ProfileErrors, load_profile

    try:
        profile = load_profile(options.board)
    except ProfileErrors as error:
        sys.stderr.write(f"{error}\n")
        return MISUSED
    return watch(profile, options.socket, sys.stdout)


def _bench(options: argparse.Namespace) -> int:
    from firmware.doctor.bench import run
    from firmware.profile import ProfileErrors, load_profile

    try:
        profile = load_profile(options.board)
    except ProfileErrors as error:
        sys.stderr.write(f"{error}\n")
        return MISUSED
    return run(profile, options.socket)
