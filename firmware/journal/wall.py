"""What time it is in the world, and whether that is known: the box has no clock of its own, and may be off by years.

Lives here: asking the kernel, and judging the answer. Never here: a match's instants, which count from its first line.

Known means that the kernel says it is synchronised, or that there is a real-time clock whose time is later than this
release and than the last match, and that the system took its time from it. Everything else is a guess.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from firmware import RELEASED_S
from rules.words import Value

_SYNCHRONISED: Final = Path("/run/systemd/timesync/synchronized")
_RTC: Final = Path("/sys/class/rtc/rtc0/since_epoch")
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
_UNSYNCHRONISED: Final = 5
"""adjtimex's answer TIME_ERROR."""
_TIMEX_BYTES: Final = 512
"""More than struct timex has on any machine."""
_RTC_OFF_S: Final = 60


class WallTime(Value, frozen=True, kw_only=True):
    """Seconds of the epoch, UTC, and whether they are known or guessed."""

    utc_s: int
    known: bool


class Wall(Protocol):
    """The world's time."""

    def now(self, later_than_s: int) -> WallTime:
        """Return what time it is; known only where it is later than `later_than_s` too."""


class SystemWall:
    """The world's time as this machine has it. Any thread."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.time,
        synchronised: Callable[[], bool] | None = None,
        rtc: Path = _RTC,
    ) -> None:
        """Ask the kernel, or what is given instead."""
        self._clock = clock
        self._synchronised = synchronised or kernel_is_synchronised
        self._rtc = rtc

    def now(self, later_than_s: int) -> WallTime:
        """Return what time it is."""
        now_s = int(self._clock())
        least_s = max(RELEASED_S, later_than_s)
        known = self._synchronised() or (now_s > least_s and self._rtc_agrees(now_s, least_s))
        return WallTime(utc_s=now_s, known=known)

    def _rtc_agrees(self, now_s: int, least_s: int) -> bool:
        try:
            rtc_s = int(self._rtc.read_text())
        except (OSError, ValueError):
            return False
        return rtc_s > least_s and abs(rtc_s - now_s) <= _RTC_OFF_S


def kernel_is_synchronised() -> bool:
    """Say whether somebody has set the kernel's clock by another one: systemd's mark, or adjtimex without an error."""
    if _SYNCHRONISED.exists():
        return True
    import ctypes

    with suppress(OSError, AttributeError):
        timex = ctypes.create_string_buffer(_TIMEX_BYTES)  # modes 0: only asks
        answer = int(ctypes.CDLL(None).adjtimex(timex))
        return 0 <= answer < _UNSYNCHRONISED
    return False


def boot_id() -> str | None:
    """Return what tells this boot from all others; None where the kernel does not say."""
    with suppress(OSError):
        return _BOOT.read_text().strip()
    return None
