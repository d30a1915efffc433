"""What a club has of its own stands in the set-up; what is wrong with it stops nothing."""

from pathlib import Path

from firmware.club import club_choices
from rules import AALST, BOOK


def test_the_clubs_players_can_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "players.toml").write_text('players = ["Anna Vermeulen", "Jürgen Müller"]\n', "utf-8")
    choices, wrong = club_choices(tmp_path, AALST)
    assert choices.players == ("Anna Vermeulen", "Jürgen Müller")
    assert choices.rulebooks == (AALST, BOOK)
    assert wrong is None


def test_a_wrong_list_of_players_is_said_and_a_match_begins_without_names(tmp_path: Path) -> None:
    (tmp_path / "players.toml").write_text('player = "Anna"\n', "utf-8")
    choices, wrong = club_choices(tmp_path, None)
    assert choices.players == ()
    assert wrong is not None
    assert "players.toml" in wrong


def test_no_list_of_players_is_no_mistake(tmp_path: Path) -> None:
    assert club_choices(tmp_path, None)[1] is None
