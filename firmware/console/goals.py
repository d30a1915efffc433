"""What the goal sensors saw in this stroke, and what the hand says about it.

Lives here: which pulse is a new ball, which colour it was, and when a game hangs on the answer. Never here: the law; a
drop's effect is asked of `rules`.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from firmware.view import ConsoleQuestion
from rules import Drop, Match, Ns, Played, Rulebook, Side, other
from rules.correct import balls_reported
from rules.match import Report
from rules.stroke import judge
from rules.words import SECOND

CONFIRM_WITHIN = Ns(2 * SECOND)
"""The same colour's key this soon after a drop confirms it; later it is another ball."""
DOUBTFUL_WITHIN = Ns(900 * SECOND // 1000)
"""A second pulse at a goal this soon after a ball may be the same ball."""


class Goals:
    """The sensors' memory between two strokes. `same_ball`: a pulse this soon after a ball is the same one."""

    def __init__(self, *, rulebook: Rulebook, same_ball: Ns) -> None:
        """Start with nothing seen."""
        self._rulebook = rulebook
        self._same_ball = same_ball
        self._last: dict[Side, Ns] = {}
        self._doubtful: list[tuple[Side, Ns]] = []
        self._confirmed: set[Ns] = set()
        self._mistrusted: set[Side] = set()
        self.question: ConsoleQuestion | None = None
        self.question_goal: Side | None = None

    def forget(self) -> None:
        """Forget doubts, confirmations and questions, as after an undo."""
        self._doubtful.clear()
        self._confirmed.clear()
        self._mistrusted.clear()
        self.question = self.question_goal = None

    def is_new_ball(self, goal: Side, at: Ns, *, rolling: bool) -> bool:
        """Say whether a pulse is a ball of its own; one that may be is kept as doubtful while balls roll."""
        before = self._last.get(goal)
        if before is not None and at - before < self._same_ball:
            return False
        if rolling and before is not None and at - before < DOUBTFUL_WITHIN:
            self._doubtful.append((goal, at))
            return False
        self._last[goal] = at
        return True

    def seen(self, match: Match, goal: Side, at: Ns, t: Ns) -> Drop | None:
        """Return the drop a sensor saw, or None where no ball is left that it could be."""
        ball = goal
        if match.rolling is not None:
            if _left(match.rolling, goal) == 0:
                ball = other(goal)
            if _left(match.rolling, ball) == 0:
                return None
        return Drop(t=t, goal=goal, ball=ball, at=at)

    def by_hand(self, ball: Side, t: Ns, *, other_goal: bool) -> Drop:
        """Return a drop that only the hand reports."""
        return Drop(t=t, goal=other(ball) if other_goal else ball, ball=ball)

    def said(self, match: Match, colour: Side, t: Ns) -> Drop | None:
        """Return what a short press of a colour reports, or None where it only confirms what was seen.

        The question on the screen comes first, then a pulse that may have been a second ball.
        """
        drops = [] if match.rolling is None else _by_sensor(match.rolling)
        asked = next((drop for drop in drops if self._asks(drop)), None)
        if asked is not None:
            self._settle(_stamp(asked))
            return None if asked.ball == colour else replace(asked, t=t, ball=colour)
        if self._doubtful:
            goal, at = self._doubtful.pop()
            self._last[goal] = at
            self._settle(at)
            return Drop(t=t, goal=goal, ball=colour, at=at)
        for drop in reversed(drops):
            at = _stamp(drop)
            if drop.ball == colour and at not in self._confirmed and t - at <= CONFIRM_WITHIN:
                self._settle(at)
                return None
        for drop in reversed(drops):
            if drop.ball != colour and not _changed(drop) and drop.goal not in self._mistrusted:
                self._settle(_stamp(drop))
                return replace(drop, t=t, ball=colour)
        return self.by_hand(colour, t, other_goal=False)

    def swapped(self, match: Match, colour: Side, t: Ns) -> tuple[Drop, Drop] | None:
        """Return the two drops that change colours with each other, where one alone has no ball left to change to."""
        drops = [] if match.rolling is None else _by_sensor(match.rolling)
        asked = next((drop for drop in drops if self._asks(drop)), None)
        if asked is None or match.rolling is None or asked.ball == colour or _left(match.rolling, colour) > 0:
            return None
        other_one = next((drop for drop in drops if drop.ball == colour), None)
        if other_one is None:
            return None
        return replace(asked, t=t, ball=colour), replace(other_one, t=t, ball=other(colour))

    def mistrust(self, goal: Side) -> None:
        """Forget the doubtful pulses of a sensor that is not believed any more; a key is a ball of its own then."""
        self._mistrusted.add(goal)
        self._doubtful = [seen for seen in self._doubtful if seen[0] != goal]

    def _settle(self, at: Ns) -> None:
        self._confirmed.add(at)
        self.question = self.question_goal = None

    def _asks(self, drop: Drop) -> bool:
        return self.question == "colour" and self.question_goal == drop.goal

    def deny(self) -> None:
        """Say that the doubtful pulse was the same ball."""
        if self._doubtful:
            self._doubtful.pop()
        self.question = self.question_goal = None

    def ask(self, match: Match) -> ConsoleQuestion | None:
        """Return a question that is open from now on and was not before, because a game hangs on it."""
        before = (self.question, self.question_goal)
        self.question, self.question_goal = self._needed(match)
        return self.question if (self.question, self.question_goal) != before else None

    def undecided(self, match: Match) -> bool:
        """Say whether a game hangs on an answer that is still missing."""
        return self._needed(match)[0] is not None

    def _needed(self, match: Match) -> tuple[ConsoleQuestion | None, Side | None]:
        played = match.rolling
        if played is None:
            return None, None
        winner = self._winner(played, played.reports)
        goal = self._unsure_colour(played, winner)
        if goal is not None:
            return "colour", goal
        for goal, at in self._doubtful:
            for ball in (goal, other(goal)):
                if _left(played, ball) > 0:
                    more = [*played.reports, Drop(t=at, goal=goal, ball=ball, at=at)]
                    if self._winner(played, more) != winner:
                        return "second_ball", goal
        return None, None

    def _unsure_colour(self, played: Played, winner: Side | None) -> Side | None:
        """Return the goal of a drop that would decide otherwise in the other colour, alone or changed with another."""
        unsure = [
            drop for drop in _by_sensor(played) if _stamp(drop) not in self._confirmed and not _changed(drop)
        ]
        for drop in unsure:
            alone = _left(played, other(drop.ball)) > 0
            partner = next((one for one in unsure if one.ball != drop.ball), None)
            if not alone and partner is None:
                continue
            turned = (drop,) if alone else (drop, partner)
            reports = [
                replace(one, ball=other(one.ball)) if isinstance(one, Drop) and one in turned else one
                for one in played.reports
            ]
            if self._winner(played, reports) != winner:
                return drop.goal
        return None

    def _winner(self, played: Played, reports: Sequence[Report]) -> Side | None:
        return judge(self._rulebook, replace(played, reports=tuple(reports)))[0].winner


def _by_sensor(played: Played) -> list[Drop]:
    return [report for report in played.reports if isinstance(report, Drop) and report.at is not None]


def _stamp(drop: Drop) -> Ns:
    return drop.t if drop.at is None else drop.at


def _changed(drop: Drop) -> bool:
    """Say whether a hand has given the drop its colour: then it was reported later than it fell."""
    return drop.at is not None and drop.t > drop.at


def _left(played: Played, side: Side) -> int:
    return played.before.balls.of(side) - balls_reported(played, side)
