"""The referee's console: keys and sensors in, reports to the law out.

Lives here: what a press means now, menus and questions on nine keys, guards. Never here: pins, bounce, pictures, time
that passes by itself. `console.py` is the place to begin.
"""

from firmware.console.console import Console
from firmware.console.drops import Drops
from firmware.console.goals import Goals
from firmware.console.guards import SensorGuard
from firmware.console.setup import Choices, Setup, opened_by, setup_of

__all__ = ["Choices", "Console", "Drops", "Goals", "SensorGuard", "Setup", "opened_by", "setup_of"]
