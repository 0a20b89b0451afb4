"""Pages try to leave their box. Each attack works from a browser without one, and fails from ours.

Both browsers start with the same plain flags: what holds the pages back is the box alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from aiohttp import web

from envs.browser import box
from envs.browser.chromium import Chromium
from envs.browser.page import Page
from envs.browser.process import Site
from envs.contract.outcomes import EpisodeFault
from envs.io.cdp import CdpError
from tests.envs.browser import private_ranges
from tests.envs.browser.page_attacks import ATTACKS, script
from tests.envs.browser.private_ranges import ADDRESSES
from tests.envs.browser.victim import Victim, running_victim
from tests.http_server import serving

pytestmark = pytest.mark.browser
in_module_loop = pytest.mark.asyncio(loop_scope="module")

FLAGS = ("--headless=new", "--disable-gpu", "--disable-popup-blocking", "--no-first-run")


def pages(stopped: asyncio.Event) -> web.Application:
    """The page's own site: blank pages, a service worker, and redirects anywhere."""

    async def blank(request: web.Request) -> web.Response:
        return web.Response(text="<!doctype html><title>Page</title><p>x", content_type="text/html")

    async def worker(request: web.Request) -> web.Response:
        source = f"fetch({request.query['at']!r}, {{mode: 'no-cors'}})"
        return web.Response(text=source, content_type="text/javascript")

    async def redirect(request: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect(request.query["to"])

    app = web.Application()
    app.router.add_get("/worker.js", worker)
    app.router.add_route("*", "/redirect", redirect)
    app.router.add_get("/{name:.*}", blank)
    return app


class Attacker:
    """Tabs of one browser on the hostile site."""

    def __init__(self, chromium: Chromium, site: str) -> None:
        self.chromium, self.site = chromium, site

    @contextlib.asynccontextmanager
    async def tab(self) -> AsyncIterator[Page]:
        connection = self.chromium.connection
        created = await connection.call("Target.createBrowserContext", {"disposeOnDetach": True})
        context = created["browserContextId"]
        page = await Page.open(connection, context, 800, 600)
        try:
            assert await page.navigate(f"{self.site}/page") is None
            yield page
        finally:
            with contextlib.suppress(CdpError):
                await connection.call(
                    "Target.disposeBrowserContext", {"browserContextId": context}, timeout_s=20
                )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def victim() -> AsyncIterator[Victim]:
    async with running_victim() as made:
        yield made


@contextlib.asynccontextmanager
async def attacking(setting: str) -> AsyncIterator[Attacker]:
    with serving(pages) as site:
        chromium = Chromium(sites=[Site.parse(site)], flags=FLAGS)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(box.SETTING, setting)
            await chromium.ensure()
        try:
            yield Attacker(chromium, site)
        finally:
            await chromium.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def boxed() -> AsyncIterator[Attacker]:
    async with attacking("bubblewrap") as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def confined() -> AsyncIterator[Attacker]:
    async with attacking("landlock") as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def free() -> AsyncIterator[Attacker]:
    async with attacking("none") as made:
        yield made


async def attack(attacker: Attacker, victim: Victim, name: str, wait: bool) -> bool:
    """Whether the victim heard of it; `wait`: for as long as that may take."""
    victim.forget()
    async with attacker.tab() as page:
        with contextlib.suppress(CdpError, EpisodeFault):  # the page went where it was sent
            await page.run(script(name, victim.port))
        if wait:
            return await victim.reached()
        with contextlib.suppress(CdpError, EpisodeFault):  # what was sent before has failed by then
            await page.run("new Promise((done) => setTimeout(done, 100))")
    return bool(victim.hits)


@pytest.mark.parametrize("name", ATTACKS)
@in_module_loop
async def test_a_page_reaches_no_other_server_of_the_machine(
    free: Attacker, boxed: Attacker, confined: Attacker, victim: Victim, name: str
) -> None:
    assert await attack(free, victim, name, wait=True), "the attack itself does not work"
    assert not await attack(boxed, victim, name, wait=False)
    assert not await attack(confined, victim, name, wait=False)


@pytest.mark.skipif(shutil.which("ip") is None, reason="iproute2 is missing")
@pytest.mark.parametrize(
    ("setting", "reached"), [("none", ADDRESSES), ("bubblewrap", ()), ("landlock", ())]
)
def test_a_page_reaches_no_private_or_link_local_address(
    setting: str, reached: tuple[str, ...]
) -> None:
    """In a namespace whose loopback has these addresses; the first case shows that they answer."""
    command = ["unshare", "--user", "--map-root-user", "--net", sys.executable, "-m"]
    done = subprocess.run(
        [*command, private_ranges.__name__, setting],
        capture_output=True,
        text=True,
        timeout=110,
        check=True,
    )
    assert json.loads(done.stdout) == sorted(reached)


@in_module_loop
async def test_nothing_came_late(boxed: Attacker, confined: Attacker, victim: Victim) -> None:
    """After all attacks, and after requests that were still under way."""
    victim.forget()
    for attacker in (boxed, confined):
        async with attacker.tab() as page:
            assert await page.run("fetch('/page').then((reply) => reply.status)") == 200
    assert not victim.hits
