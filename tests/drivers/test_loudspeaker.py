"""A card and its spare: who sounds when, in virtual time, with workers that are stepped by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drivers.loudspeaker import Loudspeaker
from drivers.ports import DeviceError

if TYPE_CHECKING:
    from drivers.ports import Speaker
    from drivers.worker import Mailbox

MS = 1_000_000
SECOND = 1_000 * MS


class Box:
    """A speaker that keeps what it played; it can be absent, refuse, or fail afterwards."""

    def __init__(self) -> None:
        """Begin plugged in."""
        self.played: list[str] = []
        self.absent = False
        self.fails_later = False
        self._failed = False

    def open(self) -> Speaker:
        """Open it."""
        self._require()
        self._failed = False
        return self

    def play(self, sound: str) -> None:
        """Play."""
        self._require()
        self.played.append(sound)
        self._failed = self.fails_later

    def check(self) -> None:
        """Tell what became of it."""
        self._require()
        if self._failed:
            raise DeviceError(device="card", what="aplay ended with 1", remedy="check the card")

    def stop(self) -> None:
        """Be silent."""
        self.played.append("")

    def close(self) -> None:
        """Let go."""

    def _require(self) -> None:
        if self.absent:
            raise DeviceError(device="card", what="it is not there", remedy="plug it in")


class Hand:
    """A worker without a thread."""

    def __init__(self, box: Mailbox[Speaker, str], evening: Evening) -> None:
        """Open at the first step."""
        self._box = box
        self._evening = evening
        self.due_ns: int | None = 0

    def post(self, item: str, /) -> None:
        """Hand over."""
        self._box.post(item, at_ns=self._evening.now_ns)
        self.due_ns = self._evening.now_ns

    def step(self) -> None:
        """Do what is due."""
        while self.due_ns is not None and self.due_ns <= self._evening.now_ns:
            self.due_ns = self._box.step(self._evening.now_ns)

    def close(self) -> None:
        """End."""
        self._box.close()


class Evening:
    """A card, a piezo, and time."""

    def __init__(self, *, card: bool = True, spare: bool = True, absent: bool = False) -> None:
        """Begin at 0."""
        self.now_ns = 0
        self.card, self.piezo = Box(), Box()
        self.card.absent = absent
        self.troubles: list[tuple[str, bool]] = []
        self._hands: list[Hand] = []
        self.loud = Loudspeaker(
            open_card=self.card.open if card else None,
            open_spare=self.piezo.open if spare else None,
            on_trouble=lambda name, error: self.troubles.append((name, error is not None)),
            work=self._work,
            clock=lambda: self.now_ns,
        )
        self.run(0)

    def _work(self, box: Mailbox[Speaker, str]) -> Hand:
        self._hands.append(Hand(box, self))
        return self._hands[-1]

    def run(self, milliseconds: int) -> None:
        """Let time pass."""
        for _ in range(milliseconds // 10 + 1):
            for hand in self._hands:
                hand.step()
            self.now_ns += 10 * MS if milliseconds else 0


def test_a_card_that_plays_plays_and_the_piezo_is_silent() -> None:
    """An ordinary evening."""
    evening = Evening()
    for sound in ("zeit", "expired", "key"):
        evening.loud.play(sound)
        evening.run(500)
    assert evening.card.played == ["zeit", "expired", "key"]
    assert evening.piezo.played == []
    assert evening.troubles == []


def test_without_a_card_from_the_start_the_piezo_sounds_at_once() -> None:
    """G8: a fallback. The trouble is told."""
    evening = Evening(absent=True)
    assert evening.troubles == [("sound", True)]
    evening.loud.play("zeit")
    evening.run(0)
    assert evening.piezo.played == ["zeit"]


def test_a_card_pulled_out_while_it_plays_is_beeped_within_a_quarter_of_a_second() -> None:
    """aplay ends with an error; the call must be heard all the same."""
    evening = Evening()
    evening.run(1_000)
    evening.card.fails_later = True
    evening.loud.play("zeit")
    began_ns = evening.now_ns
    while not evening.piezo.played:
        evening.run(10)
        assert evening.now_ns - began_ns <= 300 * MS
    assert evening.piezo.played == ["zeit"]
    evening.card.absent = True
    evening.run(20_000)
    assert evening.piezo.played == ["zeit"]


def test_a_card_that_comes_back_is_used_again_within_5_s() -> None:
    """G12: plugged in after the start."""
    evening = Evening(absent=True)
    evening.run(30_000)
    evening.card.absent = False
    evening.run(5_000)
    assert evening.troubles[-1] == ("sound", False)
    evening.loud.play("expired")
    evening.run(0)
    assert evening.card.played == ["expired"]
    assert evening.piezo.played == []


def test_a_failure_long_after_a_sound_is_not_beeped() -> None:
    """The card was pulled out in a pause: a call of a minute ago would be a lie."""
    evening = Evening()
    evening.loud.play("zeit")
    evening.run(60_000)
    evening.card.absent = True
    evening.run(1_000)
    assert evening.troubles == [("sound", True)]
    assert evening.piezo.played == []


def test_stop_silences_both_and_forgets_the_sound() -> None:
    """The stroke came in time: the call is cut, and not beeped later."""
    evening = Evening()
    evening.card.fails_later = True
    evening.loud.play("zeit")
    evening.loud.stop()
    evening.run(1_000)
    assert evening.card.played[-1] == ""
    assert "zeit" not in evening.piezo.played


@pytest.mark.parametrize(("card", "spare"), [(False, True), (True, False)])
def test_either_alone_is_enough(card: bool, spare: bool) -> None:
    """A board with a piezo only, and one without."""
    evening = Evening(card=card, spare=spare)
    evening.loud.play("fault")
    evening.run(0)
    assert evening.card.played + evening.piezo.played == ["fault"]
    evening.loud.close()


def test_a_card_alone_that_fails_is_tried_again_with_the_next_sound_only_when_it_is_back() -> None:
    """No sound comes late: one of half a second ago is dropped."""
    evening = Evening(spare=False, absent=True)
    evening.loud.play("zeit")
    evening.run(2_000)
    evening.card.absent = False
    evening.run(5_000)
    assert evening.card.played == []
    evening.loud.play("expired")
    evening.run(0)
    assert evening.card.played == ["expired"]
