"""How the rig speaks: lines to whoever runs it, and what can keep it from saying anything."""

import sys


def say(line: str) -> None:
    """Print a line at once: a run takes minutes."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class NotRunError(Exception):
    """The rig cannot be had here; the message says why. Nothing was tested, so nothing passed or failed."""


class BoardError(Exception):
    """A virtual board did not do what every check needs of it: boot, run its command to the end, bring files out."""
