"""What the inputs do, raw, for whoever mounts light barriers: levels, counters, and how long each pulse was.

Lives here: the message `inputs` of the link. Never here: what an input means, and the time.

Somebody who wants it sends `{"watch": "inputs"}` (`firmware/link/commands.py`), again every second; for 2 s after that
the service publishes what has changed, at most 20 times a second:

    {"kind": "inputs", "at_ns": NOW, "inputs": [INPUT, ...], "pulses": [PULSE, ...]}

An INPUT has `input`, `pins`, `active` and its counters (`Counters`, `Losses`). A PULSE is a stretch in which the raw
line was active, spikes and bounce included: `n` counts them from the start, and the last 32 are told each time, so that
a reader who is behind misses none.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Final

from drivers.contacts import Counters
from drivers.ports import Edge, InputSpec, Losses

WATCHED_NS: Final = 2_000_000_000
APART_NS: Final = 50_000_000
LAST: Final = 32


@dataclass(frozen=True, kw_only=True, slots=True)
class RawPulse:
    """The `n`-th stretch in which a raw line was active."""

    n: int
    input: str
    at_ns: int
    width_ns: int


class Pulses:
    """Levels and pulses of a board's inputs. Belongs to one thread."""

    def __init__(self, specs: Iterable[InputSpec], initial: Mapping[str, bool], at_ns: int) -> None:
        """Begin at `at_ns` with these levels."""
        self._pins = {spec.name: spec.pins for spec in specs}
        self._since: dict[str, int | None] = {name: at_ns if initial[name] else None for name in self._pins}
        self._count = 0
        self._last: deque[RawPulse] = deque(maxlen=LAST)
        self._watched_until_ns = 0
        self._told_ns = 0

    def edge(self, edge: Edge) -> None:
        """Take a raw edge."""
        since = self._since.get(edge.input)
        if edge.active:
            self._since[edge.input] = edge.at_ns if since is None else since
        elif since is not None:
            self._since[edge.input] = None
            self._count += 1
            width_ns = max(0, edge.at_ns - since)
            self._last.append(RawPulse(n=self._count, input=edge.input, at_ns=since, width_ns=width_ns))

    def watched(self, now_ns: int) -> None:
        """Tell for a while from now on; at once, whatever was told before."""
        self._watched_until_ns = now_ns + WATCHED_NS
        self._told_ns = now_ns - APART_NS

    def wants(self, now_ns: int) -> bool:
        """Whether somebody watches, and was told nothing for long enough; then he is told now."""
        if now_ns >= self._watched_until_ns or now_ns - self._told_ns < APART_NS:
            return False
        self._told_ns = now_ns
        return True

    def message(
        self, counters: Mapping[str, Counters], now_ns: int, losses: Mapping[str, Losses] | None = None
    ) -> dict[str, object]:
        """Return all there is to tell."""
        inputs = [
            {
                "input": name,
                "pins": list(pins),
                "active": self._since[name] is not None,
                **asdict(counters.get(name, Counters())),
                **asdict((losses or {}).get(name, Losses())),
            }
            for name, pins in self._pins.items()
        ]
        return {"at_ns": now_ns, "inputs": inputs, "pulses": [asdict(pulse) for pulse in self._last]}
