"""Sound through ALSA's ``aplay``: one short WAV at a time, in a process of its own.

Here lives how a recorded sound reaches a sound card. What may never be known here: what a sound means and which one is
more important; the newest one always cuts the older.

A process costs a few milliseconds and buys that a stuck or crashing sound stack takes nothing with it: it is killed.
The card is addressed by its id, because card numbers change from boot to boot (raspberrypi/linux#5592).
"""

from __future__ import annotations

import subprocess
import time
import wave
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Protocol

from drivers.ports import DeviceError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from drivers.ports import Speaker

__all__ = ["AplaySpeaker", "Player", "open_speaker", "sound_folder", "sound_names"]

SELF_TEST: Final = "silence"
"""The sound that tells at opening whether the card plays at all."""
GRACE_NS: Final = 2_000_000_000
"""How much longer than its sound a player may live: opening a card takes up to a second (HDMI)."""
KILLED_WITHIN_S: Final = 1.0
"""A killed process is gone at once unless it hangs in the kernel."""
CHECK_INSTALLATION: Final = "install Debian's alsa-utils"
CHECK_CARD: Final = (
    "check the sound card, its id in the board profile ('aplay -L' lists them), and the group audio"
)

END_HOLDER: Final = "end the program that holds it ('fuser -v /dev/snd/*' names it)"


class Player(Protocol):
    """What is used of ``subprocess.Popen``."""

    @property
    def stderr(self) -> IO[bytes] | None:
        """What the player complains about."""

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""

    def kill(self) -> None:
        """End it at once."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; ``subprocess.TimeoutExpired`` after ``timeout`` seconds."""


def sound_folder() -> Path:
    """Return the folder of the sounds that come with the program."""
    return Path(__file__).with_name("sounds")


def sound_names(folder: Path | None = None) -> frozenset[str]:
    """Return the names that can be played: the WAV files in the folder (None: the program's own), without suffix."""
    return frozenset(path.stem for path in (folder or sound_folder()).glob("*.wav"))


def open_speaker(card: str, *, folder: Path | None = None) -> Speaker:
    """Open the sound card with this ALSA id (``"Device"``, ``"vc4hdmi"``; ``aplay -l`` shows them).

    Plays a moment of silence and waits for its end, 2 s at most, so that a card that cannot play is known before the
    first sound that matters.
    """
    speaker = AplaySpeaker(card, folder or sound_folder())
    speaker.test()
    return speaker


class AplaySpeaker:
    """A speaker that starts ``aplay`` for each sound. Belongs to one thread.

    ``popen`` starts a process and ``clock`` gives monotonic nanoseconds; tests give their own.
    """

    def __init__(
        self,
        card: str,
        folder: Path,
        *,
        popen: Callable[[Sequence[str]], Player] | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Measure the sounds in ``folder``; :class:`DeviceError` if one is no WAV. The card is not touched yet."""
        self._name = f"sound card {card}"
        self._device = f"plughw:CARD={card}"
        self._folder = folder
        self._popen = popen or _start
        self._clock = clock
        self._length_ns: Mapping[str, int] = {
            name: self._measure(name) for name in sorted(sound_names(folder))
        }
        self._player: Player | None = None
        self._due_ns = 0
        self._closed = False

    def play(self, sound: str) -> None:
        """Start the sound, cutting what is sounding; what became of the last one is told by :meth:`check` alone."""
        if sound not in self._length_ns:
            message = (
                f"no sound is called {sound!r}; in {self._folder} there are {', '.join(self._length_ns)}"
            )
            raise ValueError(message)
        if self._closed:
            raise DeviceError(device=self._name, what="it is closed", remedy="open it again")
        self.stop()
        # -N: a card that another program holds is an error, not a queue.
        command = ["aplay", "-q", "-N", "-D", self._device, str(self._folder / f"{sound}.wav")]
        try:
            self._player = self._popen(command)
        except OSError as error:
            raise DeviceError(
                device=self._name, what=f"aplay cannot be started ({error})", remedy=CHECK_INSTALLATION
            ) from error
        self._due_ns = self._clock() + self._length_ns[sound] + GRACE_NS

    def check(self) -> None:
        """Raise once if the last sound failed, or if it has not ended 2 s after it should; then it is killed."""
        player = self._player
        if player is None:
            return
        code = player.poll()
        if code is None and self._clock() > self._due_ns:
            self.stop()
            raise DeviceError(device=self._name, what="aplay did not end and was killed", remedy=CHECK_CARD)
        if code is not None:
            self._finish(player, code)

    def test(self) -> None:
        """Play a moment of silence and wait for its end; :class:`DeviceError` if that fails or takes over 2 s."""
        self.play(SELF_TEST)
        player = self._player
        if player is None:
            return
        try:
            code = player.wait(GRACE_NS / 1e9)
        except subprocess.TimeoutExpired as error:
            self.stop()
            raise DeviceError(device=self._name, what="it takes no sound", remedy=CHECK_CARD) from error
        self._finish(player, code)

    def stop(self) -> None:
        """Cut what is sounding; :class:`DeviceError` if its process cannot be killed."""
        player, self._player = self._player, None
        if player is None:
            return
        try:
            if player.poll() is None:
                player.kill()
                player.wait(KILLED_WITHIN_S)
        except subprocess.TimeoutExpired as error:
            raise DeviceError(
                device=self._name,
                what="aplay hangs in the kernel",
                remedy="unplug the sound card and plug it in again",
            ) from error
        finally:
            _close_pipe(player)

    def close(self) -> None:
        """Cut what is sounding; play nothing any more."""
        self._closed = True
        try:
            self.stop()
        except DeviceError:
            # It hangs and cannot be ended: there is nothing to let go of.
            return

    def _finish(self, player: Player, code: int) -> None:
        self._player = None
        complaint = b"" if player.stderr is None else player.stderr.read(500)
        _close_pipe(player)
        if code != 0:
            text = complaint.decode(errors="replace").strip().replace("\n", "; ") or "it said nothing"
            raise DeviceError(
                device=self._name,
                what=f"aplay ended with {code} ({text})",
                remedy=END_HOLDER if "busy" in text else CHECK_CARD,
            )

    def _measure(self, sound: str) -> int:
        try:
            with wave.open(str(self._folder / f"{sound}.wav"), "rb") as file:
                return file.getnframes() * 1_000_000_000 // file.getframerate()
        except (wave.Error, OSError, EOFError) as error:
            raise DeviceError(
                device=self._name,
                what=f"the sound {sound!r} in {self._folder} is no WAV file ({error})",
                remedy="install the program again",
            ) from error


def _start(command: Sequence[str]) -> Player:
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def _close_pipe(player: Player) -> None:
    if player.stderr is not None:
        player.stderr.close()
