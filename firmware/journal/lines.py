"""The lines of a journal: one report each as text, with a seal that tells whether it is whole and where it belongs.

Lives here: a line's text and seal, and finding sealed lines in raw bytes. Never here: SQLite, or what a line means.

A match's line 0 is its `script` line, the others are events in the notation or `{"run": ...}`, which says by which
program and clock the lines after it were kept. Text and seal lie side by side in the file, so that a line can be found
again without the database around it:

    {"t":12.5,"event":"stroke"}7.31:9f3a01bc      line 31 of match 7
"""

import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

PER_MATCH: Final = 1 << 20
"""A match has fewer lines than this: number and match in one row id, in the order of the matches."""
LONGEST: Final = 16_384
"""Bytes of the longest line that is looked for in raw bytes."""
_SEAL: Final = re.compile(rb"\}(\d{1,9}\.\d{1,7}):([0-9a-f]{8})")
_BEGIN: Final = b'{"'


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """Line `number` of a match. `result`: how the match stood where it was over after this line."""

    match: int
    number: int
    text: str
    result: str | None = None

    @property
    def id(self) -> int:
        """The row's place among all rows."""
        return self.match * PER_MATCH + self.number

    @property
    def seal(self) -> str:
        """What stands behind the text."""
        return seal(self.match, self.number, self.text)


def seal(match: int, number: int, text: str) -> str:
    """Return the seal of a line: where it belongs, and a checksum over that and the text."""
    place = f"{match}.{number}"
    return f"{place}:{_sum(text.encode(), place.encode()):08x}"


def _sum(text: bytes, place: bytes) -> int:
    return zlib.crc32(place, zlib.crc32(text))


def sealed_lines(raw: bytes) -> dict[int, Row]:
    """Return the whole lines found anywhere in `raw`, by row id."""
    found: dict[int, Row] = {}
    for hit in _SEAL.finditer(raw):
        place, wanted = hit[1], int(hit[2], 16)
        match, number = (int(part) for part in place.split(b"."))
        if number >= PER_MATCH or match * PER_MATCH + number in found:
            continue
        text = _text_before(raw, hit.start() + 1, place, wanted)
        if text is not None:
            row = Row(match=match, number=number, text=text)
            found[row.id] = row
    return found


def _text_before(raw: bytes, end: int, place: bytes, wanted: int) -> str | None:
    """Return the text that ends at `end`, from the nearest beginning that gives the checksum."""
    first = max(0, end - LONGEST)
    begin = raw.rfind(_BEGIN, first, end)
    while begin >= 0:
        if _sum(raw[begin:end], place) == wanted:
            return raw[begin:end].decode("utf-8", "replace")
        begin = raw.rfind(_BEGIN, first, begin)
    return None


def places_in(raw: bytes) -> set[int]:
    """Return the row ids of which a seal is seen anywhere in `raw`, whether its line is whole or not."""
    places = [hit[1].split(b".") for hit in _SEAL.finditer(raw)]
    return {int(match) * PER_MATCH + int(number) for match, number in places}


def whole_matches(rows: Iterable[Row]) -> dict[int, list[Row]]:
    """Return the lines of each match from its first up to the first that is missing."""
    matches: dict[int, list[Row]] = {}
    for row in sorted(rows, key=lambda row: row.id):
        lines = matches.setdefault(row.match, [])
        if row.number == len(lines):
            lines.append(row)
    return {match: lines for match, lines in matches.items() if lines}
