"""Board profiles: which pins, displays, sounds and lines a box has, read from a TOML file.

Lives here: the profile as a frozen value, and the reading that finds every mistake of a file at once. Never here: a
device that is opened, or a default that depends on the hardware found. The boards that come with the program lie in
`hardware/boards`; what each key means stands in `hardware/README.md`.

Each key is read by a kind, which knows what would be right. A table is read key by key; what is wrong goes on the list
and reading goes on with a stand-in, which nobody sees, because a list that is not empty is raised at the end.
"""

import ipaddress
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from difflib import get_close_matches
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, Generic, Literal, TypeVar, get_args

from drivers.panels import OledChip
from drivers.ports import InputSpec
from firmware.script import Key

T = TypeVar("T")
C = TypeVar("C", bound=str | int)

Language = Literal["de", "nl", "fr", "en"]
Factory = Literal["mock", "lgpio", "gpiod", "rpigpio"]
OledKind = OledChip | Literal["desk"]
LedKind = Literal["max7219", "desk", "none"]
SoundKind = Literal["aplay", "desk", "none"]
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

GPIOS: Final = range(2, 28)
"""The header's GPIOs by BCM number. 0 and 1 belong to the memory of an add-on board (HAT)."""

I2C1: Final = (2, 3)
SPI0: Final = (7, 8, 9, 10, 11)
UART0: Final = (14, 15)
I2S: Final = (18, 19, 20, 21)

UART_DEVICES: Final = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
"""The names under which the header's own serial line appears."""

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

    @property
    def width(self) -> int:
        """Columns, in pixels."""
        return self.modules * 64 // self.rows


@dataclass(frozen=True, kw_only=True, slots=True)
class Sound:
    """The loudspeaker. `card` is an ALSA id, empty unless `aplay` plays; `word` is the call; `i2s`: on the header."""

    kind: SoundKind
    card: str
    i2s: bool
    word: Word
    key_click: bool


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
    hall: Hall
    page: Page
    state: State

    def inputs(self) -> tuple[InputSpec, ...]:
        """Return the keys and sensors that have pins, in the order of the file's tables."""
        pins: dict[str, tuple[int, ...]] = {key: getattr(self.keys, key) for key in KEYS}
        pins |= {"goal_red": self.sensors.goal_red, "goal_white": self.sensors.goal_white}
        return tuple(InputSpec(name=name, pins=pins[name]) for name in pins if pins[name])


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One mistake of a profile: where it is, what is wrong there, and what would be right.

    `table` and `key` are empty where the mistake is the whole file's or table's. `value` is written as in the file,
    empty where there is none.
    """

    file: str
    table: str = ""
    key: str = ""
    value: str = ""
    wrong: str
    right: str

    def __str__(self) -> str:
        """Return one line for people."""
        place = f"[{self.table}] {self.key}".strip() if self.table else self.key
        shown = f"{place} = {self.value}" if self.value else place
        return ": ".join(part for part in (self.file, shown, f"{self.wrong}; {self.right}") if part)


class ProfileErrors(ValueError):  # noqa: N818  one exception, many errors
    """A profile cannot be used. `problems` holds every mistake found; the message has a line for each."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep all of them."""
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def board_names() -> tuple[str, ...]:
    """Return the names of the boards that come with the program."""
    return tuple(
        sorted(
            board.name.removesuffix(".toml") for board in _boards().iterdir() if board.name.endswith(".toml")
        )
    )


def load_profile(name_or_path: str | Path) -> Profile:
    """Read a board that comes with the program, by name, or a file: a path holds a slash or ends in `.toml`.

    Raises `ProfileErrors` with everything that is wrong.
    """
    file = _find(name_or_path)
    values = _read(file)
    reader = _Reader(str(file))
    profile = _profile(reader, values, name=file.name.removesuffix(".toml"))
    if reader.problems:
        raise ProfileErrors(reader.problems)
    return profile


