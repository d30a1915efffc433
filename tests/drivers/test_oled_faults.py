"""A bus that fails: the panel's mailbox through errors, hangs, unplugging and power dips, in virtual time."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from drivers.oled_bytes import frame_of
from drivers.panels import OLED_REFRESH_NS, open_oled
from drivers.worker import Mailbox
from tests.drivers.buses import Glass, Wire

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

    from drivers.ports import DeviceError, Panel

SECOND = 1_000_000_000
ERRNOS = [errno.EIO, errno.ENXIO, errno.EAGAIN, errno.ETIMEDOUT, errno.EREMOTEIO]


class Evening:
    """A panel's worker without its thread: time passes here, and in the bus where it is slow."""

    def __init__(self, mocker: MockerFixture) -> None:
        """Begin at 0 with a panel that works."""
        self.wire = Wire()
        self.wire.install(mocker)
        self.wire.on_transfer = self._transfer
        self.glass = Glass("ssd1306")
        self.now_ns = 0
        self.slow_ns = 0
        self.troubles: list[str | None] = []
        self._due_ns: int | None = 0
        self.box: Mailbox[Panel, int] = Mailbox(
            name="oled",
            open_device=lambda: open_oled("ssd1306"),
            do=self._show,
            on_trouble=self._told,
            keep=lambda panel: panel.refresh(),
            keep_every_ns=OLED_REFRESH_NS,
        )

    def _show(self, panel: Panel, second: int, _: int) -> None:
        panel.show(picture(second))

    def _told(self, _: str, error: DeviceError | None) -> None:
        self.troubles.append(None if error is None else str(error))

    def _transfer(self) -> None:
        self.now_ns += self.slow_ns

    def run(self, until_ns: int) -> None:
        """Let the worker do what it does until then; the glass hears what arrives."""
        while self._due_ns is not None and self._due_ns <= until_ns:
            self.now_ns = max(self.now_ns, self._due_ns)
            self._due_ns = self.box.step(self.now_ns)
            for control, data in self.wire.sent:
                self.glass.hear(control, data)
            self.wire.sent.clear()
        self.now_ns = max(self.now_ns, until_ns)

    def post(self, second: int) -> None:
        """A new second is to be shown."""
        self.box.post(second, at_ns=self.now_ns)
        self._due_ns = self.now_ns

    def shows(self, second: int) -> bool:
        """Whether the glass is lit with that picture."""
        return self.glass.on and self.glass.pages == frame_of(picture(second))


def picture(second: int) -> Image.Image:
    """A bar as long as the second."""
    image = Image.new("1", (128, 64))
    image.paste(1, (0, 20, second, 50))
    return image


@pytest.fixture
def evening(mocker: MockerFixture) -> Evening:
    """Showing 50."""
    evening = Evening(mocker)
    evening.post(50)
    evening.run(SECOND)
    assert evening.shows(50)
    return evening


@pytest.mark.parametrize("number", ERRNOS)
def test_a_bus_that_fails_for_a_while_is_told_and_the_panel_back_within_5_s_of_its_return(
    number: int, evening: Evening
) -> None:
    """H1. Unplugged (121, 6, 5), held by another (11), stretched for ever (110); for a minute, then back and dark."""
    evening.wire.fails_with = number
    evening.post(49)
    for second in range(60):
        evening.run(evening.now_ns + SECOND)
        evening.post(48 - second if second < 48 else 0)
    assert evening.troubles[0] is not None
    assert "OLED ssd1306 at 0x3C on I2C bus 1" in evening.troubles[0]
    evening.glass.power_on()
    evening.wire.fails_with = None
    back_ns = evening.now_ns
    while not evening.shows(0):
        evening.run(evening.now_ns + SECOND // 10)
        assert evening.now_ns - back_ns < 5 * SECOND
    assert evening.troubles[-1] is None


def test_a_bus_that_blocks_for_2_s_at_each_transfer_holds_up_its_own_worker_alone(evening: Evening) -> None:
    """H2: SDA held low. Newest wins: the seconds in between are never drawn, and none is late when it is over."""
    evening.slow_ns, evening.wire.fails_with = 2 * SECOND, errno.ETIMEDOUT
    for second in range(49, 39, -1):
        evening.post(second)
        evening.run(evening.now_ns + SECOND)
    evening.slow_ns, evening.wire.fails_with = 0, None
    evening.glass.power_on()
    back_ns = evening.now_ns
    evening.post(40)
    while not evening.shows(40):
        evening.run(evening.now_ns + SECOND // 10)
        assert evening.now_ns - back_ns < 5 * SECOND


def test_a_power_dip_that_no_transfer_notices_is_mended_within_5_s(evening: Evening) -> None:
    """H3: the chip answers all the time, and the picture does not even change."""
    evening.run(evening.now_ns + 1_700_000_000)
    evening.glass.power_on()
    evening.run(evening.now_ns + 4_600_000_000)
    assert evening.shows(50)
    assert evening.troubles == []


def test_one_transfer_in_fifty_failing_never_leaves_a_wrong_picture_for_long(evening: Evening) -> None:
    """H1's loose plug: ten minutes of a running clock."""
    transfers = 0

    def loose() -> None:
        nonlocal transfers
        transfers += 1
        evening.wire.fails_with = errno.EREMOTEIO if transfers % 50 == 0 else None

    evening.wire.on_transfer = loose
    wrong_ns = 0
    for number in range(600):
        evening.post(number % 50 + 1)
        evening.run(evening.now_ns + SECOND // 2)
        wrong_ns += 0 if evening.shows(number % 50 + 1) else SECOND // 2
        evening.run(evening.now_ns + SECOND // 2)
    assert wrong_ns < 60 * SECOND
    evening.wire.on_transfer, evening.wire.fails_with = lambda: None, None
    evening.run(evening.now_ns + 5 * SECOND)
    assert evening.shows(600 % 50 or 50)


def test_an_evening_of_tries_keeps_one_luma_device_and_closes_every_bus(evening: Evening) -> None:
    """324 KB for each device that luma makes, until the process ends."""
    import gc

    from luma.oled.device import ssd1306

    def devices() -> int:
        gc.collect()
        return sum(type(thing) is ssd1306 for thing in gc.get_objects())

    before = devices()
    evening.wire.fails_with = errno.EREMOTEIO
    evening.post(1)
    evening.run(evening.now_ns + 3_600 * SECOND)
    assert evening.wire.opened > 800
    assert devices() == before
    assert evening.wire.closed == evening.wire.opened
