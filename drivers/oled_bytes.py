"""What bytes mean to an OLED controller: a picture as pages, what changed in it, and how a chip is told.

Here live pure functions from pictures to bytes, by the data sheets: SSD1306 rev 1.1 (8.7, 10.1.3-10.1.5), SSD1309 rev
1.1 (the same commands), SH1106 v2.3 (commands 1, 2, 10). What may never be known here: a bus, luma, what is shown.

A page is 8 rows: one byte for each column, its lowest bit the uppermost pixel. A frame is 8 pages of 128 bytes.

    frame before     frame now        sent
    ....3 7....      ....3 8....      the columns of the 8 on its pages, as one window where the chip can
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PIL import Image

__all__ = [
    "HEIGHT",
    "PAGES",
    "WIDTH",
    "Frame",
    "Message",
    "OledChip",
    "Window",
    "changes",
    "frame_of",
    "told",
]

OledChip = Literal["ssd1306", "ssd1309", "sh1106"]
"""The OLED controllers that are known to work: 128 x 64, I2C."""

WIDTH: Final = 128
HEIGHT: Final = 64
PAGES: Final = 8

Frame: TypeAlias = tuple[bytes, ...]
"""A picture as its pages, uppermost first."""

MESSAGE_COST: Final = 2
"""The bytes of an I2C message beside its own: the chip's address and the control byte."""
WINDOW_COMMAND: Final = 6
PAGE_COMMAND: Final = 3
SH1106_LEFT: Final = 2
"""The SH1106 has 132 columns; a glass of 128 stands in their middle."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """What is sent at once: commands, or data for the glass."""

    command: bool
    data: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """Columns ``left`` to ``right`` of the pages ``top`` to ``bottom``, all of them included."""

    left: int
    right: int
    top: int
    bottom: int

    def cut(self, frame: Frame) -> bytes:
        """Return its bytes, page by page."""
        return b"".join(frame[page][self.left : self.right + 1] for page in range(self.top, self.bottom + 1))

    def around(self, other: Window) -> Window:
        """Return the smallest window that holds both."""
        return Window(
            left=min(self.left, other.left),
            right=max(self.right, other.right),
            top=min(self.top, other.top),
            bottom=max(self.bottom, other.bottom),
        )


WHOLE: Final = Window(left=0, right=WIDTH - 1, top=0, bottom=PAGES - 1)


def frame_of(image: Image.Image) -> Frame:
    """Return the pages of a one-bit picture of 128 x 64."""
    from PIL import Image

    # Turned clockwise, a column is a row of 8 bytes, the lowest page first, the uppermost pixel in the lowest bit.
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return tuple(columns[PAGES - 1 - page :: PAGES] for page in range(PAGES))


def changes(chip: OledChip, before: Frame | None, now: Frame) -> tuple[Window, ...]:
    """Return the windows to send so that a glass that shows ``before`` shows ``now``, the cheapest that were found.

    None: nobody knows what the glass shows, so all of it. Equal frames need no window.
    """
    if before is None:
        return (WHOLE,)
    windows = [window for page in range(PAGES) for window in _runs(chip, page, before[page], now[page])]
    merged = True
    while merged:
        merged = False
        for first in range(len(windows)):
            for second in range(first + 1, len(windows)):
                both = windows[first].around(windows[second])
                if _cost(chip, both) <= _cost(chip, windows[first]) + _cost(chip, windows[second]):
                    windows[first] = both
                    del windows[second]
                    merged = True
                    break
            if merged:
                break
    return tuple(windows)


def told(chip: OledChip, window: Window, frame: Frame) -> Iterator[Message]:
    """Yield the messages that put this window of the frame on the glass."""
    if chip == "sh1106":
        for page in range(window.top, window.bottom + 1):
            column = window.left + SH1106_LEFT
            place = bytes([0xB0 | page, column & 0x0F, 0x10 | column >> 4])
            yield Message(command=True, data=place)
            yield Message(command=False, data=frame[page][window.left : window.right + 1])
    else:
        place = bytes([0x21, window.left, window.right, 0x22, window.top, window.bottom])
        yield Message(command=True, data=place)
        yield Message(command=False, data=window.cut(frame))


def _cost(chip: OledChip, window: Window) -> int:
    """Return the bytes on the bus."""
    pages, columns = window.bottom - window.top + 1, window.right - window.left + 1
    if chip == "sh1106":
        return pages * (2 * MESSAGE_COST + PAGE_COMMAND + columns)
    return 2 * MESSAGE_COST + WINDOW_COMMAND + pages * columns


def _runs(chip: OledChip, page: int, before: bytes, now: bytes) -> Iterator[Window]:
    """Yield what changed on a page, columns so close together that one window is cheaper than two in one."""
    if before == now:
        return
    columns = [column for column, (old, new) in enumerate(zip(before, now, strict=True)) if old != new]
    for left, right in _joined(
        columns, 2 * MESSAGE_COST + (PAGE_COMMAND if chip == "sh1106" else WINDOW_COMMAND)
    ):
        yield Window(left=left, right=right, top=page, bottom=page)


def _joined(columns: Sequence[int], gap: int) -> Iterator[tuple[int, int]]:
    left = columns[0]
    for column, following in pairwise(columns):
        if following - column - 1 > gap:
            yield left, column
            left = following
    yield left, columns[-1]
