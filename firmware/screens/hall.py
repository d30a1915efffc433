"""The hall's line: match and clock as one line of plain text.

Lives here: its columns. The driver adds the line's end.

    column   1234567890123456789012345
             G2   1:0  R3 W4 >R K  37

     1- 3    game: G and its number; END over, ABD abandoned, TRN a training evening
     5- 9    games won, home:away, centred
    11-12    R and the red balls left, - between games
    14-15    W and the white balls left, - between games
    17-18    > and the colour whose turn it is (R, W), else blank
    20       K while kader play is on, else blank
    21       the clock: blank running, ! the grace or expired, = paused, - stopped
    22-24    whole seconds, right-aligned, blank while no clock belongs to what goes on

24 columns of ASCII, always.
"""

from typing import Final

from firmware.screens.seconds import Shown, shown
from firmware.view import View
from rules import Ns, game_number, moment

WIDTH: Final = 24
SIGNS: Final = {"running": " ", "grace": "!", "expired": "!", "paused": "=", "stopped": "-", "off": " "}


def line(view: View, now: Ns) -> str:
    """Return the hall's line at `now`, without a line's end."""
    match = view.match
    games = " - " if match.clock_only else f"{match.games.home}:{match.games.away}"
    counted = not match.clock_only and moment(match) not in ("opening", "opening_rolls", "nearest", "over")
    red, white = (view.counts.red, view.counts.white) if counted else ("-", "-")
    turn = "  " if match.turn is None else ">R" if match.turn == "red" else ">W"
    kader = "K" if match.phase == "kader" else " "
    return f"{_game(view):<3} {games:^5} R{red} W{white} {turn} {kader}{_clock(shown(view, now))}"


def _game(view: View) -> str:
    match = view.match
    if match.clock_only:
        return "TRN"
    if match.phase == "over":
        return "ABD" if match.match == "abandoned" else "END"
    return f"G{min(game_number(match), 99)}"


def _clock(second: Shown) -> str:
    if second.style == "off":
        return "    "
    return f"{SIGNS[second.style]}{second.seconds:>3}"
