"""gpiozero's pin factories: which there are, what each promises, and how each is opened with its traps defended.

Here lives the choice of a factory by name. What may never be known here: which pins are used, and for what.

gpiozero itself falls back from factory to factory with a warning, and ends at one whose handlers never run
(gpiozero#1137): inputs would be dead without a word. Here the one that was named is opened, or nothing.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from drivers.ports import DeviceError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gpiozero.pins import Factory

__all__ = ["FACTORIES", "PROMISES", "Promises", "factory_fault", "lost_edges", "open_factory", "pin_errors"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Promises:
    """What a factory keeps, and what it does not; the contract tests hold each to its own.

    ``kernel_stamps``: an edge carries the instant at which the kernel saw it, not that at which Python ran.
    ``ordered``: edges of several pins that are told together come in the order in which they happened.
    ``sees_losses``: edges that were lost are counted. ``sleeps``: nothing runs while no pin changes.
    """

    kernel_stamps: bool
    ordered: bool
    sees_losses: bool
    sleeps: bool

    @property
    def lacks(self) -> tuple[str, ...]:
        """A sentence for each thing that is not promised, for people."""
        lacks = {
            "an edge has the instant at which Python ran, milliseconds late under load": self.kernel_stamps,
            "two balls that fall close together may be told in the wrong order": self.ordered,
            "edges that are lost are not counted; a level that does not fit is repaired once a second": (
                self.sees_losses
            ),
            "a thread looks at the pins all the time, some percent of a core": self.sleeps,
        }
        return tuple(sentence for sentence, kept in lacks.items() if not kept)


PROMISES: Final[Mapping[str, Promises]] = {
    "gpiod": Promises(kernel_stamps=True, ordered=True, sees_losses=True, sleeps=True),
    # lgpio's alert thread looks every 0.5 ms and sorts what it finds.
    "lgpio": Promises(kernel_stamps=True, ordered=True, sees_losses=False, sleeps=False),
    "rpigpio": Promises(kernel_stamps=False, ordered=False, sees_losses=False, sleeps=True),
    "mock": Promises(kernel_stamps=True, ordered=True, sees_losses=True, sleeps=True),
}
FACTORIES: Final = tuple(PROMISES)
"""The pin factories that can be opened."""

FIRST_KERNEL_WITHOUT_SYSFS: Final = (6, 6)
"""RPi.GPIO finds edges through /sys/class/gpio, whose numbering changed there (raspberrypi/linux#6037)."""
CHOOSE: Final = "choose the pin factory gpiod in the board profile"


def open_factory(name: str, *, release: str | None = None) -> Factory:
    """Open gpiozero's pin factory of this name, or raise :class:`DeviceError`; never another one instead.

    ``release`` is the kernel's, as ``uname -r`` says it; None asks this machine.
    """
    if name == "mock":
        from drivers.mock_pins import ScriptedFactory

        return ScriptedFactory()
    openers: dict[str, Callable[[], Factory]] = {
        "gpiod": _open_gpiod,
        "lgpio": _open_lgpio,
        "rpigpio": lambda: _open_rpigpio(os.uname().release if release is None else release),
    }
    if name not in openers:
        raise DeviceError(
            device=f"pins ({name})",
            what=f"there is no pin factory {name!r}",
            remedy=f"name one of {', '.join(FACTORIES)} in the board profile",
        )
    return openers[name]()


def factory_fault(factory: Factory) -> DeviceError | None:
    """Return what has gone wrong with the factory itself since it was opened, None if nothing. Any thread.

    A thread that has ended tells no edge any more; an exception of a handler cost one edge.
    """
    name = type(factory).__name__
    if not getattr(factory, "alive", True):
        return DeviceError(
            device=f"pins ({name})",
            what="the thread that tells the edges has ended: no key and no sensor is heard",
            remedy="start the program again and report it",
        )
    error = getattr(factory, "fault", None)
    if error is None:
        return None
    fault = DeviceError(
        device=f"pins ({name})",
        what=f"an edge could not be handed on ({error!r})",
        remedy="this is a fault of the program: please report it",
    )
    fault.__cause__ = error
    return fault


def lost_edges(factory: Factory) -> Mapping[int, int] | None:
    """Return how many edges of each pin were lost, by GPIO number; None where the factory cannot tell."""
    lost: Mapping[int, int] | None = getattr(factory, "lost_edges", None)
    return lost


def pin_errors() -> tuple[type[Exception], ...]:
    """All that gpiozero and the library below it raise for a pin: lgpio has an exception of its own, no OSError.

    RPi.GPIO raises RuntimeError, and ValueError for a pin that its board has not.
    """
    from gpiozero import GPIOZeroError

    errors: tuple[type[Exception], ...] = (GPIOZeroError, OSError)
    lgpio_error = getattr(sys.modules.get("lgpio"), "error", None)
    if isinstance(lgpio_error, type) and issubclass(lgpio_error, Exception):
        errors += (lgpio_error,)
    if "RPi.GPIO" in sys.modules:
        errors += (RuntimeError, ValueError)
    return errors


def _open_gpiod() -> Factory:
    from gpiozero.exc import BadPinFactory, PinUnknownPi

    try:
        from drivers.gpiod_pins import GpiodFactory

        return GpiodFactory(consumer="kaderuhr")
    except BadPinFactory as error:
        remedy = "install the extra 'gpiod' and run on a Raspberry Pi, or choose the board 'desk'"
        raise DeviceError(device="pins (gpiod)", what=str(error), remedy=remedy) from error
    except PinUnknownPi as error:
        remedy = "run on a Raspberry Pi, or choose the board 'desk'"
        raise DeviceError(device="pins (gpiod)", what=str(error), remedy=remedy) from error
    except OSError as error:
        raise DeviceError(
            device="pins (gpiod)",
            what=f"the GPIO chip cannot be opened ({error})",
            remedy="check membership of the group gpio",
        ) from error


def _open_lgpio() -> Factory:
    # lgpio makes a FIFO in LG_WD, or else in the working folder, when it is imported, and moves the process to LG_WD.
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="lgpio-")
    here = Path.cwd()
    try:
        try:
            from drivers.lgpio_pins import SafeLgpioFactory
        except (ImportError, AttributeError) as error:
            # AttributeError: an lgpio from before 0.2, which lacks what gpiozero calls.
            raise DeviceError(
                device="pins (lgpio)",
                what=f"lgpio cannot be imported ({error})",
                remedy="install the extra 'lgpio', or on Debian the package python3-lgpio",
            ) from error
        return SafeLgpioFactory()
    except pin_errors() as error:
        raise DeviceError(
            device="pins (lgpio)",
            what=f"the GPIO chip cannot be opened ({error})",
            remedy="run on a Raspberry Pi, as a member of the group gpio, or choose the board 'desk'",
        ) from error
    finally:
        os.chdir(here)


