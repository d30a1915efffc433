"""Every key of a board profile explained, for a page and for a terminal.

Lives here: how the list in `keys.py` is laid out. Never here: a word about any one key.
"""

from textwrap import wrap

from firmware.profile.keys import SETTINGS
from firmware.settings import MUST

WIDTH = 100


def page_table() -> str:
    """Return the table of keys as it stands in `hardware/README.md`."""
    lines = ["| table | key | what it says | may be | left out |", "| --- | --- | --- | --- | --- |"]
    shown = None
    for setting in SETTINGS:
        table = "" if setting.table == shown or not setting.table else f"`[{setting.table}]`"
        shown = setting.table
        says = f"{setting.says} ({setting.beside})" if setting.beside else setting.says
        cells = (table, f"`{setting.key}`", says, setting.kind.short, setting.without)
        lines.append("|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|")
    return "\n".join(lines) + "\n"


def terminal_text() -> str:
    """Return the same for a terminal: a heading for each table, a paragraph for each key."""
    lines: list[str] = []
    shown = ""
    for setting in SETTINGS:
        if setting.table != shown:
            lines += ["", f"[{setting.table}]"]
            shown = setting.table
        says = f"{setting.says} ({setting.beside})" if setting.beside else setting.says
        without = "It must be there" if setting.without == MUST else f"Left out: {setting.without}"
        text = f"{says}. May be: {setting.kind.short}. {without}.".replace("`", "")
        lines.append(f"  {setting.key}")
        lines += wrap(text, WIDTH, initial_indent="      ", subsequent_indent="      ")
    return "\n".join(lines) + "\n"
