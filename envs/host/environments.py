"""What a host offers: browser sessions, or the one desktop of its box.

Guarantees: an environment that is started is closed with the host; a desktop is lent to one session
at a time, and starts again by itself when it died.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Protocol

import aiohttp

from envs.session import Lent
from envs.tasks import Env


class Environment(Protocol):
    name: Env
    capacity: int
    allow_shell: bool

    @property
    def well(self) -> bool: ...

    async def start(self) -> None: ...

    async def open(self) -> Lent: ...

    async def close(self) -> None: ...


class BrowserEnvironment:
    """Contexts of the host's Chromiums. `gym_url`: base URL of the gym server, if there is one."""

    name: Env = "browser"
    allow_shell = False

    def __init__(self, capacity: int, gym_url: str | None, gym_token: str) -> None:
        # A desktop's host does without the browser's modules, and the other way round.
        from envs.browser.chromium import Browsers

        self.capacity = capacity
        self._gym_url, self._gym_token = gym_url, gym_token
        self._browsers = Browsers()
        self._http: aiohttp.ClientSession | None = None

    @property
    def well(self) -> bool:
        return self._browsers.gyms.alive

    async def start(self) -> None:
        self._http = aiohttp.ClientSession()
        await self._browsers.gyms.ensure()

    async def open(self) -> Lent:
        from envs.browser.gym_admin import GymAdmin
        from envs.browser.session import BrowserSession

        admin = None
        if self._gym_url is not None and self._http is not None:
            admin = GymAdmin(self._http, self._gym_url, self._gym_token)
        return BrowserSession(self._browsers, admin)

    async def close(self) -> None:
        await self._browsers.close()
        if self._http is not None:
            await self._http.close()


class DesktopEnvironment:
    """The desktop of this box. `pristine` is made when it does not exist yet."""

    name: Env = "desktop"
    capacity = 1

    def __init__(self, home: Path, pristine: Path, allow_shell: bool) -> None:
        from envs.desktop.desktop import Desktop

        self.allow_shell = allow_shell
        self._pristine = pristine
        self.desktop = Desktop(home, pristine)

    @property
    def well(self) -> bool:
        return self.desktop.alive

    async def start(self) -> None:
        from envs.desktop import pristine
        from envs.tools import desktop_tools as _desktop_tools  # noqa: F401  registers the tools

        if not self._pristine.exists():
            await asyncio.to_thread(pristine.write, self._pristine)
        await self.desktop.start()

    async def open(self) -> Lent:
        from envs.desktop.session import DesktopSession

        return DesktopSession(self.desktop, self.allow_shell)

    async def close(self) -> None:
        await self.desktop.close()
