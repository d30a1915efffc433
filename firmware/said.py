"""What the box says besides the law's outcomes: key clicks and the console's own questions.

Lives here: their shape in the notation, and the refusals' sentences. Never here: deciding them.
"""

from typing import Any, Literal

from firmware.texts import Texts
from rules import Refused, Side, write
from rules.outcomes import Outcome, Why


class Click(Outcome, frozen=True, kw_only=True, tag="signal"):
    """A press was taken."""

    signal: Literal["key"] = "key"


class ConsoleAsk(Outcome, frozen=True, kw_only=True, tag="ask", omit_defaults=True):
    """The console's own question, answered by keys; never part of the state."""

    ask: Literal["colour", "stroke_played", "second_ball"]
    goal: Side | None = None


Said = Outcome
"""Whatever the box says: the law's outcomes, clicks, and the console's questions."""

REFUSALS: dict[Why, str] = {
    "already": "It is said already.",
    "asked": "A question is open; answer it first.",
    "begun": "The game has begun.",
    "clock_only": "A training evening has a clock, no law.",
    "fact": "What happened in the stroke rules this call out.",
    "no_clock": "No clock is running.",
    "no_stroke": "There is no stroke it could belong to.",
    "not_asked": "Nobody was asked to choose.",
    "not_game_2": "Only in the second game.",
    "not_offered": "That is not among the choices.",
    "not_on": "No ball lies on that spot.",
    "not_paused": "The clock is not paused.",
    "nothing": "There is nothing to take back.",
    "one_a_side": "One goal a side in the opening.",
    "open_play": "Only in kader play.",
    "opening": "First the opening.",
    "over": "The match is over.",
    "own_goal_only": "In the opening a ball counts in its own goal only.",
    "release": "First release play.",
    "rolling": "The balls are still rolling.",
    "running": "The turn clock is running.",
    "second_fault": "The first fault of a stroke counts.",
    "singles": "Only in a duo match.",
    "too_early": "That was before the stroke.",
    "too_late": "It is too late for that.",
    "too_long": "That is more time than a turn has.",
    "too_many": "There are not that many balls.",
    "which_ball": "Own ball or opponent's ball?",
    "won": "With that the match would be won.",
}
"""Why a report is not possible now, as a message id for people."""


def line(said: Said, script: str, texts: Texts) -> dict[str, Any]:
    """Return an outcome as a line of the notation, with its script and a text where it refuses."""
    shown = {"script": script, **write(said)}
    if isinstance(said, Refused):
        shown["text"] = texts(REFUSALS[said.why])
    return shown
