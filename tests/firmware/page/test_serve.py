"""``kaderuhr page``: what it says when it cannot be had. Nothing here starts a server."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.page import main, run_page

NOWHERE = Path("/nowhere/link")


def test_a_taken_port_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["--socket", str(NOWHERE), "--port", str(port)]) == 2
    told = capsys.readouterr()
    remedy = "end the program that has it, or choose another with --port"
    assert told.err == f"kaderuhr page: port {port} on 127.0.0.1 is taken; {remedy}\n"
    assert told.out == ""


def test_an_address_of_another_machine_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_page(NOWHERE, "192.0.2.1", 0) == 2
    assert (
        "nothing can listen at 192.0.2.1, port 0 (Cannot assign requested address)" in capsys.readouterr().err
    )


@pytest.mark.parametrize("port", ["65536", "-1", "http", "80.5"])
def test_what_is_no_port_is_told(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([f"--port={port}"])
    assert ended.value.code == 2
    assert f"a port is a whole number from 0 to 65535, not '{port}'" in capsys.readouterr().err


def test_what_is_heavy_is_imported_by_a_running_page_alone() -> None:
    """The service imports the link and starts the page; neither may cost it a web server."""
    heavy = ("starlette", "uvicorn", "anyio", "asyncio")
    code = (
        f"import sys, firmware.link, firmware.page; print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
