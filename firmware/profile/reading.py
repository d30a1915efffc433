"""From a TOML file to a profile, or to everything that is wrong in it.

Lives here: finding the file, and how its keys depend on each other. Never here: a device that is opened, or a default
that depends on the hardware found. What each key may be stands in `keys.py`.
"""

import os
from dataclasses import fields
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from firmware.profile import keys as k
from firmware.profile.pins import I2C1, I2S, SPI0, UART0, UART_DEVICES, Claims
from firmware.profile.values import (
    WORD_OF,
    Filter,
    Hall,
    Keys,
    Lamps,
    Language,
    Led,
    NewMatch,
    Oled,
    Page,
    Piezo,
    Pins,
    Profile,
    Sensors,
    Sound,
    State,
)
from firmware.settings import Problem, Reader, Right, Setting, SettingsErrors, Table, hint, read_toml, toml

WHOLE_FILE: Final = "a profile"


class ProfileErrors(SettingsErrors):
    """A profile cannot be used."""


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
    file = find_board(name_or_path)
    right = Right(missing=f"name a readable file, or one of the boards {', '.join(board_names())}")
    values = read_toml(file, right=right, errors=ProfileErrors)
    reading = _Reading(Reader(str(file)), values, folder=Path(str(file)).parent)
    profile = reading.profile(file.name.removesuffix(".toml"))
    if reading.reader.problems:
        raise ProfileErrors(reading.reader.problems)
    return profile


def find_board(name_or_path: str | Path) -> Traversable:
    """Return the file of a board; `ProfileErrors` where no board that ships has this name."""
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or os.sep in text or text.endswith(".toml"):
        return Path(name_or_path)
    boards = board_names()
    if text in boards:
        return _boards() / f"{text}.toml"
    right = f"the boards are {', '.join(boards)}{hint(text, boards)}; name a file of your own by its path"
    raise ProfileErrors([Problem(file=f"{text}.toml", wrong="there is no board of this name", right=right)])


def _boards() -> Traversable:
    return files("hardware") / "boards"


