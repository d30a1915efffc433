"""A screen rests between matches, and never during one."""

import pytest
from msgspec.structs import replace

from firmware.resting import may_rest
from firmware.screens.samples import samples
from rules import Ns

MAY = {"opening", "trouble-between"}


@pytest.mark.parametrize("name", sorted(samples()))
def test_only_a_match_that_has_not_begun_or_is_over_lets_the_screen_rest(name: str) -> None:
    match = samples()[name].view.match
    if match.clock_only:
        assert may_rest(samples()[name].view) == (match.clock.state == "stopped" and match.rolling is None)
    elif match.phase == "over":
        assert may_rest(samples()[name].view)
    elif match.phase in ("open", "kader") or match.opened or match.asked is not None:
        assert not may_rest(samples()[name].view)


def test_between_two_games_of_a_match_it_stays_awake() -> None:
    view = samples()["opening"].view
    assert may_rest(view)
    assert not may_rest(replace(view, match=replace(view.match, at=Ns(1))))
    later = replace(view.match, games=replace(view.match.games, home=1))
    assert not may_rest(replace(view, match=later))
