"""The service: composes rules and drivers, owns time, journal, screens, page and command line.

Lives here: everything that joins the law to the hardware. Never here: law itself, bytes or pins.
"""

__version__ = "0.1.0"
