"""A sheet as data: JSON with everything, CSV with a row a turn, for a spreadsheet.

Lives here: the two formats. Instants and spans are seconds with `_s` in the name. A spreadsheet in the language's
countries opens the CSV as it is: a byte order mark, semicolons, a decimal comma, and no text taken for a formula.
"""

import csv
import io
from typing import Any, Final

import msgspec

from firmware.sheet.sheet import Sheet, Turn
from firmware.texts import Texts
from rules.words import SECOND

_TIMES: Final = frozenset({"t", "began", "ended", "struck", "used", "longest", "mean", "made"})
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def json_of(sheet: Sheet) -> str:
    """Return the sheet as one JSON object, indented, with an end of line."""
    plain = _seconds(msgspec.to_builtins(sheet))
    return msgspec.json.format(msgspec.json.encode(plain), indent=1).decode() + "\n"


def _seconds(plain: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(plain, dict):
        found = {}
        for key, value in plain.items():
            timed = key in _TIMES and (value is None or isinstance(value, int))
            found[f"{key}_s" if timed else key] = (
                value / SECOND if timed and value is not None else _seconds(value)
            )
        return found
    return [_seconds(value) for value in plain] if isinstance(plain, list | tuple) else plain


def csv_of(sheet: Sheet, say: Texts) -> str:
    """Return a row for each turn."""
    point = say.language == "en"
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter="," if point else ";")
    writer.writerow(
        [
            "match", "turn", "game", "contestant", "name", "colour", "began_s", "used_s", "longest_s", "strokes",
            "goals", "calls", "expiries", "faults", "ends", "won", "red", "white",
        ]
    )  # fmt: skip
    for turn in sheet.turns:
        writer.writerow([_cell(value, point=point) for value in _row(sheet, turn)])
    return "\ufeff" + file.getvalue()


def _row(sheet: Sheet, turn: Turn) -> list[object]:
    name = "" if turn.contestant is None else sheet.names.of(turn.contestant)[turn.player]
    return [
        sheet.number, turn.number, turn.game, turn.contestant, name, turn.side, turn.began / SECOND,
        turn.used / SECOND, turn.longest / SECOND, turn.strokes, turn.goals, turn.calls, turn.expiries,
        " ".join(turn.faults), turn.ends, turn.won, turn.balls.red, turn.balls.white,
    ]  # fmt: skip


def _cell(value: object, *, point: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        text = f"{value:.3f}"
        return text if point else text.replace(".", ",")
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
