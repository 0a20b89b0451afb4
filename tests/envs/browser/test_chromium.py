"""A page, tab or browser that fails is a typed fault in bounded time; the next reset works."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal

import pytest

from envs.browser.chromium import Browsers
from envs.contract.actions import ActionError
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task
from envs.io.cdp import CdpError
from tests.envs.browser.site import Visitor, visiting
from tests.processes import browser_processes

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_page_that_the_agent_hangs_is_the_result_of_its_action(visitor: Visitor) -> None:
    await visitor.open("/traps")
    async with asyncio.timeout(120):
        clicked = await visitor.do(type="click", target=visitor.ref("Hang"))
        assert "did not answer" in visitor.tree
        scrolled = await visitor.do(type="scroll", dy=1)
    assert ActionError.TIMEOUT in (clicked.error, scrolled.error)
    assert await visitor.open("/plain") == "context"
    assert "Nothing but text" in visitor.tree


async def test_a_crashed_tab_is_a_result_in_its_own_session_alone(
    visitor: Visitor, site: str, browsers: Browsers
) -> None:
    async with visiting(site, browsers) as other:
        await other.open("/form")
        await visitor.open("/plain")
        with contextlib.suppress(CdpError, EpisodeFault):
            await visitor.session.page.call("Page.crash", timeout_s=3)
        assert (await visitor.do(type="scroll", dy=1)).error is ActionError.TIMEOUT
        assert "crashed" in visitor.tree
        assert await visitor.open("/plain") == "context"
        assert (await other.do(type="click", target=other.ref("Save"))).ok


async def _use_until_it_fails(visitor: Visitor) -> None:
    for _ in range(40):
        await visitor.do(type="wait", ms=50)


async def test_a_killed_browser_is_a_lost_host_and_the_next_reset_starts_another(
    site: str,
) -> None:
    mine = Browsers(sites=(site,))
    try:
        async with visiting(site, mine) as visitor:
            before = browser_processes()
            await visitor.open("/plain")
            started = browser_processes() - before
            assert started
            for pid in started:
                with contextlib.suppress(ProcessLookupError):  # it ended with another
                    os.kill(pid, signal.SIGKILL)
            with pytest.raises(EpisodeFault) as fault:
                await _use_until_it_fails(visitor)
            assert fault.value.reason is InvalidReason.HOST_LOST
            await visitor.open("/plain")
            assert "Nothing but text" in visitor.tree
    finally:
        await mine.close()


async def test_a_start_page_that_cannot_be_opened_is_a_reset_fault(
    visitor: Visitor, site: str, dead_site: str, browsers: Browsers
) -> None:
    async with visiting(site, browsers) as other:
        await other.open("/form")
        visitor.base = dead_site
        with pytest.raises(EpisodeFault) as fault:
            await visitor.open("/plain")
        assert fault.value.reason is InvalidReason.RESET
        assert (await other.do(type="click", target=other.ref("Save"))).ok, "others are not hurt"


async def test_applications_of_others_get_a_browser_that_draws_by_itself(site: str) -> None:
    mine = Browsers(gym_url=site)
    shop, wiki = (
        Task(id=gym, instruction="look", gym=gym, template="look") for gym in ("shop", "mediawiki")
    )
    assert (mine.of(shop).paced, mine.of(wiki).paced) == (True, False)


async def test_a_missing_chromium_is_named_with_its_remedy(site: str) -> None:
    with pytest.raises(EpisodeFault, match=r"no Chromium found.*make setup"):
        Browsers("/no/such/chromium")
