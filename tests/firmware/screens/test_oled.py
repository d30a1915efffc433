"""The referee's screen: what it says when."""

import pytest
from msgspec.structs import replace

from firmware.screens import frame, oled, ruled
from firmware.screens.samples import HOME, Sample, at, played, s, samples, seen, with_shown
from firmware.texts import Texts
from firmware.view import Notice, Trouble
from rules import BOOK, ByContestant, Drop, Fault, Opening, Rest, Ruling, Stroke, Undo
from rules.opening import begin

DE = Texts("de")


def picture(sample: Sample) -> bytes:
    return oled.draw(*sample, DE).tobytes()


def test_every_screen_is_128_by_64_and_one_bit() -> None:
    for sample in samples().values():
        image = oled.draw(*sample, DE)
        assert (image.size, image.mode) == ((128, 64), "1")


def test_every_state_has_a_picture_of_its_own() -> None:
    drawn = [picture(sample) for sample in samples().values()]
    assert len(set(drawn)) == len(drawn)


def test_the_same_view_and_instant_give_the_same_picture() -> None:
    for sample in samples().values():
        assert picture(sample) == picture(sample)


def test_the_call_swaps_lit_and_dark_at_once() -> None:
    """Scenario A8: at the call itself nobody reads an old second."""
    view = seen(at(5, 4))
    before, after = (oled.draw(view, s(t), DE) for t in (49.999, 50))
    assert after.getpixel((47, 20))
    assert not before.getpixel((47, 20))


def test_nothing_of_the_game_before_is_left_when_the_next_is_opened() -> None:
    """Scenario H19: fault, ruling and counts are gone."""
    last = at(1, 2, games={"home": 0, "away": 0})
    ended = played(
        last,
        Stroke(t=s(5)),
        Drop(t=s(6), goal="red", ball="red"),
        Fault(t=s(7), fault="touch"),
        Undo(t=s(8)),
        Rest(t=s(9)),
        now=10,
        keep=False,
    )
    fresh = played(at(5, 5, games={"home": 0, "away": 1}), now=10)
    opened, _ = begin(BOOK, ended.view.match, Opening(t=s(11), nearest="red"))
    after = Sample(seen(opened), s(12))
    before = Sample(seen(replace(opened, ruled=None, called=(), spots=fresh.view.match.spots)), s(12))
    assert picture(after) == picture(before)


def test_a_notice_is_gone_at_its_end_and_covers_no_digit() -> None:
    view, now = samples()["turn"]
    notice = Notice(kind="refused", why="own_goal_only", t=now, until=s(13.4))
    noted = replace(view, notice=notice)
    digits = (0, 10, 48, 42)
    assert oled.draw(noted, now, DE).crop(digits) == oled.draw(view, now, DE).crop(digits)
    assert oled.draw(noted, now, DE).tobytes() != oled.draw(view, now, DE).tobytes()
    assert oled.draw(noted, s(13.4), DE).tobytes() == oled.draw(view, s(13.4), DE).tobytes()


@pytest.mark.parametrize(
    "name", ["turn", "rolling", "ruling-laid", "ask-spot", "opening", "menu-table", "match-won"]
)
def test_an_unsaved_report_and_a_trouble_carry_a_mark_on_every_screen(name: str) -> None:
    sample = samples()[name]
    unsaved = with_shown(sample, unsaved=True)
    broken = with_shown(sample, troubles=(Trouble(kind="device", name="led", what="no answer"),))
    assert len({picture(sample), picture(unsaved), picture(broken)}) == 3


@pytest.mark.parametrize(
    ("notice", "said"),
    [
        (
            Notice(kind="undone", event=Drop(t=s(1), goal="red", ball="white"), t=s(1), until=s(2)),
            "Weiß im roten Tor",
        ),
        (Notice(kind="undone", event=Fault(t=s(1), fault="touch"), t=s(1), until=s(2)), "Berührung"),
        (Notice(kind="refused", why="rolling", t=s(1), until=s(2)), "Die Bälle rollen noch."),
        (Notice(kind="late", late_by=s(0.0001), t=s(1), until=s(2)), "Stoß um 0,01 s zu spät."),
        (Notice(kind="late", late_by=s(0.5), t=s(1), until=s(2)), "Stoß um 0,50 s zu spät."),
    ],
)
def test_a_notice_says_what_happened(notice: Notice, said: str) -> None:
    assert frame.sentences(notice, DE)[-1] == said


def test_after_a_choice_the_ruling_shows_the_spot_that_was_chosen() -> None:
    view, _ = samples()["ruling-laid"]
    assert view.ruling is not None
    assert ruled.laid_on(view, view.ruling.place[0]) == (2,)


def test_the_title_of_a_ruling_is_the_fault_that_was_called() -> None:
    view, _ = samples()["ruling-back"]
    assert isinstance(view.ruling, Ruling)
    assert ruled.title(view, DE, view.ruling) == "Kein Fuß am Boden"


def test_clauses_without_room_are_counted() -> None:
    view, _ = samples()["ruling-many"]
    assert view.ruling is not None
    assert ruled.clauses(view.ruling, 100) == "FEH-06 FEH-07 +2"


def test_the_winner_of_a_game_is_named_though_the_colours_have_changed() -> None:
    """Red wins game 1, so away does: home plays white in it."""
    won = samples()["game-won"]
    swapped = with_shown(won, names=ByContestant(home=won.view.names.home, away=HOME))
    other = with_shown(won, names=ByContestant(home=("X",), away=won.view.names.away))
    assert picture(swapped) != picture(won)
    assert picture(other) == picture(won)
