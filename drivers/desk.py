"""The desk's outputs: devices that keep what they are given, for the desk board's page and for tests.

Here live a panel, a speaker, lamps and a line without hardware. What may never be known here: a page, a socket, a test;
they look at what is kept, or are called back. ``mock_pins.py`` has the inputs.

Strict: wrong pictures, unknown sounds and calls after ``close()`` are refused as by the real ones. Each can be broken
with ``unplug()``, even while closed, and mended with ``plug_in()``. All may be used from any thread; a callback runs in
the thread that caused it, after the thing is kept.
"""

from __future__ import annotations

from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Self

from drivers.ports import DeviceError
from drivers.sound import sound_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Set as AbstractSet

    from PIL import Image

__all__ = ["DeskLamps", "DeskLine", "DeskPanel", "DeskSpeaker", "open_desk_panel"]


class _Socket:
    """Whether a desk device is plugged in and open."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._plugged_in = True
        self._open = True

    def unplug(self) -> None:
        """Break it: from now on it fails whatever it is asked to do."""
        self._plugged_in = False

    def plug_in(self) -> None:
        """Mend it."""
        self._plugged_in = True

    def open(self) -> Self:
        """Open it (again) and return it, as an opening function does; :class:`DeviceError` while unplugged."""
        self._open = True
        self._require()
        return self

    def close(self) -> None:
        """Refuse all work from now on; what was kept can still be looked at."""
        self._open = False

    def _require(self) -> None:
        if not self._plugged_in:
            raise DeviceError(device=self._name, what="it is unplugged", remedy="plug it in again")
        if not self._open:
            raise DeviceError(device=self._name, what="it is closed", remedy="open it again")


class DeskPanel(_Socket):
    """A panel on luma's dummy device, which keeps its latest picture."""

    def __init__(self, width: int, height: int, *, on_show: Callable[[], None] | None = None) -> None:
        """Begin dark, plugged in and open. Sizes in pixels."""
        from luma.core.device import dummy
        from PIL import Image

        super().__init__(f"desk panel {width} x {height}")
        self.width = width
        self.height = height
        self._device = dummy(width=width, height=height, mode="1")
        self._device.display(Image.new("1", (width, height)))
        self._on_show = on_show
        self._shown = 0
        self.dimmed = False

    def show(self, image: Image.Image) -> None:
        """Keep the picture."""
        if image.mode != "1" or image.size != (self.width, self.height):
            message = (
                f"{self._name} shows one-bit pictures of its size, not mode {image.mode!r}, size {image.size}"
            )
            raise ValueError(message)
        with self._lock:
            self._require()
            self._device.display(image)
            self._shown += 1
        if self._on_show is not None:
            self._on_show()

    def dim(self, *, dimmed: bool) -> None:
        """Keep whether it is dimmed."""
        self._require()
        self.dimmed = dimmed

    def refresh(self) -> None:
        """Nothing is ever lost here; still refused while unplugged."""
        self._require()

    @property
    def refresh_ns(self) -> int:
        """Once a second."""
        return 1_000_000_000

    @property
    def image(self) -> Image.Image:
        """A copy of the latest picture."""
        with self._lock:
            latest: Image.Image = self._device.image.copy()
        return latest

    @property
    def shown(self) -> int:
        """How many pictures were shown."""
        return self._shown

    def png(self) -> bytes:
        """Return the latest picture as a PNG file."""
        file = BytesIO()
        self.image.save(file, "PNG")
        return file.getvalue()


class DeskSpeaker(_Socket):
    """A speaker that keeps the names of what it played; the page may make it audible."""

    def __init__(self, *, on_play: Callable[[str], None] | None = None) -> None:
        """Begin silent, plugged in and open."""
        super().__init__("desk speaker")
        self._known = sound_names()
        self._on_play = on_play
        self._played: list[str] = []

    def play(self, sound: str) -> None:
        """Keep the name."""
        if sound not in self._known:
            message = f"no sound is called {sound!r}; there are {', '.join(sorted(self._known))}"
            raise ValueError(message)
        with self._lock:
            self._require()
            self._played.append(sound)
        if self._on_play is not None:
            self._on_play(sound)

    @property
    def played(self) -> tuple[str, ...]:
        """All that was played, in order."""
        with self._lock:
            return tuple(self._played)

    def check(self) -> None:
        """Raise :class:`DeviceError` while unplugged or closed."""
        self._require()

    def stop(self) -> None:
        """Nothing sounds for long enough to be cut."""


class DeskLamps(_Socket):
    """Lamps that keep which of them are lit."""

    def __init__(
        self, names: Iterable[str], *, on_show: Callable[[frozenset[str]], None] | None = None
    ) -> None:
        """Begin dark, plugged in and open."""
        super().__init__("desk lamps")
        self._names = frozenset(names)
        self._on_show = on_show
        self.lit: frozenset[str] = frozenset()

    def show(self, lit: AbstractSet[str]) -> None:
        """Keep them."""
        if not lit <= self._names:
            unknown, known = ", ".join(sorted(lit - self._names)), ", ".join(sorted(self._names))
            message = f"no lamp is called {unknown}; there are {known}"
            raise ValueError(message)
        self._require()
        self.lit = frozenset(lit)
        if self._on_show is not None:
            self._on_show(self.lit)

    def close(self) -> None:
        """Go dark."""
        self.lit = frozenset()
        super().close()


class DeskLine(_Socket):
    """A line that keeps what was sent."""

    def __init__(self, *, on_send: Callable[[bytes], None] | None = None) -> None:
        """Begin empty, plugged in and open."""
        super().__init__("desk line")
        self._on_send = on_send
        self._sent: list[bytes] = []

    def send(self, data: bytes) -> None:
        """Keep the bytes."""
        with self._lock:
            self._require()
            self._sent.append(data)
        if self._on_send is not None:
            self._on_send(data)

    @property
    def sent(self) -> tuple[bytes, ...]:
        """All that was sent, call by call."""
        with self._lock:
            return tuple(self._sent)


def open_desk_panel(width: int, height: int, *, on_show: Callable[[], None] | None = None) -> DeskPanel:
    """Open a panel that keeps its picture; ``on_show`` is called after each."""
    return DeskPanel(width, height, on_show=on_show)
