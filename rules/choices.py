"""The opponent's choice, and what the referee says of a penalty spot (STR-01, STR-05).

Lives here: the events `choose`, `blocked` and `cleared`. Never here: which spots may be used (`spots.py`).
"""

from msgspec.structs import replace

from rules.calls import Answer, refuse
from rules.events import Blocked, Choose, Cleared
from rules.match import Match, Played
from rules.rulebook import Rulebook
from rules.spots import block, forget_gone, lay, leave, may_have_gone, needs_choice, put_down, take_up


def choose(rulebook: Rulebook, match: Match, event: Choose) -> Answer:
    """Take the opponent's choice: one of the offender's balls, then the spot it goes on (STR-01)."""
    ball = match.laying[0]
    asks_ball = needs_choice(ball)
    if event.ball is not None:
        if not asks_ball or event.ball > match.balls.of(ball.side):
            return refuse(match, "choose", "not_offered", event.t)
        picked = replace(match, laying=(replace(ball, picked=True), *match.laying[1:]), asked=None)
        return lay(rulebook, picked, event.t)
    offer = () if asks_ball or match.asked is None else match.asked.spots or ()
    number, mine = event.spot or 0, match.spots.of(ball.side)
    if number not in offer and (asks_ball or not may_have_gone(rulebook, mine, offer, number)):
        return refuse(match, "choose", "not_offered", event.t)
    return lay(rulebook, replace(put_down(match, number), asked=None), event.t)


def note(rulebook: Rulebook, match: Match, event: Blocked | Cleared) -> Answer:
    """Note that a spot is blocked, or that its ball has gone; a ruling made anew keeps it, an open choice follows.

    A ball laid there before the release does not lie there after all: it is laid anew.
    """
    mine = match.spots.of(event.side)
    if isinstance(event, Blocked):
        if event.spot in mine.blocked:
            return refuse(match, "blocked", "already", event.t)
        noted = take_up(match, event.side, event.spot)
        noted = replace(
            noted, spots=noted.spots.put(event.side, block(noted.spots.of(event.side), event.spot))
        )
    else:
        if event.spot not in mine.on:
            return refuse(match, "cleared", "not_on", event.t)
        noted = forget_gone(replace(match, spots=match.spots.put(event.side, leave(mine, event.spot))))
    if match.rolling is not None:
        return replace(noted, rolling=_with_report(match.rolling, event)), ()
    if match.ruled is not None:
        noted = replace(noted, ruled=_with_report(match.ruled, event))
    return lay(rulebook, noted, event.t)


def _with_report(played: Played, event: Blocked | Cleared) -> Played:
    return replace(played, reports=(*played.reports, event))
