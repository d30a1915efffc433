"""The match told: a kept match folded again, and everything a sheet says derived from that.

Lives here: the sums over visits, and the corrections that the lines tell. Never here: how a sheet looks.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import msgspec

from firmware.journal import KeptMatch, Run, Told, told
from firmware.journal.kept import result_text
from firmware.sheet.history import Entry, history
from firmware.sheet.sheet import Correction, Day, FaultCount, Game, Pause, Player, Sheet, Turn, Visit
from firmware.sheet.visits import visits
from rules import (
    BY_ID,
    CONTESTANTS,
    Correct,
    Match,
    Ns,
    Opening,
    Record,
    Recovered,
    Undo,
    game_number,
    reports,
    take,
    write,
)  # fmt: skip
from rules.words import SECOND


def sheet_of(kept: KeptMatch) -> Sheet:
    """Return the sheet of a kept match. Raises `ScriptError` where not even its first line can be read."""
    read = told(kept)
    record, corrections, pauses = _fold(read)
    entries = history(read.opened.rulebook, record)
    seen = visits(entries)
    turns = _turns(seen)
    match, names = record.match, read.opened.names
    result = result_text(match)
    return Sheet(
        number=kept.number,
        rulebook=read.opened.rulebook.name,
        program=tuple(dict.fromkeys(run.program for run in kept.runs)),
        day=day_of(kept.runs, match.at),
        names=names,
        best_of=match.best_of,
        duo=match.duo,
        clock_only=match.clock_only,
        result=match.match,
        games_won=match.games,
        began=Ns(min([entries[0].event.t, *(visit.began for visit in seen[:1])])) if entries else Ns(0),
        ended=match.at,
        games=_games(entries, seen, turns),
        turns=turns,
        visits=seen,
        players=_players(read, seen, turns),
        faults=_faults(seen),
        corrections=corrections,
        pauses=pauses,
        problem=read.problem or kept.damage,
        seen=kept.result if kept.result is not None and kept.result != result else None,
    )


def _fold(read: Told) -> tuple[Record, tuple[Correction, ...], tuple[Pause, ...]]:
    """Fold the lines once more, and note on the way what was taken back, set by hand, or lay in the dark."""
    record = read.opened.record
    corrections: list[Correction] = []
    pauses: list[Pause] = []
    for event in read.events:
        before = record
        record, _ = take(read.opened.rulebook, record, event)
        if record.match is before.match:
            continue
        if isinstance(event, Undo):
            last = reports(before)[-1]
            corrections.append(
                Correction(t=event.t, kind="undo", what=type(last).__name__.lower(), made=last.t)
            )
        elif isinstance(event, Correct):
            corrections += _set_by_hand(event, before.match, record.match)
        elif isinstance(event, Recovered):
            dark = event.dark
            pauses.append(Pause(began=Ns(event.t - (dark or 0)), ended=event.t, known=dark is not None))
    return record, tuple(corrections), tuple(pauses)


def _set_by_hand(event: Correct, before: Match, after: Match) -> list[Correction]:
    found = []
    for key in ("balls", "turn", "player", "games", "left", "spots"):
        if getattr(event, key) is not None:
            old, new = _standing(before, key, event.t), _standing(after, key, event.t)
            found.append(Correction(t=event.t, kind="correct", what=key, old=old, new=new))
    return found


def _standing(match: Match, key: str, now: Ns) -> str:
    """Return one value of a match as the sheet prints it."""
    from rules import read as read_clock

    if key == "left":
        return _seconds(read_clock(match.clock, now).left)
    value: Any = getattr(match, key)
    if key == "balls":
        return f"{value.red}:{value.white}"
    if key == "games":
        return f"{value.home}:{value.away}"
    return text if (text := _plain(value)) else "-"


def _plain(value: Any) -> str:  # noqa: ANN401 - any field of a match
    if isinstance(value, msgspec.Struct):
        return msgspec.json.encode(write(value)).decode()
    return "" if value is None else str(value)


def _seconds(ns: int) -> str:
    return f"{ns / SECOND:.1f}"


def day_of(runs: Sequence[Run], last: Ns) -> Day | None:
    """Return when the match was: by a run in the boot of the first line whose time was known."""
    boot = runs[0].boot if runs else None
    known = [run for run in runs if run.known and run.boot == boot and boot is not None]
    if not known:
        return None
    end = next((run for run in reversed(runs) if run.at_ns <= last and run.known), None)
    ended_s = None if end is None or end.boot != runs[-1].boot else end.utc_s + (last - end.at_ns) // SECOND
    return Day(began_s=known[0].utc_s - known[0].at_ns // SECOND, ended_s=ended_s)


def _turns(seen: Sequence[Visit]) -> tuple[Turn, ...]:
    """Group visits into turns: a player goes on while the ruling lets him."""
    turns: list[Turn] = []
    group: list[Visit] = []
    for visit in (visit for visit in seen if visit.at_table):
        if group and (group[-1].turn != "stays" or _who(group[-1]) != _who(visit)):
            turns.append(_turn(len(turns) + 1, group))
            group = []
        group.append(visit)
    if group:
        turns.append(_turn(len(turns) + 1, group))
    return tuple(turns)


def _who(visit: Visit) -> tuple[object, ...]:
    return visit.game, visit.side, visit.player


def _turn(number: int, group: Sequence[Visit]) -> Turn:
    first, last = group[0], group[-1]
    return Turn(
        number=number,
        game=first.game,
        side=first.side,
        contestant=first.contestant,
        player=first.player,
        began=first.began,
        ended=last.ended,
        strokes=sum(visit.struck is not None for visit in group),
        goals=sum(visit.goals for visit in group),
        used=Ns(sum(visit.used for visit in group)),
        longest=Ns(max(visit.used for visit in group)),
        calls=sum(visit.call for visit in group),
        expiries=sum(visit.expiry for visit in group),
        faults=tuple(clause for visit in group for clause in fault_clauses(visit)),
        ends=last.turn,
        won=last.won,
        balls=last.balls,
    )


def fault_clauses(visit: Visit) -> tuple[str, ...]:
    """Return the clauses of a ruling that are faults: one that a referee calls, a chapter of them, or TOR-03."""
    return tuple(
        clause
        for clause in visit.clauses
        if clause.startswith("FEH-")
        or clause == "TOR-03"
        or (clause in BY_ID and BY_ID[clause].fault is not None)
    )


def _games(entries: Sequence[Entry], seen: Sequence[Visit], turns: Sequence[Turn]) -> tuple[Game, ...]:
    openings = {game_number(entry.after): entry for entry in entries if isinstance(entry.event, Opening)}
    games = []
    for number, group in groupby(seen, key=lambda visit: visit.game):
        played = list(group)
        last, opening = played[-1], openings.get(number)
        opener = opening.event.nearest if opening is not None and isinstance(opening.event, Opening) else None
        side, contestant = next(
            ((v.side, v.contestant) for v in played if v.side is not None), ("white", "home")
        )
        home = side if contestant == "home" else ("red" if side == "white" else "white")
        games.append(
            Game(
                number=number,
                home=home or "white",
                opener=opener,
                began=played[0].began if opening is None else opening.event.t,
                ended=last.ended,
                winner=None if last.won is None else ("home" if last.won == home else "away"),
                balls=last.balls,
                turns=sum(turn.game == number for turn in turns),
            )
        )
    return tuple(games)


def _players(read: Told, seen: Sequence[Visit], turns: Sequence[Turn]) -> tuple[Player, ...]:
    found = []
    for contestant in CONTESTANTS:
        for index, name in enumerate(read.opened.names.of(contestant)):
            mine = [v for v in seen if (v.contestant, v.player) == (contestant, index)]
            runs = [visit for visit in mine if visit.at_table]
            used = sum(visit.used for visit in runs)
            found.append(
                Player(
                    contestant=contestant,
                    player=index,
                    name=name,
                    turns=sum((turn.contestant, turn.player) == (contestant, index) for turn in turns),
                    strokes=sum(visit.struck is not None for visit in runs),
                    goals=sum(visit.goals for visit in runs),
                    used=Ns(used),
                    mean=Ns(used // len(runs)) if runs else Ns(0),
                    longest=Ns(max((visit.used for visit in runs), default=0)),
                    calls=sum(visit.call for visit in runs),
                    expiries=sum(visit.expiry for visit in runs),
                    faults=sum(len(fault_clauses(visit)) for visit in mine),
                )
            )
    return tuple(found)


def _faults(seen: Sequence[Visit]) -> tuple[FaultCount, ...]:
    counts = Counter(
        (clause, visit.contestant) for visit in seen for clause in fault_clauses(visit) if visit.contestant
    )
    order = list(BY_ID)
    return tuple(
        FaultCount(clause=clause, contestant=contestant, count=count)
        for (clause, contestant), count in sorted(
            counts.items(), key=lambda item: (order.index(item[0][0]), item[0][1] != "home")
        )
    )
