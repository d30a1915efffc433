"""Balls seen by the sensors before it is known what they mean: while the turn clock runs, and before the opening.

Lives here: holding a drop until the hand, a question or time has said what it was. Never here: which colour it was
(`goals.py`).
"""

from typing import Final

from firmware.console.goals import Goals
from rules import Ns, Side
from rules.words import SECOND

ASK_AFTER: Final = Ns(2 * SECOND)
"""A drop while the clock runs waits this long for the key `stroke`, then the screen asks."""
ANSWER_WITHIN: Final = Ns(5 * SECOND)
"""An unanswered question is over: the drop was late."""
OPENING_DROPS: Final = Ns(2 * SECOND)
"""Drops from this long before the opening's `stroke` on belong to it."""

Drop = tuple[Side, Ns]


class Drops:
    """Drops that wait. `goals` knows the balls of the stroke that rolls."""

    def __init__(self, goals: Goals) -> None:
        """Start with none."""
        self.goals = goals
        self._held: list[Drop] = []
        self._before_opening: list[Drop] = []

    @property
    def waits(self) -> bool:
        """Whether a drop waits for the hand: then an expiry has to wait too."""
        return bool(self._held)

    @property
    def first_at(self) -> Ns | None:
        """The instant of the first drop that waits: the stroke was played no later."""
        return self._held[0][1] if self._held else None

    @property
    def first_goal(self) -> Side | None:
        """The goal of the first drop that waits."""
        return self._held[0][0] if self._held else None

    def hold(self, goal: Side, at: Ns) -> None:
        """Keep a drop until it is known whether a stroke was played."""
        self._held.append((goal, at))

    def before_opening(self, goal: Side, at: Ns) -> None:
        """Keep a drop that may turn out to be the opening's."""
        self._before_opening = [*self._before_opening, (goal, at)][-10:]

    def take_held(self) -> list[Drop]:
        """Return the drops that wait, and keep none."""
        held, self._held = self._held, []
        return held

    def take_opening(self, at: Ns) -> list[Drop]:
        """Return the drops that belong to an opening struck at `at`."""
        drops, self._before_opening = self._before_opening, []
        return [drop for drop in drops if drop[1] >= at - OPENING_DROPS]

    def asks_at(self) -> Ns | None:
        """Return when the screen asks about the first drop that waits."""
        first = self.first_at
        return None if first is None else Ns(first + ASK_AFTER)

    def lapses_at(self) -> Ns | None:
        """Return when the first drop that waits is late for good."""
        first = self.first_at
        return None if first is None else Ns(first + ANSWER_WITHIN)
