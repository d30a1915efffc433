"""Chromium without a window, driven over its debugging pipe with the standard library alone."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

CHROMIUM: Final = shutil.which("chromium")
FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--mute-audio",
    "--lang=de",
    "--remote-debugging-pipe",
)
# The pipe is fixed to the descriptors 3 and 4, which no argument of subprocess can promise.
SHIM: Final = (
    "import os,sys; reads,writes=map(int,sys.argv[1:3]); os.dup2(reads,3); os.dup2(writes,4); "
    "os.execv(sys.argv[3],sys.argv[3:])"
)
ABOVE: Final = 10
PATIENCE_MS: Final = 10_000


class Browser:
    """One Chromium with an empty profile in ``folder``."""

    def __init__(self, folder: Path) -> None:
        """Start it; the pipe is there at once."""
        if CHROMIUM is None:
            raise FileNotFoundError("no chromium on PATH; on Debian: apt install chromium")
        ends = [*os.pipe(), *os.pipe()]
        theirs_in, self._out, self._in, theirs_out = (
            fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, ABOVE) for end in ends
        )
        for end in ends:
            os.close(end)
        shim = [sys.executable, "-c", SHIM, str(theirs_in), str(theirs_out), CHROMIUM]
        self._process = subprocess.Popen(
            [*shim, *FLAGS, f"--user-data-dir={folder}"],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._rest = b""
        self._count = 0

    def call(self, method: str, session: str | None = None, **params: object) -> dict[str, Any]:
        """Call a method of the DevTools protocol and return its result; events are passed over."""
        self._count += 1
        message: dict[str, object] = {"id": self._count, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") != self._count:
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            result: dict[str, Any] = answer["result"]
            return result

    def open(self, url: str, *, width: int = 1280, height: int = 800, touch: bool = False) -> Page:
        """Open a page in a tab of this size, in CSS pixels; with ``touch`` as on a telephone."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, target, session)
        page.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if touch else 1,
            mobile=touch,
        )
        page.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        page.call("Page.enable")
        page.call("Page.navigate", url=url)
        return page

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(10)
        os.close(self._out)
        os.close(self._in)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            data = os.read(self._in, 1 << 20)
            if not data:
                raise EOFError("chromium has ended")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message


class Page:
    """One tab."""

    def __init__(self, browser: Browser, target: str, session: str) -> None:
        """Made by :meth:`Browser.open`."""
        self._browser = browser
        self._target = target
        self._session = session
        self._closed = False

    def call(self, method: str, **params: object) -> dict[str, Any]:
        """Call a method of the protocol for this tab."""
        return self._browser.call(method, self._session, **params)

    def eval(self, script: str) -> Any:  # noqa: ANN401  a value of JavaScript
        """Return the value of an expression, or of the promise it makes."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait in the page until an expression is true, looking at every 20 ms."""
        look = f"() => {{ try {{ return Boolean({condition}) }} catch {{ return false }} }}"
        script = f"""new Promise((done, failed) => {{
            const began = performance.now(), look = {look};
            const again = () => look() ? done(true)
                : performance.now() - began > {PATIENCE_MS} ? failed(new Error({json.dumps(condition)}))
                : setTimeout(again, 20);
            again();
        }})"""
        self.eval(script)

    def mouse(self, kind: str, selector: str) -> None:
        """``mousePressed`` or ``mouseReleased`` in the middle of an element."""
        box = self._middle(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", **box)
        self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **box)

    def click(self, selector: str) -> None:
        """Press and release the mouse there."""
        self.mouse("mousePressed", selector)
        self.mouse("mouseReleased", selector)

    def touch(self, kind: str, selector: str) -> None:
        """``touchStart`` or ``touchEnd`` with one finger in the middle of an element."""
        self.call(
            "Input.dispatchTouchEvent",
            type=kind,
            touchPoints=[] if kind == "touchEnd" else [self._middle(selector)],
        )

    def key(self, kind: str, code: str, key: str, *, repeat: bool = False) -> None:
        """``keyDown`` or ``keyUp`` of a place on the keyboard, with what is printed there."""
        self.call("Input.dispatchKeyEvent", type=kind, code=code, key=key, autoRepeat=repeat)

    def screenshot(self, path: Path) -> None:
        """Write what can be seen, as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self) -> None:
        """Close the tab; any number of times."""
        if not self._closed:
            self._closed = True
            self._browser.call("Target.closeTarget", targetId=self._target)

    def _middle(self, selector: str) -> dict[str, float]:
        box: dict[str, float] = self.eval(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'nearest'}); const b = e.getBoundingClientRect();"
            " return {x: b.x + b.width / 2, y: b.y + b.height / 2} })()"
        )
        return box
