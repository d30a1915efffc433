"""The desk's panel, speaker and line: they keep what they are given, and break when told to."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from drivers.desk import DeskLine, DeskPanel, DeskSpeaker, open_desk_panel
from drivers.ports import DeviceError, Line, Panel, Speaker

if TYPE_CHECKING:
    from collections.abc import Callable


def picture(width: int = 128, height: int = 64) -> Image.Image:
    """A dark picture with one lit pixel."""
    image = Image.new("1", (width, height))
    image.putpixel((3, 2), 1)
    return image


def test_the_panel_keeps_a_copy_of_the_latest_picture() -> None:
    """What is drawn on the image afterwards does not reach the glass."""
    panel = open_desk_panel(128, 64)
    image = picture()
    panel.show(image)
    image.putpixel((0, 0), 1)
    assert panel.shown == 1
    assert panel.image.getpixel((3, 2))
    assert not panel.image.getpixel((0, 0))


def test_the_panel_is_dark_at_first_and_gives_a_png() -> None:
    """The page can show it before the first picture."""
    png = Image.open(BytesIO(DeskPanel(64, 8).png()))
    assert (png.format, png.size, png.getbbox()) == ("PNG", (64, 8), None)


def test_the_panel_calls_back_after_the_picture_is_kept() -> None:
    """The page asks for the picture in the callback."""
    seen: list[bool] = []
    panel = open_desk_panel(128, 64, on_show=lambda: seen.append(bool(panel.image.getpixel((3, 2)))))
    panel.show(picture())
    assert seen == [True]


@pytest.mark.parametrize("image", [picture(127), picture().convert("L")])
def test_a_picture_of_another_size_or_mode_is_the_programs_fault(image: Image.Image) -> None:
    """As on the real glass."""
    with pytest.raises(ValueError, match="one-bit pictures of its size"):
        DeskPanel(128, 64).show(image)


def test_the_speaker_keeps_what_it_played_and_tells() -> None:
    """The page plays the same file."""
    told: list[str] = []
    speaker = DeskSpeaker(on_play=told.append)
    speaker.play("zeit")
    speaker.play("expired")
    speaker.stop()
    assert speaker.played == ("zeit", "expired") == tuple(told)


def test_the_speaker_refuses_a_sound_that_does_not_exist() -> None:
    """A wrong name is found on the desk, not in the hall."""
    with pytest.raises(ValueError, match="no sound is called 'gong'; there are expired, fault, game"):
        DeskSpeaker().play("gong")


def test_the_line_keeps_what_was_sent_call_by_call() -> None:
    """Frames stay apart."""
    told: list[bytes] = []
    line = DeskLine(on_send=told.append)
    line.send(b"one")
    line.send(b"two")
    assert line.sent == (b"one", b"two") == tuple(told)


def show(panel: Panel) -> None:
    """Use a panel through its port."""
    panel.show(picture(panel.width, panel.height))


def play(speaker: Speaker) -> None:
    """Use a speaker through its port."""
    speaker.play("key")


def send(line: Line) -> None:
    """Use a line through its port."""
    line.send(b"x")


def test_each_breaks_mends_and_closes_like_hardware() -> None:
    """Unplugged, plugged in, closed, opened: the same errors as from a real device."""
    panel, speaker, line = DeskPanel(8, 8), DeskSpeaker(), DeskLine()
    uses: list[tuple[DeskPanel | DeskSpeaker | DeskLine, Callable[[], None]]] = [
        (panel, partial(show, panel)),
        (speaker, partial(play, speaker)),
        (line, partial(send, line)),
    ]
    for device, use in uses:
        use()
        device.unplug()
        with pytest.raises(DeviceError, match="it is unplugged; plug it in again"):
            use()
        with pytest.raises(DeviceError, match="it is unplugged"):
            device.open()
        device.plug_in()
        use()
        device.close()
        device.close()
        with pytest.raises(DeviceError, match="it is closed; open it again"):
            use()
        device.open()
        use()
    assert (panel.shown, speaker.played, line.sent) == (3, ("key",) * 3, (b"x",) * 3)


def test_a_broken_speaker_says_so_when_asked() -> None:
    """The worker asks once a second."""
    speaker = DeskSpeaker()
    speaker.check()
    speaker.unplug()
    with pytest.raises(DeviceError, match="desk speaker: it is unplugged"):
        speaker.check()
