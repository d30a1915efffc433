"""What `kills.py` kills: the service itself on a desk board, without displays, with somebody at its keys.

    python -m tests.crash.killed FOLDER SEED DESCRIPTOR

For each view that displays would show it writes a line to DESCRIPTOR: the match's digest, and whether everything in it
is confirmed. Beside the journal it keeps the same match as a plain JSON file, written in place.
"""

import json
import os
import random
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

from firmware import service
from firmware.outputs import Outputs
from firmware.profile import load_profile
from firmware.view import View
from rules import state
from tests.crash.scripted import digest

PRESS_S = 0.03
GAP_S = 0.035


class Observer(Outputs):
    """Stands where the displays are: their type, none of their devices."""

    descriptor: ClassVar[int]
    plain: ClassVar[Path]

    def __init__(self, *_: object, **__: object) -> None:
        """Look at nothing yet."""
        self._history: list[Any] = []

    def post(self, view: View) -> None:
        """Write what a display would show, and the plain file in place."""
        shown = state(view.match, view.match.at)
        line = f"{digest(view.match)} {int(view.unsaved)} {view.match.at}\n"
        os.write(self.descriptor, line.encode())
        if view.unsaved:
            self._history.append(shown)
            with self.plain.open("w", encoding="utf-8") as file:
                json.dump(self._history, file)

    def sound(self, signal: str) -> None:
        """Sound nothing."""

    def hush(self, *signals: str) -> None:
        """Cut nothing."""

    def close(self) -> None:
        """Close nothing."""


def referee(box: service.Service, seed: int) -> None:
    """Press keys as on an evening, for good."""
    chance = random.Random(seed)  # noqa: S311 - the same presses for the same seed
    while True:
        for key in (
            "stroke",
            "red",
            "rest",
            "stroke",
            "white",
            "rest",
            chance.choice(["undo", "ok", "down", "red"]),
        ):
            for active, span_s in ((True, PRESS_S), (False, GAP_S)):
                box._command({"input": key, "active": active})  # noqa: SLF001 - as the page does, without its process
                time.sleep(span_s)


def main(folder: Path, seed: int, descriptor: int) -> None:
    """Run until killed."""
    board = (files("hardware") / "boards" / "desk.toml").read_text(encoding="utf-8")
    with tempfile.NamedTemporaryFile("w", suffix=".toml", delete=False) as file:
        file.write(f'{board}\n[state]\nfolder = "{folder}"\n')
    profile = load_profile(file.name)
    Path(file.name).unlink()
    Observer.descriptor, Observer.plain = descriptor, folder / "plain.json"
    vars(service)["Outputs"] = Observer
    folder.mkdir(parents=True, exist_ok=True)
    box = service.Service(profile, folder / "kaderuhr.sock")
    os.write(descriptor, b"ready\n")
    Thread(target=referee, args=(box, seed), daemon=True).start()
    box.run()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
