"""When a screen may rest.

Lives here: what counts as no match. Never here: how a screen rests (`drivers/resting.py`).
"""

from typing import TYPE_CHECKING

from rules import moment

if TYPE_CHECKING:
    from firmware.view import View


def may_rest(view: "View") -> bool:
    """Say whether no match goes on: it is over, or has not begun; or in training the clock stands still."""
    match = view.match
    if match.clock_only:
        return match.clock.state == "stopped" and match.rolling is None
    fresh = match.games.home == match.games.away == 0 and moment(match) == "opening" and match.at == 0
    return fresh or match.phase == "over"
