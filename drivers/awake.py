"""Sound on an output that must not fall asleep: one ``aplay`` for the evening, fed with silence between the sounds.

Here lives the feeding of a stream. What may never be known here: what a sound means.

A television swallows the first second of sound after silence on HDMI, which is the whole of a call. So the stream never
ends. The same stream spares the start of a process for each sound, some 100 ms on a Pi Zero 2 W. It costs a percent or
two of a core, and no other program can use the card.

How late a sound is: what waits in the pipe (4096 bytes, 23 ms) and in the card's buffer (60 ms), whatever the load.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import time
import wave
from array import array
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import IO, TYPE_CHECKING, Final, Protocol

from drivers.ports import DeviceError
from drivers.sound import CHECK_CARD, CHECK_INSTALLATION, KILLED_WITHIN_S, Player, sound_folder, sound_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from drivers.ports import Speaker

__all__ = ["AwakeSpeaker", "FedPlayer", "Feed", "open_awake_speaker"]

RECORDED_HZ: Final = 22_050
"""What the sounds are recorded at: mono, 16 bit."""
STREAM_HZ: Final = 2 * RECORDED_HZ
FRAME: Final = 4
"""Bytes of one instant of the stream: stereo, 16 bit."""
CHUNK: Final = STREAM_HZ // 100 * FRAME
"""Bytes of 10 ms."""
PIPE: Final = 4096
"""The smallest pipe there is."""
BUFFER_US: Final = 60_000
PERIOD_US: Final = 15_000
STUCK_NS: Final = 2_000_000_000
SELF_TEST_CHUNKS: Final = 30
"""More than pipe and buffer hold: a card that has taken so much plays."""
SELF_TEST_S: Final = 2.0


class FedPlayer(Player, Protocol):
    """What is used of ``subprocess.Popen`` with a pipe into it."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """Where the stream goes in."""


class Feed:
    """What comes next in the stream, 10 ms at a time. One thread starts and stops sounds, another takes chunks."""

    def __init__(self, sounds: Mapping[str, bytes]) -> None:
        """Begin silent. ``sounds`` are stretches of the stream by name."""
        self._sounds = sounds
        self._lock = Lock()
        self._sounding = b""
        self._at = 0

    def start(self, sound: str) -> None:
        """Let this sound come next, in place of what is sounding."""
        with self._lock:
            self._sounding, self._at = self._sounds[sound], 0

    def stop(self) -> None:
        """Let silence come next."""
        with self._lock:
            self._sounding, self._at = b"", 0

    def chunk(self) -> bytes:
        """Return the next 10 ms."""
        with self._lock:
            piece = self._sounding[self._at : self._at + CHUNK]
            self._at += len(piece)
        return piece.ljust(CHUNK, b"\0")


def open_awake_speaker(card: str, *, folder: Path | None = None) -> Speaker:
    """Open the sound card with this ALSA id and keep it awake; returns once it has taken 0.3 s of silence."""
    speaker = AwakeSpeaker(card, folder or sound_folder())
    speaker.test()
    return speaker


class AwakeSpeaker:
    """A speaker on an endless stream. ``popen`` and ``clock`` are for tests."""

    def __init__(
        self,
        card: str,
        folder: Path,
        *,
        popen: Callable[[Sequence[str]], FedPlayer] | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Read the sounds and start the stream; :class:`DeviceError` if either fails."""
        self._name = f"sound card {card}"
        self._clock = clock
        sounds = {name: _stream(folder / f"{name}.wav", self._name) for name in sorted(sound_names(folder))}
        self._names = frozenset(sounds)
        self._feed = Feed(sounds)
        self._closed = False
        self._fed_ns = clock()
        self._fed = 0
        self._tested = Event()
        command = [
            "aplay", "-q", "-N", "-D", f"plughw:CARD={card}", "-t", "raw", "-f", "S16_LE", "-r", str(STREAM_HZ),
            "-c", "2", f"--buffer-time={BUFFER_US}", f"--period-time={PERIOD_US}",
        ]  # fmt: skip
        try:
            self._player = (popen or _start)(command)
        except OSError as error:
            raise DeviceError(
                device=self._name, what=f"aplay cannot be started ({error})", remedy=CHECK_INSTALLATION
            ) from error
        self._thread = Thread(target=self._run, name="sound-feed", daemon=True)
        self._thread.start()

    def play(self, sound: str) -> None:
        """Start the sound, cutting what is sounding."""
        if sound not in self._names:
            message = f"no sound is called {sound!r}; there are {', '.join(sorted(self._names))}"
            raise ValueError(message)
        if self._closed:
            raise DeviceError(device=self._name, what="it is closed", remedy="open it again")
        self._feed.start(sound)

    def check(self) -> None:
        """Raise if the stream has ended, or if the card has taken nothing for 2 s; then it is killed."""
        if self._closed:
            return
        code = self._player.poll()
        if code is not None:
            self.close()
            raise DeviceError(
                device=self._name, what=f"aplay ended with {code} ({self._words})", remedy=CHECK_CARD
            )
        if self._clock() - self._fed_ns > STUCK_NS:
            self.close()
            raise DeviceError(device=self._name, what="it takes no sound and was killed", remedy=CHECK_CARD)

    def test(self) -> None:
        """Wait until the card has taken some silence; :class:`DeviceError` if it does not within 2 s."""
        taken = self._tested.wait(SELF_TEST_S)
        if taken and self._fed >= SELF_TEST_CHUNKS:
            return
        with suppress(subprocess.TimeoutExpired):
            self._player.wait(KILLED_WITHIN_S if taken else 0)
        code = self._player.poll()
        self.close()
        what = "it takes no sound" if code is None else f"aplay ended with {code} ({self._words})"
        raise DeviceError(device=self._name, what=what, remedy=CHECK_CARD)

    def stop(self) -> None:
        """Cut what is sounding."""
        self._feed.stop()

    def close(self) -> None:
        """End the stream, and with it the process."""
        if self._closed:
            return
        self._closed = True
        self._player.kill()
        with suppress(subprocess.TimeoutExpired):
            self._player.wait(KILLED_WITHIN_S)
        self._thread.join(KILLED_WITHIN_S)
        complaint = b"" if self._player.stderr is None else self._player.stderr.read(500)
        self._words = complaint.decode(errors="replace").strip().replace("\n", "; ") or "it said nothing"
        for pipe in (self._player.stdin, self._player.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _run(self) -> None:
        pipe = self._player.stdin
        # A player that has ended, or was killed, takes no more: check() says so.
        with suppress(OSError, ValueError):
            while pipe is not None and not self._closed:
                rest = self._feed.chunk()
                while rest:
                    rest = rest[os.write(pipe.fileno(), rest) :]
                self._fed_ns = self._clock()
                self._fed += 1
                if self._fed == SELF_TEST_CHUNKS:
                    self._tested.set()
        self._tested.set()


def _start(command: Sequence[str]) -> FedPlayer:
    player = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, bufsize=0
    )
    if player.stdin is not None:
        with suppress(OSError):
            fcntl.fcntl(player.stdin.fileno(), fcntl.F_SETPIPE_SZ, PIPE)
    return player


def _stream(path: Path, device: str) -> bytes:
    """Return a recorded sound as a stretch of the stream: each sample twice, on both sides."""
    try:
        with wave.open(str(path), "rb") as file:
            kind = (file.getframerate(), file.getnchannels(), file.getsampwidth())
            samples = array("h", file.readframes(file.getnframes()))
    except (wave.Error, OSError, EOFError, ValueError) as error:
        raise DeviceError(
            device=device, what=f"{path} is no WAV file ({error})", remedy="install the program again"
        ) from error
    if kind != (RECORDED_HZ, 1, 2):
        raise DeviceError(
            device=device, what=f"{path} is not 22 050 Hz, mono, 16 bit", remedy="install the program again"
        )
    stream = array("h", bytes(len(samples) * 2 * FRAME))
    for place in range(FRAME):
        stream[place::FRAME] = samples
    return stream.tobytes()
