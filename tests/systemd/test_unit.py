"""The unit is one that systemd understands to the last line, and each line has its reason."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.house.tree import ROOT

UNIT = ROOT / "systemd" / "kaderuhr.service"
PROGRAM = "/opt/kaderuhr/bin/kaderuhr"


def verify(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Let systemd judge a copy whose program is one that is there: it asks for that, too."""
    unit = folder / UNIT.name
    unit.write_text(text.replace(PROGRAM, "/bin/true"))
    # Without --recursive-errors=no a line that is not understood is only a warning, with exit status 0.
    command = ["systemd-analyze", "verify", "--recursive-errors=no", str(unit)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.host
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    done = verify(UNIT.read_text(), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.host
@pytest.mark.parametrize(("line", "typo"), [("Restart=always", "Restat=always"), ("Type=exec", "Type=exce")])
def test_a_line_it_does_not_understand_would_be_seen(line: str, typo: str, tmp_path: Path) -> None:
    assert line in UNIT.read_text()
    assert verify(UNIT.read_text().replace(line, typo), tmp_path).returncode != 0


@pytest.mark.host
def test_the_unit_starts_the_installed_command(tmp_path: Path) -> None:
    done = verify(UNIT.read_text().replace(PROGRAM, f"{tmp_path}/none"), tmp_path)
    assert f"{tmp_path}/none" in done.stderr
    assert f"ExecStart={PROGRAM} run --board club-table" in UNIT.read_text().splitlines()


def test_each_setting_stands_in_the_table_of_reasons() -> None:
    settings = set(re.findall(r"^(\w+)=", UNIT.read_text(), flags=re.MULTILINE)) - {"Description"}
    reasons = set(re.findall(r"`(\w+)=", (UNIT.parent / "README.md").read_text()))
    assert settings - reasons == set()
