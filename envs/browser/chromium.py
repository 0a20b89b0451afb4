"""One Chromium process: Playwright starts and stops it, one raw CDP connection drives it.

Guarantees: nothing of it is left running after `close` or after the parent's death (Playwright's
driver ends the browser when its pipe closes); a dead browser is noticed (`alive`) and `ensure`
brings a fresh one.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from pathlib import Path
from typing import Any

import aiohttp
from playwright.async_api import Browser, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task
from envs.io.cdp import CdpConnection, CdpError

BINARIES = ("chromium-headless-shell", "chromium", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=RenderDocument,DeferRendererTasksAfterInput,PaintHolding,BackForwardCache,HttpsUpgrades,Translate",
    "--remote-debugging-address=127.0.0.1",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    "--force-color-profile=srgb",
)
"""No egress: every host but loopback resolves to nothing. RenderDocument would give each navigation
a new frame host, which costs 10 ms of 30; DeferRendererTasksAfterInput holds a page's scripts back
until the next frame after a click, which costs up to 16 ms."""
PACED_FLAGS = ("--enable-begin-frame-control", "--run-all-compositor-stages-before-draw")
"""Tabs then draw only when asked to, all of the process; the headless shell alone can do that."""


BROKEN_CONTEXTS = 3
"""A restart ends the episodes of all sessions, so one page that fails is no reason for it."""


def find_binary(override: str | None = None) -> str:
    """Path of the Chromium to start. Raises EpisodeFault(HOST_START) naming what is missing."""
    names = (override,) if override else BINARIES
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    raise EpisodeFault(
        InvalidReason.HOST_START,
        f"no Chromium found ({', '.join(names)}); run `make setup` or set DESKHAND_CHROMIUM",
    )


def can_pace(binary: str) -> bool:
    """Whether this Chromium lets its tabs draw on demand."""
    return "headless-shell" in Path(binary).resolve().name.replace("_", "-")


class Chromium:
    """One process and its connection, which is valid while `alive`. Start with `ensure`.

    The tabs of a `paced` one draw a frame only when told to, which halves what a step costs. It is
    for pages that are known not to wait for frames (`requestAnimationFrame`, scroll events)."""

    def __init__(self, binary: str | None = None, paced: bool = False) -> None:
        self._binary = binary or os.environ.get("DESKHAND_CHROMIUM")
        self.paced = paced
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._connection: CdpConnection | None = None
        self._starting = asyncio.Lock()
        self.generation = 0
        self.broken_contexts = 0
        """new contexts in a row that did not work"""

    @property
    def alive(self) -> bool:
        """Whether the browser process runs and its connection is open."""
        return self._connection is not None and not self._connection.closed.is_set()

    @property
    def connection(self) -> CdpConnection:
        """The open connection. Raises EpisodeFault when the browser is gone."""
        if self._connection is None or self._connection.closed.is_set():
            raise EpisodeFault(InvalidReason.HOST_LOST, "the browser is not running")
        return self._connection

    async def ensure(self, timeout_s: float = 30.0) -> None:
        """Starts the browser unless it is alive. One caller at a time does the work."""
        async with self._starting:
            if not self.alive:
                await self._restart(timeout_s)

    async def renew(self, timeout_s: float = 30.0) -> None:
        """A new process, unless the present one still does its work."""
        async with self._starting:
            if not await self._works():
                await self._restart(timeout_s)

    async def _works(self, timeout_s: float = 2.0) -> bool:
        if not self.alive or self.broken_contexts >= BROKEN_CONTEXTS:
            return False
        try:
            await self.connection.call("Browser.getVersion", timeout_s=timeout_s)
        except CdpError:
            return False
        return True

    async def _restart(self, timeout_s: float) -> None:
        await self.close()
        try:
            async with asyncio.timeout(timeout_s):
                await self._start()
        except (TimeoutError, PlaywrightError, OSError, aiohttp.ClientError) as error:
            await self.close()
            raise EpisodeFault(
                InvalidReason.HOST_START, f"Chromium did not start: {str(error)[:300]}"
            ) from error

    async def _start(self) -> None:
        binary = find_binary(self._binary)
        port = _free_port()
        self._playwright = await async_playwright().start()
        self._browser = await self._playwright.chromium.launch(
            executable_path=binary,
            headless=True,
            args=[
                *FLAGS,
                *(PACED_FLAGS if self.paced else ()),
                f"--remote-debugging-port={port}",
            ],
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
        url = (await _version(port))["webSocketDebuggerUrl"]
        self._connection = await CdpConnection.connect(url)
        self.generation += 1
        self.broken_contexts = 0

    async def close(self) -> None:
        """Ends the browser process."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None
        if self._browser is not None:
            browser, self._browser = self._browser, None
            try:
                async with asyncio.timeout(5):
                    await browser.close()
            except (TimeoutError, PlaywrightError):
                pass  # it is dead already, or stopping the driver below kills it
        if self._playwright is not None:
            driver, self._playwright = self._playwright, None
            try:
                async with asyncio.timeout(5):
                    await driver.stop()
            except (TimeoutError, PlaywrightError):
                pass


class Browsers:
    """The Chromiums of one host, each started when it is first needed: a paced one for gyms, and
    one that draws as browsers do for all other pages. Without a headless shell that one does both.
    """

    def __init__(self, binary: str | None = None) -> None:
        chosen = binary or os.environ.get("DESKHAND_CHROMIUM")
        self._free = Chromium(chosen)
        self.gyms = Chromium(chosen, paced=True) if can_pace(find_binary(chosen)) else self._free

    def of(self, task: Task) -> Chromium:
        """The Chromium for this task: the paced one for gyms."""
        return self._free if task.gym is None else self.gyms

    async def close(self) -> None:
        """Ends the browser process."""
        await asyncio.gather(self.gyms.close(), self._free.close())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _version(port: int) -> dict[str, Any]:
    """The debugging port opens a moment after the launch; `ensure` bounds the wait."""
    async with aiohttp.ClientSession() as http:
        while True:
            try:
                async with http.get(f"http://127.0.0.1:{port}/json/version") as reply:
                    answer: dict[str, Any] = await reply.json()
                    return answer
            except aiohttp.ClientConnectionError:
                await asyncio.sleep(0.02)


WALKER = (Path(__file__).parent / "walker.js").read_text()
