"""`kaderuhr replay`: scripts in, what the box says out; time is the script's (replay.md).

Lives here: lines to a stage, outcomes to lines, pictures to files. Never here: real time.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

import msgspec

from firmware.profile import Profile
from firmware.said import Said, line
from firmware.script import Opened, ScriptError, read_lines
from firmware.stage import Stage
from firmware.texts import Texts
from rules import Ns, Rulebook, state
from rules.words import SECOND

Print = Callable[[dict[str, Any]], None]


class Player:
    """Plays scripts one after the other; `out` takes each line of the answer."""

    def __init__(self, profile: Profile, texts: Texts, out: Print, frames: Path | None = None) -> None:
        """Keep what every script shares; `frames` is the folder for pictures."""
        self._profile = profile
        self._texts = texts
        self._out = out
        self._folder = frames
        self._stage: Stage | None = None
        self._name = ""

    def play(self, lines: Iterable[str], source: str, rulebook: Rulebook) -> None:
        """Play every script of a file. Raises `ScriptError` at the first line that cannot be taken."""
        try:
            for place, item in read_lines(lines, source, rulebook):
                if isinstance(item, Opened):
                    self._end()
                    self._begin(item)
                elif self._stage is not None:
                    try:
                        self._stage.play(item)
                    except ValueError as error:
                        raise ScriptError(place, str(error)) from None
            self._end()
        finally:
            self._close()

    def _begin(self, opened: Opened) -> None:
        self._name = opened.name
        frames = None
        if self._folder is not None:
            from firmware.frames import (
                Frames,  # brings Pillow, which a replay without pictures need not wait for
            )

            frames = Frames(self._profile, self._texts, self._folder, opened.name)

        def show(now: Ns) -> Ns | None:
            if frames is None or self._stage is None:
                return None
            view = self._stage.core.view()
            at = Ns(now - view.started)
            for panel, file in frames.changed(view, at):
                shown = {"t": now / SECOND, "out": "display", "panel": panel, "frame": file}
                self._out({"script": self._name, **shown})
            change = frames.next_change(view, at)
            return None if change is None else Ns(change + view.started)

        self._stage = Stage(opened, self._profile, say=self._say, between=show)
        self._stage.look()

    def _say(self, said: Said) -> None:
        self._out(line(said, self._name, self._texts))

    def _end(self) -> None:
        if self._stage is None:
            return
        self._stage.finish()
        now = self._stage.now
        shown = state(self._stage.core.record.match, now)
        self._out({"script": self._name, "t": now / SECOND, "out": "end", "state": shown})
        self._close()

    def _close(self) -> None:
        if self._stage is not None:
            self._stage.close()
        self._stage = None


def print_to(stream: TextIO) -> Print:
    """Return a printer of JSON Lines."""
    encode = msgspec.json.Encoder().encode

    def out(shown: dict[str, Any]) -> None:
        stream.write(encode(shown).decode() + "\n")

    return out


def read_source(name: str) -> Iterator[str]:
    """Yield the lines of a file, or of standard input for `-`. Raises `ScriptError` for what is no text or no file."""
    try:
        if name == "-":
            yield from _decoded(sys.stdin.buffer, name)
        else:
            with Path(name).open("rb") as file:
                yield from _decoded(file, name)
    except OSError as error:
        raise ScriptError(name, error.strerror or str(error)) from None


def _decoded(file: Iterable[bytes], name: str) -> Iterator[str]:
    for number, raw in enumerate(file, 1):
        try:
            yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise ScriptError(f"{name}:{number}", f"no UTF-8 at byte {error.start}") from None
