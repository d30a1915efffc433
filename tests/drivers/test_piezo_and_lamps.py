"""Piezo and lamps: what is heard and seen, and that both are off when nobody steers."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import drivers
from drivers.lamps import open_lamps
from drivers.mock_pins import ScriptedFactory
from drivers.output_pin import OutputPin
from drivers.piezo import PATTERNS, Beeps, PiezoSpeaker, open_piezo, piezo_mailbox
from drivers.ports import DeviceError
from drivers.sound import sound_names

if TYPE_CHECKING:
    from collections.abc import Callable

MS = 1_000_000


@pytest.fixture
def factory() -> ScriptedFactory:
    """A board whose outputs can be looked at."""
    return ScriptedFactory()


def high(factory: ScriptedFactory, *pins: int) -> list[bool]:
    """What these pins are driven to."""
    return [bool(factory.pin(pin).state) for pin in pins]


def test_every_sound_has_a_pattern_and_the_three_that_matter_cannot_be_mistaken() -> None:
    """By the number of beeps and by the longest of them; a rattle, two beeps, one long one."""
    assert set(PATTERNS) == sound_names()
    seen = {
        name: (len(PATTERNS[name][::2]), max(PATTERNS[name])) for name in ("zeit", "expired", "fault", "game")
    }
    assert seen == {"zeit": (2, 180), "expired": (1, 900), "fault": (5, 60), "game": (3, 350)}
    for one, other in combinations(seen.values(), 2):
        assert one[0] != other[0]
        assert not 0.75 < one[1] / other[1] < 1.33
    assert all(sum(pattern) <= 1300 for pattern in PATTERNS.values())


def test_the_call_is_two_beeps_at_their_instants(factory: ScriptedFactory) -> None:
    """On for 180 ms, off for 100, on for 180; in virtual time, each switch at its own instant."""
    box = piezo_mailbox(lambda: OutputPin("piezo", 13, factory=factory), lambda *_: None)
    box.post(Beeps(sound="zeit", at_ns=1_000 * MS), at_ns=1_000 * MS)
    heard = []
    due_ns: int | None = 1_000 * MS
    while due_ns is not None:
        now_ns = due_ns
        due_ns = box.step(now_ns)
        heard.append((now_ns // MS, high(factory, 13)[0]))
    assert heard == [(1000, True), (1180, False), (1280, True), (1460, False)]


@given(sound=st.sampled_from(sorted(PATTERNS)), late=st.lists(st.integers(0, 400), max_size=30))
def test_however_late_its_thread_wakes_the_piezo_ends_silent(sound: str, late: list[int]) -> None:
    """And is never on when the pattern says off."""
    beeps, now_ns = Beeps(sound=sound, at_ns=0), 0
    for milliseconds in late:
        following = beeps.next_change(now_ns)
        if following is None:
            break
        now_ns = following + milliseconds * MS
    assert not beeps.on(sum(PATTERNS[sound]) * MS)
    assert beeps.next_change(sum(PATTERNS[sound]) * MS) is None
    assert not Beeps(sound="", at_ns=0).on(0)


def test_a_newer_sound_cuts_the_older_and_stop_cuts_all(factory: ScriptedFactory) -> None:
    """As with the card."""
    box = piezo_mailbox(lambda: OutputPin("piezo", 13, factory=factory), lambda *_: None)
    box.post(Beeps(sound="expired", at_ns=0), at_ns=0)
    box.step(0)
    box.post(Beeps(sound="key", at_ns=50 * MS), at_ns=50 * MS)
    assert box.step(50 * MS) == 62 * MS
    box.step(62 * MS)
    assert high(factory, 13) == [False]
    box.post(Beeps(sound="expired", at_ns=100 * MS), at_ns=100 * MS)
    box.step(100 * MS)
    box.post(Beeps(sound="", at_ns=150 * MS), at_ns=150 * MS)
    assert box.step(150 * MS) is None
    assert high(factory, 13) == [False]


def test_the_piezo_as_a_speaker_is_silent_at_the_start_sounds_and_is_off_when_closed(
    factory: ScriptedFactory,
) -> None:
    """With its own thread."""
    switched = Event()

    class Watched(OutputPin):
        def set(self, *, on: bool) -> None:
            super().set(on=on)
            if on:
                switched.set()

    pin = Watched("piezo", 13, factory=factory)
    speaker = PiezoSpeaker(pin)
    assert high(factory, 13) == [False]
    speaker.play("expired")
    assert switched.wait(5)
    speaker.check()
    with pytest.raises(ValueError, match="no sound is called 'gong'"):
        speaker.play("gong")
    speaker.close()
    assert factory.pin(13).function == "input" or high(factory, 13) == [False]
    with pytest.raises(DeviceError, match="it is closed"):
        speaker.play("zeit")
    speaker.stop()
    speaker.close()


def test_a_piezo_whose_pin_is_taken_is_told(factory: ScriptedFactory) -> None:
    """By a key, say."""
    lamps = open_lamps({"kader": (13,)}, factory=factory)
    with pytest.raises(DeviceError, match="piezo: GPIO13 cannot be opened"):
        open_piezo(13, factory=factory)
    lamps.close()
    open_piezo(13, factory=factory).close()


def test_lamps_are_dark_at_the_start_and_follow_what_is_lit(factory: ScriptedFactory) -> None:
    """By name; a lamp may have two pins, one on each side of the table."""
    lamps = open_lamps({"turn_red": (18, 20), "turn_white": (19,), "kader": (21,)}, factory=factory)
    assert high(factory, 18, 19, 20, 21) == [False] * 4
    lamps.show({"turn_red", "kader"})
    assert high(factory, 18, 20, 19, 21) == [True, True, False, True]
    lamps.show({"turn_white"})
    assert high(factory, 18, 20, 19, 21) == [False, False, True, False]
    lamps.close()
    lamps.close()
    assert high(factory, 18, 19, 20, 21) == [False] * 4
    with pytest.raises(DeviceError, match="lamp turn_red: it is closed"):
        lamps.show(set())


def test_relays_that_switch_on_with_a_low_pin_are_off_from_their_first_instant(
    factory: ScriptedFactory,
) -> None:
    """They must not click at the start."""
    lamps = open_lamps({"kader": (21,)}, factory=factory, active_low=True)
    assert high(factory, 21) == [True]
    lamps.show({"kader"})
    assert high(factory, 21) == [False]
    lamps.close()


def test_an_unknown_lamp_is_the_programs_fault(factory: ScriptedFactory) -> None:
    """And lights nothing."""
    lamps = open_lamps({"kader": (21,)}, factory=factory)
    with pytest.raises(ValueError, match="no lamp is called moon; there are kader"):
        lamps.show({"kader", "moon"})
    assert high(factory, 21) == [False]
    lamps.close()


def test_lamps_of_which_one_pin_cannot_be_had_let_go_of_the_others(factory: ScriptedFactory) -> None:
    """So that they can be opened again once that is mended."""
    with pytest.raises(DeviceError, match="lamp kader: GPIO99 cannot be opened"):
        open_lamps({"turn_red": (18,), "kader": (99,)}, factory=factory)
    open_lamps({"turn_red": (18,)}, factory=factory).close()


@pytest.mark.parametrize(
    "ending", ["raise RuntimeError('a fault of the program')", "sys.exit(3)", "del lamps", "pass"]
)
def test_what_is_on_goes_off_however_the_program_ends(ending: str) -> None:
    """An exception, an exit, an object that was forgotten: nobody closes, and it is off all the same."""
    script = f"""
import sys
from drivers.lamps import open_lamps
from drivers.mock_pins import ScriptedFactory, ScriptedPin
real = ScriptedPin._set_state
def told(pin, value):
    real(pin, value)
    print(pin, bool(value), flush=True)
ScriptedPin._set_state = told
factory = ScriptedFactory()
lamps = open_lamps({{"kader": (21,)}}, factory=factory)
lamps.show({{"kader"}})
{ending}
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(drivers.__file__).parent.parent,
    )
    assert done.stdout.splitlines()[-2:] == ["GPIO21 True", "GPIO21 False"]


def test_a_pin_that_cannot_be_switched_is_told(
    factory: ScriptedFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel took it away."""
    pin = OutputPin("piezo", 13, factory=factory)

    def refuse(*_: object) -> None:
        message = "gone"
        raise OSError(message)

    break_it: Callable[..., None] = refuse
    monkeypatch.setattr(type(factory.pin(13)), "_set_state", break_it)
    with pytest.raises(DeviceError, match=r"piezo: GPIO13 cannot be switched \(gone\)"):
        pin.set(on=True)
    monkeypatch.undo()
    pin.close()
