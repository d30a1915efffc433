"""Inputs through gpiozero: raw edges with their stamps, from any pin factory.

Here lives the glue between gpiozero's pins and :class:`drivers.ports.Edge`. What may never be known here: debouncing
(``contact.py``), what an input means, and how a pin factory gets its edges.

gpiozero's ``Button`` is not used: while one is made, an edge finds it half built and kills the callback thread of every
pin (gpiozero#956). Nor is ``bounce_time``: it means three different things on three factories and swallows balls or
releases (gpiozero#1039). ``InputDevice`` with ``Pin.when_changed`` is public, documented, and hands over the tick.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from drivers.ports import DeviceError, Edge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gpiozero import InputDevice
    from gpiozero.pins import Factory

    from drivers.ports import Inputs, InputSpec, Pull

__all__ = ["FACTORIES", "open_factory", "open_inputs"]

FACTORIES: Final = ("lgpio", "mock")
"""The pin factories that can be opened."""

_PULL_UP: Final[dict[Pull, bool | None]] = {"up": True, "down": False, "floating": None}


def open_factory(name: str) -> Factory:
    """Open gpiozero's pin factory of this name, or raise :class:`DeviceError`; never another one instead.

    gpiozero itself falls back from factory to factory with a warning, and ends at one whose handlers never run
    (gpiozero#1137): inputs would be dead without a word.
    """
    if name == "mock":
        from drivers.mock_pins import ScriptedFactory

        return ScriptedFactory()
    if name == "lgpio":
        return _open_lgpio()
    raise DeviceError(
        device=f"pins ({name})",
        what=f"there is no pin factory {name!r}",
        remedy=f"name one of {', '.join(FACTORIES)} in the board profile",
    )


def open_inputs(specs: Sequence[InputSpec], *, factory: Factory, on_edge: Callable[[Edge], None]) -> Inputs:
    """Open all inputs at once and send their edges to ``on_edge``.

    ``on_edge`` runs in the factory's one callback thread (mock pins: in the driving one), holds up every other pin
    meanwhile, and so only enqueues. If it raises, the thread lives on and ``fault`` keeps the first exception. Edges
    come as they arrive, with their bounce; an input with several pins gives one when the first becomes active and one
    when the last becomes idle. Keep the returned object: without it the edges end.

    :class:`DeviceError` names the input whose pin cannot be had; then all are closed again.
    """
    return _PinInputs(specs, factory=factory, on_edge=on_edge)


class _PinInputs:
    """The open inputs, and the strong reference that keeps their handlers alive."""

    def __init__(
        self, specs: Sequence[InputSpec], *, factory: Factory, on_edge: Callable[[Edge], None]
    ) -> None:
        self._on_edge = on_edge
        self._lock = Lock()
        self._active_pins: dict[str, int] = {}
        self._pins: list[_InputPin] = []
        self._fault: DeviceError | None = None
        try:
            # Edges that come while the levels are read wait for this lock, then find the level known or go out.
            with self._lock:
                for spec in specs:
                    self._open(spec, factory)
        except DeviceError:
            self.close()
            raise
        self._initial = {name: count > 0 for name, count in self._active_pins.items()}

    def _open(self, spec: InputSpec, factory: Factory) -> None:
        self._active_pins[spec.name] = 0
        for number in spec.pins:
            try:
                pin = _InputPin(spec, number, factory, self._change)
            except _pin_errors() as error:
                raise DeviceError(
                    device=f"input {spec.name}",
                    what=f"GPIO{number} cannot be opened ({error})",
                    remedy="check the pin in the board profile, and that no other program holds it",
                ) from error
            self._pins.append(pin)
            self._active_pins[spec.name] += pin.active

    @property
    def initial(self) -> Mapping[str, bool]:
        return self._initial

    @property
    def fault(self) -> DeviceError | None:
        return self._fault

    def close(self) -> None:
        # Not under the lock: a factory may wait for a handler that runs, and that handler wants the lock.
        while self._pins:
            self._pins.pop().close()

    def _change(self, pin: _InputPin, ticks: float, level: int) -> None:
        with self._lock:
            active = bool(level) != pin.spec.active_low
            if active == pin.active:
                return
            pin.active = active
            name = pin.spec.name
            self._active_pins[name] += 1 if active else -1
            if self._active_pins[name] != int(active):
                return
            edge = Edge(input=name, at_ns=round(ticks * 1e9), active=active)
            try:
                self._on_edge(edge)
            except Exception as error:  # noqa: BLE001  kept in fault; raised here it would end every pin's thread
                self._fault = self._fault or _fault(name, error)


class _InputPin:
    """One pin of one input. Lives as long as the inputs: gpiozero holds its handler only weakly."""

    def __init__(
        self,
        spec: InputSpec,
        number: int,
        factory: Factory,
        change: Callable[[_InputPin, float, int], None],
    ) -> None:
        from gpiozero import InputDevice

        self.spec = spec
        self._change = change
        pull_up = _PULL_UP[spec.pull]
        self._device: InputDevice = InputDevice(
            number,
            pull_up=pull_up,
            active_state=not spec.active_low if pull_up is None else None,
            pin_factory=factory,
        )
        try:
            pin = self._device.pin
            pin.bounce = None
            pin.edges = "both"
            pin.when_changed = self._changed
            self.active = bool(pin.state) != spec.active_low
        except _pin_errors():
            self._device.close()
            raise

    def _changed(self, ticks: float, level: int) -> None:
        self._change(self, ticks, level)

    def close(self) -> None:
        self._device.close()


def _fault(name: str, error: Exception) -> DeviceError:
    fault = DeviceError(
        device=f"input {name}",
        what=f"its edge could not be handed on ({error!r})",
        remedy="this is a fault of the program: please report it",
    )
    fault.__cause__ = error
    return fault


def _open_lgpio() -> Factory:
    # lgpio makes a FIFO in LG_WD, or else in the working folder, when it is imported, and moves the process to LG_WD.
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="lgpio-")
    here = Path.cwd()
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ImportError as error:
        raise DeviceError(
            device="pins (lgpio)",
            what=f"lgpio cannot be imported ({error})",
            remedy="install the extra 'lgpio', or on Debian the package python3-lgpio",
        ) from error
    except _pin_errors() as error:
        raise DeviceError(
            device="pins (lgpio)",
            what=f"the GPIO chip cannot be opened ({error})",
            remedy="run on a Raspberry Pi, as a member of the group gpio, or choose the board 'desk'",
        ) from error
    finally:
        os.chdir(here)


def _pin_errors() -> tuple[type[Exception], ...]:
    """All that gpiozero and the library below it raise for a pin: lgpio has an exception of its own, no OSError."""
    from gpiozero import GPIOZeroError

    lgpio = sys.modules.get("lgpio")
    return (GPIOZeroError, OSError) if lgpio is None else (GPIOZeroError, OSError, lgpio.error)
