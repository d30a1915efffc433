"""What open tabs hear, and when."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING

from tests.firmware.page.asgi import UP, FakeLink, page

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import pytest

    from firmware.link import Message
    from tests.firmware.page.asgi import Browser

DOWN: Message = {"kind": "link", "up": False, "why": "the service has ended"}


def with_page(link: FakeLink, run: Callable[[Browser], Awaitable[None]]) -> None:
    """Run something on a page."""

    async def all_of_it() -> None:
        async with page(link) as browser:
            await run(browser)

    asyncio.run(all_of_it())


def test_every_tab_gets_every_message_and_a_newcomer_the_newest() -> None:
    link = FakeLink()

    async def run(browser: Browser) -> None:
        async with browser.events() as first:
            link.say(UP)
            link.say({"kind": "hall", "line": "old"})
            assert await first.next() == UP
            assert (await first.next())["line"] == "old"
            link.say({"kind": "hall", "line": "new"})
            link.say({"kind": "signal", "signal": "zeit", "at_ns": 1})
            assert (await first.next())["line"] == "new"
            assert (await first.next())["signal"] == "zeit"
            async with browser.events() as second:
                assert await second.next() == UP
                assert (await second.next())["line"] == "new"
                link.say({"kind": "hall", "line": "newest"})
                assert (await second.next())["line"] == "newest"

    with_page(link, run)


def test_a_tab_is_told_that_the_service_has_gone_and_that_it_is_back() -> None:
    link = FakeLink()

    async def run(browser: Browser) -> None:
        async with browser.events() as stream:
            for message in (UP, DOWN, UP):
                link.say(message)
                assert await stream.next() == message

    with_page(link, run)


def test_what_an_earlier_service_said_is_not_told_of_the_next() -> None:
    link = FakeLink()

    async def run(browser: Browser) -> None:
        async with browser.events() as watching:
            messages: list[Message] = [UP, {"kind": "hall", "line": "old"}, DOWN, UP]
            for message in messages:
                link.say(message)
                assert await watching.next() == message
            async with browser.events() as newcomer:
                assert await newcomer.next() == UP
                link.say({"kind": "hall", "line": "new"})
                assert (await newcomer.next())["line"] == "new"

    with_page(link, run)


def test_a_quiet_stream_beats() -> None:
    async def run() -> None:
        async with (
            page(FakeLink(), clock=time.monotonic_ns, beat_s=0.01) as browser,
            browser.events() as stream,
        ):
            beats = [float((await stream.beat())["now_ms"]) for _ in range(3)]
        assert beats == sorted(set(beats))
        assert beats[2] - beats[0] >= 20

    asyncio.run(run())


def test_a_board_with_keys_of_its_own_takes_none_from_the_page() -> None:
    link = FakeLink()

    async def run(browser: Browser) -> None:
        async with browser.events() as stream:
            link.say({"kind": "board", "board": "club-table", "inputs": False})
            await stream.next()
            answer = await browser.put(input="ok", active=True)
            assert answer.status == 403
            assert answer.error == "this board has keys of its own; the page only looks on"
            assert link.sent == []

    with_page(link, run)


def test_stopping_ends_the_streams() -> None:
    async def run() -> None:
        async with page(FakeLink()) as browser:
            stream = browser.events()
            reader = await stream.__aenter__()
            await reader.beat()
        assert (await reader.part()) == {"type": "http.response.body", "body": b""}
        await stream.__aexit__(None, None, None)

    asyncio.run(run())


def test_a_fault_in_the_links_thread_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the page would go on with pictures that never change."""
    told: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: told.append(args.exc_value))
    broken: list[str] = []
    fault = RuntimeError("a fault of the program")

    async def run() -> None:
        link = FakeLink()
        async with page(link, broken=broken) as browser, browser.events() as stream:
            await stream.beat()
            link.say(fault)

    asyncio.run(run())
    assert told == [fault]
    assert broken == ["broken"]
