"""The kinds of values that only a board profile has: GPIOs, an address to listen at, a folder, names of devices.

Lives here: what such a value may be. Never here: which key has which kind (`keys.py`).
"""

import ipaddress
import re
from pathlib import Path
from typing import Final

from firmware.profile.pins import GPIOS
from firmware.settings import Kind, text, whole


def _gpios(*, least: int) -> Kind[tuple[int, ...]]:
    gpio = whole(GPIOS[0], GPIOS[-1])

    def read(value: object) -> tuple[int, ...] | None:
        pins = [gpio.read(pin) for pin in (value if isinstance(value, list) else [value])]
        right = tuple(pin for pin in pins if pin is not None)
        return right if len(pins) == len(right) >= least else None

    numbers = f"a GPIO by BCM number, {GPIOS[0]} to {GPIOS[-1]}, or a list of them"
    return Kind(
        right=numbers if least else f"{numbers}, [] for none",
        read=read,
        stand_in=(),
        short=gpio.short if least else f"{gpio.short}, `[]`",
    )


def _host(value: object) -> str | None:
    if value == "localhost":
        return "localhost"
    try:
        return str(ipaddress.ip_address(value)) if isinstance(value, str) else None
    except ValueError:
        return None


def _folder(value: object) -> Path | None:
    return Path(value).expanduser() if isinstance(value, str) and re.match(r"~?/.", value) else None


def _gpio_or_none(value: object) -> int | None:
    return 0 if value == 0 and value is not False else whole(GPIOS[0], GPIOS[-1]).read(value)


SOME_GPIO: Final = _gpios(least=1)
ANY_GPIO: Final = _gpios(least=0)
GPIO_OR_0: Final = Kind[int](
    right=f"a GPIO by BCM number, {GPIOS[0]} to {GPIOS[-1]}, or 0 for none",
    read=_gpio_or_none,
    stand_in=0,
    short=f"{GPIOS[0]} to {GPIOS[-1]}, 0",
)
HOST: Final = Kind[str](
    right='an IP address: "127.0.0.1" for this machine alone, "0.0.0.0" for every network',
    read=_host,
    stand_in="",
    short='an IP address, `"localhost"`',
)
FOLDER: Final = Kind[Path](
    right='a folder as "/var/lib/kaderuhr" or "~/kaderuhr"',
    read=_folder,
    stand_in=Path("/"),
    short='`"/..."`, `"~/..."`',
)
CARD: Final = text(
    r"[A-Za-z][A-Za-z0-9_-]{0,14}",
    right='the id of an ALSA card as "aplay -l" shows it, such as "Device"; its number changes from boot to boot',
    short="letters, digits, `_`, `-`",
)
LINE: Final = text(
    r"/[^\0]+",
    right='the path of a serial line, such as "/dev/serial/by-id/..." or "/dev/ttyUSB0"',
    short="begins with `/`",
)
RULEBOOK_NAME: Final = text(
    r"[^\0\s][^\0]*",
    right='a rulebook that ships, "book" or "aalst", or a file of your own beside this one: "our-rules.toml"',
    short='`"book"`, `"aalst"`, a file ending in `.toml`',
)
_ADDRESS = whole(0x03, 0x77, meaning=" (0x3C or 0x3D on most)")
ADDRESS: Final = Kind(
    right=_ADDRESS.right, read=_ADDRESS.read, stand_in=_ADDRESS.stand_in, short="0x03 to 0x77"
)