def _boards() -> Traversable:
    return files("hardware") / "boards"


def _find(name_or_path: str | Path) -> Traversable:
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or os.sep in text or text.endswith(".toml"):
        return Path(name_or_path)
    if text in board_names():
        return _boards() / f"{text}.toml"
    boards = board_names()
    right = f"the boards are {', '.join(boards)}{_hint(text, boards)}; name a file of your own by its path"
    raise ProfileErrors([Problem(file=f"{text}.toml", wrong="there is no board of this name", right=right)])


def _read(file: Traversable) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_bytes().decode())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        problem = Problem(
            file=str(file),
            wrong=f"cannot be read: {reason}",
            right=f"name a readable file, or one of the boards {', '.join(board_names())}",
        )
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        problem = Problem(file=str(file), wrong=f"line {line} is not UTF-8", right="save the file as UTF-8")
    except ValueError as error:  # tomllib's own, and Python's for a number of thousands of digits
        right = 'a line is [table] or key = value, and words stand in quotes: kind = "ssd1306"'
        problem = Problem(file=str(file), wrong=f"this is not TOML: {error}", right=right)
    raise ProfileErrors([problem])


@dataclass(frozen=True, kw_only=True)
class _Kind(Generic[T]):
    """What a value may be. `read` returns None for one that is wrong; `right` says what would be right."""

    right: str
    read: Callable[[object], T | None]
    stand_in: T
    choices: tuple[object, ...] = ()


def _whole(least: int, most: int, *, meaning: str = "") -> _Kind[int]:
    # bool is an int in Python, not in TOML.
    def read(value: object) -> int | None:
        return (
            value
            if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
            else None
        )

    return _Kind(right=f"a whole number from {least} to {most}{meaning}", read=read, stand_in=least)


def _one_of(*choices: C) -> _Kind[C]:
    def read(value: object) -> C | None:
        return next((choice for choice in choices if choice == value and type(choice) is type(value)), None)

    right = f"one of {', '.join(map(_toml, choices))}"
    return _Kind(right=right, read=read, stand_in=choices[0], choices=choices)


def _text(pattern: str, *, right: str) -> _Kind[str]:
    def read(value: object) -> str | None:
        return value if isinstance(value, str) and re.fullmatch(pattern, value) else None

    return _Kind(right=right, read=read, stand_in="")


def _gpios(*, least: int) -> _Kind[tuple[int, ...]]:
    gpio = _whole(GPIOS[0], GPIOS[-1])

    def read(value: object) -> tuple[int, ...] | None:
        pins = [gpio.read(pin) for pin in (value if isinstance(value, list) else [value])]
        right = tuple(pin for pin in pins if pin is not None)
        return right if len(pins) == len(right) >= least else None

    numbers = f"a GPIO by BCM number, {GPIOS[0]} to {GPIOS[-1]}, or a list of them"
    return _Kind(right=numbers if least else f"{numbers}, [] for none", read=read, stand_in=())


def _host(value: object) -> str | None:
    if value == "localhost":
        return "localhost"
    try:
        return str(ipaddress.ip_address(value)) if isinstance(value, str) else None
    except ValueError:
        return None


def _folder(value: object) -> Path | None:
    return Path(value).expanduser() if isinstance(value, str) and re.match(r"~?/.", value) else None


_FLAG: Final = _Kind[bool](
    right="true or false", read=lambda value: value if isinstance(value, bool) else None, stand_in=False
)
_HOST: Final = _Kind[str](
    right='an IP address: "127.0.0.1" for this machine alone, "0.0.0.0" for every network',
    read=_host,
    stand_in="",
)
_FOLDER: Final = _Kind[Path](
    right='a folder as "/var/lib/kaderuhr" or "~/kaderuhr"', read=_folder, stand_in=Path("/")
)


