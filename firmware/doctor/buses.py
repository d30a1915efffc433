"""The buses: I2C with its addresses, and SPI.

Lives here: whether the displays can be reached. Never here: what they show.
"""

from typing import Final

from firmware.doctor.findings import Finding, Findings, Value, fine, note, wrong
from firmware.doctor.machine import is_pi
from firmware.doctor.world import Scan, World
from firmware.profile import Profile

CONFIG: Final = "/boot/firmware/config.txt"
FAST_HZ: Final = 400_000
"""The SSD1306's fastest (data sheet); the Pi's bus stands at a quarter of it if nobody says otherwise."""
PROBABLY: Final = {
    0x3C: "an OLED",
    0x3D: "an OLED",
    0x57: "the memory of a DS3231 board",
    0x68: "a DS3231 clock",
}


def i2c(world: World, profile: Profile) -> Findings:
    """Say who answers on the bus of the OLED, and whether the OLED does."""
    if profile.oled.kind == "desk":
        return _looked(world) if is_pi(world) else ()
    port, device = profile.oled.port, f"/dev/i2c-{profile.oled.port}"
    if not world.path(device).exists():
        now = f"add dtparam=i2c_arm=on to {CONFIG} and restart the Pi" if port == 1 else "check [oled] port"
        return (wrong(f"There is no I2C bus {port} ({device}).", now),)
    if not world.may(world.path(device)):
        return (wrong(f"This user may not open {device}.", "make it a member of the group i2c"),)
    scan = world.scan(port)
    return (*_oled(scan, profile), *_speed(world, port))


def _looked(world: World) -> Findings:
    """Say who answers on the header's bus although the board needs nobody there."""
    device = "/dev/i2c-1"
    if not world.path(device).exists() or not world.may(world.path(device)):
        return ()
    return (fine(f"I2C bus 1: {_names(world.scan(1))}.", bus=1),)


def _oled(scan: Scan, profile: Profile) -> Findings:
    port, wanted = profile.oled.port, profile.oled.address
    if scan.error:
        return (wrong(f"I2C bus {port} cannot be asked: {scan.error}.", "restart the Pi"),)
    if scan.stuck:
        return (
            wrong(
                f"I2C bus {port} is held down: somebody pulls SDA or SCL to ground.",
                "take the OLED's plug off; if the bus is free then, its wires or the OLED are broken",
            ),
        )
    names = _names(scan)
    values: dict[str, Value] = {"bus": port, "found": " ".join(f"0x{address:02X}" for address in scan.found)}
    if wanted in scan.found:
        return (fine(f"I2C bus {port}: {names}; the OLED answers at 0x{wanted:02X}.", **values),)
    if wanted in scan.kernel:
        now = f"take the overlay of that driver out of {CONFIG}, or wire the OLED to another bus"
        return (wrong(f"A kernel driver holds 0x{wanted:02X} on I2C bus {port}, the OLED's address.", now),)
    others = [address for address in scan.found if PROBABLY.get(address) == "an OLED"]
    now = (
        f"set [oled] address = 0x{others[0]:02X}"
        if others
        else "check its four wires (3.3 V, GND, SDA on GPIO 2, SCL on GPIO 3) and the plug"
    )
    return (wrong(f"No OLED answers at 0x{wanted:02X} on I2C bus {port}: {names}.", now, **values),)


def _names(scan: Scan) -> str:
    shown = [
        f"0x{address:02X}{_probably(address)}{' (held by the kernel)' if address in scan.kernel else ''}"
        for address in sorted({*scan.found, *scan.kernel})
    ]
    return f"answers from {', '.join(shown)}" if shown else "nobody answers"


def _probably(address: int) -> str:
    return f", {PROBABLY[address]}" if address in PROBABLY else ""


def _speed(world: World, port: int) -> Findings:
    hertz = world.number(f"/sys/bus/i2c/devices/i2c-{port}/of_node/clock-frequency")
    if hertz is None:
        return ()
    if hertz < FAST_HZ:
        now = f"add dtparam=i2c_arm_baudrate={FAST_HZ} to {CONFIG} and restart the Pi"
        what = f"I2C bus {port} runs at {hertz // 1000} kHz: a whole picture takes {1034 * 9 * 1000 // hertz} ms."
        return (note(what, now, hertz=hertz),)
    if hertz > FAST_HZ:
        now = f"set dtparam=i2c_arm_baudrate={FAST_HZ} in {CONFIG}"
        return (
            note(
                f"I2C bus {port} runs at {hertz // 1000} kHz, more than an OLED is made for.",
                now,
                hertz=hertz,
            ),
        )
    return (fine(f"I2C bus {port} runs at {hertz // 1000} kHz.", hertz=hertz),)


def spi(world: World, profile: Profile) -> Findings:
    """Say whether the bus of the LED board is there. A MAX7219 answers nothing, so the board itself goes unseen."""
    if profile.led.kind != "max7219":
        return ()
    device = "/dev/spidev0.0"
    if not world.path(device).exists():
        return (
            wrong(f"There is no SPI bus ({device}).", f"add dtparam=spi=on to {CONFIG} and restart the Pi"),
        )
    if not world.may(world.path(device)):
        return (wrong(f"This user may not open {device}.", "make it a member of the group spi"),)
    return (_led(profile, device),)


def _led(profile: Profile, device: str) -> Finding:
    size = f"{profile.led.width} x {profile.led.rows}"
    return fine(
        f"SPI bus {device} for an LED board of {size}; whether it is there can only be seen on it.",
        device=device,
    )
