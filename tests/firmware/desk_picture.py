"""The picture in README.md: the desk board in a browser in the middle of a turn, made by the program itself.

`python -m tests.firmware.desk_picture FILE.png`; needs Chromium.
"""

import sys
import tempfile
import time
from pathlib import Path

from tests.firmware.page.browser import Browser
from tests.firmware.running import Box


def picture(file: Path) -> None:
    """Play an opening, two strokes and a goal, and take the picture while the clock runs."""
    with tempfile.TemporaryDirectory() as folder, Box(Path(folder)) as box:
        browser = Browser(Path(folder) / "browser")
        try:
            page = browser.open(f"{box.address}/", width=1280, height=830)
            box.press("stroke")
            box.press("rest")
            box.press("red")
            box.press("stroke")
            box.ball("red")
            box.press("rest")
            time.sleep(8.4)
            page.screenshot(file)
            page.close()
        finally:
            browser.close()


if __name__ == "__main__":
    picture(Path(sys.argv[1]))
