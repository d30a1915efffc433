"""The loop-back: one pin drives two inputs, a thousand edges, balls and spikes.

Lives here: what is driven, and what the figures say. Never here: how pins work. It shows on the box itself what no
desk can: that no edge is lost, how late edges are told, how far apart two pins stamp the same instant.
"""

import queue
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from threading import Event
from typing import Final, Protocol

from drivers.contact import Pressed, Timing
from drivers.contacts import DELIVERY_NS, Contacts
from drivers.ports import DeviceError, Edge
from firmware.doctor.bench.hands import PASSED_OVER, Hands
from firmware.doctor.findings import Finding, Findings, fine, wrong
from firmware.profile import Profile
from firmware.profile.pins import GPIOS, I2C1, I2S, SPI0, UART0, UART_DEVICES

EDGES: Final = 1000
APART_S: Final = 0.003
LATEST_S: Final = 0.1
BALLS: Final = 20
BALL_S: Final = 0.012
SPIKES: Final = 50
SPIKE_S: Final = 0.001
MILLISECOND: Final = 1_000_000


class Wire(Protocol):
    """The pin that drives, and the edges that come of it with the instants at which they were told."""

    def drive(self, *, active: bool) -> None:
        """Pull both inputs to ground (`active`), or let go."""

    def next(self, within_s: float) -> tuple[Edge, int] | None:
        """Return the next edge and when it was told, None where none came."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """What came of a number of edges on two pins, in nanoseconds; spans are sorted."""

    driven: int
    told: int
    stamped_after: tuple[int, ...]
    told_after: tuple[int, ...]
    apart: tuple[int, ...]


def fits(profile: Profile) -> bool:
    """Whether the board has what is needed: real pins, and two goals."""
    return profile.pins.factory != "mock" and bool(profile.sensors.goal_red and profile.sensors.goal_white)


def check(profile: Profile, hands: Hands) -> Findings:
    """Do it, on the pins of the two goals."""
    pin = free_pin(profile)
    red, white = profile.sensors.goal_red[0], profile.sensors.goal_white[0]
    if not hands.ready(
        f"Loop-back. It needs the plugs of both light barriers off, and GPIO {pin} joined through 1 kΩ to GPIO {red} "
        f"(red goal) and through another 1 kΩ to GPIO {white} (white goal). Wire that with the box switched off: "
        "pass over now, and start these checks again."
    ):
        return (PASSED_OVER,)
    try:
        with closing(_Pins(profile, pin)) as wire:
            return (*judge(edges(wire)), *filtered(wire, profile))
    except DeviceError as error:
        return (wrong(f"{error.device}: {error.what}.", error.remedy),)


def free_pin(profile: Profile) -> int:
    """Return a GPIO that nothing on the board needs, if possible one outside the buses."""
    taken = {pin for spec in profile.inputs() for pin in spec.pins}
    taken |= {pin for pins in profile.lamps.pins().values() for pin in pins}
    taken |= {profile.piezo.pin or 0, *I2C1, *(SPI0 if profile.led.kind == "max7219" else ())}
    taken |= {*(UART0 if profile.hall.device in UART_DEVICES else ()), *(I2S if profile.sound.i2s else ())}
    # Of the buses that are not used the one for sound is the quietest: a console may talk on the serial line.
    order = sorted(GPIOS, key=lambda pin: 2 * (pin in UART0) + (pin in I2S or pin in SPI0))
    return next(pin for pin in order if pin not in taken)


def edges(wire: Wire, *, clock: Callable[[], int] = time.monotonic_ns, count: int = EDGES) -> Figures:
    """Drive so many edges, each once both inputs have told the one before, and measure."""
    stamped_after, told_after, apart, told = [], [], [], 0
    for number in range(count):
        at_ns = clock()
        wire.drive(active=number % 2 == 0)
        came: dict[str, int] = {}
        while len(came) < 2 and (got := wire.next(LATEST_S)) is not None:  # noqa: PLR2004  the two goals
            edge, told_ns = got
            told += 1
            came[edge.input] = edge.at_ns
            stamped_after.append(edge.at_ns - at_ns)
            told_after.append(told_ns - edge.at_ns)
        if len(came) == 2:  # noqa: PLR2004
            apart.append(max(came.values()) - min(came.values()))
        while wire.next(APART_S) is not None:
            told += 1
    return Figures(
        driven=2 * count,
        told=told,
        stamped_after=tuple(sorted(stamped_after)),
        told_after=tuple(sorted(told_after)),
        apart=tuple(sorted(apart)),
    )


def judge(figures: Figures) -> Findings:
    """Say what the figures mean."""
    if not figures.told:
        now = "check the two resistors, their GPIOs, and that no light barrier is joined any more"
        return (wrong("No edge came back.", now, driven=figures.driven, told=0),)
    found: list[Finding] = []
    says = f"{figures.told} edges were told of {figures.driven} that were driven."
    if figures.told != figures.driven:
        found.append(
            wrong(says, "use the factory gpiod, and report this with the doctor's text", told=figures.told)
        )
    else:
        found.append(fine(says, told=figures.told))
    found.append(_spans("An edge was stamped", "after it was driven", figures.stamped_after))
    late = _spans("An edge was told", "after its stamp", figures.told_after)
    if _at(figures.told_after, 0.99) > DELIVERY_NS:
        now = f"use the factory gpiod; later than {DELIVERY_NS / MILLISECOND:g} ms may miss its order"
        late = wrong(late.says, now, **late.values)
    return (*found, late, _spans("The two pins were stamped", "apart", figures.apart))


def _spans(first: str, last: str, spans: tuple[int, ...]) -> Finding:
    middle, most, worst = (_at(spans, part) / MILLISECOND for part in (0.5, 0.99, 1.0))
    return fine(
        f"{first} {middle:.3f} ms {last} at the median, {most:.3f} at 99 %, {worst:.3f} at worst.",
        median_ms=middle,
        p99_ms=most,
        worst_ms=worst,
    )


def _at(spans: tuple[int, ...], part: float) -> int:
    return spans[min(len(spans) - 1, int(len(spans) * part))] if spans else 0


def filtered(wire: Wire, profile: Profile, *, wait: Callable[[float], object] | None = None) -> Findings:
    """Drive balls of 12 ms and spikes of 1 ms through the board's own filter."""
    pause = Event().wait if wait is None else wait
    balls, spikes = (
        pulses(wire, profile, (span_s for _ in range(count)), pause)
        for count, span_s in ((BALLS, BALL_S), (SPIKES, SPIKE_S))
    )
    settle = profile.filter.settle_ms
    says = f"{balls} of {2 * BALLS} balls of 12 ms were counted, and {spikes} of {2 * SPIKES} spikes of 1 ms."
    if balls == 2 * BALLS and spikes == 0:
        return (fine(says, balls=balls, spikes=spikes),)
    now = (
        f"with settle_ms = {settle} all balls count and no spike; set it to 8 if it is not, else report this"
    )
    return (wrong(says, now, balls=balls, spikes=spikes),)


