"""A pin factory for gpiozero on the kernel's character device, through libgpiod 2 (the package ``gpiod``).

Here lives all of it, and nothing else of this house is imported, so that it can be given to gpiozero's users as it is.
What may never be known here: keys, sensors, a box.

    gpiozero's devices -> GpiodPin (gpiozero's words) -> Line (the kernel's words) -> gpiod -> /dev/gpiochipN
                               ^--- Reader: one thread, which sleeps until a line has edges

What it promises, and gpiozero's other factories do not all: an edge carries the kernel's own stamp; edges that arrive
together come in the order of their stamps, whatever their pins; edges that the kernel had to drop are counted; nothing
polls; an exception in somebody's handler is kept and told, and ends nothing. See README.md for how to use it.
"""

from drivers.gpiod_pins.chips import CHIP_LABELS
from drivers.gpiod_pins.pins import GpiodFactory, GpiodPin

__all__ = ["CHIP_LABELS", "GpiodFactory", "GpiodPin"]
