"""The law that came from outside is still what it was there.

Collected only where `shared/` lies beside the project (see conftest.py): elsewhere there is nothing to compare with.
"""

from pathlib import Path

import pytest

from tests.house.tree import ROOT

SHARED = ROOT.parent / "shared"
ORIGINALS = ("law/law.toml", "law/cases.jsonl", "law/check.py", "replay.md")


@pytest.mark.parametrize("original", ORIGINALS)
def test_a_copy_equals_its_original(original: str) -> None:
    copy = ROOT / "tests" / "law" / Path(original).name
    assert copy.read_bytes() == (SHARED / original).read_bytes(), f"copy shared/{original} again"
