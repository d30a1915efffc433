"""The lamps: which are lit.

Lives here: what each lamp of a board tells. Never here: a pin.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.view import View


def lit(view: "View") -> frozenset[str]:
    """Return the names of the lamps that are lit: that of the side whose turn it is, and `kader` in kader play."""
    match = view.match
    if match.clock_only or match.phase not in ("open", "kader"):
        return frozenset()
    lamps = {"kader"} if match.phase == "kader" else set()
    if match.turn is not None:
        lamps.add(f"turn_{match.turn}")
    return frozenset(lamps)
