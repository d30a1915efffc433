"""The house tests that are not collected everywhere."""

import pytest

from tests.house.tree import ROOT

# A comparison with nothing is no test: it would pass, or be skipped, and say nothing either way.
HAS_ORIGINALS = (ROOT.parent / "shared" / "law").is_dir()
collect_ignore = [] if HAS_ORIGINALS else ["test_copies.py"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say so where the copies in tests/law are not compared."""
    if not HAS_ORIGINALS:
        terminalreporter.write_line("tests/law: not compared, its originals are not beside this project")
