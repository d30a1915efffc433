"""Which second all displays show, and when any picture next differs.

Lives here: the one place that rounds a countdown, and the instants at which a picture changes by itself. Never here: a
picture.

    elapsed   0 s       49 s      50 s      59 s      60 s
    shown     50  ...    1 |  10 ...    1 |  0
    style     running ---- | grace ------ | expired ...
"""

from collections.abc import Iterator
from typing import Final, Literal

from firmware.view import HOLD, View
from rules import SECOND, Ns, Reading, moment, read
from rules.words import Value

Style = Literal["running", "grace", "expired", "paused", "stopped", "off"]
Counts = Literal["call", "expiry"]

HALF: Final = SECOND // 2
"""A digit board shows the grace inverted for the first half of each second, plain for the second half."""

HOLD_STEPS: Final = 24
"""Steps in which the bar of a long press fills: one takes 125 ms, which an OLED can follow."""


class Shown(Value, frozen=True, kw_only=True):
    """What every display shows of the turn clock: whole `seconds`, and what they count down to.

    `off`: no clock belongs to what goes on (before the opening, between games, over). `paused` and `stopped` show
    what is left. `first_half` of a second of the grace.
    """

    style: Style
    seconds: int = 0
    counts: Counts | None = None
    first_half: bool = False


def shown(view: View, now: Ns) -> Shown:
    """Return the second that all displays show at `now`."""
    reading = _reading(view, now)
    if reading is None:
        return Shown(style="off")
    if reading.state == "expired":
        return Shown(style="expired")
    if reading.state == "running":
        return Shown(style="running", seconds=_up(reading.left), counts="call")
    if reading.state == "called":
        first = -reading.grace % SECOND < HALF
        return Shown(style="grace", seconds=_up(reading.grace), counts="expiry", first_half=first)
    if reading.left > 0:
        return Shown(style=reading.state, seconds=_up(reading.left), counts="call")
    return Shown(style=reading.state, seconds=_up(reading.grace), counts="expiry")


def next_change(view: View, now: Ns) -> Ns | None:
    """Return the instant after `now` at which a picture next differs by itself; None if none will."""
    return min((at for at in _changes(view, now) if at > now), default=None)


def noticed(view: View, now: Ns) -> bool:
    """Say whether the view's notice is to be seen at `now`."""
    return view.notice is not None and view.notice.t <= now < view.notice.until


def hold_steps(view: View, now: Ns) -> int | None:
    """Return how many of `HOLD_STEPS` a long press in a menu has filled; None while none is on."""
    if view.grid is None or view.grid.since is None:
        return None
    return max(0, min(HOLD_STEPS, (now - view.grid.since) * HOLD_STEPS // HOLD))


def _reading(view: View, now: Ns) -> Reading | None:
    """Read the clock; a view can be a moment younger than the instant it is drawn for."""
    if moment(view.match) in ("opening", "opening_rolls", "nearest", "over"):
        return None
    return read(view.match.clock, Ns(max(now, view.match.clock.since)))


def _up(span: int) -> int:
    """Return whole seconds, a begun one counted."""
    return -(-span // SECOND)


def _changes(view: View, now: Ns) -> Iterator[Ns]:
    reading, at = _reading(view, now), max(now, view.match.clock.since)
    if reading is not None and reading.state == "running":
        yield Ns(at + (reading.left - 1) % SECOND + 1)
    if reading is not None and reading.state == "called":
        yield Ns(at + (reading.grace - 1) % HALF + 1)
    if view.notice is not None:
        yield view.notice.t
        yield view.notice.until
    step = hold_steps(view, now)
    if step is not None and step < HOLD_STEPS and view.grid is not None and view.grid.since is not None:
        yield Ns(view.grid.since - -(step + 1) * HOLD // HOLD_STEPS)
