"""Sound through aplay: what is started, cut, killed and told. With a player of our own, and with the real one."""

from __future__ import annotations

import shutil
import subprocess
import wave
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from drivers.ports import DeviceError
from drivers.sound import AplaySpeaker, open_speaker, sound_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SECOND_NS = 1_000_000_000


class FakePlayer:
    """A process that ends when told to; ``stubborn`` ones cannot be killed."""

    def __init__(self, *, stubborn: bool = False) -> None:
        """Begin running."""
        self.code: int | None = None
        self.killed = False
        self.stderr = BytesIO()
        self._stubborn = stubborn

    def end(self, code: int, complaint: bytes = b"") -> None:
        """The process ends by itself."""
        self.code, self.stderr = code, BytesIO(complaint)

    def poll(self) -> int | None:
        """As Popen's."""
        return self.code

    def kill(self) -> None:
        """As Popen's."""
        self.killed = True
        if not self._stubborn:
            self.code = -9

    def wait(self, timeout: float | None = None) -> int:
        """As Popen's, without waiting."""
        if self.code is None:
            raise subprocess.TimeoutExpired("aplay", timeout or 0)
        return self.code


class Stage:
    """Starts fake players, notes their commands and holds the clock."""

    def __init__(self, *, stubborn: bool = False) -> None:
        """Begin at 0 with aplay installed."""
        self.now_ns = 0
        self.commands: list[list[str]] = []
        self.players: list[FakePlayer] = []
        self.missing = False
        self._stubborn = stubborn

    def start(self, command: Sequence[str]) -> FakePlayer:
        """Take the place of Popen."""
        if self.missing:
            raise FileNotFoundError(2, "No such file or directory", "aplay")
        self.commands.append(list(command))
        self.players.append(FakePlayer(stubborn=self._stubborn))
        return self.players[-1]

    def speaker(self) -> AplaySpeaker:
        """A speaker on the card "Device" with the program's own sounds."""
        return AplaySpeaker("Device", sound_folder(), popen=self.start, clock=lambda: self.now_ns)


def test_a_sound_is_one_aplay_on_the_card_by_its_id_and_never_waits_for_it() -> None:
    """By id, because numbers change from boot to boot; -N, because a busy card must not hold us."""
    stage = Stage()
    stage.speaker().play("zeit")
    assert stage.commands == [
        ["aplay", "-q", "-N", "-D", "plughw:CARD=Device", str(sound_folder() / "zeit.wav")]
    ]


def test_a_new_sound_cuts_the_old_one() -> None:
    """The call is cut short by the click of the stroke key."""
    stage = Stage()
    speaker = stage.speaker()
    speaker.play("zeit")
    speaker.play("key")
    assert [player.killed for player in stage.players] == [True, False]


def test_a_sound_that_has_ended_is_not_killed() -> None:
    """Its number may belong to another process by now."""
    stage = Stage()
    speaker = stage.speaker()
    speaker.play("key")
    stage.players[0].end(0)
    speaker.check()
    speaker.play("key")
    speaker.stop()
    speaker.stop()
    assert [player.killed for player in stage.players] == [False, True]


def test_an_unsuccessful_player_is_told_once_with_its_words() -> None:
    """A card that was pulled out."""
    stage = Stage()
    speaker = stage.speaker()
    speaker.play("zeit")
    speaker.check()
    stage.players[0].end(1, b"ALSA lib: cannot find card 'Device'\naplay: main: audio open error\n")
    with pytest.raises(
        DeviceError,
        match=r"sound card Device: aplay ended with 1 \(ALSA lib: cannot find card 'Device'; aplay",
    ):
        speaker.check()
    speaker.check()


def test_a_card_that_another_program_holds_names_the_way_to_find_it() -> None:
    """With -N aplay ends at once instead of waiting for it."""
    stage = Stage()
    speaker = stage.speaker()
    speaker.play("zeit")
    stage.players[0].end(1, b"aplay: main:831: audio open error: Device or resource busy\n")
    with pytest.raises(
        DeviceError, match=r"Device or resource busy\); end the program that holds it \('fuser"
    ):
        speaker.check()


def test_a_player_that_hangs_is_killed_two_seconds_after_its_sound_should_have_ended() -> None:
    """match.wav is 0.96 s long: fine at 2.96 s, hanging after."""
    stage = Stage()
    speaker = stage.speaker()
    speaker.play("match")
    stage.now_ns = round(2.96 * SECOND_NS) - 1
    speaker.check()
    assert not stage.players[0].killed
    stage.now_ns = round(2.97 * SECOND_NS)
    with pytest.raises(DeviceError, match="aplay did not end and was killed"):
        speaker.check()
    assert stage.players[0].killed


