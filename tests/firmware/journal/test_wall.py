"""The date is known, or it is a guess: the box has no clock of its own."""

from pathlib import Path

import pytest

from firmware import RELEASED_S
from firmware.journal.wall import SystemWall, WallTime, boot_id, kernel_is_synchronised

LATER = RELEASED_S + 1_000_000


def wall(tmp_path: Path, *, now: float, rtc: str | None = None, synchronised: bool = False) -> SystemWall:
    file = tmp_path / "since_epoch"
    if rtc is not None:
        file.write_text(rtc)
    return SystemWall(clock=lambda: now, synchronised=lambda: synchronised, rtc=file)


def test_a_synchronised_kernel_knows(tmp_path: Path) -> None:
    assert wall(tmp_path, now=LATER, synchronised=True).now(0) == WallTime(utc_s=LATER, known=True)


@pytest.mark.parametrize(
    ("rtc", "now", "known"),
    [
        (f"{LATER}\n", LATER + 2, True),
        (None, LATER, False),  # no clock: the system's time is when it was switched off, or 1970
        ("86400", LATER, False),  # its battery is empty
        (f"{LATER}", LATER - 500_000, False),  # the system did not take its time from it
        (f"{LATER}", LATER + 500_000, False),
        ("no number", LATER, False),
        (f"{RELEASED_S - 5}", RELEASED_S - 5, False),  # before this release
    ],
)
def test_a_real_time_clock_is_believed_where_it_can_be_true(
    tmp_path: Path, rtc: str | None, now: int, known: bool
) -> None:
    assert wall(tmp_path, now=now, rtc=rtc).now(0).known is known


def test_a_clock_that_stands_before_the_last_match_is_not_believed(tmp_path: Path) -> None:
    assert wall(tmp_path, now=LATER, rtc=f"{LATER}").now(LATER + 10).known is False


def test_this_machine_answers() -> None:
    assert kernel_is_synchronised() in (True, False)
    assert boot_id() == boot_id()
