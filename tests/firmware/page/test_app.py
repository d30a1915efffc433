"""The page's HTTP, asked without a network."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING

import pytest

from firmware.link import LinkDown
from tests.firmware.page.asgi import NOW_NS, UP, FakeLink, page

if TYPE_CHECKING:
    from tests.firmware.page.asgi import Answer

PRESS = {"input": "stroke", "active": True}


def ask(method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
    """Ask a page of its own one thing."""

    async def run() -> Answer:
        async with page(FakeLink()) as browser:
            return await browser.ask(method, path, body, **headers)

    return asyncio.run(run())


def put(link: FakeLink, **command: object) -> Answer:
    """Post one command to a page of its own."""

    async def run() -> Answer:
        async with page(link) as browser:
            return await browser.put(**command)

    return asyncio.run(run())


def test_the_page_needs_nothing_from_elsewhere_and_all_its_files_are_there() -> None:
    index = ask("GET", "/")
    assert index.status == 200
    assert index.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in index.headers["content-security-policy"]
    todo, seen = re.findall(r'(?:src|href)="([^"]+)"', index.body.decode()), set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        file = ask("GET", f"/{name}")
        assert file.status == 200, name
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", file.body.decode()), name
        todo += re.findall(r'from "\./([^"]+)"', file.body.decode())
    assert {
        "desk.css",
        "desk.js",
        "wire.js",
        "keys.js",
        "sound.js",
        "pictures.js",
        "words.js",
        "icon.svg",
    } == seen


def test_all_sounds_are_listed_and_served() -> None:
    names = json.loads(ask("GET", "/sounds").body)
    assert {"zeit.wav", "tijd.wav", "temps.wav", "time.wav", "expired.wav", "key.wav"} <= set(names)
    for name in names:
        sound = ask("GET", f"/{name}")
        assert (sound.headers["content-type"], sound.body[:4]) == ("audio/wav", b"RIFF")


@pytest.mark.parametrize("path", ["/desk.py", "/..%2fapp.py", "/../app.py", "/render.py", "/README.md"])
def test_nothing_else_is_served(path: str) -> None:
    assert ask("GET", path).status == 404


def test_every_language_says_the_same_things() -> None:
    """The words are JavaScript; their keys can be compared all the same."""
    script = ask("GET", "/words.js").body.decode()
    languages = re.split(r"^  (de|nl|fr|en): \{$", script, flags=re.MULTILINE)[1:]
    keys = {
        name: re.findall(r"(?:^\s+|, |\{ )(\w+):", text, flags=re.MULTILINE)
        for name, text in zip(languages[::2], languages[1::2], strict=True)
    }
    assert list(keys) == ["de", "nl", "fr", "en"]
    assert len(keys["de"]) > 40
    assert all(names == keys["de"] for names in keys.values())


def test_a_press_goes_to_the_service_with_the_instant_it_was_made_at() -> None:
    link = FakeLink()
    assert put(link, **PRESS, at_ms=4999.5, id="t-1").status == 204
    assert link.sent == [{**PRESS, "at_ns": 4_999_500_000, "ident": "t-1"}]


def test_a_press_without_an_instant_is_of_now() -> None:
    link = FakeLink()
    assert put(link, **PRESS).status == 204
    assert link.sent == [{**PRESS, "at_ns": NOW_NS, "ident": None}]


def test_a_ball_through_a_goal_is_one_command() -> None:
    link = FakeLink()
    assert put(link, pulse="goal_red").status == 204
    assert link.sent[0]["pulse"] == "goal_red"


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (
            {"input": "bell", "active": True},
            "no input is called 'bell'; there are red, up, white, fault, ok, undo, stroke, down, rest, hand, ",
        ),
        ({"pulse": "red"}, "no sensor is called 'red'; there are goal_red, goal_white"),
        ({"input": "red", "active": "yes"}, "active is true or false, not 'yes'"),
        ({}, "a command holds input and active, or pulse; this one holds none of them"),
        ({**PRESS, "at_ms": "now"}, "at_ms is milliseconds on the clock that the beats tell, not 'now'"),
        ({**PRESS, "at_ms": -1}, "at_ms is milliseconds on the clock that the beats tell, not -1"),
        ({**PRESS, "at_ms": True}, "at_ms is milliseconds on the clock that the beats tell, not True"),
        ({**PRESS, "at_ms": float("nan")}, "at_ms is milliseconds on the clock that the beats tell, not nan"),
        ({**PRESS, "id": 7}, "id is a text of at most 48 characters, not 7"),
        ({**PRESS, "tab": "x" * 49}, "tab is a text of at most 48 characters, not 'xxxx"),
    ],
)
def test_what_cannot_be_meant_is_answered_with_what_could_be(command: dict[str, object], error: str) -> None:
    link = FakeLink()
    answer = put(link, **command)
    assert answer.status == 422
    assert answer.error.startswith(error)
    assert link.sent == []


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        (b"stroke", 400, "a command is one JSON object"),
        (b"\xff", 400, "a command is one JSON object"),
        (b"[" * 2000, 400, "a command is one JSON object"),
        (b"[]", 400, "a command is a JSON object"),
        (b" " * 2049, 413, "a command has at most 2048 bytes"),
    ],
)
def test_what_cannot_be_read_is_refused(body: bytes, status: int, error: str) -> None:
    answer = ask("POST", "/input", body)
    assert answer.status == status
    assert answer.error.startswith(error)


def test_what_the_service_refuses_the_browser_is_told() -> None:
    link = FakeLink()
    link.answer = {"error": "this is 1.2 s old and too late"}
    answer = put(link, **PRESS)
    assert (answer.status, answer.error) == (409, "this is 1.2 s old and too late")


def test_without_a_service_a_press_is_refused_and_kept_by_nobody() -> None:
    link = FakeLink()
    link.answer = LinkDown("the service is not there; nothing was sent")
    answer = put(link, **PRESS)
    assert (answer.status, answer.error) == (503, "the service is not there; nothing was sent")
    assert len(link.sent) == 1


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "http://localhost:8050"]
)
def test_a_foreign_page_may_press_nothing(origin: str) -> None:
    answer = ask("POST", "/input", json.dumps(PRESS).encode(), origin=origin)
    assert answer.status == 403
    assert "may not use this one" in answer.error


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8050", "", "127.0.0.1.evil.example"])
@pytest.mark.parametrize(("method", "path"), [("POST", "/input"), ("GET", "/events"), ("GET", "/")])
def test_a_name_that_was_made_to_mean_this_machine_is_not_answered(host: str, method: str, path: str) -> None:
    answer = ask(method, path, json.dumps(PRESS).encode(), host=host)
    assert answer.status == 403
    assert answer.error.endswith("is no name of this page; call it by address, or kaderuhr.local, localhost")


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8050", "localhost:8050", "[::1]:8050", "192.168.4.1", "Kaderuhr.local"]
)
def test_it_answers_to_addresses_and_its_own_names(host: str) -> None:
    body = json.dumps(PRESS).encode()
    assert ask("POST", "/input", body, host=host, origin=f"http://{host}".lower()).status == 204


def test_looking_at_the_input_is_no_press() -> None:
    assert ask("GET", "/input?input=stroke&active=true").status == 404


def test_a_stream_is_an_event_stream_that_begins_with_a_beat_of_this_machines_clock() -> None:
    async def run() -> None:
        async with page(FakeLink()) as browser, browser.events() as stream:
            start = await stream.part()
            assert dict(start["headers"])[b"content-type"] == b"text/event-stream"
            assert await stream.beat() == {"kind": "beat", "now_ms": NOW_NS / 1e6}
            assert stream.raw.startswith(b"retry: 1000\n\n")

    asyncio.run(run())


def test_a_tab_that_goes_away_in_the_middle_of_a_press_lets_go() -> None:
    async def run() -> None:
        link = FakeLink()
        link.say(UP)
        async with page(link) as browser, browser.events("/events?tab=mine") as stream:
            assert await stream.next() == UP
            assert (await browser.put(**PRESS, tab="mine")).status == 204
            assert (await browser.put(input="ok", active=True, tab="mine")).status == 204
            assert (await browser.put(input="ok", active=False, tab="mine")).status == 204
        assert link.sent[3:] == [{"input": "stroke", "active": False, "at_ns": None, "ident": None}]

    asyncio.run(run())


def test_a_tab_that_hears_nothing_may_not_press() -> None:
    answer = put(FakeLink(), **PRESS, tab="mine")
    assert (answer.status, answer.error) == (
        409,
        "a tab that presses reads /events?tab=NAME too; load the page again",
    )


def test_more_tabs_than_it_can_carry_are_refused() -> None:
    async def run() -> None:
        async with page(FakeLink()) as browser:
            streams = [browser.events() for _ in range(32)]
            for stream in streams:
                await (await stream.__aenter__()).beat()
            answer = await browser.ask("GET", "/events")
            assert (answer.status, answer.error) == (503, "32 tabs are open already; close one")
            for stream in streams:
                await stream.__aexit__(None, None, None)

    asyncio.run(run())
