"""Resting screens: dimmed and moved after five minutes, in steps of a minute, back at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from drivers.resting import AWAKE, next_step_ns, rest

MINUTE = 60_000_000_000


def test_a_screen_rests_after_five_minutes_and_is_dimmed_then() -> None:
    """H6: burnt in after months of the same text."""
    assert rest(5 * MINUTE - 1) == AWAKE
    assert rest(5 * MINUTE).dimmed
    assert next_step_ns(0) == 5 * MINUTE


def test_no_pixel_of_a_title_is_lit_all_evening() -> None:
    """In an hour a stroke of two pixels has stood in several places, none of them for most of the time."""
    stroke = Image.new("1", (128, 64))
    stroke.paste(1, (20, 10, 100, 12))
    lit = [0] * (128 * 64)
    for minute in range(60):
        moved = rest((5 + minute) * MINUTE).moved(stroke)
        for index, value in enumerate(moved.tobytes()):
            for bit in range(8):
                lit[index * 8 + bit] += value >> 7 - bit & 1
    assert max(lit) <= 36


@given(idle_ns=st.integers(0, 10 * 3600 * 1_000_000_000))
def test_a_step_is_due_exactly_when_the_picture_changes(idle_ns: int) -> None:
    """The worker sleeps until then."""
    due_ns = idle_ns + next_step_ns(idle_ns)
    assert due_ns > idle_ns
    assert rest(due_ns - 1) == rest(idle_ns)
    assert rest(due_ns) != rest(idle_ns)


def test_a_picture_that_is_not_moved_is_the_same_object() -> None:
    """During a match nothing is copied."""
    image = Image.new("1", (128, 64))
    assert AWAKE.moved(image) is image
