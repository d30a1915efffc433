"""A folder that looks like a Raspberry Pi Zero 2 W with the club table's parts, all of them well."""

import shutil
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

from firmware.doctor.world import Chip, Scan, Space, World
from firmware.journal.wall import WallTime
from firmware.profile import Factory, Pins, Profile, load_profile

FILES = {
    "/proc/device-tree/model": b"Raspberry Pi Zero 2 W Rev 1.0\0",
    "/proc/sys/kernel/osrelease": b"6.6.51+rpt-rpi-v8\n",
    "/proc/cmdline": b"console=tty1 root=PARTUUID=1-02 rootwait\n",
    "/etc/os-release": b'NAME="Debian GNU/Linux"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
    "/sys/devices/platform/soc/soc:firmware/get_throttled": b"0\n",
    "/sys/class/hwmon/hwmon1/name": b"rpi_volt\n",
    "/sys/class/hwmon/hwmon1/in0_lcrit_alarm": b"0\n",
    "/sys/class/thermal/thermal_zone0/temp": b"48312\n",
    "/sys/class/rtc/rtc0/name": b"rtc-ds1307 1-0068\n",
    "/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency": struct.pack(">I", 400_000),
    "/dev/gpiochip0": b"",
    "/dev/i2c-1": b"",
    "/dev/spidev0.0": b"",
    "/dev/ttyUSB0": b"",
    "/dev/snd/pcmC1D0p": b"",
    "/proc/asound/cards": (
        b" 0 [vc4hdmi        ]: vc4-hdmi - vc4-hdmi\n"
        b"                      vc4-hdmi\n"
        b" 1 [Device         ]: USB-Audio - USB Audio Device\n"
        b"                      GeneralPlus USB Audio Device at usb-3f980000.usb-1, full speed\n"
    ),
    "/proc/321/comm": b"kaderuhr\n",
}
REQUIRES = (
    "gpiozero>=2.0.1", "pillow<14", "gpiod>=2.1; extra == 'gpiod'", "lgpio==0.2.2.0; extra == 'lgpio'",
    "spidev>=3.6; extra == 'spi'", "RPi.GPIO>=0.7.1; extra == 'rpigpio'",
)  # fmt: skip
VERSIONS = {
    "gpiozero": "2.0.1.post3", "pillow": "13.0.0", "gpiod": "2.5.0", "lgpio": "0.2.2.0", "spidev": "3.8",
}  # fmt: skip


def raspberry(folder: Path, **answers: Any) -> World:  # noqa: ANN401  whatever a field of World takes
    """Build it; `answers` stand in for those of a machine that is well."""
    world = World(
        root=folder,
        may=lambda _: True,
        space=lambda _: Space(free=20_000_000_000, total=30_000_000_000, writable=True),
        version=VERSIONS.get,
        requires=lambda: REQUIRES,
        chip=lambda _: Chip(label="pinctrl-bcm2835", held={}),
        scan=lambda _: Scan(found=(0x3C,), kernel=(0x68,)),
        tool=lambda _: True,
        wall=lambda: WallTime(utc_s=1_800_000_000, known=True),
    )
    for name, content in FILES.items():
        put(world, name, content)
    link = world.path("/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A1-if00-port0")
    link.parent.mkdir(parents=True)
    link.symlink_to("../../ttyUSB0")
    return replace(world, **answers)


def put(world: World, name: str, content: bytes) -> None:
    """Write a file."""
    file = world.path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def take(world: World, name: str) -> None:
    """Take a file or folder away."""
    path = world.path(name)
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def club(factory: Factory = "gpiod") -> Profile:
    """The board these parts belong to."""
    board = load_profile("club-table")
    return replace(board, pins=Pins(factory=factory))
