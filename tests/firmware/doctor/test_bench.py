"""The checks at the bench, with hands that do as they are told and a wire that behaves in every way one can."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from drivers.ports import DeviceError, Edge
from firmware.doctor import bench
from firmware.doctor.bench import loop_back, sound, unplug, watchdog
from firmware.doctor.bench.hands import Terminal
from firmware.profile import Piezo, load_profile
from tests.firmware.doctor.pi import club

MS = 1_000_000


class Hands:
    """Does what it is told (`does`), and sees and hears what it should (`sees`)."""

    def __init__(
        self, *, does: bool = True, sees: bool = True, done: Callable[[str], None] = lambda _: None
    ) -> None:
        """`done` happens whenever something was to be done."""
        self.told: list[str] = []
        self._does, self._sees, self._done = does, sees, done

    def say(self, text: str) -> None:
        self.told.append(text)

    def ready(self, what: str) -> bool:
        self.told.append(what)
        self._done(what)
        return self._does

    def agree(self, question: str) -> bool:
        self.told.append(question)
        return self._sees


class Wire:
    """Two inputs that follow the driven pin, each edge told `late_ns` after it; every `lost`-th is lost."""

    def __init__(self, *, late_ns: int = 0, lost: int = 0, joined: bool = True) -> None:
        """At instant 0."""
        self.now_ns = 0
        self._late_ns, self._lost, self._joined = late_ns, lost, joined
        self._edges: list[tuple[Edge, int]] = []
        self._driven = 0

    def clock(self) -> int:
        return self.now_ns

    def wait(self, seconds: float) -> None:
        self.now_ns += round(seconds * 1e9)

    def drive(self, *, active: bool) -> None:
        for name in ("goal_red", "goal_white"):
            self._driven += 1
            self.now_ns += 10_000
            if self._joined and not (self._lost and self._driven % self._lost == 0):
                edge = Edge(input=name, at_ns=self.now_ns, active=active)
                self._edges.append((edge, self.now_ns + self._late_ns))

    def next(self, within_s: float) -> tuple[Edge, int] | None:
        if self._edges:
            return self._edges.pop(0)
        self.wait(within_s)
        return None


def test_the_loop_back_counts_every_edge_and_measures_them() -> None:
    wire = Wire(late_ns=300_000)
    figures = loop_back.edges(wire, clock=wire.clock)
    assert (figures.driven, figures.told, len(figures.apart)) == (2000, 2000, 1000)
    assert set(figures.stamped_after) == {10_000, 20_000}
    assert set(figures.told_after) == {300_000}
    assert set(figures.apart) == {10_000}
    assert [finding.state for finding in loop_back.judge(figures)] == ["fine"] * 4
    assert "0.300 ms after its stamp at the median" in loop_back.judge(figures)[2].says


def test_lost_edges_are_wrong() -> None:
    wire = Wire(lost=100)
    found = loop_back.judge(loop_back.edges(wire, clock=wire.clock))
    assert (found[0].state, found[0].says) == ("wrong", "1980 edges were told of 2000 that were driven.")


def test_edges_that_are_told_too_late_are_wrong() -> None:
    wire = Wire(late_ns=3 * MS)
    assert loop_back.judge(loop_back.edges(wire, clock=wire.clock))[2].state == "wrong"


def test_a_wire_that_is_not_joined_is_said() -> None:
    wire = Wire(joined=False)
    (found,) = loop_back.judge(loop_back.edges(wire, clock=wire.clock, count=3))
    assert "resistors" in found.now


def test_the_filter_counts_balls_of_12_ms_and_no_spike_of_1_ms() -> None:
    wire = Wire()
    (found,) = loop_back.filtered(wire, club(), wait=wire.wait)
    assert (found.state, found.values) == ("fine", {"balls": 40, "spikes": 0})


def test_a_filter_that_is_too_long_loses_balls() -> None:
    wire, slow = Wire(), replace(club(), filter=replace(club().filter, settle_ms=15))
    (found,) = loop_back.filtered(wire, slow, wait=wire.wait)
    assert (found.state, found.values["balls"]) == ("wrong", 0)


def test_the_driving_pin_is_one_that_nothing_needs() -> None:
    assert loop_back.free_pin(club()) == 18
    assert loop_back.free_pin(replace(club(), piezo=Piezo(pin=None))) == 13
    assert loop_back.free_pin(load_profile("large-table")) == 18
    assert loop_back.free_pin(load_profile("small-table")) == 7
    assert loop_back.free_pin(replace(club(), sound=replace(club().sound, i2s=True))) == 14


class Device:
    """In and out of its socket."""

    there = True

    def __init__(self) -> None:
        """Open it."""
        self.use()

    def use(self) -> None:
        if not self.there:
            raise DeviceError(device="OLED", what="it does not answer", remedy="check its wires")

    def close(self) -> None:
        pass


@pytest.fixture
def device() -> Iterator[type[Device]]:
    yield Device
    Device.there = True


def pulled(*, comes_back: bool = True, goes: bool = True) -> Callable[[str], None]:
    def do(what: str) -> None:
        if "off now" in what:
            Device.there = not goes
        else:
            Device.there = comes_back

    return do


def test_a_plug_that_is_pulled_and_put_back_is_noticed_both_times(device: type[Device]) -> None:
    wire = Wire()
    found = unplug.unplugged(
        "the OLED", device, Device.use, Hands(done=pulled()), clock=lambda: wire.now_ns / 1e9, wait=wire.wait
    )
    assert [finding.state for finding in found] == ["fine", "fine"]


@pytest.mark.parametrize(
    ("goes", "comes_back", "says"),
    [(False, True, "Nobody noticed that the OLED is gone."), (True, False, "did not come back within 5 s.")],
)
def test_a_plug_that_changes_nothing_is_wrong(
    goes: bool, comes_back: bool, says: str, device: type[Device]
) -> None:
    wire = Wire()
    found = unplug.unplugged(
        "the OLED",
        device,
        Device.use,
        Hands(done=pulled(goes=goes, comes_back=comes_back)),
        clock=lambda: wire.now_ns / 1e9,
        wait=wire.wait,
    )
    assert (found[-1].state, says in found[-1].says) == ("wrong", True)


def test_a_device_that_was_never_there_is_said_with_its_remedy(device: type[Device]) -> None:
    device.there = False
    (found,) = unplug.unplugged("the OLED", device, Device.use, Hands())
    assert (found.says, found.now) == ("OLED: it does not answer.", "check its wires")


class Speaker:
    played = ""

    def play(self, name: str) -> None:
        self.played = name

    def check(self) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("heard", "took_s", "state"), [(True, 0.02, "fine"), (False, 0.02, "wrong"), (True, 0.2, "wrong")]
)
def test_the_call_is_heard_at_once(heard: bool, took_s: float, state: str) -> None:
    speaker, instants = Speaker(), iter((1.0, 1.0 + took_s))
    (found,) = sound.check(
        club(), Hands(sees=heard), open_speaker=lambda _: speaker, clock=lambda: next(instants)
    )
    assert (found.state, speaker.played) == (state, "zeit")


UNIT = {"MainPID": "321", "WatchdogUSec": "10s"}


@pytest.mark.parametrize(
    ("told", "says"),
    [({}, "does not run under systemd"), (UNIT | {"WatchdogUSec": "0"}, "has no watchdog")],
)
def test_a_service_without_a_watchdog_is_said(told: dict[str, str], says: str, tmp_path: Path) -> None:
    (found,) = watchdog.check(tmp_path / "link", Hands(), ask=lambda: told)
    assert says in found.says


def test_the_way_of_a_stopped_service_and_back_is_timed() -> None:
    link: list[dict[str, object]] = [
        {"kind": "link", "up": True},
        {"kind": "board"},
        {"kind": "link", "up": False},
        {"kind": "link", "up": True},
    ]
    instants = iter((10.0, 24.5))
    assert watchdog.until_back(link, lambda: next(instants)) == 14.5
    assert watchdog.until_back(link[:3], lambda: 0.0) is None


def test_what_is_passed_over_is_noted_and_a_desk_has_nothing_to_check(tmp_path: Path) -> None:
    found = bench.checks(load_profile("desk"), tmp_path / "link", Hands(does=False))
    assert list(found) == ["Watchdog"]
    found = bench.checks(club(), tmp_path / "link", Hands(does=False))
    assert [part for part, findings in found.items() if findings[-1].says == "Passed over."][:1] == [
        "Loop-back"
    ]


def test_at_a_terminal_enter_does_it_and_s_passes_it_over() -> None:
    terminal = Terminal(StringIO("\ns\nwhat?\ny\nn\n"), StringIO())
    assert [terminal.ready("Pull."), terminal.ready("Pull.")] == [True, False]
    assert [terminal.agree("Seen?"), terminal.agree("Heard?")] == [True, False]
    assert not terminal.ready("Pull.")
