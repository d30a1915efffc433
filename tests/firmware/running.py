"""The whole box as a process, with its page: started, pressed and looked at from outside, as a newcomer does."""

from __future__ import annotations

import http.client
import json
import queue
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from importlib.resources import files
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE_S: Final = 20.0
Message = tuple[float, dict[str, Any]]


class Box:
    """`kaderuhr run` on a desk board of its own. Messages of the page come with the monotonic second they came at."""

    def __init__(self, folder: Path, *, more: str = "", rulebook: str = "", language: str = "de") -> None:
        """Write the board, start it, and wait until its page answers. `more` is TOML to put in place of a table."""
        board = (files("hardware") / "boards" / "desk.toml").read_text(encoding="utf-8")
        board = board.replace("port = 8000", "port = 0").replace(
            'language = "de"', f'language = "{language}"'
        )
        if more:
            board = board.replace('[hall]\nkind = "none"\n', more)
        self.board = folder / "desk.toml"
        self.state = folder / "state"
        self.board.write_text(board + f'\n[state]\nfolder = "{self.state}"\n', encoding="utf-8")
        command = [sys.executable, "-m", "firmware.cli", "run", "--board", str(self.board)]
        if rulebook:
            book = folder / "short.toml"
            book.write_text(rulebook, encoding="utf-8")
            command += ["--rulebook", str(book)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if self._process.stdout is None:
            raise RuntimeError("no output of the box to read")
        line = self._process.stdout.readline()
        if "http://" not in line:
            with self._process:
                raise RuntimeError(f"the box did not start: {line}{self._process.stdout.read()}")
        self.address = line.split()[2].rstrip("/")
        self.newest: dict[str, dict[str, Any]] = {}
        self.messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()
        self.await_message("panel")

    def __enter__(self) -> Self:
        """Use it for a while."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()

    def close(self) -> int:
        """End it as systemd does; return its exit status."""
        self._process.terminate()
        status = self._process.wait(timeout=PATIENCE_S)
        self._listener.join(PATIENCE_S)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return status

    def press(self, key: str, hold_s: float = 0.08) -> float:
        """Press a key; return the monotonic second at which it went down."""
        at = time.monotonic()
        self._post({"input": key, "active": True})
        time.sleep(hold_s)
        self._post({"input": key, "active": False})
        time.sleep(0.16)
        return at

    def ball(self, goal: str) -> None:
        """Let a ball fall through a goal's sensor."""
        self._post({"pulse": f"goal_{goal}"})
        time.sleep(0.1)

    def await_message(self, kind: str, within_s: float = PATIENCE_S, **keys: object) -> Message:
        """Return the next message of a kind with these values, dropping what comes before it."""
        end = time.monotonic() + within_s
        while True:
            try:
                at, message = self.messages.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no message {kind} {keys} within {within_s} s") from None
            if message["kind"] == kind and all(message.get(key) == value for key, value in keys.items()):
                return at, message

    def shows(self, kind: str, text: str, within_s: float = PATIENCE_S) -> bool:
        """Wait until the newest message of a kind holds this text; say whether it came to that."""
        end = time.monotonic() + within_s
        while time.monotonic() < end:
            if text in json.dumps(self.newest.get(kind, {}), ensure_ascii=False):
                return True
            time.sleep(0.05)
        return False

    def _post(self, body: dict[str, object]) -> None:
        request = urllib.request.Request(  # noqa: S310 - our own page on loopback
            f"{self.address}/input",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Origin": self.address},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S):  # noqa: S310
            pass

    def _listen(self) -> None:
        with (
            urllib.request.urlopen(f"{self.address}/events") as events,  # noqa: S310 - our own page
            suppress(OSError, http.client.HTTPException),
        ):
            for line in events:
                if line.startswith(b"data:"):
                    message = json.loads(line[5:])
                    self.newest[message["kind"]] = message
                    self.messages.put((time.monotonic(), message))
