"""The Chromiums of a host, each commanded by one raw CDP connection.

Guarantees: nothing of them is left running after `close` or after the parent's death; a dead
browser is noticed (`alive`) and `ensure` brings a fresh one.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path

from envs.browser.box import chosen_box
from envs.browser.box_folder import BoxFolder
from envs.browser.process import BrowserProcess, Site, origin_of
from envs.browser.snapshots import Snapshots
from envs.contract.gym_api import has_own_pages
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.page_url import BLANK
from envs.contract.task import Task
from envs.io.cdp import CdpConnection, CdpError
from envs.io.settings import EnvSettings

BINARIES = ("chromium-headless-shell", "chromium", "google-chrome")
FLAGS = (
    "--headless=new",
    "--hide-scrollbars",
    "--mute-audio",
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--log-level=3",
    "--password-store=basic",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-back-forward-cache",
    "--disable-breakpad",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--allow-pre-commit-input",
    "--metrics-recording-only",
    "--disable-features=RenderDocument,DeferRendererTasksAfterInput,PaintHolding,BackForwardCache,HttpsUpgrades,Translate",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    "--force-color-profile=srgb",
)
"""Names of other hosts fail at once; that no other address is reached is the box's work.
RenderDocument would give each navigation a new frame host, which costs 10 ms of 30;
DeferRendererTasksAfterInput holds a page's scripts back until the next frame after a click, which
costs up to 16 ms."""
PACED_FLAGS = ("--enable-begin-frame-control", "--run-all-compositor-stages-before-draw")
"""Tabs then draw only when asked to, all of the process; the headless shell alone can do that."""


BROKEN_CONTEXTS = 3
"""A restart ends the episodes of all sessions, so one page that fails is no reason for it."""


def find_binary(override: str | None = None) -> str:
    """Path of the Chromium to start: `override`, DESKHAND_CHROMIUM, or the first that is installed.
    Raises EpisodeFault(HOST_START) naming what is missing."""
    chosen = override or EnvSettings.from_env_or_fault(InvalidReason.HOST_START).chromium
    names = (chosen,) if chosen else BINARIES
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

    def __init__(
        self,
        binary: str | None = None,
        sites: Sequence[Site] = (),
        paced: bool = False,
        flags: Sequence[str] = FLAGS,
    ) -> None:
        self._binary = binary
        self.sites = tuple(sites)
        self.paced = paced
        self._flags = (*flags, *(PACED_FLAGS if paced else ()))
        self._process: BrowserProcess | None = None
        self._starting = asyncio.Lock()
        self.generation = 0
        self.broken_contexts = 0
        """new contexts in a row that did not work"""

    @property
    def alive(self) -> bool:
        """Whether the browser process runs and its connection is open."""
        return self._process is not None and not self._process.connection.closed.is_set()

    @property
    def connection(self) -> CdpConnection:
        """The open connection. Raises EpisodeFault when the browser is gone."""
        if self._process is None or self._process.connection.closed.is_set():
            raise EpisodeFault(InvalidReason.HOST_LOST, "the browser is not running")
        return self._process.connection

    @property
    def files(self) -> BoxFolder:
        """The folder in its box. Raises EpisodeFault when the browser is gone."""
        if self._process is None:
            raise EpisodeFault(InvalidReason.HOST_LOST, "the browser is not running")
        return self._process.files

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
                self._process = await BrowserProcess.start(
                    find_binary(self._binary), self._flags, self.sites, chosen_box()
                )
                await self.connection.call("Browser.getVersion", timeout_s=timeout_s)
        except (TimeoutError, CdpError, OSError) as error:
            await self.close()
            raise EpisodeFault(
                InvalidReason.HOST_START, f"Chromium did not start: {str(error)[:300]}"
            ) from error
        self.generation += 1
        self.broken_contexts = 0

    async def close(self) -> None:
        """Ends the browser process."""
        process, self._process = self._process, None
        if process is not None:
            await process.close()


class Browsers:
    """The Chromiums of one host, each started when it is first needed: a paced one for gyms, one
    that draws as browsers do for applications of others, whose scripts wait for frames that a paced
    tab has only when it is acted on, and one for all other pages. Without a headless shell that one
    does all.

    `gym_url`: base URL of the gym server, which gym tasks reach; `sites`: what other tasks reach.
    Raises EpisodeFault(HOST_START) when no Chromium is there, or when one of them is not on
    loopback."""

    def __init__(
        self, binary: str | None = None, gym_url: str | None = None, sites: Sequence[str] = ()
    ) -> None:
        self._boxed = chosen_box() != "none"
        free, gyms = _parse_sites(sites), _parse_sites((gym_url,) if gym_url else ())
        if can_pace(find_binary(binary)):
            self._free = Chromium(binary, free)
            self.gyms = Chromium(binary, gyms, paced=True)
            self._applications = Chromium(binary, gyms)
        else:
            self.gyms = self._applications = self._free = Chromium(binary, [*free, *gyms])
        self._origins = {site.origin for site in free}
        self.snapshots = Snapshots()
        """Of all sessions that these browsers serve."""

    def of(self, task: Task) -> Chromium:
        """The Chromium for this task."""
        if task.gym is None:
            return self._free
        return self.gyms if has_own_pages(task.gym) else self._applications

    def may_open(self, url: str) -> bool:
        """Whether a task without a gym may start there. Where something else is the box, that
        decides."""
        return url == BLANK or not self._boxed or origin_of(url) in self._origins

    async def close(self) -> None:
        """Ends the browser process."""
        await asyncio.gather(*(c.close() for c in (self.gyms, self._applications, self._free)))


def _parse_sites(urls: Sequence[str]) -> list[Site]:
    try:
        return [Site.parse(url) for url in urls]
    except ValueError as error:
        raise EpisodeFault(InvalidReason.HOST_START, str(error)) from error


WALKER = (Path(__file__).parent / "walker.js").read_text()
DROP_DOWNS = (Path(__file__).parent / "drop_downs.js").read_text()
