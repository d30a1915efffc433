"""The pages of `kaderuhr law`: the list of the clauses, and one clause. Plain text, 80 columns.

Lives here: their layout, and a clause's effects in sentences. Never here: the sentences themselves, or the command.
"""

import re
from collections.abc import Iterable, Iterator
from textwrap import TextWrapper
from typing import Final

from firmware.law.differences import said_of, touched
from firmware.law.wording import HEADINGS, Wording
from rules import BOOK, CLAUSES, RULEBOOKS, Clause, ClauseId, Effect, Rulebook
from rules.outcomes import Which

WIDTH: Final = 80

BALL_OF: Final[dict[ClauseId, Which]] = {
    "FEH-02": "wedged",
    "FEH-03": "wedged",
    "FEH-04": "wedged",
    "FEH-06": "out",
    "FEH-07": "out",
    "FEH-12": "in_triangle",
    "TOR-01": "late",
    "TOR-03": "own_goal",
    "BER-04": "touched",
    "BER-05": "touched",
    "DRE-01": "in_triangle",
    "DRE-02": "in_triangle",
}
"""Which ball a clause's effect means by `ball`."""

# A space that must not become the end of a line: in French before a mark, and between a number and what it counts.
_HELD = re.compile(r" (?=[:;?!»])|(?<=«) |(?<=\d) (?=(?:s|m|mm)\b)|(?<=art\.) (?=\d)")


def contents(wording: Wording, rulebook: Rulebook | None = None, file: str = "") -> str:
    """List the clauses under the book's headings; those that differ under `rulebook` are marked."""
    marked = touched(rulebook) if rulebook else frozenset()
    lines = [wording.labels.contents]
    for heading in HEADINGS:
        lines += ["", wording.headings[heading]]
        lines += [
            _row(wording, clause, mark="*" if clause.id in marked else " ")
            for clause in CLAUSES
            if clause.id.startswith(heading)
        ]
    if rulebook and marked:
        lines += ["", wording.labels.marked.format(name=rulebook.name)]
    beyond = list(said_of(wording, rulebook, None, file)) if rulebook else []
    if rulebook and beyond:
        lines += ["", f"{wording.labels.beyond} ({rulebook.name})", *_points(beyond)]
    return "\n".join(lines) + "\n"


def page(wording: Wording, clause: Clause, rulebook: Rulebook | None = None, file: str = "") -> str:
    """Show one clause: its text, effects, reading, and what rulebooks make of it: `rulebook`, or all that ship."""
    labels, text = wording.labels, wording.clauses[clause.id]
    lines = [f"{clause.id}  {text.title}", *_under(wording, clause), "", *_wrapped(text.text)]
    lines += ["", labels.effects, *_effects(wording, clause)]
    if text.reading:
        lines += ["", labels.reading, *_wrapped(text.reading, "  ")]
    lines += _rulebooks(wording, clause, rulebook, file)
    return "\n".join(lines) + "\n"


def _row(wording: Wording, clause: Clause, mark: str) -> str:
    title = wording.clauses[clause.id].title
    return f"{mark} {clause.id}  {title:<40}  {clause.fault or ''}".rstrip()


def _under(wording: Wording, clause: Clause) -> Iterator[str]:
    heading = next(name for name in HEADINGS if clause.id.startswith(name))
    yield f"        {wording.headings[heading]}"
    if clause.fault:
        yield f"        {_held(wording.labels.fault)} {clause.fault}"


def _effects(wording: Wording, clause: Clause) -> Iterator[str]:
    labels = wording.labels
    # A clause of the same fault that holds in kader play alone takes this one's place there.
    instead = [other.id for other in CLAUSES if _only_in_kader(other) and other.fault == clause.fault]
    if clause.effect is not None:
        everywhere = clause.kader is None and not instead
        when = labels.both if everywhere else labels.open
        if clause.effect.turn == "game_lost":
            when = labels.kader  # it takes one ball each (FEH-08)
        yield from _effect(wording, clause, clause.effect, when)
    if clause.without_stroke is not None:
        yield from _effect(wording, clause, clause.without_stroke, labels.without_stroke)
    if clause.kader is not None:
        yield from _effect(wording, clause, clause.kader, labels.kader)
    elif instead and clause.effect is not None:
        yield from _wrapped(labels.instead.format(clauses=labels.or_.join(instead)), "  ")
    if clause.late is not None:
        yield from _effect(wording, clause, clause.late, labels.late)
    if not (clause.effect or clause.kader or clause.late):
        yield from _wrapped(labels.no_effect, "  ")


def _only_in_kader(clause: Clause) -> bool:
    return clause.kader is not None and clause.effect is None


def _effect(wording: Wording, clause: Clause, effect: Effect, when: str) -> list[str]:
    late = effect is clause.late
    sentences = [_turn(wording, effect, late=late)]
    if effect.turn != "game_lost" and not late:
        sentences.append(_put_back(wording, effect))
    for what, to in effect.place:
        which = {"cue": "cue", "choice": "chosen"}.get(what) or BALL_OF[clause.id]
        # STR-08 has a say in kader play alone.
        suffix = "_kader" if which == "cue" and when in (wording.labels.both, wording.labels.kader) else ""
        sentences.append(wording.place[f"{which}_{to}{suffix}"])
    return [f"  {_held(when)}", *_points(sentences)]


def _turn(wording: Wording, effect: Effect, *, late: bool) -> str:
    turn = wording.turn
    if late:
        return turn.unchanged
    if effect.turn is not None:
        return {"lost": turn.lost, "game_lost": turn.game_lost}[effect.turn]
    return turn.follows if effect.turn_with_goal is None else turn.with_goal


def _put_back(wording: Wording, effect: Effect) -> str:
    sentences = wording.put_back
    laid = {what for what, _ in effect.place}
    if effect.put_back == "none":
        return sentences.none_else if laid else sentences.none
    if effect.put_back == "moved":
        return sentences.moved_else if laid - {"choice"} else sentences.moved
    return sentences.moved_by_fault


def _rulebooks(wording: Wording, clause: Clause, rulebook: Rulebook | None, file: str) -> Iterator[str]:
    asked = [rulebook] if rulebook else [shipped for shipped in RULEBOOKS.values() if shipped != BOOK]
    said = [(book.name, list(said_of(wording, book, clause.id, file))) for book in asked]
    said = [(name, sentences) for name, sentences in said if sentences]
    if said:
        yield from ("", wording.labels.differs)
    for name, sentences in said:
        yield f"  {name}:"
        yield from _points(sentences)
    if rulebook and not said:
        yield ""
        yield from _wrapped(wording.labels.same.format(name=rulebook.name))


def _points(sentences: Iterable[str]) -> list[str]:
    return [line for sentence in sentences for line in _wrapped(sentence, "    ", first="  - ")]


def _wrapped(text: str, indent: str = "", *, first: str | None = None) -> list[str]:
    wrapper = TextWrapper(
        width=WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
    return wrapper.wrap(_held(text))


def _held(text: str) -> str:
    return _HELD.sub("\N{NO-BREAK SPACE}", text)
