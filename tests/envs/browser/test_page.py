"""A tab that hangs, dies or is killed with its browser ends one attempt, in bounded time."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time

import pytest

from envs.browser.chromium import Browsers
from envs.contract.actions import ActionError
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.cdp import CdpError
from tests.envs.browser.shown import noted, show
from tests.envs.browser.site import PAGES, Visitor, visiting
from tests.processes import browser_processes

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_window_that_never_answers_is_what_the_agent_sees(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("envs.browser.page.LOAD_TIMEOUT_S", 3.0)
    monkeypatch.setitem(PAGES, "/spin", "<title>Spin</title><script>while (true) {}</script>")
    html = '<a href="/spin" target=_blank rel=noopener>Out</a>'
    await show(visitor, monkeypatch, html)
    await visitor.do(type="click", target=visitor.ref("Out"))
    async with asyncio.timeout(60):
        await visitor.do(Observe(windows=True), type="wait", ms=300)
    assert "did not answer" in visitor.tree
    async with asyncio.timeout(60):
        assert await show(visitor, monkeypatch, html, Observe(windows=True)) == "context"
    assert len(visitor.observation.windows) == 1


async def test_a_start_page_that_hangs_is_a_reset_fault_and_spares_the_others(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, site: str, browsers: Browsers
) -> None:
    monkeypatch.setattr("envs.browser.page.LOAD_TIMEOUT_S", 3.0)
    monkeypatch.setattr("envs.browser.page.START_LIMIT_S", 3.0)
    monkeypatch.setitem(PAGES, "/spin", "<title>Spin</title><script>while (true) {}</script>")
    async with visiting(site, browsers) as other:
        await other.open("/form")
        with pytest.raises(EpisodeFault) as fault:
            async with asyncio.timeout(60):
                await visitor.open("/spin")
        assert fault.value.reason is InvalidReason.RESET
        await other.do(type="click", target=other.ref("Save"))
        assert "saved old" in other.tree
    await visitor.open("/plain")
    assert "Nothing but text" in visitor.tree


async def test_a_start_page_is_read_once_all_of_it_has_loaded(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("envs.browser.settled_walk.LOAD_LIMIT_MS", 100)
    monkeypatch.setattr("envs.browser.settled_walk.NETWORK_LIMIT_S", 0.1)
    # The script comes after 400 ms, and the rest of the page after it, as on a busy machine.
    html = "<title>Busy</title><p>first half</p><script src=/slow></script><p>second half</p>"
    monkeypatch.setitem(PAGES, "/busy", html)
    await visitor.open("/busy")
    assert "second half" in visitor.tree


async def test_a_start_page_that_never_ends_loading_is_read_as_it_is(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("envs.browser.page.START_LIMIT_S", 0.1)
    monkeypatch.setattr("envs.browser.settled_walk.LOAD_LIMIT_MS", 100)
    monkeypatch.setattr("envs.browser.settled_walk.NETWORK_LIMIT_S", 0.1)
    html = "<title>Busy</title><p>first half</p><script src=/slow></script><p>second half</p>"
    monkeypatch.setitem(PAGES, "/busy", html)
    await visitor.open("/busy")
    assert "first half" in visitor.tree
    assert "second half" not in visitor.tree


async def test_an_address_that_is_none_costs_no_waiting(visitor: Visitor) -> None:
    await visitor.open("/plain")
    begun = time.monotonic()
    result = await visitor.do(type="navigate", url="http://a:b/")
    assert result.error is ActionError.NAVIGATION
    assert "Nothing but text" in visitor.tree
    assert time.monotonic() - begun < 5


async def test_a_crash_of_one_tab_is_what_the_agent_sees_until_the_reset(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, "<button onclick=\"note('used')\">Use</button>")
    await visitor.do(type="tab", op="new", url="/plain")
    with contextlib.suppress(CdpError, EpisodeFault):
        await visitor.session.page.call("Page.crash", timeout_s=3)
    await visitor.do(type="wait", ms=0)
    assert "crashed" in visitor.tree
    await show(visitor, monkeypatch, "<button onclick=\"note('used')\">Use</button>")
    assert (await visitor.do(type="click", target=visitor.ref("Use"))).ok
    assert await noted(visitor) == ["used"]


async def _use(visitor: Visitor) -> None:
    for _ in range(40):
        await visitor.do(type="scroll", dy=1)


async def test_all_sessions_of_a_killed_browser_share_the_one_that_replaces_it(site: str) -> None:
    mine = Browsers(sites=(site,))
    try:
        async with visiting(site, mine) as first, visiting(site, mine) as two:
            before = browser_processes()
            await first.open("/plain")
            await two.open("/plain")
            old = browser_processes() - before
            assert old
            for pid in old:
                with contextlib.suppress(ProcessLookupError):  # it ended with another
                    os.kill(pid, signal.SIGKILL)
            for visitor in (first, two):
                with pytest.raises(EpisodeFault) as fault:
                    await _use(visitor)
                assert fault.value.reason is InvalidReason.HOST_LOST
            levels = await asyncio.gather(first.open("/form"), two.open("/form"))
            assert set(levels) == {"context"}
            assert len(browser_processes() - before - old) == len(old), "one browser for both"
            for visitor in (first, two):
                await visitor.do(type="click", target=visitor.ref("Save"))
                assert "saved old" in visitor.tree
    finally:
        await mine.close()
    assert not browser_processes() - before
