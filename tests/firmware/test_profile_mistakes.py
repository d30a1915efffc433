"""A broken profile is refused with everything that is wrong in it: file, table, key, value, and what would be right."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.profile import Problem, ProfileErrors, board_names, load_profile

CLUB = (Path(__file__).parents[2] / "hardware/boards/club-table.toml").read_text()


def problems(text: str | bytes, folder: Path) -> tuple[Problem, ...]:
    file = folder / "table.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ProfileErrors) as caught:
        load_profile(file)
    assert str(caught.value).splitlines() == [str(problem) for problem in caught.value.problems]
    assert all(problem.file == str(file) and problem.right for problem in caught.value.problems)
    return caught.value.problems


def club(*changes: tuple[str, str]) -> str:
    """The club table with lines changed; each must be there once."""
    text = CLUB
    for old, new in changes:
        assert text.count(f"\n{old}") == 1, old
        text = text.replace(f"\n{old}", f"\n{new}")
    return text


# Line of the club table, what stands there instead; table, key and value named; words of what would be right.
WRONG = [
    ('language = "de"', 'language = "du"', "", "language", '"du"', '"de", "nl", "fr", "en"'),
    ('language = "de"', "language = 1", "", "language", "1", '"de"'),
    ('factory = "gpiod"', 'factory = "gpoid"', "pins", "factory", '"gpoid"', "did you mean gpiod?"),
    ('factory = "gpiod"', 'factory = "native"', "pins", "factory", '"native"', '"gpiod"'),
    ("red = 5", "red = 99", "keys", "red", "99", "2 to 27"),
    ("red = 5", "red = 1", "keys", "red", "1", "2 to 27"),
    ("red = 5", "red = -5", "keys", "red", "-5", "2 to 27"),
    ("red = 5", 'red = "5"', "keys", "red", '"5"', "a GPIO by BCM number"),
    ("red = 5", "red = true", "keys", "red", "true", "a GPIO by BCM number"),
    ("red = 5", "red = 5.0", "keys", "red", "5.0", "a GPIO by BCM number"),
    ("red = 5", "red = []", "keys", "red", "[]", "a GPIO by BCM number"),
    ("red = 5", "red = [5, 28]", "keys", "red", "[5, 28]", "a GPIO by BCM number"),
    ("hand = 26", "hand = 28", "keys", "hand", "28", "[] for none"),
    ("goal_red = 4", "goal_red = [[4]]", "sensors", "goal_red", "[[4]]", "[] for none"),
    ("same_ball_ms = 120", "same_ball_ms = 900", "sensors", "same_ball_ms", "900", "1 to 899"),
    ("settle_ms = 8", "settle_ms = 0", "filter", "settle_ms", "0", "1 to 30"),
    ("settle_ms = 8", "settle_ms = 21", "filter", "settle_ms", "21", "at most window_ms (20)"),
    ("window_ms = 20", "window_ms = 31", "filter", "window_ms", "31", "1 to 30"),
    (
        'kind = "ssd1306"',
        'kind = "ssd1307"',
        "oled",
        "kind",
        '"ssd1307"',
        '"ssd1306", "ssd1309", "sh1106", "desk"',
    ),
    ('kind = "ssd1306"', 'kind = "desk"', "oled", "port", "1", "take it out"),
    ("port = 1", "port = -1", "oled", "port", "-1", "0 to 22"),
    ("address = 0x3C", "address = 0x78", "oled", "address", "120", "0x3C or 0x3D"),
    ('kind = "max7219"', 'kind = "none"', "led", "modules", "8", "take it out"),
    ("rows = 8", "rows = 12", "led", "rows", "12", "8, 16"),
    ("rows = 8", "rows = 8.0", "led", "rows", "8.0", "8, 16"),
    ("modules = 8", "modules = 3", "led", "modules", "3", "4 to 16"),
    ("modules = 8", "modules = 17", "led", "modules", "17", "4 to 16"),
    ("rows = 8\nmodules = 8", "rows = 16\nmodules = 7", "led", "modules", "7", "even"),
    ('kind = "aplay"', 'kind = "desk"', "sound", "card", '"Device"', "take it out"),
    ('card = "Device"', "card = 1", "sound", "card", "1", "from boot to boot"),
    ('card = "Device"', 'card = "1"', "sound", "card", '"1"', "from boot to boot"),
    ('card = "Device"', 'card = "Device"\ni2s = 1', "sound", "i2s", "1", "true or false"),
    ('word = "zeit"', 'word = "ziet"', "sound", "word", '"ziet"', "did you mean zeit?"),
    ("key_click = true", 'key_click = "yes"', "sound", "key_click", '"yes"', "true or false"),
    ('kind = "serial"', 'kind = "rs485"', "hall", "kind", '"rs485"', '"serial", "none"'),
    ('device = "/dev/ttyUSB0"', 'device = "ttyUSB0"', "hall", "device", '"ttyUSB0"', "/dev/serial/by-id/"),
    ("baud = 9600", "baud = 9601", "hall", "baud", "9601", "4800, 9600, 19200"),
    ('host = "127.0.0.1"', 'host = "all"', "page", "host", '"all"', "for every network"),
    ('host = "127.0.0.1"', "host = 127", "page", "host", "127", "this machine alone"),
    ("port = 8000", "port = 65536", "page", "port", "65536", "0 to 65535"),
    ('folder = "/var/lib/kaderuhr"', 'folder = "state"', "state", "folder", '"state"', "/var/lib/kaderuhr"),
    ('folder = "/var/lib/kaderuhr"', 'folder = "~anna/x"', "state", "folder", '"~anna/x"', "~/kaderuhr"),
]


@pytest.mark.parametrize(
    ("old", "new", "table", "key", "value", "right"), WRONG, ids=lambda text: text.strip('"')[:24]
)
def test_a_wrong_value_is_named_with_its_place_and_what_would_be_right(
    old: str, new: str, table: str, key: str, value: str, right: str, tmp_path: Path
) -> None:
    found = problems(club((old, new)), tmp_path)
    (problem,) = [problem for problem in found if (problem.table, problem.key) == (table, key)]
    assert (problem.value, right in problem.right) == (value, True), problem
    # Nothing else is called wrong, but for the other keys that a changed kind leaves without a meaning.
    assert all("without a meaning" in other.wrong for other in found if other is not problem), found


# Lines of the club table, what stands there instead, key that is one too many, who has the GPIO.
TAKEN = [
    (("up = 6", "up = 5"), "up", "GPIO 5 belongs to [keys] red"),
    (("red = 5", "red = [5, 5]"), "red", "GPIO 5 belongs to [keys] red"),
    (("red = 5", "red = [7, 5]"), "red", "GPIO 7 belongs to the SPI bus"),
    (("goal_red = 4", "goal_red = 26"), "goal_red", "GPIO 26 belongs to [keys] hand"),
    (("goal_white = 27", "goal_white = 4"), "goal_white", "GPIO 4 belongs to [sensors] goal_red"),
    *((("red = 5", f"red = {pin}"), "red", "the I2C bus of [oled]") for pin in (2, 3)),
    *((("red = 5", f"red = {pin}"), "red", "the SPI bus of [led]") for pin in (7, 8, 9, 10, 11)),
]


@pytest.mark.parametrize(("change", "key", "owner"), TAKEN)
def test_a_gpio_belongs_to_one_thing(change: tuple[str, str], key: str, owner: str, tmp_path: Path) -> None:
    (problem,) = problems(club(change), tmp_path)
    assert problem.key == key
    assert owner in problem.wrong
    assert "free are" in problem.right
    free = problem.right.removeprefix("free are ").split(", ")
    assert "14" in free
    assert not {"2", "7", "12"} & set(free)


@pytest.mark.parametrize("pin", [14, 15])
@pytest.mark.parametrize("device", ["/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0"])
def test_the_headers_serial_line_takes_its_pins(pin: int, device: str, tmp_path: Path) -> None:
    text = club(("red = 5", f"red = {pin}"), ('device = "/dev/ttyUSB0"', f'device = "{device}"'))
    (problem,) = problems(text, tmp_path)
    assert f"the serial line of [hall] device = {device!r}".replace("'", '"') in problem.wrong


@pytest.mark.parametrize("pin", [18, 19, 20, 21])
def test_a_sound_card_on_the_header_takes_its_pins(pin: int, tmp_path: Path) -> None:
    text = club(("goal_red = 4", f"goal_red = {pin}"), ("key_click = true", "key_click = true\ni2s = true"))
    (problem,) = problems(text, tmp_path)
    assert "the I2S bus of [sound]" in problem.wrong


@pytest.mark.parametrize(
    ("change", "pin"),
    [
        (('kind = "ssd1306"\nport = 1\naddress = 0x3C', 'kind = "desk"'), 2),
        (("port = 1", "port = 3"), 2),
        (('kind = "max7219"', 'kind = "desk"'), 10),
        (('kind = "serial"', 'kind = "serial"'), 14),
        (('kind = "aplay"', 'kind = "aplay"'), 18),
    ],
)
def test_the_pins_of_a_bus_that_is_not_used_are_free(
    change: tuple[str, str], pin: int, tmp_path: Path
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(club(change, ("red = 5", f"red = {pin}")))
    assert load_profile(file).keys.red == (pin,)


@pytest.mark.parametrize(
    ("line", "table", "key", "right"),
    [
        ('factory = "gpiod"', "pins", "factory", '"gpiod"'),
        ("stroke = 23", "keys", "stroke", "2 to 27"),
        ('kind = "ssd1306"', "oled", "kind", '"sh1106"'),
        ('kind = "max7219"', "led", "kind", '"none"'),
        ('card = "Device"', "sound", "card", "ALSA"),
        ('device = "/dev/ttyUSB0"', "hall", "device", "/dev/ttyUSB0"),
    ],
)
def test_a_key_that_must_be_there_is_missed(
    line: str, table: str, key: str, right: str, tmp_path: Path
) -> None:
    (problem,) = problems(club((line, "")).replace("  # what most USB", "# "), tmp_path)
    assert (problem.table, problem.key, problem.value, problem.wrong) == (table, key, "", "missing")
    assert right in problem.right


def test_a_table_that_is_missing_is_one_mistake_and_names_its_keys(tmp_path: Path) -> None:
    head, keys, tail = CLUB.partition("[keys]")
    (problem,) = problems(head + tail[tail.index("[sensors]") :], tmp_path)
    assert keys
    assert (problem.table, problem.key, problem.wrong) == ("keys", "", "this table is missing")
    assert "red (a GPIO" in problem.right
    assert "rest (a GPIO" in problem.right


def test_an_empty_file_lacks_the_tables_that_must_be_there(tmp_path: Path) -> None:
    assert {problem.table for problem in problems("", tmp_path)} == {
        "pins",
        "keys",
        "oled",
        "led",
        "sound",
        "hall",
    }


def test_a_key_nobody_knows_is_a_mistake_and_the_nearest_is_named(tmp_path: Path) -> None:
    (problem,) = problems(club(("address = 0x3C", "adress = 0x3C")), tmp_path)
    assert (problem.table, problem.key, problem.value) == ("oled", "adress", "60")
    assert problem.right == "[oled] has kind, port, address; did you mean address?"


def test_a_table_nobody_knows_is_a_mistake(tmp_path: Path) -> None:
    (problem,) = problems(f"{CLUB}\n[lights]\nred = 13\n", tmp_path)
    assert (problem.table, problem.key, problem.value) == ("", "lights", "{ ... }")
    assert "pins, keys, sensors" in problem.right


def test_a_value_where_a_table_should_be_is_one_mistake(tmp_path: Path) -> None:
    head, _, tail = CLUB.partition("[oled]")
    text = "oled = 5\n" + head + tail[tail.index("[led]") :]
    (problem,) = problems(text, tmp_path)
    assert (problem.key, problem.value, problem.wrong) == ("oled", "5", "not a table")
    assert "[oled]" in problem.right


def test_a_kind_nobody_knows_says_nothing_about_the_keys_beside_it(tmp_path: Path) -> None:
    (problem,) = problems(club(('kind = "aplay"', 'kind = "alsa"')), tmp_path)
    assert problem.key == "kind"


def test_all_mistakes_are_listed_at_once(tmp_path: Path) -> None:
    changes = [
        ("red = 5", "red = 99"),
        ("up = 6", "up = 2"),
        ("rows = 8", "rows = 9"),
        ("baud = 9600", "baud = 1"),
    ]
    text = club(*changes, ("address = 0x3C", "adress = 1")) + "\n[lights]\n"
    found = {(problem.table, problem.key) for problem in problems(text, tmp_path)}
    assert found == {
        ("keys", "red"),
        ("keys", "up"),
        ("led", "rows"),
        ("hall", "baud"),
        ("oled", "adress"),
        ("", "lights"),
    }


def test_what_is_not_toml_is_refused_with_its_line(tmp_path: Path) -> None:
    (problem,) = problems("[pins]\nfactory = mock\n", tmp_path)
    assert "not TOML" in problem.wrong
    assert "line 2" in problem.wrong


def test_a_table_given_twice_is_refused_with_its_line(tmp_path: Path) -> None:
    (problem,) = problems("[pins]\nfactory = 'mock'\n[pins]\n", tmp_path)
    assert "line 3" in problem.wrong


def test_what_is_not_utf_8_is_refused_with_its_line(tmp_path: Path) -> None:
    (problem,) = problems('[pins]\n# für\nfactory = "mock"\n'.encode("latin-1"), tmp_path)
    assert (problem.wrong, "UTF-8" in problem.right) == ("line 2 is not UTF-8", True)


def test_a_file_that_is_not_there_is_refused_with_the_boards_that_are(tmp_path: Path) -> None:
    with pytest.raises(ProfileErrors, match="no such file") as caught:
        load_profile(tmp_path / "none.toml")
    assert all(name in str(caught.value) for name in ("none.toml", *board_names()))


def test_a_folder_is_no_profile(tmp_path: Path) -> None:
    with pytest.raises(ProfileErrors, match="is a directory"):
        load_profile(tmp_path)


def test_a_name_that_is_no_board_is_refused_with_those_that_are() -> None:
    with pytest.raises(ProfileErrors) as caught:
        load_profile("desc")
    (problem,) = caught.value.problems
    assert problem.file == "desc.toml"
    assert problem.right.startswith(
        "the boards are club-table, desk, large-table, small-table; did you mean desk?"
    )


VALUES = st.recursive(
    st.none().map(lambda _: "x") | st.booleans() | st.integers(-3, 99) | st.floats() | st.text(max_size=6)
    | st.sampled_from(["desk", "none", "aplay", "max7219", "serial", "mock"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1, max_size=3), inner, max_size=2),
    max_leaves=4,
)  # fmt: skip
PLACES = [
    (table, key) for table, keys in tomllib.loads(CLUB).items() if isinstance(keys, dict) for key in keys
]


@given(st.dictionaries(st.sampled_from(PLACES), VALUES, min_size=1, max_size=6))
def test_whatever_stands_in_a_file_it_is_read_or_refused_in_sentences(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[tuple[str, str], object]
) -> None:
    """Any value in any place: never another exception, and no mistake without a place and a remedy."""
    values = tomllib.loads(CLUB)
    for (table, key), value in changes.items():
        values[table][key] = value
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_text("\n".join(_written(values)), encoding="utf-8")
    found: tuple[Problem, ...] = ()
    try:
        load_profile(file)
    except ProfileErrors as errors:
        found = errors.problems or (Problem(file="", wrong="", right=""),)
    tables = {table for table, _ in PLACES}
    assert [
        problem for problem in found if not (problem.wrong and problem.right and problem.table in tables)
    ] == []


def _written(values: dict[str, object]) -> list[str]:
    lines = [f"{key} = {_value(value)}" for key, value in values.items() if not isinstance(value, dict)]
    for name, table in values.items():
        if isinstance(table, dict):
            lines += [f"[{name}]", *(f"{key} = {_value(value)}" for key, value in table.items())]
    return lines


def _value(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return '"' + "".join(f"\\U{ord(letter):08x}" for letter in value) + '"'
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return f"{{ {', '.join(f'{_value(key)} = {_value(item)}' for key, item in value.items())} }}"
        case _:
            return str(value)
