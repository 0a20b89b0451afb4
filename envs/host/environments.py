"""What a host offers: browser sessions, or the one desktop of its box.

Guarantees: an environment that is started is closed with the host; a desktop is lent to one session
at a time, and starts again by itself when it died.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from envs.browser.page_size import PAGE_SIZE
from envs.contract.screen_size import Size
from envs.contract.session import LeasedSession
from envs.contract.task import Env
from envs.contract.tools import Toolset
from envs.desktop.limits import NO_LIMITS, BoxLimits
from envs.desktop.size import SIZE
from envs.io.relay import Relay


class Environment(Protocol):
    """What a host serves: it opens sessions, up to `capacity`."""

    name: Env
    capacity: int
    allow_shell: bool
    wants_assets: bool
    """Whether clients lend the files that tasks download."""
    tools: Toolset

    @property
    def well(self) -> bool:
        """Whether the environment can serve sessions."""

    async def start(self) -> None:
        """Starts what sessions need. Raises EpisodeFault."""

    async def open(self) -> LeasedSession:
        """A new session. Raises EpisodeFault."""

    async def close(self) -> None:
        """Ends all that was started."""


class BrowserEnvironment:
    """Contexts of the host's Chromiums. `gym_url`: base URL of the gym server, if there is one;
    `sites`: what tasks without a gym may open; `size`: of the pages."""

    name: Env = "browser"
    allow_shell = False
    wants_assets = False

    def __init__(
        self,
        capacity: int,
        gym_url: str | None,
        gym_token: str,
        sites: Sequence[str] = (),
        size: Size = PAGE_SIZE,
    ) -> None:
        # A desktop's host does without the browser's modules, and the other way round.
        from envs.browser.chromium import Browsers
        from envs.browser.gym_admin import GymAdmin
        from envs.browser.tools import TOOLS

        self.capacity = capacity
        self.size = size
        self.tools = TOOLS
        self._gym = None if gym_url is None else GymAdmin(gym_url, gym_token)
        self._browsers = Browsers(gym_url=gym_url, sites=sites)

    @property
    def well(self) -> bool:
        """Whether the environment can serve sessions."""
        return self._browsers.gyms.alive

    async def start(self) -> None:
        """Starts what sessions need. Raises EpisodeFault."""
        await self._browsers.gyms.ensure()

    async def open(self) -> LeasedSession:
        """A new session. Raises EpisodeFault."""
        from envs.browser.session import BrowserSession

        return BrowserSession(self._browsers, self._gym, size=self.size)

    async def close(self) -> None:
        """Ends all that was started."""
        await self._browsers.close()
        if self._gym is not None:
            await self._gym.close()


class DesktopEnvironment:
    """The desktop of this box. `pristine` is made when it does not exist yet. `forwards`: listening
    sockets, the connections of which go to a port of the box."""

    name: Env = "desktop"
    capacity = 1

    def __init__(
        self,
        home: Path,
        pristine: Path,
        allow_shell: bool,
        limits: BoxLimits = NO_LIMITS,
        size: Size = SIZE,
        forwards: Sequence[tuple[socket.socket, int]] = (),
    ) -> None:
        from envs.apps.catalog import DESKTOP_TOOLS
        from envs.desktop.desktop import Desktop
        from envs.osworld.format.mirror import mirror_folder

        self.allow_shell = allow_shell
        self.wants_assets = mirror_folder() is None
        self.tools = DESKTOP_TOOLS
        self._pristine = pristine
        self.desktop = Desktop(home, pristine, limits, size)
        self._forwards = forwards
        self._relays: list[Relay] = []

    @property
    def well(self) -> bool:
        """Whether the environment can serve sessions."""
        return self.desktop.alive

    async def start(self) -> None:
        """Starts what sessions need. Raises EpisodeFault."""
        from envs.desktop.profiles import pristine

        if not self._pristine.exists():
            await asyncio.to_thread(pristine.write, self._pristine)
        await self.desktop.start()
        for listener, port in self._forwards:
            relay = Relay(("127.0.0.1", port))
            await relay.open_on(listener)
            self._relays.append(relay)

    async def open(self) -> LeasedSession:
        """A new session. Raises EpisodeFault."""
        from envs.desktop.session import DesktopSession
        from envs.osworld.inside.support.task_support import OsworldSupport

        support = OsworldSupport(self.desktop)
        return DesktopSession(self.desktop, self.tools, support, self.allow_shell)

    async def close(self) -> None:
        """Ends all that was started."""
        for relay in self._relays:
            await relay.close()
        await self.desktop.close()
