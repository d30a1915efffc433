"""Devices that go and come back during a match, and how the clock minds: it must not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.rig import figures, logs, matches, scripts

if TYPE_CHECKING:
    from pathlib import Path

LIMIT_NS: Final = 20_000_000
SCENES: Final = (
    ("OLED unplugged", "oled", "oled absent 1", "oled absent 0"),
    ("OLED's bus hangs", "oled", "oled hang_ms 1000", "oled hang_ms 0"),
    ("sound card gone", "sound", "sound_card unbind", "sound_card bind"),
    ("UART dead", "hall", "uart unbind", "uart bind"),
)
"""What happens, the device's name in the service's troubles, and how it goes and comes back inside the board."""
GONE_S: Final = 9
BACK_S: Final = 9


@dataclass(frozen=True, kw_only=True)
class Scene:
    """How one scene went: seconds until its trouble was told, and from its return until there was none."""

    name: str
    told_s: float | None
    cleared_s: float | None
    clock_ns: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Scenes:
    """All scenes; `problems` are the clock's errors and what does not come back."""

    scenes: tuple[Scene, ...]
    problems: tuple[str, ...]


def run(folder: Path, factory: str) -> Scenes:
    """Play a match of calls; take devices away and give them back meanwhile."""
    during = "sleep 6\n"
    for place, (_, _, gone, back) in enumerate(SCENES):
        during += f"act gone-{place} {gone}\nsleep {GONE_S}\nact back-{place} {back}\nsleep {BACK_S}\n"
    seconds = 6 + len(SCENES) * (GONE_S + BACK_S)
    turns = seconds // 5 + 1
    played = matches.play(scripts.calls(turns), folder, factory=factory, during=during, sound=False)
    return judge(played)


def judge(played: matches.Played) -> Scenes:
    """Say how each scene went, from the logs."""
    out = played.out
    actions = {}
    for line in (out / "actions").read_text().splitlines():
        at, name = line.split()
        actions[name] = int(at)
    told = [
        (at, {trouble["name"] for trouble in message["troubles"]})
        for at, message in logs.link(out / "link")
        if message.get("kind") == "troubles"
    ]
    due = matches.deadlines(out)
    given = [at for at, name in logs.signals(out / "link") if name in ("zeit", "expired")]
    scenes = []
    problems = [problem for problem in played.problems if problem.startswith(("ruling", "the service said"))]
    for place, (name, device, _, _) in enumerate(SCENES):
        gone, back = actions[f"gone-{place}"], actions[f"back-{place}"]
        until = actions.get(f"gone-{place + 1}", back + BACK_S * 1_000_000_000)
        told_at = next((at for at, names in told if at >= gone and device in names), None)
        cleared_at = next((at for at, names in told if at >= back and device not in names), None)
        late = tuple(figures.after([at for at in due if gone <= at < until], given))
        scene = Scene(
            name=name,
            told_s=None if told_at is None or told_at > until else (told_at - gone) / 1e9,
            cleared_s=None if cleared_at is None or cleared_at > until else (cleared_at - back) / 1e9,
            clock_ns=late,
        )
        scenes.append(scene)
        missing = sum(gone <= at < until for at in due) - len(late)
        if not late or missing:
            problems.append(f"{name}: {missing} of the calls due in it were not given")
        if any(value >= LIMIT_NS for value in late):
            problems.append(
                f"{name}: a call came {max(late) / 1e6:.1f} ms late; the limit is {LIMIT_NS / 1e6:.0f} ms"
            )
        if scene.told_s is None:
            problems.append(f"{name}: nobody was told")
        elif scene.cleared_s is None:
            problems.append(f"{name}: it was not used again within {BACK_S} s of its return")
    # With its mark of a trouble no picture is replay's; when all are back, the match's own must be seen again.
    back = actions[f"back-{len(SCENES) - 1}"]
    if played.replayed.pictures[-1][1] not in [state for at, state in played.states if at > back]:
        problems.append("the OLED's last picture is not the match's")
    return Scenes(scenes=tuple(scenes), problems=tuple(problems))