def pulses(wire: Wire, profile: Profile, spans_s: Iterable[float], pause: Callable[[float], object]) -> int:
    """Drive pulses this long, 50 ms apart, and return how many the filter lets through on both goals."""
    timing = Timing(
        settle_ns=profile.filter.settle_ms * MILLISECOND, window_ns=profile.filter.window_ms * MILLISECOND
    )
    names = ("goal_red", "goal_white")
    contacts: Contacts | None = None
    counted, last_ns = 0, 0
    for span_s in spans_s:
        for active, then_s in ((True, span_s), (False, 0.05)):
            wire.drive(active=active)
            pause(then_s)
        while (got := wire.next(0.0)) is not None:
            edge, _ = got
            if contacts is None:
                contacts = Contacts(
                    timings=dict.fromkeys(names, timing),
                    initial=dict.fromkeys(names, False),
                    at_ns=edge.at_ns - 1,
                )
            contacts.edge(edge)
            last_ns = max(last_ns, edge.at_ns)
    if contacts is not None:
        reports = contacts.settle(last_ns + timing.window_ns + DELIVERY_NS + 1)
        counted = sum(isinstance(report, Pressed) for report in reports)
    return counted


class _Pins:
    """The wire on the board's own pins."""

    def __init__(self, profile: Profile, pin: int) -> None:
        from gpiozero import OutputDevice

        from drivers.factories import open_factory, pin_errors
        from drivers.inputs import open_inputs

        self._edges: queue.SimpleQueue[tuple[Edge, int]] = queue.SimpleQueue()
        self._factory = open_factory(profile.pins.factory)
        goals = [spec for spec in profile.inputs() if spec.name in {"goal_red", "goal_white"}]
        self._inputs = open_inputs(
            goals,
            factory=self._factory,
            on_edge=lambda edge: self._edges.put((edge, time.monotonic_ns())),
        )
        try:
            self._output = OutputDevice(pin, active_high=False, pin_factory=self._factory)
        except pin_errors() as error:
            self._inputs.close()
            raise DeviceError(
                device=f"GPIO {pin}", what=f"it cannot be driven ({error})", remedy="end what has it"
            ) from error

    def drive(self, *, active: bool) -> None:
        if active:
            self._output.on()
        else:
            self._output.off()

    def next(self, within_s: float) -> tuple[Edge, int] | None:
        with suppress(queue.Empty):
            return self._edges.get(timeout=within_s) if within_s else self._edges.get_nowait()
        return None

    def close(self) -> None:
        self._output.close()
        self._inputs.close()
        self._factory.close()
