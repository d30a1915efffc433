"""The facts of a stroke: what was reported of its balls, in the order of their instants.

Lives here: which ball fell, flew off or stuck, whether it was the cue ball, and which ones count as holed (TOR-02,
FEH-02). Never here: what the book asks for it (`stroke.py`).
"""

from typing import Literal

from msgspec.structs import replace

from rules.events import Drop, Fault, Out, Wedged
from rules.match import Match, Played, at_table
from rules.words import BALLS, BySide, Ns, Side, Value, other


class Fact(Value, frozen=True, kw_only=True):
    """One ball of a stroke: how it vanished or came to lie, when, and whether it was the cue ball."""

    kind: Literal["drop", "out", "goal_caps", "cap_and_cushion"]
    ball: Side
    at: Ns
    goal: Side | None = None
    cue: bool | None = None
    by_fault: bool = False
    late: bool = False


def stamp(drop: Drop) -> Ns:
    """Return the instant a ball fell at."""
    return drop.t if drop.at is None else drop.at


def striker(played: Played) -> Side:
    """Return the side whose stroke it was."""
    return at_table(played.before)


def facts(played: Played) -> list[Fact]:
    """Return what the stroke itself did, in the order of its instants; an early stroke's balls are not among it."""
    reports = played.reports
    if played.early is not None and played.early.with_stroke:
        reports = reports[: played.early_after]
    found: list[Fact] = []
    for report in reports:
        if isinstance(report, Drop):
            found.append(
                Fact(
                    kind="drop",
                    ball=report.ball,
                    at=stamp(report),
                    goal=report.goal,
                    cue=report.cue,
                    by_fault=report.by_fault,
                    late=report.late,
                )
            )
        elif isinstance(report, Out):
            out = Fact(kind="out", ball=report.ball, at=report.t, cue=report.cue)
            found += [
                out,
                *([replace(out, cue=False)] * (report.count - 1)),
            ]  # no more than one was the cue ball
        elif isinstance(report, Wedged):
            found.append(
                Fact(kind=report.between, ball=report.ball, at=report.t, goal=report.goal, cue=report.cue)
            )
    found.sort(key=lambda fact: fact.at)
    return _with_cue(found, played.before)


def _with_cue(found: list[Fact], before: Match) -> list[Fact]:
    """Settle which was the cue ball: as said, else the first own ball holed or wedged, or the only own ball out."""
    by = at_table(before)
    said = any(fact.cue for fact in found)
    first = next((i for i, f in enumerate(found) if f.ball == by and f.kind != "out" and not f.late), None)
    only = before.balls.of(by) == 1
    settled = []
    for index, fact in enumerate(found):
        default = index == first if fact.kind != "out" else only and fact.ball == by
        settled.append(replace(fact, cue=fact.cue if fact.cue is not None else default and not said))
    return settled


def mark_touched(found: list[Fact], played: Played, fault: Fault) -> list[Fact]:
    """Where every ball of the touched colour fell, the touched one fell because of the fault: the last to fall."""
    by = striker(played)
    colour = by if fault.fault == "interfered_own" else other(by)
    gone = [index for index, fact in enumerate(found) if fact.ball == colour and is_holed(fact, by)]
    if len(gone) < played.before.balls.of(colour):
        return found
    return [replace(fact, by_fault=True) if index == gone[-1] else fact for index, fact in enumerate(found)]


def is_holed(fact: Fact, by: Side) -> bool:
    """Say whether a ball is holed by the stroke: an own ball in the attack goal, an opponent's in either (TOR-02)."""
    if fact.late or fact.by_fault or fact.kind not in ("drop", "goal_caps"):
        return False
    return fact.ball != by or fact.goal == by


def is_own_goal(fact: Fact, by: Side) -> bool:
    """Say whether an own ball fell into the own (defence) goal (TOR-03)."""
    return fact.kind == "drop" and not fact.late and not fact.by_fault and fact.ball == by and fact.goal != by


def balls_reported(played: Played, side: Side) -> int:
    """Return how many balls of `side` a stroke's reports speak of."""
    return sum(
        report.count if isinstance(report, Out) else 1
        for report in played.reports
        if isinstance(report, Drop | Out | Wedged) and report.ball == side
    )


def counts_so_far(match: Match) -> BySide[int]:
    """Return the balls left as far as reported: a stroke's goals and the opening's count at once, until ruled on."""
    if match.phase == "opening":
        goals = match.opening_goals or ()
        return BySide(red=BALLS - goals.count("red"), white=BALLS - goals.count("white"))
    if match.rolling is None:
        return match.balls
    by = striker(match.rolling)
    return count_down(match.balls, [fact.ball for fact in facts(match.rolling) if is_holed(fact, by)])[0]


def count_down(before: BySide[int], holed: list[Side]) -> tuple[BySide[int], Side | None]:
    """Return the counts after `holed`, in its order, and the side whose last ball went first (TOR-05)."""
    balls, winner = before, None
    for side in holed:
        balls = balls.put(side, max(0, balls.of(side) - 1))
        if balls.of(side) == 0 and winner is None:
            winner = side
    return balls, winner
