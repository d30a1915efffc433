"""The sounds themselves: short, loud, at once, and told apart without looking."""

from __future__ import annotations

import math
import struct
import wave
from itertools import pairwise

import pytest

from drivers.sound import sound_folder, sound_names


def samples(name: str) -> tuple[int, ...]:
    """The file's samples, after a look at its format: 22 050 Hz, mono, 16 bit."""
    with wave.open(str(sound_folder() / f"{name}.wav"), "rb") as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (22_050, 1, 2)
        return struct.unpack(f"<{file.getnframes()}h", file.readframes(file.getnframes()))


def test_there_is_a_sound_for_every_signal_and_every_language() -> None:
    """The signals of the script's notation, the call in four languages, and the self-test."""
    words = {"zeit", "tijd", "temps", "time"}
    assert sound_names() == words | {"expired", "fault", "game", "match", "key", "silence"}


@pytest.mark.parametrize("name", ["zeit", "tijd", "temps", "time"])
def test_the_call_is_short_loud_and_begins_at_once(name: str) -> None:
    """Under 1 s, peak at -1 dB and so not clipped, above -17 dB RMS, less than 10 ms of silence before."""
    values = samples(name)
    peak = max(map(abs, values)) / 32_768
    rms = math.sqrt(sum(value * value for value in values) / len(values)) / 32_768
    begins = next(index for index, value in enumerate(values) if abs(value) > 328)
    assert 0.2 < len(values) / 22_050 < 1.0
    assert 0.88 < peak < 0.9
    assert rms > 10 ** (-17 / 20)
    assert begins / 22_050 < 0.010


def test_the_expiry_falls_and_the_key_is_a_click_of_10_ms() -> None:
    """Told apart without looking: the second tone of the expiry has half the frequency of the first."""

    def crossings_per_s(part: tuple[int, ...]) -> float:
        rising = sum(1 for a, b in pairwise(part) if a < 0 <= b)
        return rising / len(part) * 22_050

    expired = samples("expired")
    first, second = expired[1_000:4_000], expired[7_000:10_000]
    assert crossings_per_s(first) == pytest.approx(988, rel=0.02)
    assert crossings_per_s(second) == pytest.approx(494, rel=0.02)
    assert len(samples("key")) == pytest.approx(220, abs=1)
