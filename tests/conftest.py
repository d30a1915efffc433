"""What holds for every test: nobody sleeps, and property tests have no deadline of their own."""

import os
import sys
import time
from typing import NoReturn

import pytest
from hypothesis import settings

# A slow machine is no failure. With CI set, examples are the same in every run, so a failure there can be repeated.
settings.register_profile("house", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("house")

MAY_SLEEP = ("host", "bench", "rig")


@pytest.fixture(autouse=True)
def _no_sleep(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `time.sleep` raise: a test that waits is slow on a good day and wrong on a bad one."""
    if any(request.node.get_closest_marker(mark) for mark in MAY_SLEEP):
        return
    real = time.sleep

    def refuse(seconds: float) -> None:
        # subprocess naps while it waits, with a timeout, for a process that has closed its pipes but not yet ended.
        if sys._getframe(1).f_globals["__name__"] == "subprocess":  # noqa: SLF001  no public way to the caller
            real(seconds)
            return
        _complain(seconds)

    monkeypatch.setattr(time, "sleep", refuse)


def _complain(seconds: float) -> NoReturn:
    message = (
        f"time.sleep({seconds}) in a test: hand the instant in, wait on the thing itself (an Event, a queue, a "
        f"select), or mark the test {', '.join(MAY_SLEEP[:-1])} or {MAY_SLEEP[-1]}"
    )
    raise AssertionError(message)
