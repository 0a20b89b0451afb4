"""What Chromium alone needs to load pages of the gyms: a bound for every step that loads a page.

The browser, its flags and the gym server are those of a run. The tab has no walker and no domain
but `Page`: nobody acts, waits for quiet or reads. Its processor time bounds the steps/s of all
sessions together as its milliseconds bound a single step.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Sequence

from benchmarks.episode import elapsed_ms
from benchmarks.figures import Figure, number, percentiles
from benchmarks.processes import cpu_seconds
from envs.browser.chromium import Chromium, can_pace, find_binary
from envs.browser.gym_admin import GymAdmin, calls_of_fresh_context
from envs.browser.process import Site
from envs.gyms.server.gym import Gym
from envs.io.cdp import CdpConnection, Json
from envs.providers.local import local_gyms
from tasksets.registry import get_gym

SHOP_PATHS = ("/shop/", "/shop/cart", "/shop/orders", "/shop/wishlist", "/shop/addresses")
LOADS, WARM_UP = 200, 20
LOAD_S = 10.0


async def measure_shop_floor() -> dict[str, Figure]:
    """Milliseconds of a load and the processor time of browser and gym server in it."""
    times, cpu_ms = await _time_loads(get_gym("shop"), SHOP_PATHS, LOADS)
    return {
        "browser.floor_load_ms": percentiles(times, "ms"),
        "browser.floor_cpu_ms": number(cpu_ms, "ms"),
    }


async def measure_gyms_floor(gyms: Sequence[Gym]) -> dict[str, Figure]:
    """Milliseconds of a load of an app's first page, as many of each app."""
    times: list[float] = []
    for gym in gyms:
        times += (await _time_loads(gym, [f"/{gym.name}/"], LOADS // len(gyms)))[0]
    return {"gyms.floor_load_ms": percentiles(times, "ms")}


async def _time_loads(gym: Gym, paths: Sequence[str], loads: int) -> tuple[list[float], float]:
    """Milliseconds of each load, and the mean of their processor time."""
    async with _bare_tab(gym) as tab:
        for index in range(WARM_UP):
            await tab.load(paths[index % len(paths)])
        times, cpu_before = [], _cpu_s()
        for index in range(loads):
            started = time.perf_counter()
            await tab.load(paths[index % len(paths)])
            times.append(elapsed_ms(started))
        return times, 1000 * (_cpu_s() - cpu_before) / loads


class _BareTab:
    """Loads pages, and says when each is there."""

    def __init__(self, connection: CdpConnection, session: str, base: str) -> None:
        self._connection, self._session, self._base = connection, session, base
        self._loaded = asyncio.Event()
        connection.on_events(session, self._hear)

    async def load(self, path: str) -> None:
        """Returns with the page's load event. Raises TimeoutError."""
        self._loaded.clear()
        await self._connection.call("Page.navigate", {"url": self._base + path}, self._session)
        async with asyncio.timeout(LOAD_S):
            await self._loaded.wait()

    def _hear(self, method: str, _: Json) -> None:
        if method == "Page.loadEventFired":
            self._loaded.set()


@contextlib.asynccontextmanager
async def _bare_tab(gym: Gym) -> AsyncIterator[_BareTab]:
    """A tab with the session of a task of the gym."""
    key = secrets.token_urlsafe(24)
    async with local_gyms() as gyms, contextlib.AsyncExitStack() as stack:
        paced = can_pace(find_binary())
        chromium = Chromium(sites=[Site.parse(gyms.url)], paced=paced)
        admin = GymAdmin(gyms.url, gyms.token)
        stack.push_async_callback(chromium.close)
        stack.push_async_callback(admin.close)
        await chromium.ensure()
        await admin.put(key, gym.make_task(gym.templates[0], 0))
        connection = chromium.connection
        page: Json = {"url": "about:blank", **({"enableBeginFrameControl": True} if paced else {})}
        target = (await connection.call("Target.createTarget", page))["targetId"]
        attach = {"targetId": target, "flatten": True}
        session = (await connection.call("Target.attachToTarget", attach))["sessionId"]
        for method, parameters in calls_of_fresh_context(gyms.url, key):
            await connection.call(method, parameters, session)
        await connection.call("Page.enable", None, session)
        yield _BareTab(connection, session, gyms.url)


def _cpu_s() -> float:
    return sum(seconds for kind, seconds in cpu_seconds().items() if kind != "client")
