"""`players.toml`: written on any machine, and loud about anything that is wrong."""

import codecs
from pathlib import Path

import pytest

from firmware.players import PlayersErrors, read_players


def written(tmp_path: Path, raw: bytes) -> Path:
    path = tmp_path / "players.toml"
    path.write_bytes(raw)
    return path


@pytest.mark.parametrize(
    "raw",
    [
        'players = ["Jürgen", "Élodie"]\n'.encode(),
        'players = [\r\n  "Jürgen",\r\n  "Élodie",\r\n]\r\n'.encode(),
        codecs.BOM_UTF8 + 'players = ["Jürgen", "Élodie"]'.encode(),
        codecs.BOM_UTF16_LE + 'players = ["Jürgen", "Élodie"]'.encode("utf-16-le"),
        'players = ["Ju\u0308rgen", " E\u0301lodie "]'.encode(),  # accents as signs of their own
        'players = [\r  "Jürgen",\r  "Élodie"\r]'.encode(),
    ],
)
def test_names_are_taken_as_any_machine_writes_them(tmp_path: Path, raw: bytes) -> None:
    assert read_players(written(tmp_path, raw)) == ("Jürgen", "Élodie")


def test_a_club_without_a_list_has_no_names(tmp_path: Path) -> None:
    assert read_players(tmp_path / "players.toml") == ()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('players = ["Anna" "Bert"]', "a line is"),
        ('player = ["Anna"]', "unknown key 'player'; the only key is players"),
        ("", "the key players is missing"),
        ('players = "Anna"', "'Anna' is no list"),
        ('players = ["Anna", 3]', "entry 2: 3 is no name"),
        ('players = ["Anna", "  "]', "entry 2: this name is empty"),
        ('players = ["Anna", "Anna"]', "entry 2: 'Anna' stands there twice"),
        ('players = ["home"]', "means a player without a name"),
        ('players = ["' + "a" * 41 + '"]', "has 41 letters; the limit is 40"),
        ('players = ["An\\u202ena"]', "has a sign that cannot be shown"),
    ],
)
def test_what_is_wrong_is_said_with_the_file_and_the_place(tmp_path: Path, text: str, wrong: str) -> None:
    path = written(tmp_path, text.encode())
    with pytest.raises(PlayersErrors) as caught:
        read_players(path)
    assert wrong in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")


def test_a_file_in_another_encoding_names_the_byte_and_the_line(tmp_path: Path) -> None:
    path = written(tmp_path, 'players = [\n "Anna",\n "Jürgen"]'.encode("cp1252"))
    with pytest.raises(PlayersErrors, match=r"line 3: byte 0xfc is no UTF-8; save the file as UTF-8"):
        read_players(path)


def test_all_mistakes_are_listed_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, b'players = ["", 1, "A", "A"]\nclub = 1\n')
    with pytest.raises(PlayersErrors) as caught:
        read_players(path)
    assert len(caught.value.problems) == 4
