"""A club's own rulebook: read beside the configuration, or refused with everything that is wrong in it."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.profile import Problem
from firmware.rulebooks import RulebookErrors, load_rulebook
from rules import AALST, BOOK, RULEBOOKS, Rulebook

README = Path(__file__).parents[2] / "firmware/law/README.md"


def written(folder: Path, text: str | bytes, name: str = "ons-reglement") -> Path:
    file = folder / f"{name}.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def problems(file: str | Path) -> tuple[Problem, ...]:
    with pytest.raises(RulebookErrors) as caught:
        load_rulebook(file)
    assert str(caught.value).splitlines() == [str(problem) for problem in caught.value.problems]
    assert all(
        problem.file == str(file) and problem.wrong and problem.right for problem in caught.value.problems
    )
    return caught.value.problems


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_rulebook_that_ships_is_found_by_its_name(name: str) -> None:
    assert load_rulebook(name) is RULEBOOKS[name]


def test_an_empty_file_is_the_book_under_another_name(tmp_path: Path) -> None:
    rulebook = load_rulebook(written(tmp_path, ""))
    assert rulebook == Rulebook(name="ons-reglement")
    assert rulebook != BOOK


def test_a_file_sets_what_differs_and_takes_the_rest_from_what_it_is_based_on(tmp_path: Path) -> None:
    rulebook = load_rulebook(
        written(tmp_path, 'based_on = "aalst"\ncall = 40\nspot_choice = [[3], [1, 2]]\n')
    )
    assert (rulebook.name, rulebook.call, rulebook.spot_choice) == ("ons-reglement", 40, ((3,), (1, 2)))
    assert (rulebook.call_duo, rulebook.own_out) == (AALST.call_duo, AALST.own_out)


def test_every_setting_can_be_set(tmp_path: Path) -> None:
    text = """
        call = 1
        grace = 600
        call_duo = 31
        grace_duo = 9
        spot_choice = [[5, 4], [3, 2, 1]]
        own_out = "ball_and_cue"
        opponent_out = "put_back"
        one_all_loses = false
        early_aim = "choice"
        decider_colour = "away"
    """
    assert load_rulebook(written(tmp_path, text)) == Rulebook(
        name="ons-reglement",
        call=1,
        grace=600,
        call_duo=31,
        grace_duo=9,
        spot_choice=((5, 4), (3, 2, 1)),
        own_out="ball_and_cue",
        opponent_out="put_back",
        one_all_loses=False,
        early_aim="choice",
        decider_colour="away",
    )


def test_a_path_given_as_text_is_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, "call = 45")
    monkeypatch.chdir(tmp_path)
    assert load_rulebook(str(file)) == load_rulebook("ons-reglement.toml") == load_rulebook(file)


# What the file says; key and value named; words of what would be right.
WRONG = [
    ("call = 0", "call", "0", "1 to 600 (seconds)"),
    ("call = 601", "call", "601", "1 to 600 (seconds)"),
    ("grace = 10.0", "grace", "10.0", "a whole number"),
    ("call_duo = true", "call_duo", "true", "a whole number"),
    ('grace_duo = "10"', "grace_duo", '"10"', "a whole number"),
    ("call = { seconds = 40 }", "call", "{ ... }", "a whole number"),
    ("spot_choice = [1, 2, 3]", "spot_choice", "[1, 2, 3]", "such as [[1, 2], [3]]"),
    ("spot_choice = [[1, 6]]", "spot_choice", "[[1, 6]]", "from 1 to 5"),
    ("spot_choice = [[0]]", "spot_choice", "[[0]]", "from 1 to 5"),
    ("spot_choice = [[1, 2], [2]]", "spot_choice", "[[1, 2], [2]]", "none twice"),
    ("spot_choice = [[1, 1]]", "spot_choice", "[[1, 1]]", "none twice"),
    ("spot_choice = [[1], []]", "spot_choice", "[[1], []]", "no group empty"),
    ("spot_choice = []", "spot_choice", "[]", "such as [[1, 2], [3]]"),
    ("spot_choice = [[true]]", "spot_choice", "[[true]]", "from 1 to 5"),
    ("spot_choice = [[1.0]]", "spot_choice", "[[1.0]]", "from 1 to 5"),
    ('spot_choice = [["1"]]', "spot_choice", '[["1"]]', "from 1 to 5"),
    ("spot_choice = [[[1]]]", "spot_choice", "[[[1]]]", "from 1 to 5"),
    ("spot_choice = 1", "spot_choice", "1", "a list of groups"),
    ('own_out = "bal"', "own_out", '"bal"', "did you mean ball?"),
    ('opponent_out = "back"', "opponent_out", '"back"', '"put_back"'),
    ("one_all_loses = 1", "one_all_loses", "1", "true or false"),
    ('early_aim = "cue ball"', "early_aim", '"cue ball"', '"choice"'),
    ("decider_colour = false", "decider_colour", "false", '"away"'),
    ('based_on = "aalts"', "based_on", '"aalts"', "did you mean aalst?"),
    ('based_on = "ons-reglement"', "based_on", '"ons-reglement"', '"book", "aalst"'),
    ("cal = 40", "cal", "40", "did you mean call?"),
    ('name = "ours"', "name", '"ours"', "called as its file"),
    ("[times]\ncall = 40", "times", "{ ... }", "a rulebook has based_on, call, grace"),
]


@pytest.mark.parametrize(("text", "key", "value", "right"), WRONG)
def test_a_mistake_is_named_with_key_value_and_what_is_right(
    text: str, key: str, value: str, right: str, tmp_path: Path
) -> None:
    (problem,) = problems(written(tmp_path, text))
    assert (problem.key, problem.value) == (key, value)
    assert right in problem.right


def test_all_mistakes_of_a_file_are_named_at_once(tmp_path: Path) -> None:
    text = 'based_on = "bok"\ncall = 0\nspot_choice = [[7]]\nearly_aim = 1\ncoffee = 3\n'
    found = problems(written(tmp_path, text, name="book"))
    assert [problem.key for problem in found] == [
        "",
        "based_on",
        "call",
        "spot_choice",
        "early_aim",
        "coffee",
    ]


@pytest.mark.parametrize("name", ["book", "aalst", "Aalst", "BOOK"])
def test_a_file_cannot_take_the_name_of_a_rulebook_that_ships(name: str, tmp_path: Path) -> None:
    (problem,) = problems(written(tmp_path, "", name=name))
    assert "comes with the program" in problem.wrong
    assert "a name of its own" in problem.right


@pytest.mark.parametrize(
    ("text", "wrong"),
    [("call = ", "not TOML"), ("call: 40", "not TOML"), (b'based_on = "\xff"', "not UTF-8")],
)
def test_a_file_that_is_no_toml_is_said_to_be_none(text: str | bytes, wrong: str, tmp_path: Path) -> None:
    (problem,) = problems(written(tmp_path, text))
    assert wrong in problem.wrong
    assert "call = 40" in problem.right


def test_a_file_that_is_not_there_or_a_folder_cannot_be_read(tmp_path: Path) -> None:
    for file in (tmp_path / "none.toml", tmp_path):
        (problem,) = problems(file)
        assert "cannot be read" in problem.wrong
        assert "board" not in problem.right


def test_an_unknown_name_is_answered_with_the_valid_ones() -> None:
    (problem,) = problems("aalts")
    assert "no rulebook of this name" in problem.wrong
    assert re.search(r"book, aalst.*by its path.*did you mean aalst\?", problem.right)


values = st.recursive(
    st.booleans() | st.integers(-9, 700) | st.text("abcue_", max_size=6),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


@given(settings=st.dictionaries(st.sampled_from(["based_on", *Rulebook.__struct_fields__, "other"]), values))
def test_a_file_is_read_whole_or_refused_for_each_key_that_is_wrong(
    settings: dict[str, object], tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = "\n".join(f"{key} = {_toml(value)}" for key, value in settings.items())
    file = written(tmp_path_factory.mktemp("club"), text)
    try:
        rulebook = load_rulebook(file)
    except RulebookErrors as errors:
        wrong = {problem.key for problem in errors.problems}
    else:
        wrong = set()
        assert 1 <= rulebook.call <= 600
        spots = [spot for group in rulebook.spot_choice for spot in group]
        assert len(set(spots)) == len(spots) > 0
        assert set(spots) <= {1, 2, 3, 4, 5}
    assert wrong <= set(settings)
    assert wrong >= set(settings) & {"name", "other"}


def _toml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return (
        str(value).lower()
        if isinstance(value, bool)
        else f'"{value}"'
        if isinstance(value, str)
        else str(value)
    )


def test_the_table_in_the_readme_has_every_key_with_the_values_that_hold() -> None:
    rows = [
        [cell.strip() for cell in line.split("|")] for line in README.read_text().splitlines() if "|" in line
    ]
    keys = {row[1].strip("`"): row for row in rows if len(row) == 8}
    assert set(keys) - {"key", "---"} == {"based_on", *Rulebook.__struct_fields__} - {"name"}
    for key in set(Rulebook.__struct_fields__) - {"name"}:
        for rulebook, cell in ((BOOK, keys[key][3]), (AALST, keys[key][4])):
            value = getattr(rulebook, key)
            shown = (
                value if isinstance(value, str) else str(value).lower().replace("(", "[").replace(",)", "]")
            )
            assert cell.strip('`"') == str(shown).replace(")", "]")
