"""Bytes on the bus for a running clock: what the panels here send beside what luma sends by itself.

    python -m tests.bench.bus_bytes

A countdown of 50 s as the referee's screen and the players' board show it, second by second, on recording buses. On I2C
a byte is 9 clocks; address and control byte count.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

from drivers.panels import LED_REFRESH_NS, OLED_REFRESH_NS, open_led, open_oled
from drivers.worker import Mailbox, drawing
from firmware.screens import led, oled
from firmware.screens.samples import at, played
from firmware.screens.seconds import next_change
from firmware.texts import Texts
from rules import Ns
from tests.drivers.buses import Spi, Wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image

    from drivers.oled_bytes import OledChip
    from drivers.ports import Panel
    from firmware.view import View

SECOND: Final = 1_000_000_000
COUNTDOWN: Final = 50
CHIPS: Final[tuple[OledChip, ...]] = ("ssd1306", "ssd1309", "sh1106")


@dataclass(frozen=True, kw_only=True, slots=True)
class Bytes:
    """What a countdown cost. ``seconds``: each new second's own bytes; ``refreshes``: all that repeats."""

    seconds: tuple[int, ...]
    refreshes: int
    biggest_message: int

    @property
    def mean(self) -> float:
        """Bytes of a new second at the mean."""
        return sum(self.seconds) / len(self.seconds)


def turn() -> View:
    """A turn in open play, its clock started at 0."""
    return played(at(5, 4), now=0).view


def oled_bytes(chip: OledChip) -> Bytes:
    """Run the countdown on the worker's mailbox, in virtual time."""
    wire = Wire()
    with (
        patch("smbus2.SMBus", wire.open_bus),
        patch("smbus2.i2c_msg.write", lambda address, data: [address, *data]),
    ):
        texts = Texts("de")
        return _count(
            open_panel=lambda: open_oled(chip),
            draw=lambda view, now: oled.draw(view, Ns(now), texts),
            sizes=lambda: [2 + len(data) for _, data in wire.sent],
            refresh_ns=OLED_REFRESH_NS,
        )


def led_bytes(modules: int) -> Bytes:
    """The same on the players' board; a chip select's bytes are a message."""
    spi = Spi()
    width = modules * 8
    return _count(
        open_panel=lambda: open_led(modules, 8, spi=spi),
        draw=lambda view, now: led.draw(view, Ns(now), width, 8),
        sizes=lambda: [len(data) for data in spi.sent],
        refresh_ns=LED_REFRESH_NS,
    )


def luma_bytes(chip: OledChip) -> int:
    """What luma's own device sends for any picture."""
    from luma.core.interface.serial import i2c
    from luma.oled import device
    from PIL import Image

    wire = Wire()
    with (
        patch("smbus2.SMBus", wire.open_bus),
        patch("smbus2.i2c_msg.write", lambda address, data: [address, *data]),
        patch("atexit.register"),
    ):
        made = getattr(device, chip)(i2c(port=1, address=0x3C), width=128, height=64)
        before = wire.on_the_bus
        made.display(Image.new("1", (128, 64)))
        return wire.on_the_bus - before


def _count(
    *,
    open_panel: Callable[[], Panel],
    draw: Callable[[View, int], Image],
    sizes: Callable[[], list[int]],
    refresh_ns: int,
) -> Bytes:
    """Step the mailbox from instant to instant; a step at a whole second that is no refresh is that second's own."""
    refreshed = 0

    def refresh(panel: Panel) -> None:
        nonlocal refreshed
        before = sum(sizes())
        panel.refresh()
        refreshed += sum(sizes()) - before

    box: Mailbox[Panel, View] = Mailbox(
        name="panel",
        open_device=open_panel,
        do=drawing(
            draw=draw,
            show=lambda panel, image: panel.show(image),
            next_change=lambda view, now: next_change(view, Ns(now)),
        ),
        on_trouble=lambda *_: None,
        keep=refresh,
        keep_every_ns=refresh_ns,
    )
    box.post(turn(), at_ns=0)
    due_ns = box.step(0)
    seconds = []
    refreshed, sent = 0, sum(sizes())
    first = len(sizes())
    for second in range(1, COUNTDOWN):
        while due_ns is not None and due_ns < second * SECOND + SECOND // 4:
            due_ns = box.step(due_ns)
        now = sum(sizes())
        seconds.append(now - sent - refreshed)
        sent = now - refreshed
    return Bytes(seconds=tuple(seconds), refreshes=refreshed, biggest_message=max(sizes()[first:]))


def main() -> None:
    """Print a table."""
    out = sys.stdout.write
    out("bytes on the bus for a new second of a countdown of 50 s\n\n")
    out("panel         mean   most   luma    repeated, bytes/s   longest transfer\n")
    for chip in CHIPS:
        count = oled_bytes(chip)
        out(
            f"{chip:<12}{count.mean:>6.1f}{max(count.seconds):>7}{luma_bytes(chip):>7}"
            f"{count.refreshes / COUNTDOWN:>21.0f}{count.biggest_message:>19}\n"
        )
    for modules in (8, 16):
        count = led_bytes(modules)
        out(
            f"{f'led {modules * 8} x 8':<12}{count.mean:>6.1f}{max(count.seconds):>7}{modules * 16:>7}"
            f"{count.refreshes / COUNTDOWN:>21.0f}{count.biggest_message:>19}\n"
        )


if __name__ == "__main__":
    main()
