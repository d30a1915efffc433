"""The whole way in: a script moves pins, gpiozero reports edges, the filter tells presses. And what it may import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import drivers
from drivers.contact import Pressed, Released, Report, Timing
from drivers.contacts import Contacts
from drivers.inputs import open_inputs
from drivers.mock_pins import ScriptedFactory
from drivers.ports import InputSpec

MS = 1_000_000


def test_a_bouncing_key_and_two_sensors_come_out_in_the_order_of_their_first_contacts() -> None:
    """The key bounces from 100 ms; red falls 0.2 ms before white, both while it bounces. At 22 ms all is known."""
    specs = [
        InputSpec(name="stroke", pins=(17,)),
        InputSpec(name="goal_red", pins=(22,)),
        InputSpec(name="goal_white", pins=(23,)),
    ]
    factory = ScriptedFactory()
    edges: list[drivers.ports.Edge] = []
    inputs = open_inputs(specs, factory=factory, on_edge=edges.append)
    contacts = Contacts(timings={spec.name: Timing() for spec in specs}, initial=inputs.initial, at_ns=0)
    script = [
        *((100 + number, 17, number % 2) for number in range(9)),
        *((102.8, 22, 0), (103.0, 23, 0), (115.0, 22, 1), (115.5, 23, 1), (200, 17, 1)),
    ]
    for at_ms, pin, level in sorted(script):
        factory.drive(pin, level=level, at_ns=round(at_ms * MS))
    for edge in edges:
        contacts.edge(edge)
    reports: list[Report] = [*contacts.settle(122 * MS), *contacts.settle(1_000 * MS)]
    inputs.close()
    assert [(type(report), report.input, report.at_ns / MS) for report in reports] == [
        (Pressed, "stroke", 100),
        (Pressed, "goal_red", 102.8),
        (Pressed, "goal_white", 103),
        (Released, "goal_red", 115),
        (Released, "goal_white", 115.5),
        (Released, "stroke", 200),
    ]


def test_heavy_libraries_are_loaded_by_the_device_that_needs_them_and_no_earlier() -> None:
    """On a Pi Zero gpiozero alone takes a second to import; only the modules of its pins are built on it."""
    modules = [path.stem for path in Path(drivers.__file__).parent.glob("*.py")]
    modules = [name for name in modules if not name.endswith("_pins")]
    script = (
        "import sys\n"
        + "".join(f"import drivers.{name}\n" for name in modules if name != "__init__")
        + "print([name for name in ('gpiozero', 'luma', 'PIL', 'serial', 'smbus2', 'lgpio') if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(drivers.__file__).parent.parent,
    )
    assert done.stdout == "[]\n"
