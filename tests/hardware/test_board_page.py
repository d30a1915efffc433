"""hardware/README.md explains every key of a profile, and nothing else."""

import re
from pathlib import Path

import pytest

from firmware.profile import ProfileErrors, load_profile
from tests.house.tree import ROOT


def explained() -> set[tuple[str, str]]:
    """Table and key of each line in the page's table of keys."""
    page = (ROOT / "hardware" / "README.md").read_text()
    found, table = set(), ""
    for first, key in re.findall(r"^\| (?:`\[(\w+)\]`)? ?\| `(\w+)` \|", page, flags=re.MULTILINE):
        table = first or table
        found.add((table, key))
    return found


def known(folder: Path) -> set[tuple[str, str]]:
    """Every table and key there is, asked of the reader: it answers an unknown key with those it knows."""
    file = folder / "table.toml"
    tables = (
        "pins",
        "keys",
        "sensors",
        "filter",
        "oled",
        "led",
        "sound",
        "piezo",
        "lamps",
        "hall",
        "page",
        "match",
        "state",
    )
    file.write_text("nobody = 1\n" + "".join(f"[{table}]\nnobody = 1\n" for table in tables))
    with pytest.raises(ProfileErrors) as caught:
        load_profile(file)
    answers = {problem.table: problem.right for problem in caught.value.problems if problem.key == "nobody"}
    lists = {
        table: right.partition(" has ")[2].partition(";")[0].split(", ") for table, right in answers.items()
    }
    assert set(lists.pop("")) == {"language", *tables}
    return {("", "language")} | {(table, key) for table, keys in lists.items() for key in keys}


def test_every_key_is_explained_and_no_other(tmp_path: Path) -> None:
    assert explained() == known(tmp_path)
