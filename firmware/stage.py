"""A stage: the board's mock pins wired to a core, at given time. Replay and tests put the same evening on it.

Lives here: from a pin's level through gpiozero's devices to the core, in the order of instants. Never here: real time.
"""

import heapq
from collections.abc import Callable, Mapping

from drivers.contact import Timing
from firmware.console import Choices
from firmware.core import MILLISECOND, SHIPPED, Core
from firmware.profile import Profile
from firmware.said import Said
from firmware.script import Opened, PinLine, PressLine, SensorLine
from rules import AnyEvent, Ns, Recovered
from rules.step import dark_began


class Stage:
    """One match on the pins of `profile`; time is what the caller says it is, and never goes back."""

    def __init__(
        self,
        opened: Opened,
        profile: Profile,
        *,
        say: Callable[[Said], None],
        keep: Callable[[AnyEvent], None] = lambda _: None,
        between: Callable[[Ns], Ns | None] = lambda _: None,
    ) -> None:
        """Set the stage at t = 0. `between(now)` is called after whatever happens, and says when to call it next."""
        self.core = core_for(opened, profile, say=say, keep=keep)
        self.now = Ns(0)
        self._profile = profile
        self._between = between
        self._next_between: Ns | None = None
        self._edges: list[tuple[Ns, int, int, int]] = []
        self._count = 0
        self._pins: _Pins | None = None

    def play(self, line: AnyEvent | PressLine | SensorLine | PinLine) -> None:
        """Let time run to the line, then do what it says. `ValueError` names a pin the board does not have."""
        if isinstance(line, Recovered):  # in the dark nothing falls due
            self.run(dark_began(self.core.record.match, line))
            self.now = line.t
        else:
            self.run(line.t)
        if isinstance(line, PressLine):
            self._contact(line.press, line.t, line.hold)
        elif isinstance(line, SensorLine):
            self._contact(line.sensor, line.t, line.pulse)
        elif isinstance(line, PinLine):
            self._drive(line.pin, line.level, line.t)
        else:
            self.core.report(line)
        self._show(line.t)

    def run(self, t: Ns) -> None:
        """Let everything happen that falls due before `t`."""
        while True:
            due = self._due()
            if due is None or due > t or (due == t and not (self._edges and self._edges[0][0] == t)):
                break
            self._step(due)
        self.core.advance(t, including=False)
        self.now = max(self.now, t)

    def look(self) -> None:
        """Show what there is to see before the first line."""
        self._show(self.now)

    def finish(self) -> None:
        """Let what began come to its end: keys still down, contacts not settled, questions that lapse."""
        while self._edges or not self.core.is_quiet:
            due = self._due()
            if due is None:
                break
            self._step(due)

    def close(self) -> None:
        """Let go of the pins."""
        if self._pins is not None:
            self._pins.close()

    def _due(self) -> Ns | None:
        dues = [self.core.due(), self._next_between, self._edges[0][0] if self._edges else None]
        known = [due for due in dues if due is not None]
        return Ns(max(self.now, min(known))) if known else None

    def _step(self, due: Ns) -> None:
        self.now = due
        if self._edges and self._edges[0][0] <= due:
            at, _, pin, level = heapq.heappop(self._edges)
            self._drive(pin, level, at)
        else:
            self.core.advance(due)
        self._show(due)

    def _show(self, now: Ns) -> None:
        self._next_between = self._between(now)

    def _contact(self, name: str, at: Ns, span: Ns) -> None:
        pin = self._board().pin_of(name)
        self._drive(pin, 0, at)
        self._count += 1
        heapq.heappush(self._edges, (Ns(at + span), self._count, pin, 1))

    def _drive(self, pin: int, level: int, at: Ns) -> None:
        self._board().drive(pin, level, at)

    def _board(self) -> "_Pins":
        if self._pins is None:
            self._pins = _Pins(self._profile, self.core)
        return self._pins


class _Pins:
    """gpiozero's devices on mock pins, wired to the core. Made only when a line touches a pin: the import is felt."""

    def __init__(self, profile: Profile, core: Core) -> None:
        from drivers.inputs import open_inputs
        from drivers.mock_pins import ScriptedFactory

        self._factory = ScriptedFactory()
        self._specs = profile.inputs()
        self._inputs = open_inputs(
            self._specs,
            factory=self._factory,
            on_edge=lambda edge: core.edge(edge.input, Ns(edge.at_ns), active=edge.active),
        )

    def pin_of(self, name: str) -> int:
        """Return the first pin of an input."""
        for spec in self._specs:
            if spec.name == name:
                return spec.pins[0]
        inputs = ", ".join(spec.name for spec in self._specs)
        raise ValueError(f"{name} has no pin on this board; inputs are {inputs}")

    def drive(self, pin: int, level: int, at: Ns) -> None:
        """Put a level on a pin."""
        pins = sorted(pin for spec in self._specs for pin in spec.pins)
        if pin not in pins:
            raise ValueError(
                f"pin: {pin} is no input of this board; inputs are on {', '.join(map(str, pins))}"
            )
        self._factory.drive(pin, level=level, at_ns=at)
        if self._inputs.fault is not None:
            raise self._inputs.fault

    def close(self) -> None:
        """Let go."""
        self._inputs.close()


def core_for(  # noqa: PLR0913 - each by its name
    opened: Opened,
    profile: Profile,
    *,
    say: Callable[[Said], None],
    keep: Callable[[AnyEvent], None],
    active: Mapping[str, bool] | None = None,
    now: Ns | None = None,
    on_match: Callable[[Opened], None] = lambda _: None,
    choices: Choices = SHIPPED,
    number: int = 1,
) -> Core:
    """Return a core with the board's filter and sensors, at `now` (0) with the inputs in `active` down."""
    timing = Timing(
        settle_ns=profile.filter.settle_ms * MILLISECOND, window_ns=profile.filter.window_ms * MILLISECOND
    )
    same_ball = Ns(profile.sensors.same_ball_ms * MILLISECOND)
    return Core(
        opened,
        timing=timing,
        same_ball=same_ball,
        say=say,
        keep=keep,
        active=active,
        now=Ns(0) if now is None else now,
        on_match=on_match,
        choices=choices,
        number=number,
    )
