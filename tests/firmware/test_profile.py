"""A board profile becomes a value: the boards that come with the program, and what is left out."""

from pathlib import Path

import pytest

from drivers.factories import FACTORIES as CAN_BE_OPENED
from drivers.ports import InputSpec
from drivers.sound import sound_names
from firmware import profile
from firmware.profile import Profile, board_names, load_profile

LEAST = """
[pins]
factory = "mock"
[keys]
red = 5
up = 6
white = 12
fault = 16
ok = 17
undo = 22
stroke = 23
down = 24
rest = 25
[oled]
kind = "desk"
[led]
kind = "none"
[sound]
kind = "none"
[hall]
kind = "none"
"""


def from_text(text: str, folder: Path) -> Profile:
    file = folder / "table.toml"
    file.write_text(text)
    return load_profile(file)


def test_the_boards_are_known_by_name() -> None:
    assert board_names() == ("club-table", "desk", "large-table", "small-table")


@pytest.mark.parametrize("name", board_names())
def test_a_board_has_all_keys_and_both_sensors(name: str) -> None:
    inputs = {spec.name: spec.pins for spec in load_profile(name).inputs()}
    assert list(inputs) == [*profile.KEYS, "goal_red", "goal_white"]
    assert len({pin for pins in inputs.values() for pin in pins}) == 12


@pytest.mark.parametrize("name", board_names())
def test_a_board_names_a_pin_factory_that_can_be_opened(name: str) -> None:
    assert load_profile(name).pins.factory in CAN_BE_OPENED


@pytest.mark.parametrize(
    ("name", "size"), [("desk", (64, 8)), ("club-table", (64, 8)), ("large-table", (64, 16))]
)
def test_a_boards_led_is_64_wide_and_a_large_one_twice_as_high(name: str, size: tuple[int, int]) -> None:
    led = load_profile(name).led
    assert (led.width, led.rows) == size


def test_the_small_table_has_no_led_board_and_the_large_one_has_lamps() -> None:
    assert load_profile("small-table").led.kind == "none"
    assert list(load_profile("large-table").lamps.pins()) == ["turn_red", "turn_white", "kader"]


def test_the_desk_has_no_hardware_and_is_seen_from_this_machine_alone() -> None:
    desk = load_profile("desk")
    assert (desk.pins.factory, desk.oled.kind, desk.led.kind, desk.sound.kind, desk.hall.kind) == (
        "mock", "desk", "desk", "desk", "none",
    )  # fmt: skip
    assert (desk.page.host, desk.page.port) == ("127.0.0.1", 8000)


@pytest.mark.parametrize("name", board_names())
def test_a_script_of_pins_runs_on_every_board(name: str) -> None:
    assert load_profile(name).inputs() == load_profile("club-table").inputs()


def test_the_club_table_keeps_clear_of_every_bus_also_of_those_it_does_not_use() -> None:
    used = {pin for spec in load_profile("club-table").inputs() for pin in spec.pins}
    assert used & {2, 3, 7, 8, 9, 10, 11, 14, 15, 18, 19, 20, 21} == set()


def test_what_may_be_left_out_has_its_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/pi")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    board = from_text(LEAST, tmp_path)
    assert (board.name, board.language) == ("table", "de")
    assert (board.keys.hand, board.sensors.goal_red, board.sensors.goal_white) == ((), (), ())
    assert board.sensors.same_ball_ms == 120
    assert (board.filter.settle_ms, board.filter.window_ms) == (8, 20)
    assert (board.page.host, board.page.port) == ("127.0.0.1", 8000)
    assert board.state.folder == Path("/home/pi/.local/state/kaderuhr")
    assert "hand" not in {spec.name for spec in board.inputs()}


@pytest.mark.parametrize(
    ("named", "folder"), [("/srv/state", "/srv/state"), ("state", "/home/pi/.local/state")]
)
def test_the_users_state_folder_is_followed_where_it_is_absolute(
    named: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/pi")
    monkeypatch.setenv("XDG_STATE_HOME", named)
    assert from_text(LEAST, tmp_path).state.folder == Path(folder) / "kaderuhr"


def test_a_folder_may_begin_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/pi")
    board = from_text(f'{LEAST}[state]\nfolder = "~/evenings"\n', tmp_path)
    assert board.state.folder == Path("/home/pi/evenings")


@pytest.mark.parametrize(
    ("language", "word"), [("de", "zeit"), ("nl", "tijd"), ("fr", "temps"), ("en", "time")]
)
def test_the_call_is_spoken_in_the_boards_language(language: str, word: str, tmp_path: Path) -> None:
    assert from_text(f'language = "{language}"\n{LEAST}', tmp_path).sound.word == word


def test_every_word_of_the_call_has_its_sound() -> None:
    assert sound_names() >= set(profile.WORDS)


def test_a_key_and_a_sensor_may_have_several_pins(tmp_path: Path) -> None:
    text = LEAST.replace("stroke = 23", "stroke = [23, 26]") + "[sensors]\ngoal_red = [4, 27]\n"
    inputs = from_text(text, tmp_path).inputs()
    assert InputSpec(name="stroke", pins=(23, 26)) in inputs
    assert InputSpec(name="goal_red", pins=(4, 27)) in inputs


@pytest.mark.parametrize(
    ("rows", "modules", "width"), [(8, 4, 32), (8, 8, 64), (8, 16, 128), (16, 4, 16), (16, 16, 64)]
)
def test_a_led_board_is_as_wide_as_the_modules_of_one_line(
    rows: int, modules: int, width: int, tmp_path: Path
) -> None:
    text = LEAST.replace('[led]\nkind = "none"', f'[led]\nkind = "desk"\nrows = {rows}\nmodules = {modules}')
    assert from_text(text, tmp_path).led.width == width


@pytest.mark.parametrize("as_text", [True, False])
def test_a_file_is_named_by_its_path(as_text: bool, tmp_path: Path) -> None:
    file = tmp_path / "our-table.toml"
    file.write_text(LEAST)
    assert load_profile(str(file) if as_text else file).name == "our-table"


def test_a_profile_is_a_value() -> None:
    assert load_profile("desk") == load_profile("desk")
    assert hash(load_profile("desk")) == hash(load_profile("desk"))
