"""A board profile as a frozen value: a class for each table of the file.

Lives here: the values and the words they may be written with. Never here: how a file is read (`reading.py`), what a key
is for (`keys.py`).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from drivers.panels import OledChip
from drivers.ports import InputSpec
from firmware.script import Key

Language = Literal["de", "nl", "fr", "en"]
Factory = Literal["mock", "lgpio", "gpiod", "rpigpio"]
OledKind = OledChip | Literal["desk"]
LedKind = Literal["max7219", "desk", "none"]
SoundKind = Literal["aplay", "piezo", "desk", "none"]
Word = Literal["zeit", "tijd", "temps", "time"]
HallKind = Literal["serial", "none"]

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
FACTORIES: Final[tuple[Factory, ...]] = get_args(Factory)
KEYS: Final[tuple[Key, ...]] = get_args(Key)
OLED_KINDS: Final[tuple[OledKind, ...]] = (*get_args(OledChip), "desk")
LED_KINDS: Final[tuple[LedKind, ...]] = get_args(LedKind)
SOUND_KINDS: Final[tuple[SoundKind, ...]] = get_args(SoundKind)
WORDS: Final[tuple[Word, ...]] = get_args(Word)
HALL_KINDS: Final[tuple[HallKind, ...]] = get_args(HallKind)

BAUDS: Final = (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)

WORD_OF: Final[dict[Language, Word]] = {"de": "zeit", "nl": "tijd", "fr": "temps", "en": "time"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Pins:
    """Through which of gpiozero's pin factories the pins are read."""

    factory: Factory


@dataclass(frozen=True, kw_only=True, slots=True)
class Keys:
    """The GPIOs of each push-button, by BCM number; two buttons may be one key. `hand` may have none."""

    red: tuple[int, ...]
    up: tuple[int, ...]
    white: tuple[int, ...]
    fault: tuple[int, ...]
    ok: tuple[int, ...]
    undo: tuple[int, ...]
    stroke: tuple[int, ...]
    down: tuple[int, ...]
    rest: tuple[int, ...]
    hand: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sensors:
    """The GPIOs under each goal, none where a goal has no sensor. `same_ball_ms`: pulses that close are one ball."""

    goal_red: tuple[int, ...]
    goal_white: tuple[int, ...]
    same_ball_ms: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """How long a contact must hold to be believed, and how long one waits for that (`drivers.contact.Timing`)."""

    settle_ms: int
    window_ms: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Oled:
    """The referee's screen, 128 x 64. `port` and `address` are those of its I2C bus, without meaning at a desk."""

    kind: OledKind
    port: int
    address: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Led:
    """The players' board: `modules` of 8 x 8 pixels in one or two lines; `rows` is their height together, in pixels."""

    kind: LedKind
    rows: int
    modules: int
    brightness: int

    @property
    def width(self) -> int:
        """Columns, in pixels."""
        return self.modules * 64 // self.rows


@dataclass(frozen=True, kw_only=True, slots=True)
class Sound:
    """The loudspeaker. `card` is an ALSA id, empty unless `aplay` plays; `word` is the call; `i2s`: on the header.

    `awake`: the card is never left silent, for an output that swallows the first second.
    """

    kind: SoundKind
    card: str
    i2s: bool
    awake: bool
    word: Word
    key_click: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Piezo:
    """The beeper that stands in for a sound card; `pin` is its GPIO, None where there is none."""

    pin: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Lamps:
    """The GPIOs of each lamp, none where there is none. `active_low`: a low pin lights it."""

    turn_red: tuple[int, ...]
    turn_white: tuple[int, ...]
    kader: tuple[int, ...]
    active_low: bool

    def pins(self) -> dict[str, tuple[int, ...]]:
        """Return the GPIOs of the lamps that there are, by name."""
        lamps = {"turn_red": self.turn_red, "turn_white": self.turn_white, "kader": self.kader}
        return {name: pins for name, pins in lamps.items() if pins}


@dataclass(frozen=True, kw_only=True, slots=True)
class Hall:
    """The serial line to the hall's display; `device` is empty where there is none."""

    kind: HallKind
    device: str
    baud: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """Where the page listens; port 0 lets the system choose a free one."""

    host: str
    port: int


@dataclass(frozen=True, kw_only=True, slots=True)
class NewMatch:
    """What a match is begun with. `rulebook`: a name, or a club's own file; None: that of the match before it."""

    rulebook: str | Path | None


@dataclass(frozen=True, kw_only=True, slots=True)
class State:
    """Where the journal is kept."""

    folder: Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """One board: a table of the file in each field. `name` is the file's, without `.toml`."""

    name: str
    language: Language
    pins: Pins
    keys: Keys
    sensors: Sensors
    filter: Filter
    oled: Oled
    led: Led
    sound: Sound
    piezo: Piezo
    lamps: Lamps
    hall: Hall
    page: Page
    match: NewMatch
    state: State

    def inputs(self) -> tuple[InputSpec, ...]:
        """Return the keys and sensors that have pins, in the order of the file's tables."""
        pins: dict[str, tuple[int, ...]] = {key: getattr(self.keys, key) for key in KEYS}
        pins |= {"goal_red": self.sensors.goal_red, "goal_white": self.sensors.goal_white}
        return tuple(InputSpec(name=name, pins=pins[name]) for name in pins if pins[name])
