"""The outputs of a whole board, with their threads: what a view and a signal do to pins and panels."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from drivers.mock_pins import ScriptedFactory
from firmware.outputs import Outputs
from firmware.profile import load_profile
from firmware.screens.samples import samples
from firmware.texts import Texts
from rules import Ns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from firmware.profile import Profile
    from firmware.view import Trouble

SOON_S = 5.0
BOARD = """
[pins]
factory = "mock"
[keys]
red = 5
up = 6
white = 12
fault = 16
ok = 17
undo = 22
stroke = 23
down = 24
rest = 25
[oled]
kind = "desk"
[led]
kind = "desk"
[sound]
kind = "{sound}"
[piezo]
pin = 13
[lamps]
turn_red = [18, 20]
turn_white = 19
kader = 21
[hall]
kind = "none"
"""


def profile(tmp_path: Path, sound: str = "piezo") -> Profile:
    """A board with lamps and a piezo."""
    file = tmp_path / "board.toml"
    file.write_text(BOARD.format(sound=sound))
    return load_profile(file)


class Running:
    """Outputs that run, and what they publish."""

    def __init__(self, board: Profile) -> None:
        """Start them."""
        self.factory = ScriptedFactory()
        self.published: list[tuple[str, Mapping[str, object]]] = []
        self.troubles: dict[str, Trouble | None] = {}
        self.outputs = Outputs(
            board,
            Texts("de"),
            factory=self.factory,
            to_box=Ns,
            publish=lambda kind, fields: self.published.append((kind, fields)),
            on_trouble=self.troubles.__setitem__,
        )

    def high(self, pin: int) -> bool:
        """Whether this pin is driven high."""
        return bool(self.factory.pin(pin).state)


def soon(what: Callable[[], bool]) -> None:
    """Wait for the workers' threads."""
    ends = time.monotonic() + SOON_S
    while not what():
        assert time.monotonic() < ends
        threading.Event().wait(0.005)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    """A board without a sound card."""
    board = Running(profile(tmp_path))
    yield board
    board.outputs.close()


def test_lamps_follow_the_view_and_are_out_when_the_box_ends(running: Running) -> None:
    """A lamp may have two pins."""
    running.outputs.post(samples()["turn-kader"].view)
    soon(lambda: running.high(19) and running.high(21))
    assert not running.high(18)
    running.outputs.post(samples()["turn"].view)
    soon(lambda: running.high(18) and running.high(20))
    soon(lambda: not running.high(19) and not running.high(21))
    running.outputs.close()
    assert not any(running.high(pin) for pin in (18, 19, 20, 21))


def test_a_board_with_a_piezo_alone_beeps_its_signals(running: Running) -> None:
    """And the page hears of them as ever."""
    heard = threading.Event()
    pin = running.factory.pin(13)
    running.outputs.sound("expired")
    soon(lambda: running.high(13) or heard.is_set())
    assert ("signal", {"signal": "expired", "word": "zeit"}) in running.published
    assert pin.function == "output"


def test_a_card_that_is_not_there_is_told_and_the_piezo_beeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match goes on."""
    monkeypatch.setenv("PATH", str(tmp_path))
    file = tmp_path / "board.toml"
    file.write_text(BOARD.format(sound="aplay").replace('"aplay"', '"aplay"\ncard = "Nowhere"'))
    board = Running(load_profile(file))
    soon(lambda: board.troubles.get("sound") is not None)
    board.outputs.sound("zeit")
    soon(lambda: board.high(13))
    board.outputs.hush("zeit")
    soon(lambda: not board.high(13))
    board.outputs.close()


def test_a_view_reaches_both_panels_at_full_brightness(running: Running) -> None:
    """During a match nothing rests."""
    running.outputs.post(samples()["turn"].view)
    soon(lambda: {"oled", "led"} <= {str(fields.get("panel")) for _, fields in running.published})


def test_the_board_has_its_lamps_and_piezo_from_the_profile(tmp_path: Path) -> None:
    """Pins by name; a lamp without a pin is not there."""
    board = profile(tmp_path)
    assert board.lamps.pins() == {"turn_red": (18, 20), "turn_white": (19,), "kader": (21,)}
    assert board.piezo.pin == 13
    assert not board.lamps.active_low
    assert not load_profile("desk").lamps.pins()