class _Reader:
    """A file being read: the problems so far, and who has claimed which GPIO."""

    def __init__(self, file: str) -> None:
        self.problems: list[Problem] = []
        self._file = file
        self._owners: dict[int, str] = {}
        self._doubles: list[tuple[str, str, object, int]] = []

    def refuse(self, *, table: str = "", key: str = "", value: object = None, wrong: str, right: str) -> None:
        shown = "" if value is None else _toml(value)
        self.problems.append(
            Problem(file=self._file, table=table, key=key, value=shown, wrong=wrong, right=right)
        )

    def reserve(self, pins: Iterable[int], owner: str) -> None:
        """Give pins to a bus; done before any key claims one."""
        self._owners.update(dict.fromkeys(pins, owner))

    def claim(self, pins: Iterable[int], *, table: str, key: str, value: object) -> None:
        for pin in pins:
            if pin in self._owners:
                self._doubles.append((table, key, value, pin))
            else:
                self._owners[pin] = f"[{table}] {key}"

    def refuse_doubles(self) -> None:
        """Report the pins claimed twice, once it is known which are free."""
        free = ", ".join(str(pin) for pin in GPIOS if pin not in self._owners)
        for table, key, value, pin in self._doubles:
            wrong = f"GPIO {pin} belongs to {self._owners[pin]} already"
            self.refuse(table=table, key=key, value=value, wrong=wrong, right=f"free are {free}")


class _Table:
    """One table being read. `keys` are all that it may hold; `finish` reports what it holds beyond them."""

    def __init__(self, reader: _Reader, values: dict[str, object], name: str, *keys: str) -> None:
        self._reader = reader
        self._name = name
        self._keys = keys
        self._missing: list[str] = []
        self._wrong: set[str] = set()
        found = values.get(name, {}) if name else values
        self._absent = bool(name) and name not in values
        if not isinstance(found, dict):
            reader.refuse(
                key=name, value=found, wrong="not a table", right=f"write [{name}] and its keys below it"
            )
            # Its keys are not called missing as well.
            found, self._wrong = {}, set(keys)
        self.values: dict[str, object] = found

    def take(self, key: str, kind: _Kind[T], *, default: T | None = None, when: bool = True) -> T:
        """Read a key. Without a default it must be there; `when` says whether it has a meaning beside the others."""
        # A table of unknown kind might need any key, so none is called missing or meaningless in it.
        settled = "kind" not in self._wrong
        if key not in self.values:
            if default is None and when and settled and key not in self._wrong:
                self._missing.append(f"{key} ({kind.right})")
                if not self._absent:
                    self._reader.refuse(
                        table=self._name, key=key, wrong="missing", right=f"give {kind.right}"
                    )
            return kind.stand_in if default is None else default
        value = self.values[key]
        taken = kind.read(value)
        if taken is None:
            hint = _hint(value, kind.choices)
            self.refuse(key, wrong="wrong", right=f"right is {kind.right}{hint}")
        elif settled and not when:
            self.refuse(
                key,
                wrong=f"without a meaning beside kind = {_toml(self.values.get('kind'))}",
                right="take it out",
            )
        return kind.stand_in if taken is None else taken

    def take_gpios(self, key: str, *, least: int) -> tuple[int, ...]:
        """Read the GPIOs of an input and claim them."""
        pins = self.take(key, _gpios(least=least), default=None if least else ())
        self._reader.claim(pins, table=self._name, key=key, value=self.values.get(key))
        return pins

    def refuse(self, key: str, *, wrong: str, right: str) -> None:
        self._wrong.add(key)
        self._reader.refuse(table=self._name, key=key, value=self.values.get(key), wrong=wrong, right=right)

    def ok(self, *keys: str) -> bool:
        """Whether nothing was wrong with these keys."""
        return self._wrong.isdisjoint(keys)

    def finish(self) -> None:
        if self._absent and self._missing:
            right = f"add [{self._name}] with {', '.join(self._missing)}"
            self._reader.refuse(table=self._name, wrong="this table is missing", right=right)
        what = "key" if self._name else "table or key"
        owner = f"[{self._name}] has" if self._name else "a profile has"
        for key in self.values:
            if key not in self._keys:
                right = f"{owner} {', '.join(self._keys)}{_hint(key, self._keys)}"
                self._reader.refuse(
                    table=self._name,
                    key=key,
                    value=self.values[key],
                    wrong=f"there is no such {what}",
                    right=right,
                )


