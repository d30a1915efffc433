"""`kaderuhr law`: every clause of the book in four languages, its effects, and what rulebooks make of it."""

import argparse
import re
from pathlib import Path

import pytest
from msgspec.structs import asdict

from firmware.law.command import add_law
from firmware.law.differences import CLAUSES_OF, SETTINGS, differing, said_of, source_of
from firmware.law.pages import contents, page
from firmware.law.wording import HEADINGS, Wording, wording_in
from firmware.rulebooks import load_rulebook
from firmware.texts import LANGUAGES, Language
from rules import BOOK, BY_ID, CLAUSES, FAULTS, RULEBOOKS, Clause, Effect, Rulebook

AALST = RULEBOOKS["aalst"]
IDS = tuple(clause.id for clause in CLAUSES)
# Each setting with another value than the book's.
ELSEWHERE = [
    Rulebook(name="club", call=31),
    Rulebook(name="club", grace=11),
    Rulebook(name="club", call_duo=41),
    Rulebook(name="club", grace_duo=12),
    Rulebook(name="club", spot_choice=((1, 2), (3,))),
    Rulebook(name="club", own_out="ball_and_cue"),
    Rulebook(name="club", opponent_out="put_back"),
    Rulebook(name="club", one_all_loses=False),
    Rulebook(name="club", early_aim="choice"),
    Rulebook(name="club", decider_colour="away"),
]
# The glossary: a term in German, Dutch, French and English, which stands in the same clauses in each.
TERMS = [
    ("Anstoß|anstöß", "aanvangsstoot", "coup d'ouverture", "opening stroke"),
    ("Spielball", "speelbal", "bille jouée", "cue ball"),
    ("Angriffstor", "aanvalsdoel", "but d'attaque", "attack goal"),
    ("Verteidigungstor", "verdedigingsdoel", "but de défense", "defence goal"),
    ("Zielkappe", "doeldop", "bouchon du but", "goal cap"),
    ("[Kk]appe", r"\w*dop", "bouchon", r"\bcap"),
    ("[Bb]ande", r"\bband", "bande", "cushion"),
    ("kurze[nr]? Bande", "korte band", "petite bande", "short cushion"),
    ("lange[nr]? Bande", "lange band", "grande bande", "long cushion"),
    ("Längsachse", "lengteas", "axe longitudinal", "long axis"),
    ("Querachse", "breedteas", "axe transversal", "cross axis"),
    ("[Kk]ader", "[Kk]ader", r"\b[Cc]ase", "[Kk]ader"),
    ("Kaderlinie", "kaderlijn", "ligne de case", "kader line"),
    ("Boskader", "boskader", "case centrale", "boskader"),
    ("Angriffsdreieck", "aanvalsdriehoek", "triangle d'attaque", "attack triangle"),
    ("Verteidigungsdreieck", "verdedigingsdriehoek", "triangle de défense", "defence triangle"),
    ("Stoßlinie", "stootlijn", "ligne de tir", "stroke line"),
    ("Strafmarke", "[Ss]trafpunt", "[Pp]oints? de pénalité", "[Pp]enalty spot"),
    ("Strafball", "strafbal", "bille de pénalité", "penalty ball"),
    ("Durchstoß", "[Dd]oorstoot", "[Cc]oup poussé", "[Pp]ush-through"),
    ("Massé", "massé", "massé", "massé"),
    ("Piqué", "piqué", "piqué", "piqué"),
    ("ZEIT", "TIJD", "TEMPS", "TIME"),
    ("Spielleiter", "wedstrijdleider", "arbitre", "referee"),
    ("Partie", "manche", "manche", r"\bgame\b"),
    ("Entscheidungspartie", "belle", "belle", "decider"),
    ("Duo", r"\bduo", "double", r"\bduo"),
    ("Gegner|gegner", "tegenstander", "advers", "opponent"),
    ("Zuwiderhandelnde", "overtreder", "joueur fautif", "offender"),
]


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Language:
    return next(name for name in LANGUAGES if name == request.param)


@pytest.fixture
def wording(language: Language) -> Wording:
    return wording_in(language)


def law(*arguments: str) -> int:
    """Run the command as `kaderuhr law` does; return its exit status."""
    parser = argparse.ArgumentParser()
    add_law(parser)
    options = parser.parse_args(arguments)
    return int(options.run(options))


def flat(shown: str) -> str:
    """Take a page's line ends and held spaces out, so that a sentence can be looked for."""
    return " ".join(shown.replace("\N{NO-BREAK SPACE}", " ").split())


