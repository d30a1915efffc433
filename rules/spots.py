"""The penalty spots: which may be used, and laying balls on them (STR-01 to STR-08).

Lives here: the ledger of each side's spots and the questions that laying asks. Never here: why a ball is laid.
Left and right of the spots are the offender's, looking at the attack goal.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from rules.match import Laid, Laying, Match, Spots
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


def offered_to_each(
    rulebook: Rulebook, spots: BySide[Spots], laying: Sequence[Laying]
) -> list[tuple[int, ...]]:
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
    before, match = match.asked, replace(match, asked=None)
    while match.laying and match.asked is None:
        ball = match.laying[0]
        offer = usable(rulebook, match.spots.of(ball.side), unused=ball.unused)
        if needs_choice(ball):
            match = replace(match, asked=Question(ask="ball", side=other(ball.side)))
        elif len(offer) > 1:
            match = replace(match, asked=Question(ask="spot", side=other(ball.side), spots=offer))
        else:
            match = put_down(match, *offer)
    if match.asked is None or match.asked == before:
        return match, ()
    return match, (ask_again(match.asked, t),)


def needs_choice(ball: Laying) -> bool:
    """Say whether the opponent has still to choose which ball this is."""
    return ball.which == "chosen" and not ball.picked


def put_down(match: Match, *spot: int) -> Match:
    """Return the match with the first ball to be laid on `spot`; without one the referee lays it by hand."""
    ball = match.laying[0]
    return replace(
        match,
        laying=match.laying[1:],
        laid=(*match.laid, *(Laid(ball=ball, spot=number) for number in spot)),
        spots=match.spots.put(ball.side, lay_on(match.spots.of(ball.side), *spot)),
    )


def take_up(match: Match, side: Side, number: int) -> Match:
    """Return the match with a ball laid on that spot since the last release still to be laid, if there is one.

    The spot turned out to be one that other balls prevent (STR-05).
    """
    again = tuple(laid for laid in match.laid if laid.ball.side == side and laid.spot == number)
    return replace(
        match,
        laying=(*(laid.ball for laid in again), *match.laying),
        laid=tuple(laid for laid in match.laid if laid not in again),
        spots=match.spots.put(side, leave(match.spots.of(side), number)) if again else match.spots,
    )


def forget_gone(match: Match) -> Match:
    """Return the match without the note of balls laid on spots where none lies any more."""
    return replace(
        match, laid=tuple(laid for laid in match.laid if laid.spot in match.spots.of(laid.ball.side).on)
    )


def may_have_gone(rulebook: Rulebook, spots: Spots, offer: Sequence[int], number: int) -> bool:
    """Say whether choosing `number` beside `offer` says that the ball of this side that lay there has gone (STR-01)."""
    group = next((group for group in rulebook.spot_choice if set(offer) <= set(group)), ())
    return number in group and number in spots.on and number not in spots.blocked


def ask_again(question: Question, t: Ns) -> Ask:
    """Return the outcome that puts an open question."""
    return Ask(t=t, ask=question.ask, side=question.side, spots=question.spots)
