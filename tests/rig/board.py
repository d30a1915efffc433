"""A virtual board: QEMU with Debian's kernel and our devices, one boot for one command.

The board's time, `pace`, is one of these; KVM is never asked for.

counted   an instruction takes a nanosecond, on one core; idle time passes as on the wall. What is busy takes as long as
          it takes there, whatever else this machine does; what wakes from idleness is as late as this machine makes it.
leaping   the same, but idle time is leapt over: nothing wakes late. While a disk or a share is waited for, timers race,
          so it is for what stays in memory.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sysconfig
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final, Literal

from tests.rig.errors import BoardError, NotRunError
from tests.rig.images import code_image, libs_image

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE: Final = Path(__file__).parent
ALONE: Final = "/bin/bash /rig/code/tests/rig/guest/pid1.sh"
SYSTEMD: Final = "/lib/systemd/systemd --unit=rig.target"
KERNEL: Final = (
    "console=ttyS0 quiet panic=-1 mitigations=off preempt=full random.trust_cpu=on "
    # Only the run with systemd heeds these; without them it brings the host's caches up to date for minutes.
    "systemd.condition-needs-update=no systemd.mask=systemd-udev-trigger.service"
)
LIMIT_S: Final = 1800.0
Pace = Literal["counted", "leaping"]
PACES: Final[dict[Pace, tuple[str, ...]]] = {
    "counted": ("-smp", "1", "-icount", "shift=0"),
    "leaping": ("-smp", "1", "-icount", "shift=0,sleep=off"),
}


def cache_folder() -> Path:
    """Return where kernel and images are kept between runs."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(named) if named.startswith("/") else Path.home() / ".cache"
    return base / "kaderuhr-rig"


@cache
def prepared() -> Path:
    """Prepare what boards boot from, once in a process; return the folder. Raises `NotRunError`."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([HERE / "prepare.sh", folder], stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        why = done.stderr.strip().splitlines()[-1:] or [f"prepare.sh ended with {done.returncode}"]
        raise NotRunError(why[0])
    return folder


@dataclass(kw_only=True)
class Board:
    """One boot. `out` is the folder both sides see, `/out` inside; `hall` collects what the second UART sends."""

    out: Path
    process: subprocess.Popen[bytes]
    began: float
    limit_s: float
    hall: bytearray = field(default_factory=bytearray)

    @property
    def console(self) -> str:
        """What kernel and command said so far."""
        return (self.out / "console").read_text("utf-8", "replace")

    def wait(self) -> int:
        """Wait for the command's end and return its exit status. Raises `BoardError` where it has none."""
        try:
            self.process.wait(self.limit_s)
        except subprocess.TimeoutExpired:
            self.cut()
            raise BoardError(f"the board was not done after {self.limit_s:.0f} s{self._tail()}") from None
        told = [line for line in self.console.splitlines() if "RIG-EXIT " in line]
        if not told:
            raise BoardError(f"the board ended without its command's exit status{self._tail()}")
        return int(told[-1].split("RIG-EXIT ")[1].split()[0])

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all of it where it is: what its disk holds meanwhile is what a power cut would leave."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            while not all(state == "T" for state in _states(self.process.pid)):
                time.sleep(0.001)
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def cut(self) -> None:
        """Cut the power: whatever the board had in memory is gone."""
        self.process.kill()
        self.process.wait()

    def _tail(self) -> str:
        return "; its last lines:\n" + "\n".join(self.console.splitlines()[-25:])


@contextmanager
def board(
    command: str,
    *,
    files: dict[str, str] | None = None,
    state: Path | None = None,
    disks: dict[str, Path] | None = None,
    systemd: bool = False,
    pace: Pace = "counted",
    limit_s: float = LIMIT_S,
) -> Iterator[Board]:
    """Boot a board that runs `command` (a shell script) with `files` in /out; what it leaves there is in `out`.

    `state` is mounted where the journal is kept; further `disks`, by serial, are left to the command. What the board
    writes to /dev/ttyS2 is in `out/third` at once.
    """
    kept = prepared()
    libs = libs_image(kept)
    with tempfile.TemporaryDirectory(prefix="rig-") as name:
        folder = Path(name)
        out = folder / "out"
        out.mkdir()
        for file, text in (files or {}).items():
            (out / file).write_text(text, encoding="utf-8")
        (out / "command.sh").write_text(command, encoding="utf-8")
        stdlib, init = sysconfig.get_path("stdlib"), SYSTEMD if systemd else ALONE
        (out / "boot.env").write_text(f"STDLIB='{stdlib}'\nINIT='{init}'\n", encoding="utf-8")
        own = {"libs": libs, "code": code_image()} | ({} if state is None else {"state": state})
        running = _start(kept / "boot", folder, out, own | (disks or {}), pace=pace, limit_s=limit_s)
        try:
            yield running
        finally:
            if running.process.poll() is None:
                running.cut()
            if keep := os.environ.get("RIG_KEEP"):
                shutil.copytree(out, Path(keep) / folder.name, dirs_exist_ok=True)


def _start(
    boot: Path, folder: Path, out: Path, disks: dict[str, Path], *, pace: Pace, limit_s: float
) -> Board:
    hall = folder / "hall.sock"
    (out / "console").touch()
    command = ["qemu-system-x86_64", "-M", "q35,accel=tcg", "-m", "1024", "-display", "none", "-no-reboot",
               "-nic", "none", "-kernel", str(boot / "vmlinuz"), "-initrd", str(boot / "initramfs"),
               "-serial", f"file:{out / 'console'}", "-serial", f"unix:{hall},server=on,wait=off",
               "-serial", f"file:{out / 'third'}",
               "-append", KERNEL]  # fmt: skip
    command += ["-cpu", "max", *PACES[pace]]
    for serial, path in disks.items():
        # unsafe: this machine's own cache keeps what the board wrote, which is all that killing QEMU would leave, and a
        # sync inside does not wait for the disk out here.
        how = "readonly=on" if serial in ("libs", "code") else "cache=unsafe"
        command += ["-drive", f"file={path},format=raw,if=none,id={serial},{how}",
                    "-device", f"virtio-blk-pci,drive={serial},serial={serial}"]  # fmt: skip
    for tag, path, how in (("hostroot", Path("/"), "readonly=on"), ("out", out, "readonly=off")):
        command += ["-virtfs", f"local,path={path},mount_tag={tag},security_model=none,multidevs=remap,{how}"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=(folder / "qemu.log").open("wb"))
    running = Board(out=out, process=process, began=time.monotonic(), limit_s=limit_s)
    Thread(target=_listen, args=(hall, running), name="hall", daemon=True).start()
    return running


def _states(pid: int) -> Iterator[str]:
    """Yield the state of each thread of a process, as the kernel's letter."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        yield (task / "stat").read_text().rpartition(")")[2].split()[0]


def _listen(path: Path, running: Board) -> None:
    """Collect what the board's second UART sends."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        while running.process.poll() is None:
            try:
                line.connect(str(path))
                break
            except OSError:
                time.sleep(0.05)
        try:
            while data := line.recv(4096):
                running.hall += data
        except OSError:
            return
