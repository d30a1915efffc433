"""Which of the kernel's GPIO chips is the header of a Raspberry Pi.

Here lives the search by label. What may never be known here: pins.

Numbers are of no use: the Pi 5's header was gpiochip4, then gpiochip0 from kernel 6.6.45 on, and moved again since
(gpiozero#1166).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gpiozero.exc import BadPinFactory

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["CHIP_LABELS", "find_chip", "import_gpiod"]

CHIP_LABELS: Final = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""The chips whose lines 0 to 27 are GPIO0 to GPIO27 of the header: Pi Zero to 3, Pi 4, Pi 5."""

DEVICES: Final = Path("/dev")


def import_gpiod() -> ModuleType:
    """Return the module ``gpiod`` in a version that will do, or raise gpiozero's ``BadPinFactory``.

    Debian 12's python3-libgpiod and the old ``gpiod`` 1.x carry the same name and another interface.
    """
    try:
        import gpiod
        import gpiod.line
    except ImportError as error:
        message = f"gpiod cannot be imported ({error})"
        raise BadPinFactory(message) from error
    if not hasattr(gpiod, "request_lines"):
        version = getattr(gpiod, "__version__", "of unknown version")
        message = (
            f"gpiod {version} is too old: 2.1 or newer is needed, and Debian 12's python3-libgpiod is 1.6"
        )
        raise BadPinFactory(message)
    module: ModuleType = gpiod
    return module


def find_chip(gpiod: ModuleType, folder: Path = DEVICES) -> str:
    """Return the path of the header's chip, or raise gpiozero's ``BadPinFactory`` with all that was found instead."""
    seen: list[str] = []
    for path in sorted(folder.glob("gpiochip*"), key=_number):
        if not gpiod.is_gpiochip_device(str(path)):
            continue
        try:
            label = _label(gpiod, str(path))
        except OSError as error:
            seen.append(f"{path} ({error})")
            continue
        if label in CHIP_LABELS:
            return str(path)
        seen.append(f"{path} ({label})")
    message = f"no GPIO chip is a Raspberry Pi's header; found: {', '.join(seen) or 'none at all'}"
    raise BadPinFactory(message)


def _label(gpiod: ModuleType, path: str) -> str:
    chip: Any = gpiod.Chip(path)
    try:
        return str(chip.get_info().label)
    finally:
        chip.close()


def _number(path: Path) -> tuple[int, str]:
    digits = path.name.removeprefix("gpiochip")
    return (int(digits) if digits.isdigit() else len(digits) + 1_000_000, path.name)
