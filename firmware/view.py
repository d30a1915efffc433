"""The view: everything a display may show, as one frozen value.

Lives here: the value every picture, line and page is a pure function of, together with `now`. Never here: drawing.
"""

from typing import Literal

from rules import AnyEvent, ByContestant, BySide, Match, Ns, Ruling, Side, Why
from rules.rulebook import Rulebook
from rules.words import Value

ConsoleQuestion = Literal["colour", "stroke_played", "second_ball"]
"""The console's own questions (replay.md): which colour fell, was the stroke played, was it a second ball."""

TroubleKind = Literal["device", "saving", "sensor", "input", "clock"]


class Trouble(Value, frozen=True, kw_only=True):
    """Something that does not work while the match goes on: `name` is the device, `what` a sentence for people."""

    kind: TroubleKind
    name: str
    what: str


NoticeKind = Literal["refused", "undone", "drop", "confirmed", "ignored"]


class Notice(Value, frozen=True, kw_only=True):
    """What the last input did, shown from `t` until `until`.

    `refused`: not possible now, and why; `undone`: the report that was taken back; `drop`: a ball was counted;
    `ignored`: an input that means nothing now, or a ball that was only seen; `confirmed`: a press that repeats what is
    counted already.
    """

    kind: NoticeKind
    t: Ns
    until: Ns
    why: Why | None = None
    event: AnyEvent | None = None
    goal: Side | None = None
    ball: Side | None = None


class Item(Value, frozen=True, kw_only=True):
    """One line of a menu: `text` is a message id of the catalogues, `values` fill its places."""

    text: str
    values: tuple[tuple[str, str], ...] = ()


class Menu(Value, frozen=True, kw_only=True):
    """A list on the referee's screen: `at` is the chosen line, `hold` the share (0 to 1) of a long press done."""

    title: Item
    items: tuple[Item, ...]
    at: int = 0
    hold_since: Ns | None = None
    hold_for: Ns | None = None


class View(Value, frozen=True, kw_only=True):
    """What every display shows.

    `names`: one (or, in a duo, two) for each contestant. `counts`: balls left as far as reported, during a stroke too.
    `ruling`: the last one while it still tells the referee what to do. `question`: the console's own, `question_goal`
    where it is about one goal. `choice`: the index of the offered spot or ball that `ok` would choose. `unsaved`: a
    report is not on the card yet.
    """

    match: Match
    rulebook: Rulebook
    names: ByContestant[tuple[str, ...]]
    counts: BySide[int]
    ruling: Ruling | None = None
    notice: Notice | None = None
    question: ConsoleQuestion | None = None
    question_goal: Side | None = None
    choice: int = 0
    menu: Menu | None = None
    troubles: tuple[Trouble, ...] = ()
    unsaved: bool = False
