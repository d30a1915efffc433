"""The mailbox of a slow device, in virtual time."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from drivers.ports import DeviceError
from drivers.worker import Mailbox, drawing

if TYPE_CHECKING:
    from collections.abc import Callable

S = 1_000_000_000


def broken(what: str = "gone") -> DeviceError:
    """A failure."""
    return DeviceError(device="OLED", what=what, remedy="mend it")


@dataclass(kw_only=True)
class Glass:
    """A device, breakable, that notes what it was given and when."""

    shown: list[tuple[int, str]] = field(default_factory=list)
    error: DeviceError | None = None
    opened: int = 0
    closed: int = 0

    def open(self) -> Glass:
        """Open, or fail."""
        self.opened += 1
        if self.error is not None:
            raise self.error
        return self

    def show(self, item: str, now_ns: int) -> None:
        """Take an item, or fail."""
        if self.error is not None:
            raise self.error
        self.shown.append((now_ns, item))

    def close(self) -> None:
        """Note it."""
        self.closed += 1


class Desk:
    """A mailbox on a glass, run in virtual time."""

    def __init__(
        self,
        *,
        again_ns: int | None = None,
        keep: Callable[[Glass], None] | None = None,
        stale_ns: int | None = None,
    ) -> None:
        """Begin at 0, with nothing posted."""
        self.glass = Glass()
        self.told: list[tuple[int, str | None]] = []
        self.now_ns = 0
        self.due_ns: int | None = 0

        def do(glass: Glass, item: str, now_ns: int) -> int | None:
            glass.show(item, now_ns)
            return None if again_ns is None else now_ns + again_ns

        self.mailbox = Mailbox(
            name="OLED",
            open_device=self.glass.open,
            do=do,
            on_trouble=lambda _, error: self.told.append(
                (self.now_ns, None if error is None else error.what)
            ),
            keep=keep,
            stale_ns=stale_ns,
        )

    def post(self, item: str) -> None:
        """Post now; the thread would wake at once."""
        self.mailbox.post(item, at_ns=self.now_ns)
        self.due_ns = self.now_ns

    def run_until(self, end_ns: int) -> None:
        """Step whenever it is due, up to and including this instant."""
        while self.due_ns is not None and self.due_ns <= end_ns:
            assert self.due_ns >= self.now_ns
            self.now_ns = self.due_ns
            self.due_ns = self.mailbox.step(self.now_ns)
            assert self.due_ns is None or self.due_ns > self.now_ns
        self.now_ns = end_ns


def test_the_device_is_opened_before_the_first_item() -> None:
    """What is missing is known when the box starts, not at the first picture."""
    desk = Desk()
    desk.run_until(0)
    assert (desk.glass.opened, desk.due_ns) == (1, None)


def test_only_the_newest_item_counts() -> None:
    """Three items posted while the device was busy: the last is shown, once."""
    desk = Desk()
    for item in ("a", "b", "c"):
        desk.mailbox.post(item, at_ns=0)
    desk.run_until(10 * S)
    assert desk.glass.shown == [(0, "c")]


def test_the_same_item_posted_twice_is_done_twice() -> None:
    """Two key clicks are two sounds."""
    desk = Desk()
    desk.post("key")
    desk.run_until(1 * S)
    desk.post("key")
    desk.run_until(2 * S)
    assert desk.glass.shown == [(0, "key"), (1 * S, "key")]


def test_an_item_is_done_again_when_it_asked_to_be_and_a_newer_one_takes_its_place() -> None:
    """A clock's picture every second, until another view comes."""
    desk = Desk(again_ns=S)
    desk.post("a")
    desk.run_until(2 * S + S // 2)
    desk.post("b")
    desk.run_until(4 * S)
    assert desk.glass.shown == [(0, "a"), (S, "a"), (2 * S, "a"), (5 * S // 2, "b"), (7 * S // 2, "b")]


def test_a_wish_for_now_does_not_become_a_busy_loop() -> None:
    """At most a thousand times a second."""
    desk = Desk(again_ns=0)
    desk.post("a")
    desk.run_until(S // 100)
    assert len(desk.glass.shown) == 11


def test_a_view_is_drawn_at_the_instants_its_picture_changes() -> None:
    """``drawing``: pure draw, show and next_change make a device's work."""
    glass = Glass()

    def draw(view: str, now_ns: int) -> str:
        return f"{view} {now_ns // S}"

    def show(device: Glass, frame: str) -> None:
        device.show(frame, 0)

    def next_change(_: str, now_ns: int) -> int | None:
        return None if now_ns >= 2 * S else (now_ns // S + 1) * S

    do = drawing(draw=draw, show=show, next_change=next_change)
    mailbox = Mailbox(name="OLED", open_device=glass.open, do=do, on_trouble=lambda *_: None)
    mailbox.post("clock", at_ns=S // 2)
    assert [mailbox.step(now_ns) for now_ns in (S // 2, S, 2 * S)] == [S, 2 * S, None]
    assert [frame for _, frame in glass.shown] == ["clock 0", "clock 1", "clock 2"]


def test_a_device_that_fails_is_closed_told_reopened_and_shown_the_newest_item() -> None:
    """Unplugged from 1 s to 3 s: told once when it begins and once when it ends; the item of meanwhile is shown."""
    desk = Desk()
    desk.post("a")
    desk.run_until(1 * S)
    desk.glass.error = broken()
    desk.post("b")
    desk.run_until(2 * S)
    desk.post("c")
    desk.run_until(3 * S)
    desk.glass.error = None
    desk.run_until(10 * S)
    assert desk.glass.shown == [(0, "a"), (9 * S // 2, "c")]
    assert desk.told == [(1 * S, "gone"), (9 * S // 2, None)]
    assert desk.glass.closed == 1


def test_tries_to_open_come_more_slowly_but_always_within_4_s() -> None:
    """0.5, 1, 2, 4, 4, 4 s apart: back within 5 s of its return."""
    desk = Desk()
    desk.glass.error = broken()
    tries: list[int] = []
    while len(tries) < 7:
        assert desk.due_ns is not None
        tries.append(desk.due_ns)
        desk.run_until(desk.due_ns)
    assert [later - earlier for earlier, later in pairwise(tries)] == [
        S // 2,
        S,
        2 * S,
        4 * S,
        4 * S,
        4 * S,
    ]


def test_a_post_while_the_device_is_away_does_not_hasten_the_next_try() -> None:
    """Ten posts in a pause are no ten tries."""
    desk = Desk()
    desk.glass.error = broken()
    desk.run_until(0)
    for number in range(10):
        desk.run_until(number)
        desk.post("a")
    desk.run_until(S // 2 - 1)
    assert desk.glass.opened == 1


def test_a_trouble_that_changes_is_told_again_and_one_that_stays_is_not() -> None:
    """First the picture fails, then the opening, many times."""
    desk = Desk()
    desk.run_until(0)
    desk.glass.error = broken("no answer")
    desk.post("a")
    desk.run_until(0)
    desk.glass.error = broken("not there")
    desk.run_until(60 * S)
    assert [what for _, what in desk.told] == ["no answer", "not there"]
    assert desk.mailbox.trouble is desk.glass.error


def test_a_device_that_opens_but_never_works_keeps_its_growing_pauses() -> None:
    """Opening alone is no recovery while an item waits."""
    desk = Desk()
    desk.run_until(0)
    desk.post("a")
    mailbox_glass = desk.glass
    mailbox_glass.show = lambda *_: (_ for _ in ()).throw(broken())  # type: ignore[method-assign]
    desk.run_until(20 * S)
    assert [what for _, what in desk.told] == ["gone"]
    assert mailbox_glass.opened == 1 + 7


def test_a_sound_that_comes_too_late_is_not_played() -> None:
    """ZEIT asked for at 0, the card back at 1.5 s: silence. One asked for 0.4 s before is played."""
    desk = Desk(stale_ns=S)
    desk.glass.error = broken()
    desk.post("zeit")
    desk.run_until(S)
    desk.glass.error = None
    desk.run_until(3 * S)
    assert desk.glass.shown == []
    assert [what for _, what in desk.told] == ["gone", None]


def test_the_device_is_looked_after_once_a_second_and_its_failure_found() -> None:
    """A sound that failed is found without another sound."""
    looks: list[int] = []

    def keep(glass: Glass) -> None:
        looks.append(desk.now_ns)
        if glass.error is not None:
            raise glass.error

    desk = Desk(keep=keep)
    desk.run_until(2 * S)
    desk.glass.error = broken()
    desk.run_until(3 * S)
    assert looks == [S, 2 * S, 3 * S]
    assert desk.told == [(3 * S, "gone")]


def test_another_exception_than_a_device_error_goes_through() -> None:
    """A fault of the program is not taken for a loose cable."""
    desk = Desk()
    desk.mailbox.post("a", at_ns=0)
    desk.glass.show = lambda *_: 1 // 0  # type: ignore[assignment,method-assign]
    with pytest.raises(ZeroDivisionError):
        desk.mailbox.step(0)
