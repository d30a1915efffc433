"""The page as a person has it: its own process, a real browser, real keys, and a service that comes and goes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from firmware.link import Pulse, Push
from tests.firmware.page.browser import Browser
from tests.firmware.page.fake_service import FakeService

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.firmware.page.browser import Page

pytestmark = pytest.mark.host

UP = "document.body.dataset.link === 'up'"
GONE = "document.body.dataset.link === 'gone'"
DRAWN = "document.querySelector('#oled').naturalWidth === 128 && document.querySelector('#led').width > 128"


class Desk:
    """A service, a page's process and a browser."""

    def __init__(self, folder: Path, browser: Browser, stack: ExitStack) -> None:
        """Start service and page; the browser is there."""
        self.browser = browser
        self._tabs = stack
        self.path = folder / "link"
        self.service = FakeService(self.path)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "firmware.page", "--socket", str(self.path), "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
        )
        stack.callback(self._end)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().split()[2]

    def _end(self) -> None:
        self.service.close()  # the newest one
        self.process.terminate()
        self.process.communicate(timeout=10)

    def open(self, **options: Any) -> Page:  # noqa: ANN401  the browser's own
        """Open the page, and wait until it shows everything."""
        page = self._tabs.enter_context(closing(self.browser.open(self.url, **options)))
        page.wait(UP)
        page.wait(DRAWN)
        return page

    def has_come(self, page: Page, count: int) -> list[Push | Pulse]:
        """Wait until the service has got so many commands, and no more come; return them."""
        for _ in range(500):
            if len(self.service.commands) >= count:
                break
            page.eval("new Promise(done => setTimeout(done, 10))")
        page.eval("new Promise(done => setTimeout(done, 60))")
        return list(self.service.commands)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One for all: it takes longer to start than a test takes."""
    with closing(Browser(tmp_path_factory.mktemp("profile"))) as browser:
        yield browser


@pytest.fixture
def desk(tmp_path: Path, browser: Browser) -> Iterator[Desk]:
    with ExitStack() as stack:
        yield Desk(tmp_path, browser, stack)


def held(name: str) -> list[Push | Pulse]:
    """A press and its release."""
    return [Push(name=name, active=True), Push(name=name, active=False)]  # type: ignore[arg-type]


def test_a_key_is_held_for_as_long_as_the_mouse_is(desk: Desk) -> None:
    page = desk.open()
    page.mouse("mousePressed", "[data-name=stroke]")
    assert desk.has_come(page, 1) == held("stroke")[:1]
    assert page.eval("'held' in document.querySelector('[data-name=stroke]').dataset")
    page.mouse("mouseReleased", "[data-name=stroke]")
    assert desk.has_come(page, 2) == held("stroke")


def test_a_mouse_that_slips_off_a_key_lets_go(desk: Desk) -> None:
    page = desk.open()
    page.mouse("mousePressed", "[data-name=ok]")
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)
    assert desk.has_come(page, 2) == held("ok")


def test_the_keyboard_presses_by_place_and_its_repeats_are_none(desk: Desk) -> None:
    page = desk.open()
    page.key("keyDown", "KeyC", "c")
    for _ in range(3):
        page.key("keyDown", "KeyC", "c", repeat=True)
    page.key("keyUp", "KeyC", "c")
    page.key("keyDown", "Digit2", "2")
    page.key("keyUp", "Digit2", "2")
    assert desk.has_come(page, 3) == [*held("rest"), Pulse(name="goal_white")]


def test_a_focused_key_is_pressed_by_space(desk: Desk) -> None:
    page = desk.open()
    page.eval("document.querySelector('[data-name=fault]').focus()")
    page.key("keyDown", "Space", " ")
    page.key("keyUp", "Space", " ")
    assert desk.has_come(page, 2) == held("fault")


def test_a_click_without_a_pointer_is_a_short_press(desk: Desk) -> None:
    """As a screen reader makes it."""
    page = desk.open()
    page.eval(
        "document.querySelector('[data-name=up]').click(); document.querySelector('[data-name=goal_red]').click()"
    )
    assert desk.has_come(page, 3) == [
        Push(name="up", active=True),
        Pulse(name="goal_red"),
        Push(name="up", active=False),
    ]


def test_a_window_that_loses_its_focus_lets_go_of_everything(desk: Desk) -> None:
    page = desk.open()
    page.mouse("mousePressed", "[data-name=red]")
    page.key("keyDown", "KeyQ", "q")  # the same key once more
    page.key("keyDown", "KeyE", "e")
    assert desk.has_come(page, 2) == [Push(name="red", active=True), Push(name="white", active=True)]
    page.eval("dispatchEvent(new Event('blur'))")
    assert desk.has_come(page, 4)[2:] == [Push(name="red", active=False), Push(name="white", active=False)]


def test_a_finger_presses_and_a_telephone_shows_all_of_it(desk: Desk, tmp_path: Path) -> None:
    page = desk.open(width=360, height=780, touch=True)
    page.touch("touchStart", "[data-name=hand]")
    page.touch("touchEnd", "[data-name=hand]")
    page.touch("touchStart", "[data-name=goal_red]")
    page.touch("touchEnd", "[data-name=goal_red]")
    assert desk.has_come(page, 3) == [*held("hand"), Pulse(name="goal_red")]
    assert page.eval("document.documentElement.scrollWidth") == 360
    page.screenshot(tmp_path / "phone.png")
    with Image.open(tmp_path / "phone.png") as image:
        assert image.size == (720, 1560)


def test_a_tab_that_is_closed_in_a_press_lets_go(desk: Desk) -> None:
    page, other = desk.open(), desk.open()
    other.mouse("mousePressed", "[data-name=down]")
    assert desk.has_come(page, 1) == held("down")[:1]
    other.close()
    assert desk.has_come(page, 2) == held("down")


def test_the_call_is_shown_and_played_once_sound_is_on(desk: Desk) -> None:
    page = desk.open()
    desk.service.signal("key")
    page.wait("document.querySelector('#signals li')")
    assert page.eval("document.body.dataset.played") is None
    page.click("#sound")
    page.wait("document.body.dataset.played === 'key'")
    desk.service.signal("zeit")
    page.wait("document.body.dataset.played === 'zeit'")
    assert page.eval("document.querySelector('#call').textContent") == "ZEIT"
    assert page.eval("document.querySelector('#signals li').dataset.signal") == "zeit"


def test_the_call_is_spoken_in_the_language_of_the_board(desk: Desk) -> None:
    page = desk.open()
    page.click("#sound")
    page.wait("document.body.dataset.played === 'key'")
    desk.service.link.publish("signal", {"signal": "zeit", "word": "tijd"})
    page.wait("document.body.dataset.played === 'tijd'")
    assert page.eval("document.querySelector('#call').textContent") == "TIJD"


def test_a_signal_that_comes_late_is_told_but_not_heard(desk: Desk) -> None:
    page = desk.open()
    page.click("#sound")
    page.wait("document.body.dataset.played === 'key'")
    desk.service.link.publish("signal", {"signal": "zeit", "word": "zeit", "at_ns": 1})
    page.wait("document.querySelector('#signals li')?.dataset.signal === 'zeit'")
    assert page.eval("document.body.dataset.played") == "key"


def test_without_a_service_the_page_says_so_takes_nothing_and_comes_back_by_itself(desk: Desk) -> None:
    page = desk.open()
    desk.service.close()
    page.wait("document.body.dataset.link === 'waiting'")
    page.wait(GONE)
    assert "Der Dienst antwortet nicht" in page.eval("document.querySelector('#gone').innerText")
    assert "grayscale" in page.eval("getComputedStyle(document.querySelector('#oled')).filter")
    page.click("[data-name=stroke]")
    page.wait("document.querySelector('#notice').innerText.startsWith('Nicht gesendet')")
    desk.service = FakeService(desk.path)
    page.wait(UP)
    assert desk.has_come(page, 0) == []
    assert page.eval("document.querySelector('#gone').hidden")
    page.click("[data-name=stroke]")
    assert desk.has_come(page, 2) == held("stroke")
    assert desk.process.poll() is None


def test_a_press_that_was_held_up_is_refused_when_it_comes_through(desk: Desk) -> None:
    """The page's process stands still for 1.2 s, with the press in its socket."""
    page = desk.open()
    os.kill(desk.process.pid, signal.SIGSTOP)
    page.mouse("mousePressed", "[data-name=stroke]")
    page.eval("new Promise(done => setTimeout(done, 1200))")
    os.kill(desk.process.pid, signal.SIGCONT)
    page.wait("document.querySelector('#notice').innerText.includes('too late, 1 s is the limit')")
    page.mouse("mouseReleased", "[data-name=stroke]")
    assert [
        command for command in desk.has_come(page, 1) if command == Push(name="stroke", active=True)
    ] == []


def test_a_page_that_dies_in_a_press_lets_go(desk: Desk) -> None:
    page = desk.open()
    page.mouse("mousePressed", "[data-name=stroke]")
    desk.has_come(page, 1)
    desk.process.kill()
    assert desk.has_come(page, 2) == held("stroke")
    page.wait(GONE)


def test_told_to_end_it_ends_at_once_with_its_streams_open(desk: Desk) -> None:
    desk.open()
    desk.process.terminate()
    assert desk.process.wait(1.5) in (0, -signal.SIGTERM)


def test_the_desk_fits_on_a_small_laptop(desk: Desk, tmp_path: Path) -> None:
    page = desk.open(width=1280, height=800)
    assert page.eval("document.documentElement.scrollHeight") <= 800
    assert page.eval("document.querySelector('#oled').getBoundingClientRect().width") == 512
    page.screenshot(tmp_path / "desk.png")
    with Image.open(tmp_path / "desk.png") as image:
        assert image.size == (1280, 800)
        assert len(image.convert("RGB").getcolors(1 << 20) or []) > 100
