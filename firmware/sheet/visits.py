"""From a history to visits: who was at the table, for how long, and what was ruled in the end.

Lives here: which ruling belongs to which stroke; a late fault rules anew, and then the first ruling is none. Never
here: sums.
"""

from dataclasses import dataclass, field

from msgspec.structs import replace

from firmware.sheet.history import Entry
from firmware.sheet.sheet import Visit
from rules import (
    Abandon,
    Concede,
    Contestant,
    Correct,
    Fault,
    Match,
    Ns,
    Opening,
    Rest,
    Ruling,
    Side,
    Stroke,
    contestant_of,
    game_number,
)  # fmt: skip
from rules.faults import concerns_turn


@dataclass(kw_only=True, slots=True)
class _Running:
    """The visit that is not over: since when, and what its clock has used."""

    began: Ns | None = None
    used: int = 0
    call: bool = False
    expiry: bool = False
    struck: Ns | None = None
    stood: Match | None = None

    def until(self, entry: Entry) -> None:
        """Count the clock up to a report."""
        if entry.used and self.began is None:
            self.began = Ns(entry.event.t - entry.used)
        self.used += entry.used
        self.call = self.call or entry.call
        self.expiry = self.expiry or entry.expiry


@dataclass(kw_only=True, slots=True)
class _Visits:
    """The visits told so far, and the one that runs."""

    told: list[Visit] = field(default_factory=list)
    running: _Running = field(default_factory=_Running)

    def take(self, entry: Entry) -> None:
        """Tell one report."""
        rulings = [said for said in entry.outcomes if isinstance(said, Ruling)]
        if self._concerns_last_stroke(entry, rulings):
            return
        self.running.until(entry)
        event, before = entry.event, entry.before
        match event:
            case _ if _is_late_drop(rulings):
                pass
            case Stroke() if before.phase not in ("opening", "over"):
                self.running.struck, self.running.stood = event.t, before
                if before.clock_only:
                    self._end(entry, None, before)
            case Opening():
                self.running = _Running()
            case Correct() if (entry.after.turn, entry.after.player) != (before.turn, before.player):
                self._end_unruled(entry)
            case Abandon():
                self._end_unruled(entry)
            case Concede():
                self._end_unruled(entry)
                self._note(entry, rulings)
            case Rest() if not rulings and before.rolling is None:
                self._goes_on(entry)
            case _:
                self._rule(entry, rulings)

    def _concerns_last_stroke(self, entry: Entry, rulings: list[Ruling]) -> bool:
        """Tell a fault called after the rest that is ruled on with the stroke before; say whether it was one."""
        event, before = entry.event, entry.before
        if not isinstance(event, Fault) or before.ruled is None or before.rolling is not None or not rulings:
            return False
        if event.fault == "played_before_rest":
            self._rule(entry, rulings)
            return True
        if concerns_turn(event):
            return False
        self._rule_anew(entry, rulings, before.ruled.at)
        return True

    def _goes_on(self, entry: Entry) -> None:
        """A `rest` that started a clock: where one had expired silently, a visit ended there."""
        if entry.before.clock.state == "running":
            self._end_unruled(entry)

    def _rule(self, entry: Entry, rulings: list[Ruling]) -> None:
        played = entry.before.rolling
        stood = entry.before if played is None else played.before
        for ruling in rulings:
            if ruling.by == stood.turn:
                self._end(entry, ruling, stood)
            else:
                self._note(entry, [ruling], stood)
            stood = _after(stood, ruling)

    def _rule_anew(self, entry: Entry, rulings: list[Ruling], struck: Ns) -> None:
        """The ruling on the stroke at `struck` was made anew: what was told since it is void."""
        at = next((i for i, visit in enumerate(self.told) if visit.struck == struck), None)
        if at is None:
            self._rule(entry, rulings)
            return
        first = self.told[at]
        del self.told[at:]
        self.running = _Running(
            began=first.began, used=first.used, call=first.call, expiry=first.expiry, struck=struck
        )
        played = entry.before.ruled
        stood = entry.before if played is None else played.before
        for ruling in rulings:
            self._end(entry, ruling, stood)
            stood = _after(stood, ruling)

    def _note(self, entry: Entry, rulings: list[Ruling], stood: Match | None = None) -> None:
        """Note rulings on somebody whose turn it was not, or that needed none."""
        for ruling in rulings:
            noted = _visit(_Running(), entry, ruling, entry.before if stood is None else stood)
            self.told.append(replace(noted, at_table=False))

    def _end_unruled(self, entry: Entry) -> None:
        if self.running.used or self.running.struck is not None:
            self.told.append(_visit(self.running, entry, None, entry.before))
        self.running = _Running()

    def _end(self, entry: Entry, ruling: Ruling | None, stood: Match) -> None:
        self.told.append(_visit(self.running, entry, ruling, stood))
        self.running = _Running()


def visits(entries: tuple[Entry, ...]) -> tuple[Visit, ...]:
    """Return the visits of a match, the oldest first; one that still runs is not among them."""
    told = _Visits()
    for entry in entries:
        told.take(entry)
    return tuple(told.told)


def _after(stood: Match, ruling: Ruling) -> Match:
    """Return a match as a ruling leaves it, for the next one of the same report."""
    return replace(stood, balls=ruling.balls, turn=ruling.next, player=ruling.player)


def _is_late_drop(rulings: list[Ruling]) -> bool:
    return [ruling.clauses for ruling in rulings] == [("TOR-01",)]


def _visit(running: _Running, entry: Entry, ruling: Ruling | None, stood: Match) -> Visit:
    """Return a visit that ends with `entry`; the match `stood` so before it."""
    side: Side | None = stood.turn if ruling is None else ruling.by
    contestant: Contestant | None = None if side is None else contestant_of(stood, side)
    balls = stood.balls if ruling is None else ruling.balls
    own = 0 if side is None or ruling is None else stood.balls.of(side) - balls.of(side)
    began = running.began if running.began is not None else running.struck
    return Visit(
        game=game_number(stood),
        side=side,
        contestant=contestant,
        player=stood.player if side == stood.turn else stood.next.of(side or "white"),
        began=entry.event.t if began is None else began,
        used=Ns(running.used),
        struck=running.struck,
        ended=entry.event.t,
        call=running.call,
        expiry=running.expiry,
        turn=None if ruling is None else ruling.turn,
        clauses=() if ruling is None else ruling.clauses,
        goals=max(0, own),
        balls=balls,
        won=None if ruling is None else ruling.game,
    )
