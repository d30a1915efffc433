"""What a picture that stands for hours does to an OLED, and what is done against it.

Here lives how a resting screen moves and dims, as pure functions of how long nothing has happened. What may never be
known here: when a screen may rest; whoever knows asks for it.

An OLED's pixels fade with use, so a title that stands every evening is burnt in within months. After five minutes the
picture is dimmed and goes round a small circle, a step a minute.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["AWAKE", "RESTS_AFTER_NS", "Rest", "next_step_ns", "rest"]

RESTS_AFTER_NS: Final = 300_000_000_000
STEP_NS: Final = 60_000_000_000
CIRCLE: Final = ((0, 0), (2, 0), (3, 1), (3, 3), (2, 4), (0, 4), (-2, 4), (-3, 3), (-3, 1), (-2, 0))
"""Where the picture stands, in pixels to the right and down. Nearly all screens keep so much free at their edges."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rest:
    """How a screen is shown: dimmed or not, and moved by so many pixels."""

    dimmed: bool = False
    right: int = 0
    down: int = 0

    def moved(self, image: Image.Image) -> Image.Image:
        """Return the picture, moved; the same object if it stays where it is."""
        if self.right == self.down == 0:
            return image
        from PIL import Image

        moved = Image.new(image.mode, image.size)
        moved.paste(image, (self.right, self.down))
        return moved


AWAKE: Final = Rest()


def rest(idle_ns: int) -> Rest:
    """Return how a screen is shown on which nothing has happened for ``idle_ns``."""
    if idle_ns < RESTS_AFTER_NS:
        return AWAKE
    right, down = CIRCLE[(idle_ns - RESTS_AFTER_NS) // STEP_NS % len(CIRCLE)]
    return Rest(dimmed=True, right=right, down=down)


def next_step_ns(idle_ns: int) -> int:
    """Return how long it is from there until that changes."""
    if idle_ns < RESTS_AFTER_NS:
        return RESTS_AFTER_NS - idle_ns
    return STEP_NS - (idle_ns - RESTS_AFTER_NS) % STEP_NS