def _profile(reader: _Reader, values: dict[str, object], *, name: str) -> Profile:
    tables = tuple(field.name for field in fields(Profile) if field.name != "name")
    top = _Table(reader, values, "", *tables)
    language = top.take("language", _one_of(*LANGUAGES), default="de")
    top.finish()
    # Displays, sound and hall come first: they reserve the pins of their buses.
    oled = _oled(reader, values)
    led = _led(reader, values)
    sound = _sound(reader, values, language)
    hall = _hall(reader, values)
    profile = Profile(
        name=name,
        language=language,
        pins=_pins(reader, values),
        keys=_keys(reader, values),
        sensors=_sensors(reader, values),
        filter=_filter(reader, values),
        oled=oled,
        led=led,
        sound=sound,
        hall=hall,
        page=_page(reader, values),
        state=_state(reader, values),
    )
    reader.refuse_doubles()
    return profile


def _pins(reader: _Reader, values: dict[str, object]) -> Pins:
    table = _Table(reader, values, "pins", "factory")
    pins = Pins(factory=table.take("factory", _one_of(*FACTORIES)))
    table.finish()
    return pins


def _keys(reader: _Reader, values: dict[str, object]) -> Keys:
    table = _Table(reader, values, "keys", *KEYS)
    keys = Keys(**{key: table.take_gpios(key, least=0 if key == "hand" else 1) for key in KEYS})
    table.finish()
    return keys


def _sensors(reader: _Reader, values: dict[str, object]) -> Sensors:
    table = _Table(reader, values, "sensors", "goal_red", "goal_white", "same_ball_ms")
    sensors = Sensors(
        goal_red=table.take_gpios("goal_red", least=0),
        goal_white=table.take_gpios("goal_white", least=0),
        # From 900 ms on a second pulse is a second ball without a doubt.
        same_ball_ms=table.take("same_ball_ms", _whole(1, 899), default=120),
    )
    table.finish()
    return sensors


def _filter(reader: _Reader, values: dict[str, object]) -> Filter:
    table = _Table(reader, values, "filter", "settle_ms", "window_ms")
    window = table.take(
        "window_ms", _whole(1, 30, meaning=": the ruling on an expiry waits that long"), default=20
    )
    settle = table.take("settle_ms", _whole(1, 30), default=8)
    if settle > window and table.ok("settle_ms", "window_ms"):
        at = "settle_ms" if "settle_ms" in table.values else "window_ms"
        right = f"settle_ms ({settle}) is at most window_ms ({window})"
        table.refuse(at, wrong="a contact could never settle within the window", right=right)
    table.finish()
    return Filter(settle_ms=settle, window_ms=window)


def _oled(reader: _Reader, values: dict[str, object]) -> Oled:
    table = _Table(reader, values, "oled", "kind", "port", "address")
    kind = table.take("kind", _one_of(*OLED_KINDS))
    wired = kind != "desk"
    port = table.take("port", _whole(0, 22), default=1, when=wired)
    address = table.take(
        "address", _whole(0x03, 0x77, meaning=" (0x3C or 0x3D on most)"), default=0x3C, when=wired
    )
    if wired and port == 1 and table.ok("kind", "port"):
        reader.reserve(I2C1, f"the I2C bus of [oled] kind = {_toml(kind)}")
    table.finish()
    return Oled(kind=kind, port=port, address=address)


