"""A stream that never ends: silence between the sounds, so that nothing swallows the first second of a call."""

from __future__ import annotations

import os
import subprocess
import threading
import wave
from array import array
from pathlib import Path
from typing import IO, TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.awake import CHUNK, SELF_TEST_CHUNKS, AwakeSpeaker, Feed, open_awake_speaker
from drivers.ports import DeviceError
from drivers.sound import sound_folder
from tests.drivers.test_aplay import card

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SECOND = 1_000_000_000
SOON_S = 5.0


MADE: list[Card] = []


@pytest.fixture(autouse=True)
def _put_away() -> Iterator[None]:
    """No card outlives its test."""
    yield
    while MADE:
        MADE.pop().put_away()


class Card:
    """An aplay with a card: takes the stream through a real pipe as fast as it comes, until told otherwise."""

    def __init__(self, *, takes: int | None = None, complaint: bytes = b"", code: int | None = None) -> None:
        """``takes``: bytes until it takes no more (None: for ever); ``code``: then it ends by itself."""
        self.command: list[str] = []
        self.heard = bytearray()
        self.code: int | None = None
        self._takes = takes
        self._complaint = complaint
        self._ends_with = code
        self._out, into = os.pipe()
        self.stdin: IO[bytes] = os.fdopen(into, "wb", 0)
        read, write = os.pipe()
        self.stderr: IO[bytes] = os.fdopen(read, "rb", 0)
        self._words = write
        self._more = threading.Condition()
        self._taking = True
        self._thread = threading.Thread(target=self._take, daemon=True)

        MADE.append(self)

    def put_away(self) -> None:
        """Close what is still open."""
        self._end(-9)
        for pipe in (self.stdin, self.stderr):
            pipe.close()
        if self._thread.ident is not None:
            self._thread.join(SOON_S)
        self._taking = False
        self._end(-9)

    def start(self, command: Sequence[str]) -> Card:
        """Take the place of Popen."""
        self.command = list(command)
        self._thread.start()
        return self

    def _take(self) -> None:
        while self.code is None and (self._takes is None or len(self.heard) < self._takes):
            piece = os.read(self._out, 4096)
            if not piece:
                break
            with self._more:
                self.heard += piece
                self._more.notify_all()
        if self._ends_with is not None:
            self._end(self._ends_with)
        with self._more:
            self._taking = False
            self._let_go()

    def _end(self, code: int) -> None:
        with self._more:
            if self.code is None:
                self.code = code
                os.write(self._words, self._complaint)
                os.close(self._words)
            self._let_go()

    def _let_go(self) -> None:
        """A process that has ended holds its end of the pipe no more; its reading is over before that."""
        if self.code is not None and not self._taking and self._out >= 0:
            os.close(self._out)
            self._out = -1

    def wait_for(self, what: bytes) -> None:
        """Wait until this was heard."""
        with self._more:
            assert self._more.wait_for(lambda: what in self.heard, SOON_S)

    def poll(self) -> int | None:
        """As Popen's."""
        return self.code

    def kill(self) -> None:
        """As Popen's."""
        self._end(-9)

    def wait(self, timeout: float | None = None) -> int:
        """As Popen's."""
        if self.code is None:
            raise subprocess.TimeoutExpired("aplay", timeout or 0)
        return self.code


def stream_of(sound: str) -> bytes:
    """The sound as the stream has it: 44.1 kHz, both sides; each recorded sample four times."""
    with wave.open(str(sound_folder() / f"{sound}.wav"), "rb") as file:
        samples = array("h", file.readframes(file.getnframes()))
    return array("h", [sample for sample in samples for _ in range(4)]).tobytes()


def test_one_aplay_is_started_for_raw_sound_on_the_card_by_its_id() -> None:
    """Stereo at 44.1 kHz, 60 ms of buffer: what is played now is heard within 0.1 s."""
    aplay = Card()
    speaker = AwakeSpeaker("vc4hdmi", sound_folder(), popen=aplay.start)
    speaker.test()
    assert aplay.command == [
        *("aplay", "-q", "-N", "-D", "plughw:CARD=vc4hdmi", "-t", "raw", "-f", "S16_LE", "-r", "44100"),
        *("-c", "2", "--buffer-time=60000", "--period-time=15000"),
    ]
    speaker.close()
    assert aplay.code == -9


def test_silence_comes_before_and_after_a_sound_and_the_sound_whole() -> None:
    """Every sample of the call, in order."""
    aplay = Card()
    speaker = AwakeSpeaker("vc4hdmi", sound_folder(), popen=aplay.start)
    speaker.test()
    speaker.play("zeit")
    aplay.wait_for(stream_of("zeit") + bytes(CHUNK))
    before = aplay.heard.index(stream_of("zeit"))
    assert before >= SELF_TEST_CHUNKS * CHUNK
    assert not any(aplay.heard[:before])
    speaker.close()


