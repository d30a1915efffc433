"""A sound card and its spare: whatever the card cannot play now, the piezo beeps.

Here lives who plays a sound, and that nobody waits for it. What may never be known here: what a sound means.

Each has a worker of its own, so a card that hangs while it is opened again does not hold up the piezo. A card that
fails while it plays is found within a quarter of a second, and the sound is beeped then.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, Protocol

from drivers.worker import Mailbox, Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from drivers.ports import DeviceError, Speaker

__all__ = ["Loudspeaker", "Poster"]

STALE_NS: Final = 500_000_000
"""A sound that comes later than this is wrong."""
BEEPED_WITHIN_NS: Final = 1_000_000_000
"""A sound that failed is beeped in its place, unless it is older than this."""
CHECK_NS: Final = 250_000_000


class Poster(Protocol):
    """What is used of a worker."""

    def post(self, item: str, /) -> None:
        """Hand over the newest item."""

    def close(self) -> Any:  # noqa: ANN401  a worker says whether it ended
        """End."""


class Loudspeaker:
    """Plays sounds by name, on the card or its spare. All methods return at once; any thread."""

    def __init__(
        self,
        *,
        open_card: Callable[[], Speaker] | None,
        open_spare: Callable[[], Speaker] | None,
        on_trouble: Callable[[str, DeviceError | None], None],
        work: Callable[[Mailbox[Speaker, str]], Poster] = Worker,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Begin to open what there is. ``on_trouble`` gets the names ``"sound"`` and ``"piezo"``, in any thread."""
        self._on_trouble = on_trouble
        self._clock = clock
        self._last = ("", 0)
        self._card_fails = open_card is None
        self._spare = None if open_spare is None else work(self._mailbox("piezo", open_spare))
        self._card = None if open_card is None else work(self._mailbox("sound", open_card))

    def play(self, sound: str) -> None:
        """Sound it now, cutting what is sounding."""
        self._last = (sound, self._clock())
        if self._card is not None and not (self._card_fails and self._spare is not None):
            self._card.post(sound)
        elif self._spare is not None:
            self._spare.post(sound)

    def stop(self) -> None:
        """Cut what is sounding."""
        self._last = ("", 0)
        for worker in (self._card, self._spare):
            if worker is not None:
                worker.post("")

    def close(self) -> None:
        """Be silent and let go, each within its time."""
        for worker in (self._card, self._spare):
            if worker is not None:
                worker.close()

    def _mailbox(self, name: str, open_speaker: Callable[[], Speaker]) -> Mailbox[Speaker, str]:
        return Mailbox(
            name=name,
            open_device=open_speaker,
            do=_play,
            on_trouble=self._told,
            keep=lambda speaker: speaker.check(),
            keep_every_ns=CHECK_NS,
            stale_ns=STALE_NS,
        )

    def _told(self, name: str, error: DeviceError | None) -> None:
        self._on_trouble(name, error)
        if name != "sound":
            return
        self._card_fails = error is not None
        sound, at_ns = self._last
        if error is not None and self._spare is not None and sound:
            self._last = ("", 0)
            if self._clock() - at_ns <= BEEPED_WITHIN_NS:
                self._spare.post(sound)


def _play(speaker: Speaker, sound: str, _: int) -> None:
    if sound:
        speaker.play(sound)
    else:
        speaker.stop()
