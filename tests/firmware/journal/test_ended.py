"""The box as a process: ended in order it says when, and started again it goes on to the nanosecond."""

import json
from pathlib import Path

import pytest

from firmware.journal import Archive
from tests.firmware.running import Box

pytestmark = pytest.mark.host


def test_a_box_that_is_ended_writes_an_end_and_the_next_one_goes_on(tmp_path: Path) -> None:
    """SIGTERM: an `end`; in the same boot the clock then stands where it would be, and the dark is known."""
    with Box(tmp_path) as box:
        for key in ("stroke", "rest", "red"):
            box.press(key)
    events = [json.loads(text) for text in Archive(tmp_path / "state").match(1).events]
    assert events[-1]["event"] == "end"
    with Box(tmp_path):
        pass
    events = [json.loads(text) for text in Archive(tmp_path / "state").match(1).events]
    recovered = next(event for event in events if event["event"] == "recovered")
    assert 0 < recovered["dark"] < 60