def test_every_language_has_the_49_clauses_in_the_book_s_order(wording: Wording) -> None:
    assert tuple(wording.clauses) == IDS
    assert len(IDS) == 49


def test_every_clause_has_a_text_and_a_title_that_fits_the_list(wording: Wording) -> None:
    for clause in wording.clauses.values():
        assert clause.text.strip() == clause.text != ""
        assert clause.title.strip() == clause.title != ""
        assert len(clause.title) <= 40
    assert len({clause.title for clause in wording.clauses.values()}) == 49


def test_a_reading_is_given_in_all_languages_or_in_none(wording: Wording) -> None:
    german = wording_in("de").clauses
    assert [bool(wording.clauses[name].reading) for name in IDS] == [
        bool(german[name].reading) for name in IDS
    ]


def test_every_heading_of_the_book_has_its_words(wording: Wording) -> None:
    assert tuple(wording.headings) == HEADINGS
    assert {name.partition("-")[0] for name in IDS} == set(HEADINGS)


@pytest.mark.parametrize("terms", TERMS, ids=lambda terms: terms[3])
def test_a_term_of_the_glossary_stands_in_the_same_clauses_in_every_language(terms: tuple[str, ...]) -> None:
    found = [
        {name for name, clause in wording_in(spoken).clauses.items() if _has(term, clause.title, clause.text)}
        for spoken, term in zip(LANGUAGES, terms, strict=True)
    ]
    if terms[0] == "[Kk]ader":
        found = [
            clauses - {"STR-04"} for clauses in found
        ]  # the boskader, a kader by name in three languages
    assert found[0]
    assert found == [found[0]] * len(LANGUAGES)


def _has(term: str, *texts: str) -> bool:
    return any(re.search(term, text) for text in texts)


def test_the_same_clauses_and_faults_are_referred_to_in_every_language(wording: Wording) -> None:
    def references(spoken: Wording) -> list[set[str]]:
        return [
            set(re.findall(r"[A-Z]{3}-\d\d|push_through", f"{text.text} {text.reading}"))
            for text in spoken.clauses.values()
        ]

    assert references(wording) == references(wording_in("de"))
    assert set().union(*references(wording)) <= {*IDS, "push_through"}


def test_every_figure_is_the_same_in_every_language(wording: Wording) -> None:
    def figures(spoken: Wording) -> list[list[str]]:
        return [sorted(set(re.findall(r"\d+", text.text))) for text in spoken.clauses.values()]

    assert figures(wording) == figures(wording_in("de"))


@pytest.mark.parametrize("rulebook", [None, *RULEBOOKS.values(), *ELSEWHERE], ids=str)
def test_no_line_is_wider_than_80_columns_or_ends_in_a_space(
    wording: Wording, rulebook: Rulebook | None
) -> None:
    pages = [page(wording, clause, rulebook, "our-own.toml") for clause in CLAUSES]
    for line in "".join([*pages, contents(wording, rulebook, "our-own.toml")]).splitlines():
        assert len(line) <= 80
        assert line == line.rstrip()


def test_the_list_names_each_clause_once_with_its_title_and_fault(
    language: Language, wording: Wording, capsys: pytest.CaptureFixture[str]
) -> None:
    assert law("--language", language) == 0
    lines = capsys.readouterr().out.splitlines()
    for clause in CLAUSES:
        (line,) = (line for line in lines if clause.id in line)
        assert wording.clauses[clause.id].title in line
        assert line.endswith(clause.fault or wording.clauses[clause.id].title)
    assert [line for line in lines if line in wording.headings.values()] == list(wording.headings.values())


def test_a_clause_is_shown_in_german_unless_said_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    assert law("BER-03") == 0
    shown = capsys.readouterr().out
    assert shown == page(wording_in("de"), BY_ID["BER-03"])
    assert shown.startswith("BER-03  Im Kader: gegnerischer Ball berührt\n        Berührung\n")
    assert "Fehlername: touch" in flat(shown)


