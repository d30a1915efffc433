"""The command line: `kaderuhr run | page | replay | matches | sheet | export | law | doctor | --version`.

Lives here: arguments, exit statuses, and errors as one line for people. Never here: work.

Exit 0: done. 1: the program could not go on. 2: something given (a script, a profile, a port) is wrong.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from firmware import __version__
from firmware.doctor.command import add_doctor
from firmware.law.command import add_law
from firmware.sheet.command import add_export, add_matches, add_sheet

WRONG = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status."""
    options = _parser().parse_args(argv)
    try:
        return int(options.run(options))
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone; nothing is left to tell them
        return 1
    except KeyboardInterrupt:
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kaderuhr", description="Scoreboard, shot clock and referee's assistant for golfbiljart."
    )
    parser.add_argument("--version", action="version", version=f"kaderuhr {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="the service: keys, sensors, clock, displays")
    run.add_argument("--board", default="desk", help="name or file of a board profile (desk)")
    run.add_argument(
        "--rulebook",
        metavar="NAME",
        help="what a match that begins now is played by: a rulebook's name, or a club's own file (the board's)",
    )
    run.set_defaults(run=_run)

    page = commands.add_parser("page", help="the page, joined to a running service")
    page.add_argument("--board", default="desk", help="name or file of a board profile (desk)")
    page.add_argument("--socket", type=Path, help="the service's socket, where it is not the board's own")
    page.add_argument("--until-eof", action="store_true", help="end when standard input ends")
    page.set_defaults(run=_page)

    replay = commands.add_parser("replay", help="play scripts; time is the script's")
    replay.add_argument(
        "scripts", nargs="+", metavar="SCRIPT.jsonl", help="a file of JSON lines, - for standard input"
    )
    replay.add_argument("--board", default="desk", help="name or file of a board profile (desk)")
    replay.add_argument(
        "--rulebook",
        default="book",
        metavar="NAME",
        help="what a script without a rulebook plays by: a rulebook's name, or a club's own file (book)",
    )
    replay.add_argument("--frames", type=Path, metavar="DIR", help="write every picture into this folder")
    replay.set_defaults(run=_replay)

    add_matches(commands.add_parser("matches", help="the matches in the journal, or fewer of them"))
    add_sheet(commands.add_parser("sheet", help="the sheet of a match, to sign, keep or count with"))
    add_export(commands.add_parser("export", help="matches as scripts for `replay`, and back again"))
    add_law(commands.add_parser("law", help="the book's 49 clauses, in four languages"))
    add_doctor(commands.add_parser("doctor", help="what is wrong with this box, and what to do"))
    return parser


def _fail(message: str) -> int:
    sys.stdout.flush()
    sys.stderr.write(message + "\n")
    return WRONG


def _replay(options: argparse.Namespace) -> int:
    from firmware.profile import ProfileErrors, load_profile
    from firmware.replay import Player, print_to, read_source
    from firmware.rulebooks import RulebookErrors, load_rulebook
    from firmware.script import ScriptError
    from firmware.texts import Texts
    from rules import NotationError

    try:
        profile = load_profile(options.board)
        rulebook = load_rulebook(options.rulebook)
        player = Player(profile, Texts(profile.language), print_to(sys.stdout), options.frames)
        for name in options.scripts:
            player.play(read_source(name), name, rulebook)
    except (ProfileErrors, RulebookErrors, ScriptError, NotationError) as error:
        return _fail(str(error))
    except BrokenPipeError:
        raise  # whoever read our output has gone: no mistake of a script
    except OSError as error:
        return _fail(f"{error.filename or options.frames}: {error.strerror}")
    sys.stdout.flush()
    return 0


def _run(options: argparse.Namespace) -> int:
    from firmware.box import run_service

    return run_service(options.board, options.rulebook)


def _page(options: argparse.Namespace) -> int:
    from firmware.box import run_page

    return run_page(options.board, options.socket, until_eof=options.until_eof)


if __name__ == "__main__":
    sys.exit(main())
