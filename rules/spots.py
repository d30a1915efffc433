"""The penalty spots: which may be used, and laying balls on them (STR-01 to STR-08).

Lives here: the ledger of each side's spots and the questions that laying asks. Never here: why a ball is laid.
Left and right of the spots are the offender's, looking at the attack goal.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from rules.match import Laying, Match, Spots
from rules.outcomes import Ask, Outcome, Question
from rules.rulebook import Rulebook
from rules.words import SIDES, BySide, Ns, Side, other

ALL = (1, 2, 3, 4, 5)


def usable(rulebook: Rulebook, spots: Spots, *, unused: bool = False) -> tuple[int, ...]:
    """Return the spots a penalty ball may go on: several to choose from, the one it goes on, or none.

    `unused`: the first free one on which no faulty stroke was made yet, else the first free one (STR-08).
    """
    free = [n for n in ALL if n not in spots.on and n not in spots.blocked]
    if unused:
        return tuple(([n for n in free if n not in spots.faulty] or free)[:1])
    for group in rulebook.spot_choice:
        offered = tuple(n for n in group if n in free)
        if offered:
            return offered
    return tuple(n for n in free if not any(n in group for group in rulebook.spot_choice))[:1]


def offered_to_each(rulebook: Rulebook, spots: BySide[Spots], laying: Sequence[Laying]) -> list[tuple[int, ...]]:
    """Return for each ball to be laid the spots it may go on, as far as that is known before any choice is made."""
    taken: dict[Side, Spots] = {side: spots.of(side) for side in SIDES}
    chosen: Counter[tuple[Side, tuple[int, ...]]] = Counter()
    offers = []
    for ball in laying:
        offer = usable(rulebook, taken[ball.side], unused=ball.unused)
        if len(offer) > 1:
            chosen[ball.side, offer] += 1
            if chosen[ball.side, offer] == len(offer):  # the choices before will have used them all up
                taken[ball.side] = lay_on(taken[ball.side], *offer)
        elif offer:
            taken[ball.side] = lay_on(taken[ball.side], *offer)
        offers.append(offer)
    return offers


def lay_on(spots: Spots, *numbers: int) -> Spots:
    """Return the ledger with balls laid on `numbers`."""
    return replace(spots, on=tuple(sorted({*spots.on, *numbers})))


def leave(spots: Spots, number: int | None) -> Spots:
    """Return the ledger after the ball on spot `number` has left it."""
    return replace(spots, on=tuple(n for n in spots.on if n != number))


def block(spots: Spots, number: int) -> Spots:
    """Return the ledger with spot `number` prevented by other balls, until the next stroke (STR-05)."""
    return replace(spots, blocked=tuple(sorted({*spots.blocked, number})))


def unblock_all(spots: BySide[Spots]) -> BySide[Spots]:
    """Return the ledgers as a new stroke finds them: nothing is said to be blocked."""
    return BySide(red=replace(spots.red, blocked=()), white=replace(spots.white, blocked=()))


def play_from(spots: Spots, number: int | None, *, faulty: bool) -> Spots:
    """Return the ledger after a stroke from spot `number`: it is left, and a faulty stroke uses it up (STR-08)."""
    left = leave(spots, number)
    if number is None or not faulty:
        return left
    return replace(left, faulty=tuple(sorted({*left.faulty, number})))


def free_surplus(spots: BySide[Spots], balls: BySide[int], laying: Sequence[Laying]) -> BySide[Spots]:
    """Return the ledgers with no more spots taken than balls on the table, those being laid not counted.

    The surplus is freed, the lowest first.
    """
    for side in SIDES:
        room = max(0, balls.of(side) - sum(ball.side == side for ball in laying))
        mine = spots.of(side)
        if len(mine.on) > room:
            spots = spots.put(side, replace(mine, on=mine.on[len(mine.on) - room :]))
    return spots


def lay(rulebook: Rulebook, match: Match, t: Ns) -> tuple[Match, tuple[Outcome, ...]]:
    """Lay what can be laid without a question, in order; then ask for the first that cannot.

    A choice is not asked again while it stays the same question.
    """
    laying, spots = match.laying, match.spots
    asked: Question | None = None
    while laying and asked is None:
        ball = laying[0]
        if ball.which == "chosen" and not ball.picked:
            asked = Question(ask="ball", side=other(ball.side))
            break
        offer = usable(rulebook, spots.of(ball.side), unused=ball.unused)
        if len(offer) > 1:
            asked = Question(ask="spot", side=other(ball.side), spots=offer)
            break
        spots = spots.put(ball.side, lay_on(spots.of(ball.side), *offer))
        laying = laying[1:]
    laid = replace(match, laying=laying, spots=spots, asked=asked)
    if asked is None or asked == match.asked:
        return laid, ()
    return laid, (ask_again(asked, t),)


def ask_again(question: Question, t: Ns) -> Ask:
    """Return the outcome that puts an open question."""
    return Ask(t=t, ask=question.ask, side=question.side, spots=question.spots)