def _open_rpigpio(release: str) -> Factory:
    device = "pins (rpigpio)"
    if _kernel(release) >= FIRST_KERNEL_WITHOUT_SYSFS:
        raise DeviceError(
            device=device,
            what=f"RPi.GPIO finds no edges on kernel {release}: from 6.6 on what it needs of /sys is gone",
            remedy=CHOOSE,
        )
    try:
        from gpiozero.pins.rpigpio import RPiGPIOFactory
        from RPi import GPIO
    except ImportError as error:
        raise DeviceError(
            device=device, what=f"RPi.GPIO cannot be imported ({error})", remedy="install the extra 'rpigpio'"
        ) from error
    except RuntimeError as error:
        # Off a Pi, and on a Pi 5, its import fails like this.
        raise DeviceError(device=device, what=f"RPi.GPIO refuses ({error})", remedy=CHOOSE) from error
    if _is_rpi_lgpio(GPIO):
        raise DeviceError(
            device=device,
            what="the package rpi-lgpio stands here under RPi.GPIO's name",
            remedy="choose the pin factory lgpio in the board profile, which is what that is",
        )
    try:
        return RPiGPIOFactory()
    except pin_errors() as error:
        raise DeviceError(device=device, what=f"it cannot be opened ({error})", remedy=CHOOSE) from error


def _is_rpi_lgpio(library: Any) -> bool:  # noqa: ANN401  a module
    """Both packages ship the same files, and the one installed last wins without a word."""
    return hasattr(library, "lgpio")


def _kernel(release: str) -> tuple[int, int]:
    found = re.match(r"(\d+)\.(\d+)", release)
    return (int(found[1]), int(found[2])) if found else FIRST_KERNEL_WITHOUT_SYSFS
