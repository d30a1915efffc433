"""The page's HTTP: its files, its stream of events, and what may be pressed.

``GET /events?tab=NAME`` is the stream: one JSON object an event, as they come over the link, beside ``{"kind": "link",
"up": ...}`` and, every second, ``{"kind": "beat", "now_ms": ...}``, this machine's monotonic clock.

``POST /input`` takes ``{"input": NAME, "active": BOOL}`` or ``{"pulse": SENSOR}``; beside it, all optional, ``at_ms``,
when a person did it on the clock of the beats (default: now), ``id``, by which a repeat is known, and ``tab``, whose
end lets go of the input. 204, or a 4xx or 503 with ``{"error": SENTENCE}``.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware.link import CommandError, LinkDown
from firmware.page.tabs import Refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import ASGIApp, Receive, Scope, Send

    from firmware.page.tabs import Tab, Tabs

__all__ = ["create_app"]

MOST_BYTES: Final = 2048
"""Of a body. With what the link adds it stays below the link's own limit."""
NAME_LENGTH: Final = 48
MOST_MS: Final = 1e15
TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "wav": "audio/wav",
}
HEADERS: Final = {
    "cache-control": "no-cache",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def create_app(tabs: Tabs, *, hosts: frozenset[str]) -> ASGIApp:
    """Make the ASGI application. ``hosts``: by which names, beside addresses and localhost, a browser may call it."""
    contents = _contents()

    async def file(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in contents:
            return _error(f"there is no {name!r} here", status=404)
        return Response(contents[name], media_type=TYPES[name.rpartition(".")[2]], headers=HEADERS)

    async def sounds(_: Request) -> Response:
        return JSONResponse([name for name in sorted(contents) if name.endswith(".wav")], headers=HEADERS)

    async def put_in(request: Request) -> Response:
        try:
            body = await _json(request)
            at_ms, ident, tab = body.pop("at_ms", None), body.pop("id", None), body.pop("tab", None)
            await tabs.send(
                body, tab_name=_name("tab", tab), ident=_name("id", ident), at_ns=_nanoseconds("at_ms", at_ms)
            )
        except CommandError as error:
            return _error(str(error), status=422)
        except Refused as error:
            return _error(str(error), status=error.status)
        except LinkDown as error:
            return _error(str(error), status=503)
        return Response(status_code=204, headers=HEADERS)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        tabs.start()
        yield
        await tabs.stop()

    routes = [
        Route("/", file),
        Route("/events", _Events(tabs)),
        Route("/input", put_in, methods=["POST"]),
        Route("/sounds", sounds),
        Route("/{name}", file),
    ]
    return _Guard(Starlette(routes=routes, lifespan=lifespan), hosts)


class _Guard:
    """Refuses what a foreign page makes a browser ask.

    A foreign page can make a name of its own mean this machine (DNS rebinding), but then the browser says that name as
    Host; an address cannot be rebound. And whatever it posts carries its Origin.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = {host.lower() for host in (*hosts, "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = {name: value.decode("latin-1").lower() for name, value in scope["headers"]}
            host, origin = headers.get(b"host", ""), headers.get(b"origin")
            answer: Response | None = None
            if not self._is_ours(host):
                known = ", ".join(sorted(self._hosts))
                answer = _error(
                    f"{host!r} is no name of this page; call it by address, or {known}", status=403
                )
            elif origin is not None and origin not in (f"http://{host}", f"https://{host}"):
                answer = _error(f"a page of {origin!r} may not use this one", status=403)
            if answer is not None:
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_ours(self, host: str) -> bool:
        name, _, port = host.rpartition(":")
        if not port.isdecimal():
            name = host
        if name in self._hosts:
            return True
        try:
            ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        return True


class _Events:
    """The stream. Not a StreamingResponse, which leaves its generator's end to the garbage collector."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            name = _name("tab", Request(scope).query_params.get("tab", ""))
            with self._tabs.opened(name or "") as tab:
                await _stream(tab, receive, send)
        except Refused as error:
            await _error(str(error), status=error.status)(scope, receive, send)


async def _stream(tab: Tab, receive: Receive, send: Send) -> None:
    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        tab.end()

    watching = asyncio.create_task(watch())
    try:
        headers = {**HEADERS, "content-type": "text/event-stream", "cache-control": "no-store"}
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})
        while data := await tab.next():
            await send({"type": "http.response.body", "body": data, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        watching.cancel()


def _contents() -> dict[str, bytes]:
    """Read all files of the page and all sounds, by name."""
    folders = (files("firmware.page") / "static", files("drivers") / "sounds")
    return {
        entry.name: entry.read_bytes()
        for folder in folders
        for entry in folder.iterdir()
        if entry.name.rpartition(".")[2] in TYPES
    }


async def _json(request: Request) -> dict[str, object]:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise Refused(f"a command has at most {MOST_BYTES} bytes", status=413)
    try:
        command = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refused(f"a command is one JSON object ({error})", status=400) from error
    if not isinstance(command, dict):
        raise Refused("a command is a JSON object", status=400)
    return command


def _name(key: str, value: object) -> str | None:
    if value is None or (isinstance(value, str) and value.isprintable() and len(value) <= NAME_LENGTH):
        return value or None
    raise Refused(f"{key} is a text of at most {NAME_LENGTH} characters, not {value!r:.80}", status=422)


def _nanoseconds(key: str, value: object) -> int | None:
    if value is None:
        return None
    # The comparison leaves no room for infinities, and none for NaN.
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MOST_MS:
        return round(value * 1e6)
    raise Refused(f"{key} is milliseconds on the clock that the beats tell, not {value!r:.80}", status=422)


def _error(sentence: str, *, status: int) -> Response:
    return JSONResponse({"error": sentence}, status_code=status, headers=HEADERS)
