"""The box: starting and ending a service and its page as processes, with errors a person can act on.

Lives here: signals, the page's process, exit statuses. Never here: the loop (`service.py`).
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Final

from drivers.ports import DeviceError
from firmware.link import LinkError, NoPlaceError, found, make_room, places
from firmware.profile import Profile, ProfileErrors, load_profile
from firmware.rulebooks import RulebookErrors, load_rulebook

if TYPE_CHECKING:
    from pathlib import Path

    from firmware.service import Service
    from rules import Rulebook

SWITCH_S: Final = 0.001
"""Seconds after which a drawing thread gives way to the fold."""
FAILED: Final = 1
WRONG: Final = 2


def run_service(board: str, rulebook: str | None = None) -> int:
    """Run the service of `board` until a signal ends it; return the exit status.

    A match that is begun at the start is played by `rulebook`, or by the board's.
    """
    try:
        profile = load_profile(board)
        named = rulebook or profile.match.rulebook
        book = None if named is None else load_rulebook(named)
        if profile.oled.kind == "desk":
            _require_free_port(profile.page.host, profile.page.port)
        service, path = _service(profile, book)
    except (ProfileErrors, RulebookErrors, LinkError) as error:
        return _say(str(error), WRONG)
    except DeviceError as error:
        return _say(str(error), FAILED)
    except OSError as error:
        return _say(f"{error.filename or board}: {error.strerror}", WRONG)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: service.stop())
    sys.setswitchinterval(SWITCH_S)
    page = _start_page(board, path, service) if profile.oled.kind == "desk" else None
    try:
        service.run()
    finally:
        if page is not None:
            page.terminate()
            page.wait(timeout=5)
    return 0


def run_page(board: str, path: Path | None, *, until_eof: bool = False) -> int:
    """Run the page of `board` in this process, `until_eof` of standard input if wanted; return the exit status."""
    try:
        profile = load_profile(board)
    except ProfileErrors as error:
        return _say(str(error), WRONG)
    if until_eof:
        Thread(target=_end_with_input, name="parent", daemon=True).start()
    from firmware.page import run_page as serve

    return int(serve(path or found(profile.state.folder), profile.page.host, profile.page.port))


def _end_with_input() -> None:
    """End this process when whoever started it is gone, however it went: then its end of the pipe closes."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


def _service(profile: Profile, book: Rulebook | None) -> tuple[Service, Path]:
    """Make the service, which listens at the first place where it can, and return that place, too."""
    from firmware.service import Service

    *better, last = places(profile.state.folder)
    for path in better:
        with suppress(NoPlaceError):
            make_room(path)
            return Service(profile, path, book), path
    make_room(last)
    return Service(profile, last, book), last


def _say(message: str, status: int) -> int:
    sys.stderr.write(message + "\n")
    return status


def _require_free_port(host: str, port: int) -> None:
    """Raise `OSError` with a sentence where the page could not listen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            what = f"cannot listen there ({error.strerror}); end what does, or set another port under [page]"
            raise OSError(error.errno, what, f"http://{host}:{port}") from error


def _start_page(board: str, path: Path, service: Service) -> subprocess.Popen[bytes]:
    """Start the page beside the service; when it ends by itself, the box goes on and shows that."""
    command = [
        sys.executable,
        "-m",
        "firmware.cli",
        "page",
        "--board",
        board,
        "--socket",
        str(path),
        "--until-eof",
    ]
    page = subprocess.Popen(command, stdin=subprocess.PIPE)
    Thread(target=lambda: service.page_ended(page.wait()), name="page", daemon=True).start()
    return page