def test_a_clause_is_shown_in_the_language_asked_for(
    language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    assert law("KAD-03", "--language", language.upper()) == 0
    assert flat(wording_in(language).clauses["KAD-03"].text) in flat(capsys.readouterr().out)


def test_an_id_may_be_written_small(capsys: pytest.CaptureFixture[str]) -> None:
    assert law("ber-03") == law("BER-03") == 0
    once, twice = capsys.readouterr().out.split("BER-03  ")[1:]
    assert once == twice


def test_a_fault_shows_every_clause_it_is_called_by(capsys: pytest.CaptureFixture[str]) -> None:
    assert law("--fault", "touch") == 0
    assert re.findall(r"^[A-Z]{3}-\d\d", capsys.readouterr().out, re.MULTILINE) == [
        "BER-01",
        "BER-02",
        "BER-03",
    ]


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_has_a_page(fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert law("--fault", fault, "--language", "en") == 0
    assert f"Name of the fault: {fault}" in flat(capsys.readouterr().out)


# The effects as the book gives them, in the order of the page.
EFFECTS = [
    (
        "FEH-01",
        "In open play: - The turn is lost. - All balls that moved are put back; goals do not count. In kader",
    ),
    (
        "FEH-01",
        "In kader play: - The turn is lost. - All other balls that moved are put back; goals do not count. - Th",
    ),
    ("FEH-02", "The wedged ball goes into the goal and counts."),
    ("FEH-03", "The wedged ball is laid free."),
    (
        "FEH-04",
        "TOR-04 says who has the turn. - All other balls stay where they lie. - The wedged ball goes on a pen",
    ),
    (
        "FEH-06",
        "If the same stroke also made a valid goal, the turn is lost; otherwise TOR-04 says who has it.",
    ),
    ("FEH-07", "goes into the goal and counts for the opponent. - The cue ball goes on a penalty spot"),
    ("FEH-08", "In kader play: - The game is lost."),
    (
        "FEH-12",
        "Each of the offender's balls that wrongly lies in the large triangle goes on a penalty spot (STR-01).",
    ),
    (
        "TOR-01",
        "Fallen too late: - This ball changes nothing about the turn. - The ball comes out of the goal and is",
    ),
    (
        "TOR-03",
        "The turn is lost. - All other balls stay where they lie. - The ball comes out of the goal and goes",
    ),
    (
        "ZIE-01",
        "In kader play: - The turn is lost. - All other balls stay where they lie. - The opponent chooses",
    ),
    ("BER-01", "Without a stroke, in open play: - The turn is lost. - All balls that moved are put back"),
    ("BER-01", "In kader play BER-02 or BER-03 applies instead."),
    ("BER-02", "What to do In kader play: - The turn is lost."),
    (
        "BER-03",
        "All balls that moved are put back; goals do not count. - The opponent chooses which of the offender's",
    ),
    (
        "BER-05",
        "The cue ball goes on a penalty spot (STR-01, in kader play STR-08 too). - The touched ball goes into",
    ),
    (
        "DUR-01",
        "In open play and in kader play: - The turn is lost. - All other balls that moved are put back",
    ),
    (
        "KAD-03",
        "In kader play: - The turn is lost. - All other balls stay where they lie. - The cue ball goes on",
    ),
    ("DUO-03", "No fault with a penalty of its own: the text says what to do."),
    ("ZEI-01", "In open play: - The turn is lost. - All balls stay where they lie. In kader play:"),
]


@pytest.mark.parametrize(("clause", "effect"), EFFECTS)
def test_the_effects_are_spelled_out_for_the_referee(clause: str, effect: str) -> None:
    assert effect in flat(page(wording_in("en"), BY_ID[clause]))


def test_the_effects_come_from_the_table_of_the_law(wording: Wording) -> None:
    """Were the book to punish a push-through otherwise, the page would say so by itself."""
    shown = page(wording, Clause(id="DUR-01", fault="push_through", kader=Effect(turn="game_lost")))
    assert wording.turn.game_lost in flat(shown)
    assert flat(wording.place["cue_penalty_kader"]) not in flat(shown)


def test_every_sentence_on_effects_is_on_a_page_and_no_page_lacks_one(wording: Wording) -> None:
    shown = flat(" ".join(page(wording, clause) for clause in CLAUSES))
    sentences = [*wording.place.values(), *asdict(wording.turn).values(), *asdict(wording.put_back).values()]
    assert [sentence for sentence in sentences if flat(sentence) not in shown] == []
    assert set(wording.place) == set(wording_in("de").place)


def test_a_clause_with_another_effect_in_kader_play_shows_both(wording: Wording) -> None:
    for clause in CLAUSES:
        if clause.effect and clause.kader:
            assert wording.labels.open in page(wording, clause).replace("\N{NO-BREAK SPACE}", " ")
            assert wording.labels.kader in page(wording, clause).replace("\N{NO-BREAK SPACE}", " ")


def test_settings_are_those_of_a_rulebook() -> None:
    assert ("name", *SETTINGS) == Rulebook.__struct_fields__
    assert set(CLAUSES_OF) == set(SETTINGS)


def test_every_setting_of_a_rulebook_that_ships_has_its_source() -> None:
    for rulebook in RULEBOOKS.values():
        for setting in differing(rulebook):
            assert source_of(rulebook, setting)
    assert source_of(AALST, "own_out") == "Speelreglement Aalst, art. 9"


@pytest.mark.parametrize("rulebook", ELSEWHERE, ids=str)
def test_what_a_setting_means_is_said_at_its_clauses_and_nowhere_else(
    wording: Wording, rulebook: Rulebook
) -> None:
    (setting,) = differing(rulebook)
    for clause in CLAUSES:
        said = list(said_of(wording, rulebook, clause.id, "club.toml"))
        assert len(said) == (1 if clause.id in CLAUSES_OF[setting] else 0)
    beyond = list(said_of(wording, rulebook, None, "club.toml"))
    assert len(beyond) == (0 if CLAUSES_OF[setting] else 1)


def test_a_clause_says_under_which_rulebooks_it_differs(wording: Wording) -> None:
    shown = flat(page(wording, BY_ID["ZEI-01"]))
    assert f"{wording.labels.differs} aalst:" in shown
    for seconds, article in (("30 s", 2), ("40 s", 16)):
        assert re.search(rf"{seconds}[^(]*\(Speelreglement Aalst, art\. {article}\)", shown)


def test_a_clause_that_is_the_same_everywhere_says_nothing_of_rulebooks(wording: Wording) -> None:
    assert wording.labels.differs not in page(wording, BY_ID["DUR-01"])


def test_a_rulebook_asked_for_that_changes_nothing_is_said_to_change_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert law("DUR-01", "--rulebook", "aalst", "--language", "en") == 0
    assert "Under the rulebook aalst this clause stands as in the book." in flat(capsys.readouterr().out)
    assert law("ZEI-01", "--rulebook", "book", "--language", "en") == 0
    shown = flat(capsys.readouterr().out)
    assert "Under the rulebook book this clause stands as in the book." in shown
    assert "30 s" not in shown


def test_spots_are_written_as_the_choice_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert law("STR-01", "--rulebook", "aalst", "--language", "nl") == 0
    assert "1 of 2, anders 3" in flat(capsys.readouterr().out)


def test_the_list_marks_what_a_rulebook_changes_and_adds_what_the_book_does_not_speak_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert law("--rulebook", "aalst", "--language", "en") == 0
    shown = capsys.readouterr().out
    marked = re.findall(r"^\* ([A-Z]{3}-\d\d)", shown, re.MULTILINE)
    assert marked == ["FEH-06", "FEH-07", "FEH-08", "ZIE-03", "STR-01", "STR-05", "ZEI-01"]
    assert "Decider: the visitor chooses a colour before the opening." in flat(shown)


def test_the_list_under_the_book_itself_marks_nothing(wording: Wording) -> None:
    assert contents(wording, BOOK) == contents(wording)


def test_a_club_s_own_rulebook_is_named_with_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ons-reglement.toml"
    file.write_text('based_on = "aalst"\ncall = 25\n')
    assert load_rulebook(file).call_duo == AALST.call_duo
    assert law("ZEI-01", "--rulebook", str(file), "--language", "en") == 0
    shown = flat(capsys.readouterr().out)
    assert (
        "ons-reglement: - Singles: the call comes after 25 s instead of 50 s. (ons-reglement.toml)" in shown
    )
    assert "aalst" not in shown


# Arguments, and the words that the one line on standard error holds, in this order.
WRONG = [
    (
        ["BER-99"],
        "no clause BER-99; did you mean BER-0.. The clauses are FEH-01 to FEH-12, .*, EIG-01, .*ZEI-01",
    ),
    (["BER3"], r"no clause BER3; did you mean BER-03\?"),
    (["xxx"], r"no clause XXX\. The clauses are FEH-01"),
    ([""], "no clause .* The clauses are FEH-01"),
    (["--fault", "tuch"], "no fault tuch; did you mean touch.* foot_off_floor, .*, time_exceeded"),
    (["--language", "du"], "no language du.*The languages are de, nl, fr, en"),
    (["DUR-01", "--rulebook", "aalts"], "aalts: .*book, aalst.*did you mean aalst"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_a_wrong_name_is_answered_with_the_valid_ones_and_exit_status_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert law(*arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert re.search(said, shown.err)
    assert shown.err.count("\n") == 1


def test_a_clause_and_a_fault_are_not_asked_for_together() -> None:
    with pytest.raises(SystemExit) as stopped:
        law("BER-01", "--fault", "touch")
    assert stopped.value.code == 2
