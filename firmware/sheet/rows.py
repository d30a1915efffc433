"""The tables of a sheet: games, players, faults, corrections, turns.

Lives here: columns, rows and their words. Never here: how a table is drawn.
"""

from firmware.law.wording import Wording
from firmware.sheet.page import Column, Table
from firmware.sheet.said import clock, colour, contestant, name_of, number, seconds
from firmware.sheet.sheet import Correction, Sheet, Turn
from firmware.texts import Texts
from rules import Ns


def games(sheet: Sheet, say: Texts) -> Table:
    """Return the games and who won them."""
    rows = []
    for game in sheet.games:
        winner = "" if game.winner is None else contestant(sheet, game.winner, say)
        rows.append(
            (
                str(game.number),
                colour(game.home, say),
                "" if game.opener is None else colour(game.opener, say),
                f"{game.balls.red} : {game.balls.white}",
                str(game.turns),
                clock(Ns(game.ended - game.began)),
                winner,
            )
        )
    return Table(
        title="" if sheet.clock_only else say("Games"),
        columns=(
            Column(head=say("Game"), share=0.6),
            Column(head=say("Home plays"), share=1),
            Column(head=say("Began"), share=0.8),
            Column(head=say("Balls left, red : white"), share=1.5),
            Column(head=say("Turns"), align="right", share=0.9),
            Column(head=say("Duration"), align="right", share=0.9),
            Column(head=say("Won by"), share=2.6),
        ),
        rows=() if sheet.clock_only else tuple(rows),
    )


def players(sheet: Sheet, say: Texts) -> Table:
    """Return the figures of each player."""
    rows = [
        (
            name_of(player.name, say),
            str(player.turns),
            str(player.strokes),
            str(player.goals),
            seconds(player.mean, say),
            seconds(player.longest, say),
            str(player.calls),
            str(player.expiries),
            str(player.faults),
        )
        for player in sheet.players
        if player.turns or player.faults
    ]
    heads = (
        say("Turns"),
        say("Strokes"),
        say("Goals"),
        say("Mean time"),
        say("Longest"),
        say("Calls"),
        say("Time over"),
        say("Faults"),
    )
    numbers = tuple(Column(head=head, align="right", share=0.9) for head in heads)
    return Table(
        title=say("Players"), columns=(Column(head=say("Name"), share=2.4), *numbers), rows=tuple(rows)
    )


def faults(sheet: Sheet, say: Texts, words: Wording) -> Table:
    """Return how often each clause was ruled on."""
    found = []
    for clause in dict.fromkeys(fault.clause for fault in sheet.faults):
        counts = {fault.contestant: fault.count for fault in sheet.faults if fault.clause == clause}
        title = words.clauses[clause].title if clause in words.clauses else ""
        found.append((clause, title, str(counts.get("home", "")), str(counts.get("away", ""))))
    return Table(
        title=say("Faults by clause"),
        columns=(
            Column(head=say("Clause")),
            Column(head="", share=4),
            Column(head=say("Home"), align="right"),
            Column(head=say("Visitors"), align="right"),
        ),
        rows=tuple(found),
    )


def corrections(sheet: Sheet, say: Texts) -> Table:
    """Return what the referee took back or set by hand."""
    rows = tuple(
        (clock(correction.t), _what(correction, say), _was(correction, say), number(correction.new, say))
        for correction in sheet.corrections
    )
    return Table(
        title=say("Taken back and corrected"),
        columns=(
            Column(head=say("At"), align="right", share=0.7),
            Column(head=say("What"), share=3),
            Column(head=say("Was")),
            Column(head=say("Set to")),
        ),
        rows=rows,
    )


def _what(correction: Correction, say: Texts) -> str:
    reports = {
        "opening": say("opening"), "stroke": say("stroke"), "rest": say("rest"), "drop": say("ball in goal"),
        "out": say("ball off the table"), "wedged": say("wedged ball"), "fault": say("fault"),
        "choose": say("choice"), "blocked": say("blocked spot"), "cleared": say("cleared spot"),
        "pause": say("pause"), "resume": say("resume"), "correct": say("correction"),
        "concede": say("concession"), "abandon": say("abandonment"), "end": say("time over"),
    }  # fmt: skip
    values = {
        "balls": say("balls, red : white"), "turn": say("turn"), "player": say("player"),
        "games": say("games, home : visitors"), "left": say("seconds left"), "spots": say("penalty spots"),
    }  # fmt: skip
    if correction.kind == "undo":
        return say("taken back: {what}", what=reports.get(correction.what, correction.what))
    return say("set by hand: {what}", what=values.get(correction.what, correction.what))


def _was(correction: Correction, say: Texts) -> str:
    return number(correction.old, say) if correction.made is None else clock(correction.made)


def turns(sheet: Sheet, say: Texts) -> Table:
    """Return all turns."""
    columns = (
        Column(head=say("Turn"), align="right", share=0.8),
        Column(head=say("Game"), align="right", share=1),
        Column(head=say("At"), align="right", share=0.8),
        Column(head=say("Name"), share=3),
        Column(head=say("Colour"), share=0.9),
        Column(head=say("Strokes"), align="right", share=0.9),
        Column(head=say("Goals"), align="right", share=0.7),
        Column(head=say("Time used"), align="right"),
        Column(head=say("Calls"), align="right", share=0.9),
        Column(head=say("Ends"), share=2),
        Column(head=say("Red : white"), align="right", share=1),
    )
    return Table(
        title=say("Turns"), columns=columns, rows=tuple(_turn(sheet, turn, say) for turn in sheet.turns)
    )


def _turn(sheet: Sheet, turn: Turn, say: Texts) -> tuple[str, ...]:
    name = "" if turn.contestant is None else name_of(sheet.names.of(turn.contestant)[turn.player], say)
    return (
        str(turn.number),
        "" if sheet.clock_only else str(turn.game),
        clock(turn.began),
        name,
        "" if turn.side is None else colour(turn.side, say),
        str(turn.strokes),
        "" if sheet.clock_only else str(turn.goals),
        seconds(turn.used, say),
        str(turn.calls) if turn.calls else "",
        _ends(turn, say),
        "" if sheet.clock_only else f"{turn.balls.red} : {turn.balls.white}",
    )


def _ends(turn: Turn, say: Texts) -> str:
    how = {"stays": "", "passes": say("passes"), "lost": say("lost"), "game_lost": say("game lost")}
    end = "" if turn.ends is None else how[turn.ends]
    if turn.won is not None and turn.won == turn.side:
        end = say("game won")
    faults = ", ".join(turn.faults)
    return " ".join(part for part in (end, faults) if part)
