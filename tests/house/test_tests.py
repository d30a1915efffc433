"""What holds for the tests themselves."""

import ast
import subprocess
import sys
import time

import pytest

from tests.house.tree import ROOT, python_files


def test_sleeping_in_a_test_fails_it() -> None:
    with pytest.raises(AssertionError, match=r"time\.sleep\(1\) in a test"):
        time.sleep(1)


def test_waiting_for_a_process_with_a_timeout_is_no_sleeping() -> None:
    # The process closes its pipes and lives on, which is what makes subprocess nap.
    script = "import os, time; os.close(1); os.close(2); time.sleep(0.02)"
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=20, check=True).stdout
        == b""
    )


@pytest.mark.host
def test_a_test_marked_host_may_sleep() -> None:
    time.sleep(0.001)


def test_no_file_takes_sleep_by_name_past_the_guard() -> None:
    taken = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files("rules", "drivers", "firmware", "tests")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        and node.module == "time"
        and any(a.name == "sleep" for a in node.names)
    ]
    assert taken == []
