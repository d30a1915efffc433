"""Every key of a board profile: what it may be, what it says, and what holds without it.

Lives here: the one list that the reading, `kaderuhr doctor --explain` and the table in `hardware/README.md` share.
Never here: how keys depend on each other (`reading.py`).
"""

from typing import Any, Final

from firmware.profile.kinds import (
    ADDRESS,
    ANY_GPIO,
    CARD,
    FOLDER,
    GPIO_OR_0,
    HOST,
    LINE,
    RULEBOOK_NAME,
    SOME_GPIO,
)
from firmware.profile.values import (
    BAUDS,
    FACTORIES,
    HALL_KINDS,
    KEYS,
    LANGUAGES,
    LED_KINDS,
    OLED_KINDS,
    SOUND_KINDS,
    WORDS,
)
from firmware.settings import FLAG, Setting, one_of, whole

NONE: Final = "`[]`: there is none"

LANGUAGE: Final = Setting(
    table="", key="language", kind=one_of(*LANGUAGES), says="language of screens and messages", default="de"
)
FACTORY: Final = Setting(table="pins", key="factory", kind=one_of(*FACTORIES), says="gpiozero's pin factory")

BUTTONS: Final = tuple(
    Setting(
        table="keys",
        key=key,
        kind=ANY_GPIO if key == "hand" else SOME_GPIO,
        says="GPIO of the button on a cable"
        if key == "hand"
        else "GPIO of this push-button, or a list of GPIOs",
        default=() if key == "hand" else None,
        left_out=NONE if key == "hand" else "",
    )
    for key in KEYS
)

_UNDER = "GPIO of the light barrier under this goal, or a list of GPIOs"
GOAL_RED: Final = Setting(
    table="sensors", key="goal_red", kind=ANY_GPIO, says=_UNDER, default=(), left_out=NONE
)
GOAL_WHITE: Final = Setting(
    table="sensors", key="goal_white", kind=ANY_GPIO, says=_UNDER, default=(), left_out=NONE
)
# From 900 ms on a second pulse is a second ball without a doubt.
SAME_BALL: Final = Setting(
    table="sensors",
    key="same_ball_ms",
    kind=whole(1, 899),
    says="pulses at one goal within this time are one ball",
    default=120,
)

SETTLE: Final = Setting(
    table="filter",
    key="settle_ms",
    kind=whole(1, 30),
    says="a contact counts once it has held this long; at most `window_ms`",
    default=8,
)
WINDOW: Final = Setting(
    table="filter",
    key="window_ms",
    kind=whole(1, 30, meaning=": the ruling on an expiry waits that long"),
    says="it is decided this long after its first edge",
    default=20,
)

_WIRED = 'not beside `"desk"`'
OLED_KIND: Final = Setting(
    table="oled",
    key="kind",
    kind=one_of(*OLED_KINDS),
    says="the controller of the referee's screen, 128 x 64 on I2C",
)
OLED_PORT: Final = Setting(
    table="oled", key="port", kind=whole(0, 22), says="number of the I2C bus", beside=_WIRED, default=1
)
OLED_ADDRESS: Final = Setting(
    table="oled",
    key="address",
    kind=ADDRESS,
    says="address on it",
    beside=_WIRED,
    default=0x3C,
    left_out="`0x3C`",
)

_THERE = 'not beside `"none"`'
LED_KIND: Final = Setting(table="led", key="kind", kind=one_of(*LED_KINDS), says="the players' board")
LED_ROWS: Final = Setting(
    table="led", key="rows", kind=one_of(8, 16), says="its height in pixels", beside=_THERE, default=8
)
LED_MODULES: Final = Setting(
    table="led",
    key="modules",
    kind=whole(4, 16),
    says="its modules of 8 x 8 pixels, all lines together; even with 16 rows",
    beside=_THERE,
    default=8,
)

LED_BRIGHTNESS: Final = Setting(
    table="led",
    key="brightness",
    kind=whole(0, 15),
    says="how bright it is; from 8 on the modules want a supply of their own",
    beside=_THERE,
    default=7,
)

