"""Rulebooks: what federations set differently, as data.

Lives here: the settings and the rulebooks that ship. Never here: code that rules. A club's own rulebook is a
file beside its configuration, read by the firmware into the same value.
"""

from typing import Annotated, Literal

from msgspec import Meta

from rules.words import SECOND, Ns, Value

Seconds = Annotated[int, Meta(ge=1, le=600)]
SpotGroup = Annotated[tuple[Annotated[int, Meta(ge=1, le=5)], ...], Meta(min_length=1)]


class Rulebook(Value, frozen=True, kw_only=True, omit_defaults=False):
    """One federation's settings; the default of each is the book's.

    Times are whole seconds: `call` from the rest to the call, `grace` from the call to the expiry (ZEI-01), both
    again for duo matches.
    """

    name: str
    call: Seconds = 50
    grace: Seconds = 10
    call_duo: Seconds = 50
    grace_duo: Seconds = 10
    spot_choice: tuple[SpotGroup, ...] = ((1, 2, 3),)
    """Spots the opponent chooses from: the first group with a free one (STR-01)."""
    own_out: Literal["ball", "ball_and_cue"] = "ball"
    """Own ball off the table: it alone goes on a spot, or the cue ball too and all else back (FEH-06)."""
    opponent_out: Literal["stands", "put_back"] = "stands"
    """Opponent's ball off the table: what else the stroke moved stands, or goes back (FEH-07)."""
    one_all_loses: bool = True
    """Whether FEH-08 holds."""
    early_aim: Literal["cue", "choice"] = "cue"
    """Aiming before the rest in kader play: the ball aimed at, or one the opponent names (ZIE-03)."""
    decider_colour: Literal["swap", "away"] = "swap"
    """Colours of a deciding game: changed as ever, or chosen by the visitor before the opening."""

    def call_after(self, *, duo: bool) -> Ns:
        """Return the span from the start of the turn clock to the call."""
        return Ns((self.call_duo if duo else self.call) * SECOND)

    def grace_after(self, *, duo: bool) -> Ns:
        """Return the span from the call to the expiry."""
        return Ns((self.grace_duo if duo else self.grace) * SECOND)


BOOK = Rulebook(name="book")
"""The book of law as it stands."""

AALST = Rulebook(
    name="aalst",
    call=30,
    grace=10,
    call_duo=40,
    grace_duo=10,
    spot_choice=((1, 2), (3,)),
    own_out="ball_and_cue",
    opponent_out="put_back",
    one_all_loses=False,
    early_aim="choice",
    decider_colour="away",
)
"""The federation of Aalst: its speelreglement, articles 2, 9, 10, 15 and 16.

https://github.com/MichaelRedant/golfbiljarttoernooi/blob/d87d3aa5c2f6eb85874cbb0bc83a65e41385e3ae/resources/views/speelreglement.blade.php
"""

RULEBOOKS: dict[str, Rulebook] = {book.name: book for book in (BOOK, AALST)}
