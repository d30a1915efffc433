"""Frames: the pictures of all displays as files, whenever one changes.

Lives here: views to PNG files and a text line for the hall. Never here: drawing (`screens/`).
"""

from collections.abc import Iterator
from pathlib import Path

from firmware.profile import Profile
from firmware.screens import hall, led, oled
from firmware.screens.seconds import next_change
from firmware.texts import Texts
from firmware.view import View
from rules import Ns


class Frames:
    """Writes `NAME-0001-oled.png` and so on into a folder; remembers what each display shows."""

    def __init__(self, profile: Profile, texts: Texts, folder: Path, name: str) -> None:
        """Make the folder where it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        self._profile = profile
        self._texts = texts
        self._folder = folder
        self._name = "".join(c if c.isalnum() or c in "-_" else "_" for c in name)
        self._shown: dict[str, bytes] = {}
        self._count = 0

    def changed(self, view: View, now: Ns) -> Iterator[tuple[str, str]]:
        """Yield the panel and file of each display whose picture differs from what it showed."""
        pictures = {"oled": oled.draw(view, now, self._texts)}
        if self._profile.led.kind != "none":
            pictures["led"] = led.draw(view, now, self._profile.led.width, self._profile.led.rows)
        for panel, picture in pictures.items():
            if self._is_new(panel, picture.tobytes()):
                file = self._next(panel, "png")
                picture.save(file)
                yield panel, str(file)
        text = hall.line(view, now)
        if self._is_new("hall", text.encode()):
            file = self._next("hall", "txt")
            file.write_text(text + "\n", encoding="utf-8")
            yield "hall", str(file)

    def next_change(self, view: View, now: Ns) -> Ns | None:
        """Return when a picture next differs by itself."""
        return next_change(view, now)

    def _is_new(self, panel: str, shown: bytes) -> bool:
        new = self._shown.get(panel) != shown
        self._shown[panel] = shown
        return new

    def _next(self, panel: str, suffix: str) -> Path:
        self._count += 1
        return self._folder / f"{self._name}-{self._count:04}-{panel}.{suffix}"
