"""The service: composes rules and drivers, owns time, journal, screens, page and command line.

Lives here: everything that joins the law to the hardware. Never here: law itself, bytes or pins.
"""

__version__ = "0.1.0"
RELEASED_S = 1_796_083_200
"""Seconds of the epoch on the day of this release, 2026-12-01: no clock that is right shows less."""