def _led(reader: _Reader, values: dict[str, object]) -> Led:
    table = _Table(reader, values, "led", "kind", "rows", "modules")
    kind = table.take("kind", _one_of(*LED_KINDS))
    there = kind != "none"
    rows = table.take("rows", _one_of(8, 16), default=8, when=there)
    modules = table.take("modules", _whole(4, 16), default=8, when=there)
    if rows == 16 and modules % 2 and table.ok("rows", "modules"):  # noqa: PLR2004  the taller of the two above
        table.refuse(
            "modules", wrong="two lines of modules cannot be equally long", right="right is an even number"
        )
    if kind == "max7219" and table.ok("kind"):
        reader.reserve(SPI0, f"the SPI bus of [led] kind = {_toml(kind)}")
    table.finish()
    return Led(kind=kind, rows=rows, modules=modules)


def _sound(reader: _Reader, values: dict[str, object], language: Language) -> Sound:
    table = _Table(reader, values, "sound", "kind", "card", "i2s", "word", "key_click")
    kind = table.take("kind", _one_of(*SOUND_KINDS))
    card_id = _text(
        r"[A-Za-z][A-Za-z0-9_-]{0,14}",
        right='the id of an ALSA card as "aplay -l" shows it, such as "Device"; its number changes from boot to boot',
    )
    card = table.take("card", card_id, default=None if kind == "aplay" else "", when=kind == "aplay")
    i2s = table.take("i2s", _FLAG, default=False, when=kind == "aplay")
    word = table.take("word", _one_of(*WORDS), default=WORD_OF[language], when=kind != "none")
    key_click = table.take("key_click", _FLAG, default=True, when=kind != "none")
    if i2s and kind == "aplay":
        reader.reserve(I2S, "the I2S bus of [sound] i2s = true")
    table.finish()
    return Sound(kind=kind, card=card, i2s=i2s, word=word, key_click=key_click)


def _hall(reader: _Reader, values: dict[str, object]) -> Hall:
    table = _Table(reader, values, "hall", "kind", "device", "baud")
    kind = table.take("kind", _one_of(*HALL_KINDS))
    path = _text(
        r"/[^\0]+", right='the path of a serial line, such as "/dev/serial/by-id/..." or "/dev/ttyUSB0"'
    )
    device = table.take("device", path, default=None if kind == "serial" else "", when=kind == "serial")
    baud = table.take("baud", _one_of(*BAUDS), default=9600, when=kind == "serial")
    if kind == "serial" and device in UART_DEVICES:
        reader.reserve(UART0, f"the serial line of [hall] device = {_toml(device)}")
    table.finish()
    return Hall(kind=kind, device=device, baud=baud)


def _page(reader: _Reader, values: dict[str, object]) -> Page:
    table = _Table(reader, values, "page", "host", "port")
    page = Page(
        host=table.take("host", _HOST, default="127.0.0.1"),
        port=table.take("port", _whole(0, 65535, meaning="; 0 takes any free one"), default=8000),
    )
    table.finish()
    return page


def _state(reader: _Reader, values: dict[str, object]) -> State:
    table = _Table(reader, values, "state", "folder")
    state = State(folder=table.take("folder", _FOLDER, default=_user_state_folder()))
    table.finish()
    return state


def _user_state_folder() -> Path:
    # The XDG base directory specification says that a path which is not absolute is to be ignored.
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    base = named if named.is_absolute() else Path("~/.local/state").expanduser()
    return base / "kaderuhr"


def _toml(value: object) -> str:
    """Write a value as the file has it, or nearly so; a table or a long list in short."""
    if isinstance(value, dict):
        return "{ ... }"
    return json.dumps(value, ensure_ascii=False, default=str)


def _hint(value: object, choices: Iterable[object]) -> str:
    words = [choice for choice in choices if isinstance(choice, str)]
    near = get_close_matches(value, words, n=1) if isinstance(value, str) else []
    return f"; did you mean {near[0]}?" if near else ""
