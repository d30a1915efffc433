"""Which device a board's profile names for each of its outputs.

Lives here: the choice, for real boards and desks alike. Never here: a worker, a picture, bytes. Each function opens
what it returns, or raises `DeviceError`; libraries are imported there, by the driver that needs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpiozero.pins import Factory

    from drivers.loudspeaker import Loudspeaker
    from drivers.ports import DeviceError, Lamps, Line, Panel, Speaker
    from firmware.profile import Profile


def open_oled(profile: Profile) -> Panel:
    """Open the referee's screen."""
    settings = profile.oled
    if settings.kind == "desk":
        from drivers.desk import open_desk_panel

        return open_desk_panel(128, 64)
    from drivers import panels

    return panels.open_oled(settings.kind, port=settings.port, address=settings.address)


def open_led(profile: Profile) -> Panel:
    """Open the players' board."""
    settings = profile.led
    if settings.kind == "desk":
        from drivers.desk import open_desk_panel

        return open_desk_panel(settings.width, settings.rows)
    from drivers import panels

    return panels.open_led(
        modules_wide=settings.width // 8,
        rows=16 if settings.rows == 16 else 8,  # noqa: PLR2004  the two heights there are
        brightness=settings.brightness,
    )


def open_hall(profile: Profile) -> Line:
    """Open the line to the hall's display; without one, a line that keeps what it is given."""
    settings = profile.hall
    if settings.kind == "none":
        from drivers.desk import DeskLine

        return DeskLine()
    from drivers.serial_line import open_line

    return open_line(settings.device, settings.baud)


def open_lamps(profile: Profile, factory: Factory) -> Lamps:
    """Open the lamps that there are."""
    from drivers import lamps

    settings = profile.lamps
    return lamps.open_lamps(settings.pins(), factory=factory, active_low=settings.active_low)


def loudspeaker(
    profile: Profile, factory: Factory, on_trouble: Callable[[str, DeviceError | None], None]
) -> Loudspeaker | None:
    """Return the sound card with its spare, None on a board without sound; this one opens them by itself."""
    from drivers.loudspeaker import Loudspeaker

    pin = profile.piezo.pin
    if profile.sound.kind == "none":
        return None
    return Loudspeaker(
        open_card=None if profile.sound.kind == "piezo" else lambda: _open_card(profile),
        open_spare=None if pin is None else lambda: _open_piezo(pin, factory),
        on_trouble=on_trouble,
    )


def _open_card(profile: Profile) -> Speaker:
    settings = profile.sound
    if settings.kind == "desk":
        from drivers.desk import DeskSpeaker

        return DeskSpeaker()
    if settings.awake:
        from drivers.awake import open_awake_speaker

        return open_awake_speaker(settings.card)
    from drivers.sound import open_speaker

    return open_speaker(settings.card)


def _open_piezo(pin: int, factory: Factory) -> Speaker:
    from drivers.piezo import open_piezo

    return open_piezo(pin, factory=factory)
