"""The lamps: whose turn it is, and kader play."""

import pytest

from firmware.screens.lamps import lit
from firmware.screens.samples import samples
from firmware.view import View


def view(name: str) -> View:
    """A sample."""
    return samples()[name].view


@pytest.mark.parametrize(
    ("name", "lamps"),
    [
        ("opening", set()),
        ("turn", {"turn_red"}),
        ("turn-kader", {"turn_white", "kader"}),
        ("rolling", {"turn_red"}),
        ("grace", {"turn_red"}),
        ("paused", {"turn_red"}),
        ("training", set()),
    ],
)
def test_a_lamp_tells_whose_turn_it_is_and_another_that_kader_play_is_on(name: str, lamps: set[str]) -> None:
    assert lit(view(name)) == lamps


def test_after_a_match_all_lamps_are_out() -> None:
    over = [sample.view for sample in samples().values() if sample.view.match.phase == "over"]
    assert over
    assert all(lit(view) == frozenset() for view in over)
