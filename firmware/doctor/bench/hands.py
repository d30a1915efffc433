"""The person at the bench: is told what to do and answers.

Lives here: the conversation. Never here: what is checked.
"""

from typing import IO, Final, Protocol

from firmware.doctor.findings import Finding, note

PASSED_OVER: Final[Finding] = note("Passed over.")


class Hands(Protocol):
    """Somebody who can pull plugs."""

    def say(self, text: str) -> None:
        """Tell them something."""

    def ready(self, what: str) -> bool:
        """Ask them to do something, and wait until it is done; False: passed over."""

    def agree(self, question: str) -> bool:
        """Ask them what they see or hear."""


class Terminal:
    """Somebody at a terminal. An end of the input passes everything over."""

    def __init__(self, answers: IO[str], out: IO[str]) -> None:
        """Ask here, listen there."""
        self._answers = answers
        self._out = out

    def say(self, text: str) -> None:
        """Write a line."""
        self._out.write(f"{text}\n")
        self._out.flush()

    def ready(self, what: str) -> bool:
        """Wait for Enter."""
        return self._ask(f"\n{what}\n[Enter: done, s: pass over] ") == ""

    def agree(self, question: str) -> bool:
        """Wait for yes or no."""
        while True:
            answer = self._ask(f"{question} [y/n] ")
            if answer in {"y", "n", "s"}:
                return answer == "y"

    def _ask(self, text: str) -> str:
        self._out.write(text)
        self._out.flush()
        line = self._answers.readline()
        return line.strip().lower()[:1] if line else "s"
