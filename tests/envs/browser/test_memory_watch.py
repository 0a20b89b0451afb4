"""A page that takes more memory than a browser may is ended, and nothing else is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import psutil
import pytest
import pytest_asyncio

from envs.browser.chromium import FLAGS, find_binary
from envs.browser.memory_watch import MB, memory_limit, watch_memory
from envs.browser.page import Page
from envs.browser.process import BrowserProcess
from envs.contract.outcomes import EpisodeFault

SETTING = "DESKHAND_BROWSER_MEMORY_MB"
LIMIT_MB = 900
BEYOND_MB = 2400
WAIT_S = 120
HOG = """
(async () => {
    window.kept = [];
    for (let number = 0; number < %d; number += 16) {
        window.kept.push(new Uint8Array(16 << 20).fill(1));
        await new Promise((resume) => setTimeout(resume, 1));
    }
    return window.kept.length;
})()
"""


def test_the_setting_is_a_number_of_megabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SETTING, raising=False)
    assert memory_limit() == 4096 * MB
    for value, limit in (("512", 512 * MB), ("0", 0)):
        monkeypatch.setenv(SETTING, value)
        assert memory_limit() == limit
    for value in ("much", "-1"):
        monkeypatch.setenv(SETTING, value)
        with pytest.raises(EpisodeFault, match=f"{SETTING}='{value}'"):
            memory_limit()


@pytest_asyncio.fixture
async def browser(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[BrowserProcess]:
    monkeypatch.setenv(SETTING, str(LIMIT_MB))
    started = await BrowserProcess.start(find_binary(), FLAGS, (), kind="bubblewrap")
    yield started
    await started.close()


async def open_tab(browser: BrowserProcess) -> Page:
    made = await browser.connection.call("Target.createBrowserContext", {"disposeOnDetach": True})
    return await Page.open(browser.connection, made["browserContextId"], 800, 600)


async def take(browser: BrowserProcess, megabytes: int) -> Any:
    """What a page says that takes so much; None if it was ended."""
    connection = browser.connection
    context = await connection.call("Target.createBrowserContext", {"disposeOnDetach": True})
    target = await connection.call("Target.createTarget", {"url": "about:blank", **context})
    attached = await connection.call("Target.attachToTarget", {**target, "flatten": True})
    session, crashed = attached["sessionId"], asyncio.Event()

    def listen(method: str, params: dict[str, object]) -> None:
        if method in ("Inspector.targetCrashed", "Target.targetCrashed"):
            crashed.set()

    connection.on_events(session, listen)
    await connection.call("Inspector.enable", session=session)
    call = asyncio.create_task(
        connection.call(
            "Runtime.evaluate",
            {"expression": HOG % megabytes, "awaitPromise": True},
            session,
            timeout_s=WAIT_S,
        )
    )
    crash = asyncio.create_task(crashed.wait())
    await asyncio.wait((call, crash), return_when=asyncio.FIRST_COMPLETED, timeout=WAIT_S)
    for task in (call, crash):
        task.cancel()
    await asyncio.gather(call, crash, return_exceptions=True)
    if crashed.is_set() or call.cancelled() or call.exception() is not None:
        return None
    return call.result()["result"].get("value")


@pytest.mark.browser
async def test_a_page_that_takes_too_much_is_ended_and_the_others_go_on(
    browser: BrowserProcess,
) -> None:
    other = await open_tab(browser)
    await other.run("void (window.kept = 'here')")
    assert await take(browser, BEYOND_MB) is None
    assert not browser.connection.closed.is_set()
    assert await other.run("window.kept") == "here"
    assert await take(browser, 64) == 4, "a page that takes little is left alone"


@pytest.mark.browser
async def test_without_a_control_group_the_watch_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "0")
    browser = await BrowserProcess.start(find_binary(), FLAGS, (), kind="bubblewrap")
    try:
        assert browser._process is not None
        watch = asyncio.create_task(watch_memory(browser._process.pid, LIMIT_MB * MB))
        assert await take(browser, BEYOND_MB) is None
        assert not browser.connection.closed.is_set()
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
    finally:
        await browser.close()


async def test_a_watch_ends_with_what_it_watches() -> None:
    process = await asyncio.create_subprocess_exec("sleep", "0")
    await process.wait()
    assert not psutil.pid_exists(process.pid)
    await asyncio.wait_for(watch_memory(process.pid, MB), WAIT_S)
