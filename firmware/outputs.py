"""The outputs of a box: each display, the sound and the hall line with a worker of its own, from one view.

Lives here: what each device is given, and when. Never here: which device that is (`devices.py`), drawing (`screens/`),
bytes (`drivers/`).
"""

from __future__ import annotations

import base64
import time
from typing import TYPE_CHECKING, Any, Final

from drivers.panels import LED_REFRESH_NS, OLED_REFRESH_NS
from drivers.resting import AWAKE, RESTS_AFTER_NS, next_step_ns, rest
from drivers.worker import Mailbox, Worker, drawing
from firmware import devices
from firmware.resting import may_rest
from firmware.view import Trouble
from rules import Ns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gpiozero.pins import Factory
    from PIL import Image

    from drivers.ports import DeviceError, Lamps, Line, Panel
    from drivers.resting import Rest
    from firmware.profile import Profile
    from firmware.texts import Texts
    from firmware.view import View

QUIET_AFTER: Final = {"zeit": 1_500_000_000, "expired": 1_500_000_000, "fault": 500_000_000, "game": 1_500_000_000,
                      "match": 2_000_000_000, "key": 0}  # fmt: skip
"""Nanoseconds in which a key's click does not cut the signal before it."""


class Outputs:
    """All that a box shows and sounds. `post` and `sound` return at once, whatever a device does.

    Lamps and piezo are on pins of `factory`, the one that has the keys.
    `to_box(now_ns)` gives the box's instant at one of the monotonic clock; `publish` hands pictures and
    signals to the page; `on_trouble` gets the troubles whenever they change, from any thread.
    """

    def __init__(
        self,
        profile: Profile,
        texts: Texts,
        *,
        factory: Factory,
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
        self._factory = factory
        self._sounding = ("", 0)
        self._busy_ns = time.monotonic_ns()
        self._view: View | None = None
        self._workers: list[Worker[Any, View]] = [self._oled()]
        if profile.led.kind != "none":
            self._workers.append(self._led())
        self._workers.append(self._hall())
        if profile.lamps.pins():
            self._workers.append(self._lamps())
        self._speaker = devices.loudspeaker(profile, factory, self._told)

    def post(self, view: View) -> None:
        """Show a view from now on."""
        self._busy_ns, self._view = time.monotonic_ns(), view
        for worker in self._workers:
            worker.post(view)

    def sound(self, signal: str) -> None:
        """Sound a signal of the notation; a click never cuts something that matters. Either wakes a resting screen."""
        if self._view is not None and time.monotonic_ns() - self._busy_ns >= RESTS_AFTER_NS:
            self.post(self._view)
        if signal == "key" and not self._profile.sound.key_click:
            return
        name, since = self._sounding
        now = time.monotonic_ns()
        if signal == "key" and now - since < QUIET_AFTER.get(name, 0):
            return
        self._sounding = (signal, now)
        self._publish("signal", {"signal": signal, "word": self._profile.sound.word})
        if self._speaker is not None:
            self._speaker.play(self._profile.sound.word if signal == "zeit" else signal)

    def hush(self, *signals: str) -> None:
        """Cut these signals where one still sounds: it no longer applies."""
        if self._sounding[0] in signals:
            self._sounding = ("", 0)
            self._publish("signal", {"signal": "hush"})
            if self._speaker is not None:
                self._speaker.stop()

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
        self,
        name: str,
        open_panel: Callable[[], Panel],
        draw: Callable[[View, Ns], Image.Image],
        *,
        refresh_ns: int,
    ) -> Worker[Any, View]:
        from firmware.screens.seconds import next_change

        at, when = self._at(draw), self._when(next_change)

        def do(panel: Panel, view: View, now_ns: int) -> int | None:
            resting, until_ns = self._rest(view, now_ns)
            image = resting.moved(at(view, now_ns))
            self._shows(name, image)
            panel.dim(dimmed=resting.dimmed)
            panel.show(image)
            return min((due for due in (when(view, now_ns), until_ns) if due is not None), default=None)

        return self._worker(
            name, open_panel, do, keep=lambda panel: panel.refresh(), keep_every_ns=refresh_ns
        )

    def _rest(self, view: View, now_ns: int) -> tuple[Rest, int | None]:
        """Return how a screen rests, and until when it does so: never while a match goes on."""
        if not may_rest(view):
            return AWAKE, None
        idle_ns = now_ns - self._busy_ns
        return rest(idle_ns), now_ns + next_step_ns(idle_ns)

    def _oled(self) -> Worker[Any, View]:
        from firmware.screens import oled

        return self._panel(
            "oled",
            lambda: devices.open_oled(self._profile),
            lambda view, now: oled.draw(view, now, self._texts),
            refresh_ns=OLED_REFRESH_NS,
        )

    def _led(self) -> Worker[Any, View]:
        from firmware.screens import led

        width, rows = self._profile.led.width, self._profile.led.rows
        return self._panel(
            "led",
            lambda: devices.open_led(self._profile),
            lambda view, now: led.draw(view, now, width, rows),
            refresh_ns=LED_REFRESH_NS,
        )

    def _lamps(self) -> Worker[Any, View]:
        from firmware.screens.lamps import lit

        def do(lamps: Lamps, view: View, _: int) -> None:
            lamps.show(lit(view))

        return self._worker("lamps", lambda: devices.open_lamps(self._profile, self._factory), do)

    def _hall(self) -> Worker[Any, View]:
        from firmware.screens import hall
        from firmware.screens.seconds import next_change

        def show(device: Line, text: str) -> None:
            self._publish("hall", {"line": text})
            device.send(text.encode("ascii", "replace") + b"\r\n")

        return self._worker(
            "hall",
            lambda: devices.open_hall(self._profile),
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
        self,
        name: str,
        open_device: Callable[[], Any],
        do: Callable[[Any, View, int], int | None],
        *,
        keep: Callable[[Any], None] | None = None,
        keep_every_ns: int = 1_000_000_000,
    ) -> Worker[Any, View]:
        return Worker(
            Mailbox(
                name=name,
                open_device=open_device,
                do=do,
                on_trouble=self._told,
                keep=keep,
                keep_every_ns=keep_every_ns,
            )
        )