def test_a_player_that_cannot_be_killed_is_told() -> None:
    """It hangs in the kernel; only pulling the card helps. Closing does not raise."""
    stage = Stage(stubborn=True)
    speaker = stage.speaker()
    speaker.play("zeit")
    with pytest.raises(DeviceError, match="aplay hangs in the kernel; unplug the sound card"):
        speaker.play("key")
    speaker.play("key")
    speaker.close()


def test_a_missing_aplay_is_told_with_the_package_to_install() -> None:
    """A bare Debian has none."""
    stage = Stage()
    speaker = stage.speaker()
    stage.missing = True
    with pytest.raises(DeviceError, match=r"aplay cannot be started .*; install Debian's alsa-utils"):
        speaker.play("zeit")


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (lambda player: player.end(1, b"no such card"), r"aplay ended with 1 \(no such card\)"),
        (lambda _: None, "no sound"),
    ],
)
def test_the_self_test_finds_a_card_that_cannot_play(end: Callable[[FakePlayer], None], said: str) -> None:
    """Before the first sound that matters: one that fails, one that never ends."""
    stage = Stage()

    def start(command: Sequence[str]) -> FakePlayer:
        player = stage.start(command)
        end(player)
        return player

    speaker = AplaySpeaker("Device", sound_folder(), popen=start, clock=lambda: 0)
    with pytest.raises(DeviceError, match=said):
        speaker.test()
    assert stage.commands[0][-1].endswith("silence.wav")


def test_an_unknown_sound_is_the_programs_fault_and_cuts_nothing() -> None:
    """It names those there are."""
    stage = Stage()
    speaker = stage.speaker()
    speaker.play("zeit")
    with pytest.raises(ValueError, match="no sound is called 'gong'"):
        speaker.play("gong")
    assert not stage.players[0].killed


def test_a_closed_speaker_is_silent() -> None:
    """What sounds is cut, and nothing new begins."""
    stage = Stage()
    speaker = stage.speaker()
    speaker.play("zeit")
    speaker.close()
    assert stage.players[0].killed
    with pytest.raises(DeviceError, match="it is closed"):
        speaker.play("zeit")


def test_a_sound_file_that_is_no_wav_is_told(tmp_path: Path) -> None:
    """A half-written installation."""
    (tmp_path / "zeit.wav").write_bytes(b"RIFF")
    with pytest.raises(DeviceError, match=r"the sound 'zeit' in .* is no WAV file"):
        AplaySpeaker("Device", tmp_path)


ALSA = """
pcm.!plughw {{
    @args [ CARD ]
    @args.CARD {{ type string }}
    type {kind}
}}
"""


@pytest.fixture
def aplay() -> str:
    """The real aplay, from Debian's alsa-utils."""
    path = shutil.which("aplay")
    if path is None:
        pytest.fail("aplay is missing: install Debian's alsa-utils")
    return path


def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Give ALSA a configuration in which every plughw is of this kind."""
    config = tmp_path / "asound.conf"
    config.write_text(f"<{Path('/usr/share/alsa/alsa.conf')}>\n" + ALSA.format(kind=kind))
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(config))


@pytest.mark.host
@pytest.mark.usefixtures("aplay")
def test_the_real_aplay_plays_our_files_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Into a file: every sample of zeit.wav arrives, in order."""
    card(tmp_path, monkeypatch, f'file\n    slave.pcm null\n    file "{tmp_path}/out.raw"\n    format raw')
    players: list[subprocess.Popen[bytes]] = []

    def start(command: Sequence[str]) -> subprocess.Popen[bytes]:
        players.append(subprocess.Popen(command, stderr=subprocess.PIPE))
        return players[-1]

    speaker = AplaySpeaker("Device", sound_folder(), popen=start)
    speaker.play("zeit")
    assert players[0].wait(10) == 0
    speaker.check()
    with wave.open(str(sound_folder() / "zeit.wav"), "rb") as file:
        payload = file.readframes(file.getnframes())
    assert (tmp_path / "out.raw").read_bytes()[: len(payload)] == payload


@pytest.mark.host
@pytest.mark.usefixtures("aplay")
def test_the_real_aplay_passes_the_self_test_on_a_card_that_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ALSA's null card takes everything at once."""
    card(tmp_path, monkeypatch, "null")
    open_speaker("Device").close()


@pytest.mark.host
@pytest.mark.usefixtures("aplay")
def test_the_real_aplay_without_a_card_is_a_device_error_with_its_own_words() -> None:
    """No machine has a card of that name."""
    with pytest.raises(DeviceError, match=r"sound card Nowhere: aplay ended with 1 \(.*audio open error"):
        open_speaker("Nowhere")
