"""What holds of a match: the reports that were not taken back, each with the match before and after it.

Lives here: a record read backwards into a history, so that whatever is derived follows every `undo` and `correct`.
Never here: what is made of it.
"""

from rules import AnyEvent, End, Match, Ns, Outcome, Record, Reported, Rulebook, read, step
from rules.words import Value


class Entry(Value, frozen=True, kw_only=True):
    """A report that holds, what the law answered, and for how long the turn clock ran until it.

    `call`: the clock had come so far; `expiry`: the time was over and that was ruled on. One taken back is none.
    """

    event: AnyEvent
    before: Match
    after: Match
    outcomes: tuple[Outcome, ...]
    used: Ns
    call: bool
    expiry: bool


def history(rulebook: Rulebook, record: Record) -> tuple[Entry, ...]:
    """Return the entries of a match, the oldest first."""
    entries: list[Entry] = []
    reported = [entry for entry in record.past if isinstance(entry, Reported)]
    stood: Match | None = None
    for entry in reported:
        after, outcomes = step(rulebook, entry.before, entry.event)
        reading = read(entry.before.clock, entry.event.t)
        entries.append(
            Entry(
                event=entry.event,
                before=entry.before,
                after=after,
                outcomes=outcomes,
                used=_used(entry.before if stood is None else stood, entry.before, entry.event),
                call=reading.left == 0,
                expiry=isinstance(entry.event, End)
                or (entry.before.clock_only and reading.state == "expired"),
            )
        )
        stood = after
    return tuple(entries)


def _used(stood: Match, before: Match, event: AnyEvent) -> Ns:
    """Return for how long the clock ran since the report before: what it had then, less what it has now.

    So a pause costs nothing, and neither does the dark after another boot, whatever the instants say.
    """
    if stood.clock.state != "running":
        return Ns(0)
    now = read(before.clock, event.t)
    if isinstance(event, End):  # an expiry ends its clock at its own instant, however it is told
        return Ns(stood.clock.left + stood.clock.grace)
    return Ns(max(0, stood.clock.left + stood.clock.grace - now.left - now.grace))
