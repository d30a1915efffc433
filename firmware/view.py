"""The view: everything a display may show, as one frozen value.

Lives here: the value every picture, line and page is a pure function of, together with `now`. Never here: drawing.
"""

from typing import Final, Literal

from firmware.script import Key
from rules import AnyEvent, ByContestant, BySide, Match, Ns, Ruling, Side, Why
from rules.rulebook import Rulebook
from rules.words import SECOND, Value

ConsoleQuestion = Literal["colour", "stroke_played", "second_ball"]
"""The console's own questions (replay.md): which colour fell, was the stroke played, was it a second ball."""

TroubleKind = Literal["device", "saving", "sensor", "input", "clock"]


class Trouble(Value, frozen=True, kw_only=True):
    """Something that does not work while the match goes on: `name` is the device, `what` a sentence for people."""

    kind: TroubleKind
    name: str
    what: str


NoticeKind = Literal["refused", "undone", "drop", "seen", "confirmed", "ignored", "late", "hold"]


class Notice(Value, frozen=True, kw_only=True):
    """What the last input did, shown from `t` until `until`.

    `refused`: not possible now, and why; `undone`: the report that was taken back; `drop`: a ball was counted;
    `seen`: a ball was seen while the clock runs and waits for the hand; `ignored`: an input that means nothing now;
    `confirmed`: a press that repeats what is counted already; `late`: a stroke `late_by` after the expiry; `hold`: this
    needs a hold of 3 s.
    """

    kind: NoticeKind
    t: Ns
    until: Ns
    why: Why | None = None
    event: AnyEvent | None = None
    goal: Side | None = None
    ball: Side | None = None
    late_by: Ns | None = None


HOLD: Final = Ns(3 * SECOND)
"""How long a cell that destroys something is held."""


class Cell(Value, frozen=True, kw_only=True):
    """What one key does now: a message id and what fills its places. `hold`: only after 3 s; `chosen`: as it stands."""

    key: Key
    text: str
    values: tuple[tuple[str, str], ...] = ()
    hold: bool = False
    chosen: bool = False


class Grid(Value, frozen=True, kw_only=True):
    """A menu: cells at the places of their keys, under a title. `holding` is a key held since `since`, for its bar."""

    title: str
    values: tuple[tuple[str, str], ...] = ()
    cells: tuple[Cell, ...] = ()
    holding: Key | None = None
    since: Ns | None = None


class View(Value, frozen=True, kw_only=True):
    """What every display shows.

    `names`: one (or, in a duo, two) for each contestant. `counts`: balls left as far as reported, during a stroke too.
    `ruling`: the last one while it still tells the referee what to do. `question`: the console's own, `question_goal`
    where it is about one goal. `grid`: a menu, or a question of the law with its answers on keys. `unsaved`: a report
    is not on the card yet. `started`: the box's instant of the match's first line.
    """

    match: Match
    rulebook: Rulebook
    names: ByContestant[tuple[str, ...]]
    counts: BySide[int]
    started: Ns = Ns(0)
    ruling: Ruling | None = None
    notice: Notice | None = None
    question: ConsoleQuestion | None = None
    question_goal: Side | None = None
    grid: Grid | None = None
    troubles: tuple[Trouble, ...] = ()
    unsaved: bool = False
