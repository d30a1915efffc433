"""What an SSD1306 shows: the bytes of its bus decoded to pictures, as the chip's data sheet has it.

Pure. Covers what can change a picture: the window and the pointer in all three addressing modes, display on and off,
inversion, the two mirrorings, the start line. Other commands are skipped with their arguments.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WIDTH: Final = 128
PAGES: Final = 8
COMMAND: Final = 0x00
DATA: Final = 0x40
ARGUMENTS: Final = {0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1,
                    0xDB: 1, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0xA3: 2, 0xD8: 1}  # fmt: skip
"""How many bytes follow each command; none for all others."""


@dataclass(kw_only=True)
class Glass:
    """A chip and its glass. `take` one write of the bus after the other."""

    ram: bytearray = field(default_factory=lambda: bytearray(WIDTH * PAGES))
    on: bool = False
    _mode: int = 2
    _columns: tuple[int, int] = (0, WIDTH - 1)
    _pages: tuple[int, int] = (0, PAGES - 1)
    _column: int = 0
    _page: int = 0
    _start: int = 0
    _inverted: bool = False
    _mirrored: bool = True
    _upside_down: bool = True
    _pending: list[int] = field(default_factory=list)

    def take(self, write: bytes) -> bool:
        """Take one write; say whether it ended a picture: data up to the window's last byte, or a change of it all."""
        if not write:
            return False
        if write[0] == DATA:
            return self._data(write[1:])
        changed = False
        if write[0] == COMMAND:
            for byte in write[1:]:
                changed |= self._command(byte)
        return changed

    def picture(self) -> bytes:
        """Return the glass in rows of 16 bytes, the left pixel the highest bit, as Pillow's mode 1 has it."""
        out = bytearray(WIDTH // 8 * PAGES * 8)
        if not self.on:
            return bytes(out)
        for y in range(PAGES * 8):
            row = (y + self._start) % 64
            row = 63 - row if self._upside_down else row
            page, bit = divmod(row, 8)
            for x in range(WIDTH):
                column = WIDTH - 1 - x if self._mirrored else x
                if (self.ram[page * WIDTH + column] >> bit & 1) != self._inverted:
                    out[y * 16 + x // 8] |= 0x80 >> x % 8
        return bytes(out)

    def _data(self, data: bytes) -> bool:
        ended = False
        first, last = self._columns
        for byte in data:
            self.ram[self._page * WIDTH + self._column] = byte
            if self._mode == 1:
                if self._page < self._pages[1]:
                    self._page += 1
                    continue
                self._page = self._pages[0]
                self._column = first if self._column == last else self._column + 1
                ended |= self._column == first
            elif self._column < (last if self._mode == 0 else WIDTH - 1):
                self._column += 1
            elif self._mode == 0:
                self._column = first
                ended |= self._page == self._pages[1]
                self._page = self._pages[0] if self._page == self._pages[1] else self._page + 1
            else:
                self._column = 0
                ended = True
        return ended

    def _command(self, byte: int) -> bool:
        self._pending.append(byte)
        code, *arguments = self._pending
        if len(arguments) < ARGUMENTS.get(code, 0):
            return False
        self._pending = []
        if code == 0x20:
            self._mode = arguments[0] & 3
        elif code == 0x21:
            self._columns = (arguments[0] & 127, arguments[1] & 127)
            self._column = self._columns[0]
        elif code == 0x22:
            self._pages = (arguments[0] & 7, arguments[1] & 7)
            self._page = self._pages[0]
        elif code <= 0x0F:
            self._column = (self._column & 0x70) | code
        elif code <= 0x1F:
            self._column = (self._column & 0x0F) | (code & 7) << 4
        elif 0xB0 <= code <= 0xB7:
            self._page = code & 7
        elif 0x40 <= code <= 0x7F:
            self._start = code & 63
        else:
            return self._switch(code)
        return False

    def _switch(self, code: int) -> bool:
        """Take a command that is a switch; all but these leave the picture as it is."""
        before = (self.on, self._inverted, self._mirrored, self._upside_down)
        if code in (0xAE, 0xAF):
            self.on = code == 0xAF
        elif code in (0xA6, 0xA7):
            self._inverted = code == 0xA7
        elif code in (0xA0, 0xA1):
            # The usual modules are mounted so that A1 and C8 stand upright.
            self._mirrored = code == 0xA0
        elif code in (0xC0, 0xC8):
            self._upside_down = code == 0xC0
        return before != (self.on, self._inverted, self._mirrored, self._upside_down)


def pictures(writes: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield each new picture with the instant of the write that ended it."""
    glass = Glass()
    last = glass.picture()
    for at, write in writes:
        if glass.take(write):
            now = glass.picture()
            if now != last:
                last = now
                yield at, now