_APLAY = '`"aplay"` only'
SOUND_KIND: Final = Setting(
    table="sound",
    key="kind",
    kind=one_of(*SOUND_KINDS),
    says="the loudspeaker: ALSA's `aplay`, the piezo alone, the page, or none",
)
SOUND_CARD: Final = Setting(
    table="sound",
    key="card",
    kind=CARD,
    says="id of the ALSA card, as `aplay -l` shows it",
    beside=_APLAY,
)
SOUND_I2S: Final = Setting(
    table="sound",
    key="i2s",
    kind=FLAG,
    says="the card is an amplifier on the header's I2S pins",
    beside=_APLAY,
    default=False,
)
SOUND_AWAKE: Final = Setting(
    table="sound",
    key="awake",
    kind=FLAG,
    says="silence is played between the sounds, for HDMI and whatever else swallows the first second",
    beside=_APLAY,
    default=False,
)
SOUND_WORD: Final = Setting(
    table="sound",
    key="word",
    kind=one_of(*WORDS),
    says="the word of the call",
    beside=_THERE,
    left_out="by `language`",
)
KEY_CLICK: Final = Setting(
    table="sound", key="key_click", kind=FLAG, says="keys click", beside=_THERE, default=True
)

PIEZO_PIN: Final = Setting(
    table="piezo",
    key="pin",
    kind=GPIO_OR_0,
    says="GPIO of a beeper that stands in where the sound card is not there",
    left_out='`0`: there is none; beside `[sound] kind = "piezo"` it must be there',
)

_TURN = "GPIO of the lamp that is lit in this side's turn, or a list of GPIOs"
LAMP_TURN_RED: Final = Setting(
    table="lamps", key="turn_red", kind=ANY_GPIO, says=_TURN, default=(), left_out=NONE
)
LAMP_TURN_WHITE: Final = Setting(
    table="lamps", key="turn_white", kind=ANY_GPIO, says=_TURN, default=(), left_out=NONE
)
LAMP_KADER: Final = Setting(
    table="lamps",
    key="kader",
    kind=ANY_GPIO,
    says="GPIO of the lamp that is lit in kader play, or a list of GPIOs",
    default=(),
    left_out=NONE,
)
LAMPS_ACTIVE_LOW: Final = Setting(
    table="lamps",
    key="active_low",
    kind=FLAG,
    says="the lamps are lit by a low pin, as many boards of relays are",
    default=False,
)

_SERIAL = '`"serial"` only'
HALL_KIND: Final = Setting(
    table="hall", key="kind", kind=one_of(*HALL_KINDS), says="the line to the hall's display"
)
HALL_DEVICE: Final = Setting(
    table="hall",
    key="device",
    kind=LINE,
    says="path of the serial line",
    beside=_SERIAL,
)
HALL_BAUD: Final = Setting(
    table="hall", key="baud", kind=one_of(*BAUDS), says="its speed", beside=_SERIAL, default=9600
)

PAGE_HOST: Final = Setting(
    table="page",
    key="host",
    kind=HOST,
    says="address at which the page listens",
    default="127.0.0.1",
    left_out='`"127.0.0.1"`: this machine alone',
)
PAGE_PORT: Final = Setting(
    table="page",
    key="port",
    kind=whole(0, 65535, meaning="; 0 takes any free one"),
    says="port of the page; 0 takes any free one",
    default=8000,
)

RULEBOOK: Final = Setting(
    table="match",
    key="rulebook",
    kind=RULEBOOK_NAME,
    says="rulebook of a match that is begun at the start; a file's name counts from the profile's folder",
    left_out="that of the last match, at first the book's",
)
STATE_FOLDER: Final = Setting(
    table="state",
    key="folder",
    kind=FOLDER,
    says="where the journal is kept",
    left_out="`kaderuhr` in `$XDG_STATE_HOME`, else in `~/.local/state`",
)

SETTINGS: Final[tuple[Setting[Any], ...]] = (
    LANGUAGE,
    FACTORY,
    *BUTTONS,
    GOAL_RED, GOAL_WHITE, SAME_BALL,
    SETTLE, WINDOW,
    OLED_KIND, OLED_PORT, OLED_ADDRESS,
    LED_KIND, LED_ROWS, LED_MODULES, LED_BRIGHTNESS,
    SOUND_KIND, SOUND_CARD, SOUND_I2S, SOUND_AWAKE, SOUND_WORD, KEY_CLICK,
    PIEZO_PIN,
    LAMP_TURN_RED, LAMP_TURN_WHITE, LAMP_KADER, LAMPS_ACTIVE_LOW,
    HALL_KIND, HALL_DEVICE, HALL_BAUD,
    PAGE_HOST, PAGE_PORT,
    RULEBOOK,
    STATE_FOLDER,
)  # fmt: skip
"""All of them, in the order in which they are explained."""


def keys_of(table: str) -> tuple[str, ...]:
    """Return the names of the keys that a table may hold."""
    return tuple(setting.key for setting in SETTINGS if setting.table == table)
