"""The outputs of a box: each display, the sound and the hall line with a worker of its own, from one view.

Lives here: which device the profile names, and what it is given. Never here: drawing (`screens/`), bytes (`drivers/`).
"""

from __future__ import annotations

import base64
import time
from typing import TYPE_CHECKING, Any, Final

from drivers.worker import Mailbox, Worker, drawing
from firmware.view import Trouble
from rules import Ns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PIL import Image

    from drivers.ports import DeviceError, Line, Panel, Speaker
    from firmware.profile import Profile
    from firmware.texts import Texts
    from firmware.view import View

STALE: Final = 500_000_000
"""Nanoseconds: a sound that comes later than this is wrong."""
QUIET_AFTER: Final = {"zeit": 1_500_000_000, "expired": 1_500_000_000, "fault": 500_000_000, "game": 1_500_000_000,
                      "match": 2_000_000_000, "key": 0}  # fmt: skip
"""Nanoseconds in which a key's click does not cut the signal before it."""


class Outputs:
    """All that a box shows and sounds. `post` and `sound` return at once, whatever a device does.

    `to_box(now_ns)` gives the box's instant at one of the monotonic clock; `publish` hands pictures and
    signals to the page; `on_trouble` gets the troubles whenever they change, from any thread.
    """

    def __init__(
        self,
        profile: Profile,
        texts: Texts,
        *,
        to_box: Callable[[int], Ns],
        publish: Callable[[str, Mapping[str, object]], None],
        on_trouble: Callable[[str, Trouble | None], None],
    ) -> None:
        """Start the workers the profile has devices for."""
        self._profile = profile
        self._texts = texts
        self._to_box = to_box
        self._publish = publish
        self._on_trouble = on_trouble
        self._sounding = ("", 0)
        self._workers: list[Worker[Any, View]] = [self._oled()]
        if profile.led.kind != "none":
            self._workers.append(self._led())
        self._workers.append(self._hall())
        self._speaker: Worker[Any, str] | None = self._sound() if profile.sound.kind != "none" else None

    def post(self, view: View) -> None:
        """Show a view from now on."""
        for worker in self._workers:
            worker.post(view)

    def sound(self, signal: str) -> None:
        """Sound a signal of the notation; a click never cuts something that matters."""
        if signal == "key" and not self._profile.sound.key_click:
            return
        name, since = self._sounding
        now = time.monotonic_ns()
        if signal == "key" and now - since < QUIET_AFTER.get(name, 0):
            return
        self._sounding = (signal, now)
        self._publish("signal", {"signal": signal, "word": self._profile.sound.word})
        if self._speaker is not None:
            self._speaker.post(self._profile.sound.word if signal == "zeit" else signal)

    def hush(self, signal: str) -> None:
        """Cut `signal` where it still sounds: it no longer applies."""
        if self._sounding[0] == signal:
            self._sounding = ("", 0)
            if self._speaker is not None:
                self._speaker.post("")

    def close(self) -> None:
        """Darken and let go, each device within its time."""
        for worker in self._workers:
            worker.close()
        if self._speaker is not None:
            self._speaker.close()

    # Devices --------------------------------------------------------------------------------------------------

    def _told(self, name: str, error: DeviceError | None) -> None:
        trouble = None if error is None else Trouble(kind="device", name=name, what=str(error))
        self._on_trouble(name, trouble)

    def _shows(self, panel: str, image: Image.Image) -> None:
        from io import BytesIO

        file = BytesIO()
        image.save(file, "PNG")
        png = base64.b64encode(file.getvalue()).decode()
        size = {"width": image.width, "height": image.height}
        self._publish("panel", {"panel": panel, **size, "png": png})

    def _panel(
        self, name: str, open_panel: Callable[[], Panel], draw: Callable[[View, Ns], Image.Image]
    ) -> Worker[Any, View]:
        from firmware.screens.seconds import next_change

        def show(panel: Panel, image: Image.Image) -> None:
            self._shows(name, image)
            panel.show(image)

        do = drawing(draw=self._at(draw), show=show, next_change=self._when(next_change))
        return self._worker(name, open_panel, do)

    def _oled(self) -> Worker[Any, View]:
        from firmware.screens import oled

        settings = self._profile.oled

        def open_panel() -> Panel:
            if settings.kind == "desk":
                from drivers.desk import open_desk_panel

                return open_desk_panel(128, 64)
            from drivers.panels import open_oled

            return open_oled(settings.kind, port=settings.port, address=settings.address)

        return self._panel("oled", open_panel, lambda view, now: oled.draw(view, now, self._texts))

    def _led(self) -> Worker[Any, View]:
        from firmware.screens import led

        settings = self._profile.led

        def open_panel() -> Panel:
            if settings.kind == "desk":
                from drivers.desk import open_desk_panel

                return open_desk_panel(settings.width, settings.rows)
            from drivers.panels import open_led

            return open_led(modules_wide=settings.width // 8, rows=16 if settings.rows == 16 else 8)  # noqa: PLR2004

        return self._panel(
            "led", open_panel, lambda view, now: led.draw(view, now, settings.width, settings.rows)
        )

    def _hall(self) -> Worker[Any, View]:
        from firmware.screens import hall
        from firmware.screens.seconds import next_change

        settings = self._profile.hall

        def open_hall() -> Line:
            if settings.kind == "none":
                from drivers.desk import DeskLine

                return DeskLine()
            from drivers.serial_line import open_line

            return open_line(settings.device, settings.baud)

        def show(device: Line, text: str) -> None:
            self._publish("hall", {"line": text})
            device.send(text.encode("ascii", "replace") + b"\r\n")

        return self._worker(
            "hall",
            open_hall,
            drawing(draw=self._at(hall.line), show=show, next_change=self._when(next_change)),
        )

    def _at(self, draw: Callable[[View, Ns], Any]) -> Callable[[View, int], Any]:
        return lambda view, now_ns: draw(view, self._of_match(view, now_ns))

    def _when(self, change: Callable[[View, Ns], Ns | None]) -> Callable[[View, int], int | None]:
        def when(view: View, now_ns: int) -> int | None:
            now = self._of_match(view, now_ns)
            due = change(view, now)
            return None if due is None else now_ns + (due - now)

        return when

    def _of_match(self, view: View, now_ns: int) -> Ns:
        """Return the instant of the view's match: it counts from its first line."""
        return Ns(self._to_box(now_ns) - view.started)

    def _worker(
        self, name: str, open_device: Callable[[], Any], do: Callable[[Any, View, int], int | None]
    ) -> Worker[Any, View]:
        return Worker(Mailbox(name=name, open_device=open_device, do=do, on_trouble=self._told))

    def _sound(self) -> Worker[Any, str]:
        settings = self._profile.sound

        def open_sound() -> Speaker:
            if settings.kind == "desk":
                from drivers.desk import DeskSpeaker

                return DeskSpeaker()
            from drivers.sound import open_speaker

            return open_speaker(settings.card)

        def do(device: Speaker, name: str, _: int) -> int | None:
            if name:
                device.play(name)
            else:
                device.stop()
            return None

        return Worker(
            Mailbox(
                name="sound",
                open_device=open_sound,
                do=do,
                on_trouble=self._told,
                keep=lambda speaker: speaker.check(),
                stale_ns=STALE,
            )
        )