feeds = st.lists(st.sampled_from(["zeit", "key", "", "chunk", "chunk", "chunk"]), max_size=60)


@given(steps=feeds)
def test_the_newest_sound_comes_next_from_its_start_and_every_chunk_is_10_ms(steps: list[str]) -> None:
    """Against a model: what remains of the newest sound, then silence."""
    sounds = {"zeit": bytes(range(1, 251)) * 20, "key": b"\7" * 300}
    feed, rest = Feed(sounds), b""
    for step in steps:
        if step == "chunk":
            chunk = feed.chunk()
            assert len(chunk) == CHUNK == 1764
            assert chunk == rest[:CHUNK].ljust(CHUNK, b"\0")
            rest = rest[CHUNK:]
        elif step:
            feed.start(step)
            rest = sounds[step]
        else:
            feed.stop()
            rest = b""


def test_a_card_that_ends_the_stream_is_told_with_its_words() -> None:
    """Pulled out while it played."""
    aplay = Card(takes=500_000, code=1, complaint=b"aplay: pcm_write:2127: write error: No such device\n")
    speaker = AwakeSpeaker("Device", sound_folder(), popen=aplay.start)
    speaker.test()
    aplay._thread.join(SOON_S)  # noqa: SLF001  the card's own thread
    with pytest.raises(DeviceError, match=r"aplay ended with 1 \(aplay: pcm_write.*No such device\)"):
        speaker.check()
    speaker.check()
    with pytest.raises(DeviceError, match="it is closed"):
        speaker.play("zeit")


def test_a_card_that_takes_nothing_for_2_s_is_killed_and_told() -> None:
    """It hangs in its driver; the pipe is full."""
    now_ns = 0
    aplay = Card(takes=200_000)
    speaker = AwakeSpeaker("Device", sound_folder(), popen=aplay.start, clock=lambda: now_ns)
    speaker.test()
    now_ns = 2 * SECOND
    speaker.check()
    aplay._thread.join(SOON_S)  # noqa: SLF001
    now_ns = 10 * SECOND
    with pytest.raises(DeviceError, match="it takes no sound and was killed"):
        speaker.check()
    assert aplay.code == -9


def test_a_card_that_is_not_there_fails_the_self_test() -> None:
    """aplay ends at once."""
    aplay = Card(takes=0, code=1, complaint=b"aplay: main:831: audio open error: No such file or directory\n")
    speaker = AwakeSpeaker("Device", sound_folder(), popen=aplay.start)
    with pytest.raises(DeviceError, match=r"sound card Device: aplay ended with 1 \(.*audio open error"):
        speaker.test()


def test_a_missing_aplay_is_told_with_the_package() -> None:
    """A bare Debian."""

    def missing(_: Sequence[str]) -> Card:
        raise FileNotFoundError(2, "No such file or directory", "aplay")

    with pytest.raises(DeviceError, match="install Debian's alsa-utils"):
        AwakeSpeaker("Device", sound_folder(), popen=missing)


def test_an_unknown_sound_is_the_programs_fault_and_stop_means_silence() -> None:
    """As with every speaker."""
    aplay = Card()
    speaker = AwakeSpeaker("Device", sound_folder(), popen=aplay.start)
    with pytest.raises(ValueError, match="no sound is called 'gong'"):
        speaker.play("gong")
    speaker.play("match")
    speaker.stop()
    speaker.close()
    speaker.close()


@pytest.mark.parametrize(("rate", "said"), [(22_050, "no WAV file"), (48_000, "not 22 050 Hz, mono, 16 bit")])
def test_a_sound_of_another_kind_is_told(rate: int, said: str, tmp_path: Path) -> None:
    """Half an installation, or a file of somebody's own."""
    path = tmp_path / "zeit.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(bytes(100))
    if rate == 22_050:
        path.write_bytes(b"RIFF")
    with pytest.raises(DeviceError, match=said):
        AwakeSpeaker("Device", tmp_path, popen=Card().start)


@pytest.mark.host
def test_the_real_aplay_takes_the_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Into a file: the call is there, between silences. ALSA's null card is not paced, so the file is what it is."""
    card(tmp_path, monkeypatch, f'file\n    slave.pcm null\n    file "{tmp_path}/out.raw"\n    format raw')
    speaker = open_awake_speaker("Device")
    speaker.play("key")
    out, wanted = tmp_path / "out.raw", stream_of("key")
    for _ in range(500):
        if out.exists() and wanted in out.read_bytes():
            break
        threading.Event().wait(0.01)
    speaker.close()
    assert wanted in Path(out).read_bytes()
