"""Reporting: a record, and telling the law and the people what was pressed.

Lives here: one way to report an event, click, and leave a notice. Never here: what a press means.
"""

from collections.abc import Callable
from typing import Final

from firmware.said import Click, Said
from firmware.view import Notice, NoticeKind
from rules import AnyEvent, Match, Ns, Outcome, Record, Refused, Rulebook, Side, Why
from rules.words import SECOND

NOTICE: Final = Ns(4 * SECOND)
"""How long a notice is shown."""

Taken = Callable[[AnyEvent], tuple[Outcome, ...]]


class Reporting:
    """What the console's parts share; the menus' `Desk`.

    `record` returns the record as it stands, `take` reports an event to the law and returns what that answered, `say`
    puts clicks and questions out.
    """

    def __init__(
        self,
        *,
        rulebook: Rulebook,
        names: tuple[tuple[str, ...], tuple[str, ...]],
        record: Callable[[], Record],
        take: Taken,
        say: Callable[[Said], None],
    ) -> None:
        """Start with no notice."""
        self.rulebook = rulebook
        self.names = names
        self.say = say
        self.notice: Notice | None = None
        self._record = record
        self._take = take

    @property
    def record(self) -> Record:
        """The match and its past, now."""
        return self._record()

    @property
    def match(self) -> Match:
        """The match, now."""
        return self._record().match

    def instant(self, at: Ns) -> Ns:
        """Return the instant of a report: never before the last line, since the fold sees rising instants."""
        return Ns(max(at, self.match.at))

    def report(self, event: AnyEvent, *, click: bool = True) -> bool:
        """Report an event to the law, say whether it was taken, and show why not."""
        before = self.match
        outcomes = self._take(event)
        if self.match is before:
            why = next((said.why for said in outcomes if isinstance(said, Refused)), None)
            self.note("refused", event.t, event=event, why=why)
            return False
        if click:
            self.click(event.t)
        self.notice = None
        return True

    def click(self, at: Ns) -> None:
        """Say that a press was taken."""
        self.say(Click(t=at))

    def note(
        self,
        kind: NoticeKind,
        at: Ns,
        *,
        why: Why | None = None,
        event: AnyEvent | None = None,
        goal: Side | None = None,
        ball: Side | None = None,
        late_by: Ns | None = None,
    ) -> None:
        """Show for a while what the last input did."""
        until = Ns(at + NOTICE)
        self.notice = Notice(
            kind=kind, t=at, until=until, why=why, event=event, goal=goal, ball=ball, late_by=late_by
        )
