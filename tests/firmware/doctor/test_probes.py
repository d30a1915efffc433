"""Each thing that can be wrong with a box is said in a sentence with what to do; a box that is well is called so."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.doctor import buses, lines, machine, pins, software
from firmware.doctor.findings import Finding, Findings, wrong
from firmware.doctor.report import OF_THE_BOARD, OF_THE_MACHINE
from firmware.doctor.world import Chip, Scan, Space, World
from firmware.journal.wall import WallTime
from firmware.profile import Profile
from tests.firmware.doctor.pi import club, put, raspberry, take

Probe = Callable[[World, Profile], Findings]


def complaints(findings: Findings, *states: str) -> list[Finding]:
    return [finding for finding in findings if finding.state in (states or ("wrong",))]


def test_nothing_is_wrong_with_a_box_that_is_well(tmp_path: Path) -> None:
    world = raspberry(tmp_path)
    found = [finding for probes in OF_THE_MACHINE.values() for probe in probes for finding in probe(world)]
    board = club()
    found += [
        finding for probes in OF_THE_BOARD.values() for probe in probes for finding in probe(world, board)
    ]
    assert [finding.says for finding in found if finding.state != "fine"] == []
    said = "\n".join(finding.says for finding in found)
    for words in (
        "Raspberry Pi Zero 2 W Rev 1.0", "6.6.51+rpt-rpi-v8", "bookworm", "48 degrees", "rtc-ds1307", "gpiozero 2.0.1",
        "20000 MB", "/dev/gpiochip0 (pinctrl-bcm2835)", "0x3C, an OLED", "0x68, a DS3231 clock (held by the kernel)",
        "400 kHz", "/dev/spidev0.0", "USB Audio Device", "usb-FTDI_FT232R_USB_UART_A1-if00-port0", "9600 baud",
    ):  # fmt: skip
        assert words in said, words


def without(name: str) -> Callable[[World], World]:
    def change(world: World) -> World:
        take(world, name)
        return world

    return change


def with_file(name: str, content: bytes) -> Callable[[World], World]:
    def change(world: World) -> World:
        put(world, name, content)
        return world

    return change


def with_answer(**answers: object) -> Callable[[World], World]:
    return lambda world: replace(world, **answers)  # type: ignore[arg-type]


def of_machine(probe: Callable[[World], Findings]) -> Probe:
    return lambda world, _: probe(world)


def barred(name: str) -> Callable[[World], World]:
    return lambda world: replace(world, may=lambda path: path != world.path(name))


def held_open(world: World) -> World:
    put(world, "/proc/77/comm", b"minicom\n")
    link = world.path("/proc/77/fd/3")
    link.parent.mkdir()
    link.symlink_to("/dev/ttyUSB0")
    return world


THROTTLED = "/sys/devices/platform/soc/soc:firmware/get_throttled"
ALARM = "/sys/class/hwmon/hwmon1/in0_lcrit_alarm"
HEAT = "/sys/class/thermal/thermal_zone0/temp"
I2C_SPEED = "/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency"
NO_CARDS = b"--- no soundcards ---\n"
LGPIO_ALONE = {"lgpio": "0.2.2.0"}.get
GUESSED = WallTime(utc_s=1_600_000_000, known=False)
NO_SPACE = Space(free=40_000_000, total=30_000_000_000, writable=True)
READ_ONLY = Space(free=20_000_000_000, total=30_000_000_000, writable=False)
OTHER_CHIP = Chip(label="gpio-sim.0", held={})
TAKEN = Chip(label="pinctrl-bcm2835", held={5: "spi0 CS2", 6: "kaderuhr"})
BUSY = Scan(found=(0x68,), kernel=(0x3C,))
VERSIONS = {"gpiozero": "2.0.1", "pillow": "14.0.0", "lgpio": "0.0.0.2", "spidev": "3.6"}

# What is looked at, what is done to the box; words of the sentence and of the remedy.
WRONG: list[tuple[Probe, Callable[[World], World], str, str]] = [
    (of_machine(machine.power), with_file(THROTTLED, b"50005\n"), "too low now", "5.1 V"),
    (of_machine(machine.power), with_file(THROTTLED, b"50000\n"), "has been too low", "LED board"),
    (of_machine(machine.power), with_file(ALARM, b"1\n"), "has been too low", "5.1 V"),
    (of_machine(machine.heat), with_file(HEAT, b"83100\n"), "83 degrees", "holes"),
    (machine.disk, with_answer(space=lambda _: NO_SPACE), "40 MB are free, too few", "delete"),
    (machine.disk, with_answer(space=lambda _: READ_ONLY), "cannot be written", "new one"),
    (machine.disk, with_answer(space=lambda _: None), "no disk", "[state]"),
    (software.libraries, with_answer(version=VERSIONS.get), "pillow 14.0.0 is not the one asked", "pip install"),
    (software.libraries, with_answer(version=VERSIONS.get), "lgpio 0.0.0.2", "lgpio==0.2.2.0"),
    (software.libraries, with_answer(version=LGPIO_ALONE), "gpiozero is missing", "requirements.lock"),
    (software.libraries, with_answer(version=LGPIO_ALONE), "spidev is missing, which this board", "spidev>=3.6"),
    (software.libraries, with_answer(version=lambda _: "1"), "overwritten each other", "uninstall both"),
    (pins.chips, without("/dev/gpiochip0"), "no GPIO chip", "choose the board desk"),
    (pins.chips, with_answer(chip=lambda _: None), "may not open /dev/gpiochip0", "group gpio"),
    (pins.chips, with_answer(chip=lambda _: OTHER_CHIP), "/dev/gpiochip0 (gpio-sim.0)", "Raspberry Pi"),
    (pins.chips, with_answer(chip=lambda _: TAKEN), "GPIO 5 (red) is held by 'spi0 CS2'", "config.txt"),
    (buses.i2c, without("/dev/i2c-1"), "no I2C bus 1", "dtparam=i2c_arm=on"),
    (buses.i2c, barred("/dev/i2c-1"), "may not open /dev/i2c-1", "group i2c"),
    (buses.i2c, with_answer(scan=lambda _: Scan()), "0x3C on I2C bus 1: nobody answers", "four wires"),
    (buses.i2c, with_answer(scan=lambda _: Scan(found=(0x3D,))), "No OLED answers at 0x3C", "address = 0x3D"),
    (buses.i2c, with_answer(scan=lambda _: Scan(stuck=True)), "held down", "take the OLED's plug off"),
    (buses.i2c, with_answer(scan=lambda _: BUSY), "kernel driver holds 0x3C", "overlay"),
    (buses.i2c, with_answer(scan=lambda _: Scan(error="No such device")), "No such device", "restart"),
    (buses.spi, without("/dev/spidev0.0"), "no SPI bus", "dtparam=spi=on"),
    (buses.spi, barred("/dev/spidev0.0"), "may not open", "group spi"),
    (lines.sound, with_file("/proc/asound/cards", NO_CARDS), "no sound card Device", "plug"),
    (lines.sound, with_answer(tool=lambda _: False), "aplay is missing", "alsa-utils"),
    (lines.sound, barred("/dev/snd/pcmC1D0p"), "may not play on /dev/snd/pcmC1D0p", "group audio"),
    (lines.serial, without("/dev/ttyUSB0"), "/dev/ttyUSB0 is not there", "plug the adapter in"),
    (lines.serial, barred("/dev/ttyUSB0"), "may not open /dev/ttyUSB0", "group dialout"),
    (lines.serial, held_open, "minicom has /dev/ttyUSB0 open", "end it"),
]  # fmt: skip


@pytest.mark.parametrize(("probe", "change", "says", "now"), WRONG, ids=[case[2][:30] for case in WRONG])
def test_what_is_wrong_is_said_with_what_to_do(
    probe: Probe, change: Callable[[World], World], says: str, now: str, tmp_path: Path
) -> None:
    found = complaints(probe(change(raspberry(tmp_path)), club("lgpio")))
    assert [True for finding in found if says in finding.says and now in finding.now], found
    assert all(finding.says.endswith(".") for finding in found), found


# The same for what does no harm yet.
NOTED: list[tuple[Probe, Callable[[World], World], str, str]] = [
    (of_machine(machine.model), without("/proc/device-tree/model"), "not a Raspberry Pi", ""),
    (of_machine(machine.power), without("/sys"), "does not tell", "vcgencmd"),
    (of_machine(machine.power), with_file(THROTTLED, b"20000\n"), "slowed", "air"),
    (of_machine(machine.clock), with_answer(wall=lambda: GUESSED), "It may be 2020-09-13", "DS3231"),
    (machine.disk, with_answer(space=lambda _: replace(NO_SPACE, free=400_000_000)), "400 MB", "room"),
    (buses.i2c, with_file(I2C_SPEED, b"\0\1\x86\xa0"), "a whole picture takes 93 ms", "400000"),
    (pins.factory, lambda world: world, "edges that are lost are not counted", "gpiod"),
]  # fmt: skip


@pytest.mark.parametrize(("probe", "change", "says", "now"), NOTED, ids=[case[2][:30] for case in NOTED])
def test_what_does_no_harm_is_noted(
    probe: Probe, change: Callable[[World], World], says: str, now: str, tmp_path: Path
) -> None:
    found = complaints(probe(change(raspberry(tmp_path)), club("lgpio")), "note")
    assert [True for finding in found if says in finding.says and now in finding.now], found


def test_rpi_gpio_is_refused_on_a_kernel_where_it_finds_no_edges(tmp_path: Path) -> None:
    board = club("rpigpio")
    world = raspberry(tmp_path)
    (found,) = pins.factory(world, board)
    assert (found.state, "6.6" in found.says, "gpiod" in found.now) == ("wrong", True, True)
    put(world, "/proc/sys/kernel/osrelease", b"6.1.21-v8+\n")
    (found,) = pins.factory(world, board)
    assert found.state == "note"
    put(world, "/proc/device-tree/model", b"Raspberry Pi 5 Model B Rev 1.0\0")
    (found,) = pins.factory(world, board)
    assert (found.state, "Raspberry Pi 5" in found.says) == ("wrong", True)


def test_the_systems_console_on_the_halls_line_is_wrong(tmp_path: Path) -> None:
    world = raspberry(tmp_path)
    put(world, "/dev/serial0", b"")
    put(world, "/proc/cmdline", b"console=serial0,115200 console=tty1\n")
    board = replace(club(), hall=replace(club().hall, device="/dev/serial0"))
    assert "console" in complaints(lines.serial(world, board))[0].says


def test_a_screens_card_swallows_the_first_second(tmp_path: Path) -> None:
    board = replace(club(), sound=replace(club().sound, card="vc4hdmi"))
    (found,) = complaints(lines.sound(raspberry(tmp_path), board), "note")
    assert "swallows the first second" in found.says


def test_two_adapters_and_a_number_for_a_name_are_noted(tmp_path: Path) -> None:
    world = raspberry(tmp_path)
    world.path("/dev/serial/by-id/usb-other-if00").symlink_to("../../ttyUSB1")
    (found,) = complaints(lines.serial(world, club()), "note")
    assert "another one next time" in found.says


def test_our_own_service_may_hold_the_pins(tmp_path: Path) -> None:
    held = Chip(label="pinctrl-rp1", held={5: "kaderuhr", 6: "lg"})
    assert complaints(pins.chips(raspberry(tmp_path, chip=lambda _: held), club())) == []


@pytest.mark.parametrize(
    ("version", "bounds", "good"),
    [
        ("2.1", ">=2.1", True), ("2.1.0", "==2.1", True), ("1.5.4", ">=2.1", False), ("13.0", "<14", True),
        ("14.0.1", "<14", False), ("0.2.2.0", "==0.2.2.0", True), ("2.0.1.post3", ">=2.0.1", True),
        ("3.0", ">=2.1,<3", False), ("2.9", ">=2.1, <3", True), ("2.9", "", True), ("10.0", ">=9", True),
    ],
)  # fmt: skip
def test_a_version_keeps_within_its_bounds(version: str, bounds: str, good: bool) -> None:
    assert software.within(version, bounds) is good


def test_a_complaint_without_advice_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a remedy"):
        wrong("It is broken.", "")
