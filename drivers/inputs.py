"""Inputs through gpiozero: raw edges with their stamps, from any pin factory.

Here lives the glue between gpiozero's pins and :class:`drivers.ports.Edge`. What may never be known here: debouncing
(``contact.py``), what an input means, and how a pin factory gets its edges.

gpiozero's ``Button`` is not used: while one is made, an edge finds it half built and kills the callback thread of every
pin (gpiozero#956). Nor is ``bounce_time``: it means three different things on three factories and swallows balls or
releases (gpiozero#1039). ``InputDevice`` with ``Pin.when_changed`` is public, documented, and hands over the tick.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Final

from drivers.factories import factory_fault, lost_edges, pin_errors
from drivers.ports import DeviceError, Edge, Losses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from gpiozero import InputDevice
    from gpiozero.pins import Factory

    from drivers.ports import Inputs, InputSpec, Pull

__all__ = ["LOOK_AGAIN_NS", "LOOK_EVERY_NS", "open_inputs"]

LOOK_EVERY_NS: Final = 1_000_000_000
LOOK_AGAIN_NS: Final = 50_000_000
"""How late an edge may come before it counts as missed; none took more than a few milliseconds in any measurement."""

_PULL_UP: Final[dict[Pull, bool | None]] = {"up": True, "down": False, "floating": None}


def open_inputs(specs: Sequence[InputSpec], *, factory: Factory, on_edge: Callable[[Edge], None]) -> Inputs:
    """Open all inputs at once and send their edges to ``on_edge``.

    ``on_edge`` runs in the factory's one callback thread (mock pins: in the driving one; a repaired edge: in the thread
    that calls ``reconcile``), holds up every other pin meanwhile, and so only enqueues. If it raises, the thread lives
    on and ``fault`` keeps the first exception. Edges come as they arrive, with their bounce; an input with several pins
    gives one when the first becomes active and one when the last becomes idle. Keep the returned object: without it the
    edges end.

    :class:`DeviceError` names the input whose pin cannot be had; then all are closed again.
    """
    return _PinInputs(specs, factory=factory, on_edge=on_edge)


class _PinInputs:
    """The open inputs, and the strong reference that keeps their handlers alive."""

    def __init__(
        self, specs: Sequence[InputSpec], *, factory: Factory, on_edge: Callable[[Edge], None]
    ) -> None:
        self._factory = factory
        self._on_edge = on_edge
        self._lock = Lock()
        self._active_pins: dict[str, int] = {}
        self._repaired: dict[str, int] = {}
        self._pins: list[_InputPin] = []
        self._fault: DeviceError | None = None
        self._unread: DeviceError | None = None
        try:
            # Edges that come while the levels are read wait for this lock, then find the level known or go out.
            with self._lock:
                for spec in specs:
                    self._open(spec)
                self._begin()
        except DeviceError:
            self.close()
            raise
        self._initial = {name: count > 0 for name, count in self._active_pins.items()}

    def _open(self, spec: InputSpec) -> None:
        self._active_pins[spec.name] = 0
        self._repaired[spec.name] = 0
        for number in spec.pins:
            with _told(spec, number, "cannot be opened"):
                self._pins.append(_InputPin(spec, number, self._factory, self._change))

    def _begin(self) -> None:
        for pin in self._pins:
            with _told(pin.spec, pin.number, "cannot be read"):
                pin.active = pin.read()
            self._active_pins[pin.spec.name] += pin.active

    @property
    def initial(self) -> Mapping[str, bool]:
        return self._initial

    @property
    def active(self) -> Mapping[str, bool]:
        with self._lock:
            return {name: count > 0 for name, count in self._active_pins.items()}

    @property
    def fault(self) -> DeviceError | None:
        return self._fault or factory_fault(self._factory) or self._unread

    @property
    def losses(self) -> Mapping[str, Losses]:
        lost, repaired = lost_edges(self._factory), dict(self._repaired)
        counted: dict[str, int | None] = dict.fromkeys(repaired, None if lost is None else 0)
        if lost is not None:
            for pin in self._pins:
                counted[pin.spec.name] = (counted[pin.spec.name] or 0) + lost.get(pin.number, 0)
        return {name: Losses(lost=counted[name], repaired=repaired[name]) for name in repaired}

    def reconcile(self, now_ns: int) -> int:
        unread: DeviceError | None = None
        doubted = False
        for pin in tuple(self._pins):
            try:
                with _told(pin.spec, pin.number, "cannot be read"):
                    level = pin.read()
                    with self._lock:
                        seen, pin.doubted_at = pin.doubted_at, None if level == pin.active else pin.edges
                        missed = pin.doubted_at is not None and pin.doubted_at == seen
                        doubted = doubted or (pin.doubted_at is not None and not missed)
                        if missed:
                            self._repaired[pin.spec.name] += 1
                            self._take(pin, now_ns, active=level)
                            pin.doubted_at = None
            except DeviceError as error:
                unread = unread or error
        self._unread = unread
        return now_ns + (LOOK_AGAIN_NS if doubted else LOOK_EVERY_NS)

    def close(self) -> None:
        # Not under the lock: a factory may wait for a handler that runs, and that handler wants the lock.
        while self._pins:
            self._pins.pop().close()

    def _change(self, pin: _InputPin, ticks: float, level: int) -> None:
        with self._lock:
            pin.edges += 1
            self._take(pin, round(ticks * 1e9), active=bool(level) != pin.spec.active_low)

    def _take(self, pin: _InputPin, at_ns: int, *, active: bool) -> None:
        """Take a pin's change, under the lock; one that is known already changes nothing."""
        if active == pin.active:
            return
        pin.active = active
        name = pin.spec.name
        self._active_pins[name] += 1 if active else -1
        if self._active_pins[name] != int(active):
            return
        try:
            self._on_edge(Edge(input=name, at_ns=at_ns, active=active))
        except Exception as error:  # noqa: BLE001  kept in fault; raised here it would end every pin's thread
            self._fault = self._fault or _fault(name, error)


