"""When a screen may rest, and when an evening is over that nobody ended.

Lives here: what counts as no match. Never here: how a screen rests (`drivers/resting.py`).
"""

from typing import TYPE_CHECKING, Final

from rules import SECOND, Ns, moment

if TYPE_CHECKING:
    from firmware.view import View

EVENING: Final = Ns(12 * 3600 * SECOND)
"""Who plays after so long a time begins anew: a box that is never switched off gets a match for each evening."""


def may_rest(view: "View") -> bool:
    """Say whether no match goes on: it is over, or has not begun; or in training the clock stands still."""
    match = view.match
    if match.clock_only:
        return match.clock.state == "stopped" and match.rolling is None
    fresh = match.games.home == match.games.away == 0 and moment(match) == "opening" and match.at == 0
    return fresh or match.phase == "over"


def is_left(view: "View", now: Ns) -> bool:
    """Say whether a match that nobody began, or a training evening, has been left alone since another evening."""
    return view.match.phase != "over" and may_rest(view) and now - view.started - view.match.at >= EVENING
