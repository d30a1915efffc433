"""``kaderuhr page``: its arguments, its port, and its end."""

from __future__ import annotations

import argparse
import errno
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    import uvicorn

__all__ = ["DEFAULT_HOST", "DEFAULT_PORT", "DEFAULT_SOCKET", "main", "run_page"]

DEFAULT_SOCKET: Final = Path("/run/kaderuhr/link")
DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8050
LAST_PORT: Final = 65_535
CANNOT: Final = 2
"""The exit code of a command that could not do what it was told; systemd tries anything else again."""
BROKEN: Final = 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``kaderuhr page`` with these arguments (None: the process's own) and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="kaderuhr page",
        description="Shows the table in a browser. It waits for the service, and finds it again after a restart.",
    )
    parser.add_argument(
        "--socket",
        type=Path,
        default=DEFAULT_SOCKET,
        help="the service's link (default: %(default)s)",
    )
    parser.add_argument(
        "--host",
        default=DEFAULT_HOST,
        help="address to listen at; another one than %(default)s lets the network look on, and press",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        help="port to listen at, 0: any free one (default: %(default)s)",
    )
    arguments = parser.parse_args(argv)
    return run_page(arguments.socket, arguments.host, arguments.port)


def run_page(path: Path, host: str = DEFAULT_HOST, port: int = DEFAULT_PORT) -> int:
    """Serve the page until a signal ends it; prints its address when a browser can come. Returns the exit code.

    0: it was told to end. 1: it broke, and should be started again. 2: it cannot be had, said on standard error.
    """
    try:
        listener = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except OSError as error:
        sys.stderr.write(f"kaderuhr page: {_reason(error, host, port)}\n")
        return CANNOT
    with listener:
        shown = f"[{host}]" if ":" in host else host
        sys.stdout.write(f"kaderuhr page: http://{shown}:{listener.getsockname()[1]}/ (Ctrl-C ends it)\n")
        sys.stdout.flush()
        return _serve(listener, path, host)


def _serve(listener: socket.socket, path: Path, host: str) -> int:
    import uvicorn

    from firmware.link import LinkClient
    from firmware.page.app import create_app
    from firmware.page.tabs import Tabs

    broken = False

    def on_broken() -> None:
        nonlocal broken
        broken = server.should_exit = True
        tabs.close()

    link = LinkClient(path)
    tabs = Tabs(link, on_broken=on_broken)
    hosts = frozenset({host, socket.gethostname(), f"{socket.gethostname()}.local"})
    server = _stoppable(
        uvicorn.Config(
            create_app(tabs, hosts=hosts),
            http="h11",
            ws="none",
            lifespan="on",
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        ),
        on_stop=tabs.close,
    )
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        return 0
    return BROKEN if broken else 0


def _stoppable(config: uvicorn.Config, *, on_stop: Callable[[], None]) -> uvicorn.Server:
    """Make a server that ends its streams when it is told to stop; uvicorn by itself waits for them."""
    import uvicorn

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            on_stop()
            super().handle_exit(sig, frame)

    return Server(config)


def _reason(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is taken; end the program that has it, or choose another with --port"
    if isinstance(error, PermissionError):
        return f"port {port} on {host} needs more rights; choose one from 1024 on with --port"
    # The standard library puts the address into the reason, where it stands a second time.
    reason = str(error.strerror).partition(" (while")[0]
    return f"nothing can listen at {host}, port {port} ({reason}); choose another --host"


def _port(text: str) -> int:
    """Read a port, as argparse wants it."""
    if not text.isdecimal() or int(text) > LAST_PORT:
        raise argparse.ArgumentTypeError(f"a port is a whole number from 0 to {LAST_PORT}, not {text!r}")
    return int(text)
