"""A task with domains: its pages reach these sites, and whatever they try, nothing else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from functools import partial

import pytest
import pytest_asyncio
from aiohttp import web

from envs.browser.chromium import Browsers
from envs.browser.egress import EgressProxy
from envs.browser.session import BrowserSession
from envs.browser.web_browser import WebBrowser
from envs.contract.actions import Navigate
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task
from tests.envs.browser.page_attacks import ATTACKS, script
from tests.envs.browser.victim import Victim, running_victim

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]
SITE, EVIL = "127.0.0.2", "127.0.0.3"
AT_VICTIM = "http://127.0.0.1:${port}/pause?mode=abort"
TABS = 18
ATTACK_S = 5.0
HEARD_S = 60.0
NOT_BY_NAME = frozenset(
    {
        *("WebRTC STUN", "WebRTC TURN over TCP", "localhost", "name below localhost", "IPv6"),
        *("IPv4 in IPv6", "short address", "decimal address", "hexadecimal address"),
        *("any address", "https"),
    }
)
"""Attacks on 127.0.0.1 itself; all others go to a site that the task does not allow."""


class Internet:
    """A site, an evil one, and what the evil one heard."""

    def __init__(self) -> None:
        self.site_port = self.evil_port = 0
        self.heard: set[str] = set()

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        return [SITE if host.endswith("shop.test") else EVIL]

    def make_site(self) -> web.Application:
        async def blank(request: web.Request) -> web.Response:
            text = "<!doctype html><title>Shop</title><p>Welcome"
            return web.Response(text=text, content_type="text/html")

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

    def make_evil_site(self) -> web.Application:
        async def hear(request: web.Request) -> web.Response:
            self.heard.add(request.path[1:])
            return web.Response(text="evil", headers={"Access-Control-Allow-Origin": "*"})

        app = web.Application()
        app.router.add_route("*", "/{name:.*}", hear)
        return app


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def internet() -> AsyncIterator[Internet]:
    made = Internet()
    runners = []
    for app, address in ((made.make_site(), SITE), (made.make_evil_site(), EVIL)):
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, address, 0).start()
        runners.append(runner)
    made.site_port, made.evil_port = (runner.addresses[0][1] for runner in runners)
    yield made
    for runner in runners:
        await runner.cleanup()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def session(internet: Internet) -> AsyncIterator[BrowserSession]:
    browsers = Browsers()
    proxy = EgressProxy(internet.resolve, lambda address: address in (SITE, EVIL))
    made = BrowserSession(browsers, None, partial(WebBrowser.open, proxy=proxy))
    yield made
    await made.close()
    await browsers.close()


def make_task(internet: Internet, *more: str) -> Task:
    return Task(
        id="web",
        instruction="look",
        start_url=f"http://shop.test:{internet.site_port}/",
        allow=(f"shop.test:{internet.site_port}", *more),
    )


async def carry_out(session: BrowserSession, internet: Internet, victim: Victim) -> None:
    """All attacks, each in a tab of the allowed site's own, some at once."""
    names = list(ATTACKS)
    for first in range(0, len(names), TABS):
        await asyncio.gather(
            *(attack(session, internet, victim, name) for name in names[first : first + TABS])
        )


async def attack(session: BrowserSession, internet: Internet, victim: Victim, name: str) -> None:
    page = await session._tabs._open_page()
    await page.navigate(f"http://shop.test:{internet.site_port}/")
    at = f"http://evil.test:{internet.evil_port}/{name.replace(' ', '-')}"
    source = script(name, victim.port)
    assert AT_VICTIM in source
    source = source.replace(AT_VICTIM, at)
    # As an element of the page, so that it may not outlive what waits for it.
    await page.run(f"void {source}")
    await asyncio.sleep(ATTACK_S)
    await page.close()


async def test_attacks_of_a_page_reach_an_allowed_site_and_no_other(
    session: BrowserSession, internet: Internet
) -> None:
    async with running_victim() as victim:
        # The control: where the task allows the evil site, they get there.
        await session.reset(make_task(internet, f"evil.test:{internet.evil_port}"), Observe())
        await carry_out(session, internet, victim)
        by_name = {name.replace(" ", "-") for name in ATTACKS if name not in NOT_BY_NAME}
        through = by_name & internet.heard
        assert len(through) >= 35, json.dumps(sorted(by_name - through))
        assert not victim.hits
        internet.heard.clear()
        await session.reset(make_task(internet), Observe())
        await carry_out(session, internet, victim)
        assert internet.heard == set()
        assert not victim.hits


async def test_the_site_is_shown_and_refused_hosts_are_told(
    session: BrowserSession, internet: Internet
) -> None:
    reply = await session.reset(make_task(internet), Observe())
    assert "Welcome" in (reply.observation.tree.text if reply.observation.tree else "")
    evil = f"http://evil.test:{internet.evil_port}/"
    stepped = await session.step([Navigate(url=evil)], Observe(text=True))
    assert stepped.refused_hosts == ("evil.test",)
    assert "not among the domains of this task" in (stepped.observation.text or "")
    back = await session.step(
        [Navigate(url=f"http://shop.test:{internet.site_port}/x")], Observe(text=True)
    )
    assert back.refused_hosts == ()
    assert "Welcome" in (back.observation.text or "")


async def test_the_next_task_finds_no_cookie_of_the_one_before(
    session: BrowserSession, internet: Internet
) -> None:
    await session.reset(make_task(internet), Observe())
    await session.page.evaluate("document.cookie = 'k=v'; localStorage.setItem('k', 'v')")
    await session.reset(make_task(internet), Observe())
    left = await session.page.evaluate("document.cookie + localStorage.length")
    assert left == "0"


async def test_a_task_starts_on_a_domain_that_it_allows(
    session: BrowserSession, internet: Internet
) -> None:
    task = make_task(internet).model_copy(update={"start_url": "http://evil.test/"})
    with pytest.raises(EpisodeFault, match="no domain that the task allows") as fault:
        await session.reset(task, Observe())
    assert fault.value.reason is InvalidReason.UNRUNNABLE


async def test_a_page_that_cannot_be_reached_is_told_with_its_reason(
    session: BrowserSession, internet: Internet
) -> None:
    task = make_task(internet).model_copy(
        update={"start_url": "https://shop.test/", "allow": ("shop.test",)}
    )
    with pytest.raises(EpisodeFault, match=r"shop\.test:443 cannot be reached"):
        await session.reset(task, Observe())


async def test_without_domains_no_name_of_the_internet_is_reached(
    session: BrowserSession, internet: Internet
) -> None:
    await session.reset(Task(id="t", instruction="look"), Observe())
    url = f"http://shop.test:{internet.site_port}/"
    stepped = await session.step([Navigate(url=url)], Observe())
    assert not stepped.results[0].ok
