"""Debian's Firefox, commanded through WebDriver BiDi: no driver program is needed between.

https://w3c.github.io/webdriver-bidi/
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from websockets.sync.client import ClientConnection, connect

BINARY = shutil.which("firefox-esr") or shutil.which("firefox")
LISTENS = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")
ANSWER_S = 60.0


class Firefox:
    """One tab. `problems`: what its pages wrote to the console as errors and warnings."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)
        self.problems: list[str] = []
        self._call("session.new", capabilities={})
        self._tab: str = self._call("browsingContext.getTree")["contexts"][0]["context"]
        self._call("session.subscribe", events=["log.entryAdded"])

    def _call(self, method: str, **parameters: Any) -> Any:
        number = next(self._numbers)
        command = {"id": number, "method": method, "params": parameters}
        self._connection.send(orjson.dumps(command).decode())
        while True:
            message = orjson.loads(self._connection.recv(timeout=ANSWER_S))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] in (
                "error",
                "warn",
            ):
                self.problems.append(str(message["params"]["text"]))
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    def resize(self, width: int, height: int) -> None:
        """Sets the size of the page."""
        viewport = {"width": width, "height": height}
        self._call("browsingContext.setViewport", context=self._tab, viewport=viewport)

    def open(self, url: str) -> None:
        """Goes there and waits until it has loaded."""
        self._call("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, or of the promise that it is, through JSON."""
        result = self.run(f"(async () => JSON.stringify(await ({expression})))()")
        return orjson.loads(result.get("value", "null"))

    def run(self, script: str) -> Any:
        """Runs a script in the page."""
        target = {"context": self._tab}
        result = self._call("script.evaluate", expression=script, target=target, awaitPromise=True)
        assert result["type"] == "success", result
        return result["result"]

    def wait_for(self, expression: str, limit_s: float = 60.0) -> None:
        """Until the page has loaded and the expression is true; navigations may come between."""
        expression = f"document.readyState == 'complete' && Boolean({expression})"
        deadline = time.monotonic() + limit_s
        while True:
            with contextlib.suppress(AssertionError):
                if self.evaluate(expression):
                    return
            assert time.monotonic() < deadline, f"never true: {expression}"
            time.sleep(0.05)

    def press(self, keys: str) -> None:
        """Types the characters, one key each."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        source = {"type": "key", "id": "keyboard", "actions": actions}
        self._call("input.performActions", context=self._tab, actions=[source])

    def take_picture(self, path: Path) -> None:
        """Writes the whole page as PNG."""
        shot = self._call("browsingContext.captureScreenshot", context=self._tab, origin="document")
        path.write_bytes(base64.b64decode(shot["data"]))


@contextlib.contextmanager
def running_firefox(profile: Path, *, is_dark: bool) -> Iterator[Firefox]:
    """A headless Firefox with a fresh profile."""
    assert BINARY is not None, "apt-get install firefox-esr"
    looks = {"ui.systemUsesDarkTheme": int(is_dark), "ui.prefersReducedMotion": 1}
    lines = [f'user_pref("{name}", {value});' for name, value in looks.items()]
    profile.mkdir()
    (profile / "user.js").write_text("\n".join(lines))
    command = [BINARY, "--headless", "--no-remote", "--profile", str(profile)]
    process = subprocess.Popen(
        [*command, "--remote-debugging-port", "0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        address = next(filter(None, map(LISTENS.search, process.stderr)), None)
        assert address is not None, "Firefox did not start"
        with connect(f"{address[1].decode()}/session", max_size=None) as connection:
            yield Firefox(connection)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