class _Reading:
    """One file being read, table by table."""

    def __init__(self, reader: Reader, values: dict[str, object], *, folder: Path) -> None:
        self.reader = reader
        self._values = values
        self._folder = folder
        self._claims = Claims(reader)

    def profile(self, name: str) -> Profile:
        tables = tuple(field.name for field in fields(Profile) if field.name != "name")
        top = Table(self.reader, self._values, "", tables, whole_file=WHOLE_FILE)
        language = top.take(k.LANGUAGE)
        top.finish()
        # Displays, sound and hall come first: they reserve the pins of their buses.
        oled = self._oled()
        led = self._led()
        sound = self._sound(language)
        hall = self._hall()
        profile = Profile(
            name=name,
            language=language,
            pins=self._pins(),
            keys=self._keys(),
            sensors=self._sensors(),
            filter=self._filter(),
            oled=oled,
            led=led,
            sound=sound,
            piezo=self._piezo(needed=sound.kind == "piezo"),
            lamps=self._lamps(),
            hall=hall,
            page=self._page(),
            match=self._match(),
            state=self._state(),
        )
        self._claims.refuse_doubles()
        return profile

    def _table(self, name: str) -> Table:
        return Table(self.reader, self._values, name, k.keys_of(name), whole_file=WHOLE_FILE)

    def _gpios(self, table: Table, setting: Setting[tuple[int, ...]]) -> tuple[int, ...]:
        """Read the GPIOs of an input and claim them."""
        pins = table.take(setting)
        value = table.values.get(setting.key)
        self._claims.claim(pins, table=setting.table, key=setting.key, value=value)
        return pins

    def _pins(self) -> Pins:
        table = self._table("pins")
        pins = Pins(factory=table.take(k.FACTORY))
        table.finish()
        return pins

    def _keys(self) -> Keys:
        table = self._table("keys")
        keys = Keys(**{button.key: self._gpios(table, button) for button in k.BUTTONS})
        table.finish()
        return keys

    def _sensors(self) -> Sensors:
        table = self._table("sensors")
        sensors = Sensors(
            goal_red=self._gpios(table, k.GOAL_RED),
            goal_white=self._gpios(table, k.GOAL_WHITE),
            same_ball_ms=table.take(k.SAME_BALL),
        )
        table.finish()
        return sensors

    def _filter(self) -> Filter:
        table = self._table("filter")
        window = table.take(k.WINDOW)
        settle = table.take(k.SETTLE)
        if settle > window and table.ok("settle_ms", "window_ms"):
            at = "settle_ms" if "settle_ms" in table.values else "window_ms"
            right = f"settle_ms ({settle}) is at most window_ms ({window})"
            table.refuse(at, wrong="a contact could never settle within the window", right=right)
        table.finish()
        return Filter(settle_ms=settle, window_ms=window)

    def _oled(self) -> Oled:
        table = self._table("oled")
        kind = table.take(k.OLED_KIND)
        wired = kind != "desk"
        port = table.take(k.OLED_PORT, when=wired)
        address = table.take(k.OLED_ADDRESS, when=wired)
        if wired and port == 1 and table.ok("kind", "port"):
            self._claims.reserve(I2C1, f"the I2C bus of [oled] kind = {toml(kind)}")
        table.finish()
        return Oled(kind=kind, port=port, address=address)

    def _led(self) -> Led:
        table = self._table("led")
        kind = table.take(k.LED_KIND)
        there = kind != "none"
        rows = table.take(k.LED_ROWS, when=there)
        modules = table.take(k.LED_MODULES, when=there)
        brightness = table.take(k.LED_BRIGHTNESS, when=there)
        if rows == 16 and modules % 2 and table.ok("rows", "modules"):  # noqa: PLR2004  the taller of the two
            wrong = "two lines of modules cannot be equally long"
            table.refuse("modules", wrong=wrong, right="right is an even number")
        if kind == "max7219" and table.ok("kind"):
            self._claims.reserve(SPI0, f"the SPI bus of [led] kind = {toml(kind)}")
        table.finish()
        return Led(kind=kind, rows=rows, modules=modules, brightness=brightness)

    def _sound(self, language: Language) -> Sound:
        table = self._table("sound")
        kind = table.take(k.SOUND_KIND)
        aplay = kind == "aplay"
        card = table.take(k.SOUND_CARD, default=None if aplay else "", when=aplay)
        i2s = table.take(k.SOUND_I2S, when=aplay)
        awake = table.take(k.SOUND_AWAKE, when=aplay)
        word = table.take(k.SOUND_WORD, default=WORD_OF[language], when=kind != "none")
        key_click = table.take(k.KEY_CLICK, when=kind != "none")
        if i2s and aplay:
            self._claims.reserve(I2S, "the I2S bus of [sound] i2s = true")
        table.finish()
        return Sound(kind=kind, card=card, i2s=i2s, awake=awake, word=word, key_click=key_click)

    def _piezo(self, *, needed: bool) -> Piezo:
        table = self._table("piezo")
        pin = table.take(k.PIEZO_PIN, default=None if needed else 0)
        if pin:
            self._claims.claim((pin,), table="piezo", key="pin", value=pin)
        elif needed and "pin" in table.values and table.ok("pin"):
            right = f"right is {k.PIEZO_PIN.kind.short.removesuffix(', 0')}"
            table.refuse("pin", wrong='it is the only sound of [sound] kind = "piezo"', right=right)
        table.finish()
        return Piezo(pin=pin or None)

    def _lamps(self) -> Lamps:
        table = self._table("lamps")
        lamps = Lamps(
            turn_red=self._gpios(table, k.LAMP_TURN_RED),
            turn_white=self._gpios(table, k.LAMP_TURN_WHITE),
            kader=self._gpios(table, k.LAMP_KADER),
            active_low=table.take(k.LAMPS_ACTIVE_LOW),
        )
        table.finish()
        return lamps

    def _hall(self) -> Hall:
        table = self._table("hall")
        kind = table.take(k.HALL_KIND)
        serial = kind == "serial"
        device = table.take(k.HALL_DEVICE, default=None if serial else "", when=serial)
        baud = table.take(k.HALL_BAUD, when=serial)
        if serial and device in UART_DEVICES:
            self._claims.reserve(UART0, f"the serial line of [hall] device = {toml(device)}")
        table.finish()
        return Hall(kind=kind, device=device, baud=baud)

    def _page(self) -> Page:
        table = self._table("page")
        page = Page(host=table.take(k.PAGE_HOST), port=table.take(k.PAGE_PORT))
        table.finish()
        return page

    def _match(self) -> NewMatch:
        table = self._table("match")
        named = table.take(k.RULEBOOK, default="")
        table.finish()
        if os.sep in named or named.endswith(".toml"):
            return NewMatch(rulebook=self._folder / Path(named).expanduser())
        return NewMatch(rulebook=named or None)

    def _state(self) -> State:
        table = self._table("state")
        state = State(folder=table.take(k.STATE_FOLDER, default=_user_state_folder()))
        table.finish()
        return state


def _user_state_folder() -> Path:
    # The XDG base directory specification says that a path which is not absolute is to be ignored.
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    base = named if named.is_absolute() else Path("~/.local/state").expanduser()
    return base / "kaderuhr"
