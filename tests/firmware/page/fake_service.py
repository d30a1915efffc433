"""A service for trying the page: it shows time running, and on its pictures what was pressed. It knows no law.

``python -m tests.firmware.page.fake_service --link PATH`` beside ``python -m firmware.page --socket PATH``. The turn
clock runs from ``rest`` to ``stroke``; ``ok`` wins a game, ``undo`` a match, ``fault`` is a fault.
"""

from __future__ import annotations

import argparse
import base64
import sys
import threading
import time
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from firmware.link import KEYS, SENSORS, CommandError, LinkServer, Message, Pulse, Push, read_command

SIGNALS: Final = {"fault": "fault", "ok": "game", "undo": "match"}
BALLS: Final = {"goal_red": "red", "goal_white": "white"}


def png(image: Image.Image) -> str:
    """Write a picture as the link carries it."""
    file = BytesIO()
    image.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode("ascii")


class FakeService:
    """Publishes pictures of a clock, and takes what is pressed."""

    def __init__(self, path: Path, *, inputs: bool = True, turn_s: float = 50.0) -> None:
        """Open the link and say what kind of board this is."""
        self.commands: list[Push | Pulse] = []
        self._turn_s = turn_s
        self._balls = {"red": 5, "white": 5}
        self._held: set[str] = set()
        self._since: float | None = None
        self._called = False
        self._lock = threading.Lock()
        self.link = LinkServer(path, self.take)
        self.link.publish(
            "board",
            {
                "board": "desk",
                "language": "de",
                "keys": list(KEYS),
                "sensors": list(SENSORS),
                "inputs": inputs,
            },
        )
        self.link.publish("troubles", {"troubles": []})
        self.draw()

    def take(self, message: Message) -> Message | None:
        """Do what a key or a goal does here."""
        try:
            command = read_command(message)
        except CommandError as error:
            return {"error": str(error)}
        with self._lock:
            self.commands.append(command)
            match command:
                case Push(name=name, active=True):
                    self._held.add(name)
                    self._press(name)
                case Push(name=name):
                    self._held.discard(name)
                case Pulse(name=name):
                    ball = BALLS[name]
                    self._balls[ball] = max(0, self._balls[ball] - 1)
        self.draw()
        return None

    def _press(self, name: str) -> None:
        self.signal("key")
        if name in SIGNALS:
            self.signal(SIGNALS[name])
        if name == "rest":
            self._since, self._called = time.monotonic(), False
        if name == "stroke":
            self._since = None

    def signal(self, name: str) -> None:
        """Let something be heard."""
        self.link.publish("signal", {"signal": name, "word": "zeit"})

    def left(self) -> int:
        """Say how many seconds there are to the call, 50 in the first and 1 in the last."""
        if self._since is None:
            return round(self._turn_s)
        return max(0, int(self._turn_s - (time.monotonic() - self._since) + 0.999))

    def draw(self) -> None:
        """Publish the pictures and the line as they are now."""
        left, red, white = self.left(), self._balls["red"], self._balls["white"]
        if left == 0 and not self._called:
            self._called = True
            self.signal("zeit")
        font, large = ImageFont.load_default(size=11), ImageFont.load_default(size=34)
        oled = Image.new("1", (128, 64))
        pen = ImageDraw.Draw(oled)
        pen.text((0, 0), "offen   ROT am Zug", fill=1, font=font)
        pen.text((0, 16), f"{left}" if left else "ZEIT", fill=1, font=large)
        pen.text((82, 20), f"rot {red}", fill=1, font=font)
        pen.text((82, 34), f"weiss {white}", fill=1, font=font)
        pen.text((0, 53), " ".join(sorted(self._held)) or "Stillstand?", fill=1, font=font)
        led = Image.new("1", (64, 16))
        pen = ImageDraw.Draw(led)
        pen.text((1, 1), f"{red}", fill=1, font=ImageFont.load_default(size=14))
        pen.text((22, 1), f"{left:02}", fill=1, font=ImageFont.load_default(size=14))
        pen.text((54, 1), f"{white}", fill=1, font=ImageFont.load_default(size=14))
        for name, image in (("oled", oled), ("led", led)):
            self.link.publish(
                "panel", {"panel": name, "width": image.width, "height": image.height, "png": png(image)}
            )
        self.link.publish("hall", {"line": f"HEIM 0  GAST 0   ROT {red}  WEISS {white}   {left:02}"})

    def close(self) -> None:
        """End the link."""
        self.link.close()


def main() -> int:
    """Run until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--link", type=Path, default=Path("link"), help="where to listen (default: %(default)s)"
    )
    parser.add_argument("--looks-on", action="store_true", help="a board with keys of its own")
    parser.add_argument("--short", action="store_true", help="ZEIT after 5 s")
    parser.add_argument("--trouble", action="append", default=[], help="something that does not work")
    arguments = parser.parse_args()
    turn_s = 5.0 if arguments.short else 50.0
    stop = threading.Event()
    with closing(FakeService(arguments.link, inputs=not arguments.looks_on, turn_s=turn_s)) as service:
        service.link.publish("troubles", {"troubles": arguments.trouble})
        sys.stdout.write(f"fake service: {arguments.link}\n")
        sys.stdout.flush()
        try:
            while not stop.wait(0.1):
                service.draw()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
