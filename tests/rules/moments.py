"""A match in each moment a report can meet, and reports of every kind to meet it with."""

from rules import Moment, moment
from tests.rules.play import DUO, Line, Table, at, in_a_game

_ROLLS = at(5, "stroke")
_OUT = at(6, "out", ball="red")
_REST = at(9, "rest")

MOMENTS: dict[str, tuple[Moment, Line, list[Line]]] = {
    "before the opening": ("opening", {}, []),
    "the opening rolls": ("opening_rolls", {}, [at(1, "stroke")]),
    "which ball lies nearest": ("nearest", {}, [at(1, "stroke"), at(2, "rest")]),
    "the clock runs": ("turn", in_a_game(), [_ROLLS, _REST]),
    "the clock runs in kader play": ("turn", in_a_game(1, 3), [_ROLLS, _REST]),
    "the clock was called": ("turn", in_a_game(), [at(55, "end")]),
    "the clock is paused": ("turn", in_a_game(), [at(10, "pause")]),
    "the clock has expired silently": ("turn", in_a_game(), [at(61, "undo")]),
    "game two of a duo match": ("turn", DUO, [
        at(1, "opening", nearest="red"), at(2, "concede", side="red"), at(3, "opening", nearest="red"),
    ]),
    "balls roll": ("rolls", in_a_game(spots={"red": {"on": [1]}}), [_ROLLS]),
    "balls roll in kader play": ("rolls", in_a_game(1, 3), [_ROLLS]),
    "a spot is asked for": ("asked", in_a_game(spots={"red": {"on": [1]}}), [_ROLLS, _OUT, _REST]),
    "a ball is asked for": ("asked", in_a_game(2, 1), [at(1, "fault", fault="time_exceeded")]),
    "before the release": ("release", in_a_game(), [_ROLLS, _OUT, _REST, at(10, "choose", spot=1)]),
    "between two games": ("opening", in_a_game(1, 3), [_ROLLS, at(6, "drop", goal="red", ball="red"), _REST]),
    "the match is won": ("over", {"best_of": 1, **in_a_game(1, 3)}, [
        _ROLLS, at(6, "drop", goal="red", ball="red"), _REST,
    ]),
    "the match is abandoned": ("over", in_a_game(), [at(1, "abandon")]),
    "training, before the first rest": ("release", {"clock_only": True}, []),
    "training, the clock runs": ("turn", {"clock_only": True}, [at(1, "rest")]),
    "training, balls roll": ("rolls", {"clock_only": True}, [at(1, "rest"), _ROLLS]),
    "training, expired": ("turn", {"clock_only": True}, [at(1, "rest"), at(70, "end")]),
}  # fmt: skip


def in_the_moment(name: str) -> Table:
    """Return a table in that moment."""
    expected, head, lines = MOMENTS[name]
    table = Table(head)
    table.play(*lines)
    assert moment(table.match) == expected
    return table


def reports_at(t: float) -> list[Line]:
    """Return reports of every kind, each with the keys that matter."""

    def line(event: str, **keys: object) -> Line:
        return at(t, event, **keys)

    return [
        line("opening", nearest="red"),
        line("opening", nearest="white", home="red"),
        line("opening", nearest="red", openers={"home": 1, "away": 1}),
        line("stroke"),
        line("stroke", on_spot=1),
        line("rest"),
        line("drop", goal="red", ball="red"),
        line("drop", goal="red", ball="white"),
        line("drop", goal="white", ball="red", at=0),
        line("out", ball="red"),
        line("out", ball="white", count=5),
        line("wedged", ball="red", between="goal_caps", goal="red"),
        line("wedged", ball="white", between="cap_and_cushion"),
        line("fault", fault="push_through"),
        line("fault", fault="touch"),
        line("fault", fault="touch", ball="opponent", with_stroke=False),
        line("fault", fault="touch", with_stroke=False),
        line("fault", fault="played_before_rest"),
        line("fault", fault="no_ball_left_kader"),
        line("fault", fault="triangle_not_left", count=5),
        line("fault", fault="in_attack_triangle"),
        line("fault", fault="aimed_behind_opponent"),
        line("fault", fault="time_exceeded"),
        line("fault", fault="wrong_order"),
        line("fault", fault="wrong_opener"),
        line("fault", fault="interfered_opponent"),
        line("choose", spot=2),
        line("choose", ball=1),
        line("choose", ball=5),
        line("blocked", side="red", spot=1),
        line("cleared", side="red", spot=1),
        line("pause"),
        line("resume"),
        line("undo"),
        line("correct", balls={"red": 2}),
        line("correct", turn="white"),
        line("correct", player=1),
        line("correct", games={"home": 0}),
        line("correct", games={"home": 9}),
        line("correct", left=20),
        line("correct", left=60),
        line("correct", spots={"red": {"on": [1, 2, 3, 4, 5], "faulty": []}}),
        line("concede", side="red"),
        line("concede", side="white", match=True),
        line("abandon"),
        line("recovered", dark=None),
        line("recovered", dark=3),
        line("end"),
    ]
