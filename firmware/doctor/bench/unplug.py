"""The OLED and the hall's line, pulled off and put back while they are in use.

Lives here: the pulling, and how soon it was noticed and mended. Never here: what is shown.
"""

import time
from collections.abc import Callable
from threading import Event
from typing import Final, Protocol, TypeVar

from drivers.ports import DeviceError, Line, Panel
from firmware.doctor.bench.hands import PASSED_OVER, Hands
from firmware.doctor.findings import Findings, fine, wrong
from firmware.profile import Profile

APART_S: Final = 0.1
PATIENCE_S: Final = 15.0
BACK_WITHIN_S: Final = 5.0


class Closes(Protocol):
    """A device that can be let go of."""

    def close(self) -> None:
        """Let go of it."""


D = TypeVar("D", bound=Closes)


def oled(profile: Profile, hands: Hands) -> Findings:
    """Pull the OLED."""
    from PIL import Image, ImageDraw

    from drivers.panels import open_oled

    settings = profile.oled
    if settings.kind == "desk":
        return ()
    chip = settings.kind
    picture = Image.new("1", (128, 64))
    drawing = ImageDraw.Draw(picture)
    drawing.rectangle((0, 0, 127, 63), outline=1)
    drawing.line((0, 0, 127, 63), fill=1)
    drawing.line((0, 63, 127, 0), fill=1)

    def show(panel: Panel) -> None:
        panel.show(picture)

    def open_panel() -> Panel:
        return open_oled(chip, port=settings.port, address=settings.address)

    found = unplugged("the OLED", open_panel, show, hands)
    if found[-1].state == "fine" and not hands.agree(
        "Does the OLED show a frame with a cross, whole and still?"
    ):
        now = 'set [oled] kind: a picture that is shifted by two columns means "sh1106"'
        return (*found, wrong("The OLED's picture is not right.", now))
    return found


def hall(profile: Profile, hands: Hands) -> Findings:
    """Pull the serial adapter."""
    from drivers.serial_line import open_line

    def send(line: Line) -> None:
        line.send(b"\r\n")

    return unplugged(
        "the hall's serial adapter",
        lambda: open_line(profile.hall.device, profile.hall.baud),
        send,
        hands,
    )


def unplugged(
    name: str,
    open_device: Callable[[], D],
    use: Callable[[D], None],
    hands: Hands,
    *,
    clock: Callable[[], float] = time.monotonic,
    wait: Callable[[float], object] | None = None,
) -> Findings:
    """Use a device, have it pulled and put back, and say how soon both were seen after the person said so."""
    pause = Event().wait if wait is None else wait
    try:
        device = open_device()
        use(device)
    except DeviceError as error:
        return (wrong(f"{error.device}: {error.what}.", error.remedy),)
    if not hands.ready(f"Unplug. Take the plug of {name} off now."):
        device.close()
        return (PASSED_OVER,)
    gone_s = _until(lambda: _fails(device, use), clock, pause)
    device.close()
    if gone_s is None:
        return (wrong(f"Nobody noticed that {name} is gone.", "was it the right plug? If so, report this"),)
    found = [fine(f"{gone_s:.1f} s after it was said, it was known that {name} is gone.", gone_s=gone_s)]
    if not hands.ready("Put the plug back."):
        return tuple(found)
    opened: list[D] = []
    back_s = _until(lambda: _works(open_device, use, opened), clock, pause)
    for device in opened:
        device.close()
    if back_s is None or back_s > BACK_WITHIN_S:
        says = f"{name} did not come back within {BACK_WITHIN_S:g} s.".capitalize()
        return (*found, wrong(says, "switch the box off and on; if it comes back so, its cable is broken"))
    return (*found, fine(f"{back_s:.1f} s after it was said, it was back.", back_s=back_s))


def _until(
    true: Callable[[], bool], clock: Callable[[], float], pause: Callable[[float], object]
) -> float | None:
    """Return after how many seconds it became true, None if it never did."""
    since = clock()
    while (passed := clock() - since) < PATIENCE_S:
        if true():
            return passed
        pause(APART_S)
    return None


def _fails(device: D, use: Callable[[D], None]) -> bool:
    try:
        use(device)
    except DeviceError:
        return True
    return False


def _works(open_device: Callable[[], D], use: Callable[[D], None], opened: list[D]) -> bool:
    try:
        device = open_device()
    except DeviceError:
        return False
    if _fails(device, use):
        device.close()
        return False
    opened.append(device)
    return True