class _InputPin:
    """One pin of one input. Lives as long as the inputs: gpiozero holds its handler only weakly.

    ``active`` is what edges and looks have told, ``edges`` how many edges there were, and ``doubted_at`` how many there
    had been when the last look found another level; None if it found none.
    """

    def __init__(
        self,
        spec: InputSpec,
        number: int,
        factory: Factory,
        change: Callable[[_InputPin, float, int], None],
    ) -> None:
        from gpiozero import InputDevice

        self.spec = spec
        self.number = number
        self.active = False
        self.edges = 0
        self.doubted_at: int | None = None
        self._change = change
        pull_up = _PULL_UP[spec.pull]
        self._device: InputDevice = InputDevice(
            number,
            pull_up=pull_up,
            active_state=not spec.active_low if pull_up is None else None,
            pin_factory=factory,
        )
        self._pin = self._device.pin
        try:
            self._pin.bounce = None
            self._pin.edges = "both"
            self._pin.when_changed = self._changed
        except pin_errors():
            self._device.close()
            raise

    def read(self) -> bool:
        """Look at the level."""
        return bool(self._pin.state) != self.spec.active_low

    def _changed(self, ticks: float, level: int) -> None:
        self._change(self, ticks, level)

    def close(self) -> None:
        self._device.close()


@contextmanager
def _told(spec: InputSpec, number: int, what: str) -> Iterator[None]:
    """Turn what a pin raises into a DeviceError that names the input."""
    try:
        yield
    except pin_errors() as error:
        raise DeviceError(
            device=f"input {spec.name}",
            what=f"GPIO{number} {what} ({error})",
            remedy="check the pin in the board profile, and that no other program holds it",
        ) from error


def _fault(name: str, error: Exception) -> DeviceError:
    fault = DeviceError(
        device=f"input {name}",
        what=f"its edge could not be handed on ({error!r})",
        remedy="this is a fault of the program: please report it",
    )
    fault.__cause__ = error
    return fault
