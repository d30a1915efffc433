"""Where the service listens when its state folder gives no room, and how it is found there."""

import os
import socket
import stat
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from firmware.link import LinkServer, NoPlaceError, found, make_room, places


@pytest.fixture(autouse=True)
def spare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    return tmp_path / "tmp"


def test_under_systemd_there_is_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/kaderuhr")
    assert places(tmp_path / "state") == (Path("/run/kaderuhr/kaderuhr.sock"),)


def test_two_state_folders_have_two_spare_places(tmp_path: Path, spare: Path) -> None:
    one, two = places(tmp_path / "one"), places(tmp_path / "two")
    assert one[0] == tmp_path / "one" / "kaderuhr.sock"
    assert one[1] != two[1]
    assert {path.parent.parent for path in (one[1], two[1])} == {spare}


@pytest.mark.parametrize("state", ["state", "file/state"])
def test_where_no_folder_can_be_made_that_is_said(tmp_path: Path, state: str) -> None:
    (tmp_path / "file").write_text("no folder")
    own, _ = places(tmp_path / state)
    if state == "state":
        make_room(own)
        assert own.parent.is_dir()
    else:
        with pytest.raises(NoPlaceError, match="Not a directory"):
            make_room(own)


def test_the_spare_place_is_for_its_user_alone(tmp_path: Path) -> None:
    _, spare = places(tmp_path / "state")
    spare.parent.mkdir(mode=0o777)
    make_room(spare)
    assert stat.S_IMODE(spare.parent.stat().st_mode) == stat.S_IRWXU


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to somebody else")
def test_another_users_folder_is_no_place(tmp_path: Path) -> None:
    _, spare = places(tmp_path / "state")
    spare.parent.mkdir()
    os.chown(spare.parent, 12_345, 12_345)
    with pytest.raises(NoPlaceError, match="another user's folder; remove it"):
        make_room(spare)


def test_the_service_is_found_where_it_listens_and_not_where_a_dead_one_did(tmp_path: Path) -> None:
    """A card that went read-only keeps the socket of the last run."""
    state = tmp_path / "state"
    state.mkdir()
    own, spare = places(state)
    assert found(state) == own
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(own))
    make_room(spare)
    with closing(LinkServer(spare, lambda _: None)):
        assert found(state) == spare
    assert found(state) == own
