"""What is published: one version everywhere, and locks that any machine can install from."""

import re
import tomllib

import pytest

import firmware
from tests.house.tree import ROOT

LOCKS = ("requirements.lock", "requirements-dev.lock")


def pinned(lock: str) -> dict[str, str]:
    """Name and version of each package in a lock."""
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;]+)", (ROOT / lock).read_text(), flags=re.MULTILINE))


def names(requirements: list[str]) -> set[str]:
    """The package names in a list of requirements, as a lock writes them."""
    found = (re.match(r"[A-Za-z0-9._-]+", requirement) for requirement in requirements)
    return {re.sub(r"[._-]+", "-", match[0]).lower() for match in found if match}


def test_the_version_is_the_changelogs_top_entry() -> None:
    top = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    assert top is not None
    assert top[1] == firmware.__version__


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_host(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert re.findall(r".*(?:://|--(?:extra-)?index-url|--find-links|--trusted-host| @ ).*", text) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_in_a_lock_has_a_hash(lock: str) -> None:
    # A package, its lines that end in a backslash, and the one that does not.
    blocks = re.findall(r"^[a-z0-9-]+==(?:.*\\\n)*.*$", (ROOT / lock).read_text(), flags=re.MULTILINE)
    assert len(blocks) == len(pinned(lock)) > 0
    assert [block for block in blocks if "--hash=sha256:" not in block] == []


def test_the_locks_hold_all_that_is_asked_for_and_nothing_that_only_hardware_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = names(project["project"]["dependencies"])
    assert asked <= pinned("requirements.lock").keys()
    assert asked | names(project["dependency-groups"]["dev"]) <= pinned("requirements-dev.lock").keys()
    extras = names([item for extra in project["project"]["optional-dependencies"].values() for item in extra])
    assert extras & (pinned("requirements.lock").keys() | pinned("requirements-dev.lock").keys()) == set()


def test_what_runs_on_a_box_is_what_was_tested() -> None:
    assert pinned("requirements.lock").items() <= pinned("requirements-dev.lock").items()


def test_the_changelog_gives_a_reason_for_each_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    given = names(re.findall(r"^- `([^`]+)`: ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE))
    asked = names(project["dependencies"])
    asked |= names([item for extra in project["optional-dependencies"].values() for item in extra])
    assert asked <= given
