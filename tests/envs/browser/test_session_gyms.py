"""Sessions on gym tasks: bound to their site, warm, separate."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from PIL import Image

from envs.browser.chromium import Browsers
from envs.browser.gym_admin import GymAdmin
from envs.browser.session import BrowserSession
from envs.contract.actions import ActionError
from envs.contract.observations import Observation, Observe, ScreenshotRequest
from tasksets.registry import get_gym
from tests.envs.browser.site import Visitor, visiting
from tests.envs.gyms.harness import TOKEN, GymServer

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TASK = get_gym("shop").make_task("price", 1)


@pytest_asyncio.fixture(loop_scope="session")
async def shopper(server: GymServer, browsers: Browsers) -> AsyncIterator[Visitor]:
    session = BrowserSession(browsers, GymAdmin(server.url, TOKEN))
    yield Visitor(session, server.url)
    await session.close()


def picture(observation: Observation) -> Image.Image:
    assert observation.screenshot is not None
    data = base64.b64decode(observation.screenshot.data)
    return Image.open(io.BytesIO(data)).convert("L")


async def test_a_gym_task_stays_on_its_site(shopper: Visitor, site: str) -> None:
    begun = (await shopper.session.reset(TASK, Observe())).observation
    for action in (
        {"type": "navigate", "url": f"{site}/plain"},
        {"type": "navigate", "url": shopper.base.replace("127.0.0.1", "localhost") + "/"},
        {"type": "navigate", "url": "about:blank"},
        {"type": "tool", "name": "browser.goto", "arguments": {"url": f"{site}/plain"}},
    ):
        result = await shopper.do(**action)
        assert result.error is ActionError.NOT_ALLOWED, action
        assert shopper.observation.hash == begun.hash
    assert (await shopper.do(type="history", op="back")).error is ActionError.NAVIGATION
    await shopper.do(type="tab", op="new", url=f"{site}/plain")
    assert "Nothing but text" not in shopper.tree


async def test_equal_tasks_begin_equal_and_the_second_reset_is_warm(shopper: Visitor) -> None:
    first = await shopper.session.reset(TASK, Observe())
    await shopper.do(type="scroll", dy=500)
    await shopper.do(type="tab", op="new", url="/")
    await shopper.do(type="tab", op="new", url="/")
    second = await shopper.session.reset(TASK, Observe())
    await shopper.do(Observe(windows=True), type="wait", ms=0)
    assert (first.reset_level, second.reset_level) == ("context", "warm")
    assert first.state_hash == second.state_hash
    assert first.observation.hash == second.observation.hash
    assert len(shopper.observation.windows) == 1
    other = await shopper.session.reset(get_gym("shop").make_task("price", 2), Observe())
    assert other.state_hash != first.state_hash


async def test_downloads_are_kept_of_a_task_that_the_open_page_began(shopper: Visitor) -> None:
    task = get_gym("miniwob").make_task("click-test", 1).model_copy(update={"keep_files": True})
    levels = [(await shopper.session.reset(task, Observe())).reset_level for _ in range(2)]
    assert levels[1] == "page"
    await shopper.run(
        "Object.assign(document.createElement('a'),"
        " {href: URL.createObjectURL(new Blob(['a,b'])), download: 'table.csv'}).click()"
    )
    async with asyncio.timeout(10):
        while not (await shopper.session.list_files()).files:
            await asyncio.sleep(0.05)
    assert await shopper.session.read_file("table.csv") == b"a,b"


async def test_a_link_opened_in_a_new_tab_is_gone_after_the_reset(shopper: Visitor) -> None:
    observe = Observe(windows=True, screenshot=ScreenshotRequest())
    await shopper.session.reset(TASK, observe)
    links = await shopper.run(
        "[...document.querySelectorAll('a[href]')].map((a) => a.getBoundingClientRect())"
        ".filter((r) => r.width > 5 && r.top > 0 && r.bottom < 700)"
        ".map((r) => [r.x + r.width / 2, r.y + r.height / 2])"
    )
    x, y = links[0]
    await shopper.do(observe, type="click", target={"x": x, "y": y}, modifiers=["ctrl"])
    await shopper.do(observe, type="wait", ms=100)
    if len(shopper.observation.windows) > 1:
        await shopper.do(observe, type="tab", op="select", index=1)
        assert picture(shopper.observation).size == (1024, 768)
    reply = await shopper.session.reset(TASK, observe)
    assert reply.reset_level == "warm"
    assert len(reply.observation.windows) == 1


async def test_a_session_changes_between_gym_and_plain_tasks(shopper: Visitor, site: str) -> None:
    shop = await shopper.session.reset(TASK, Observe())
    shopper.base = site
    await shopper.open("/form")
    await shopper.do(type="navigate", url="/plain")
    assert "Nothing but text" in shopper.tree, "a plain task may go where it likes"
    back = await shopper.session.reset(TASK, Observe())
    assert back.observation.hash == shop.observation.hash
    result = await shopper.do(type="navigate", url=f"{site}/plain")
    assert result.error is ActionError.NOT_ALLOWED


async def test_tools_are_refused_or_all_there_is_as_the_task_says(shopper: Visitor) -> None:
    text = {"type": "tool", "name": "browser.page_text"}
    for mode, refused, allowed in (
        ("gui", text, {"type": "scroll", "dy": 1}),
        ("api", {"type": "scroll", "dy": 1}, text),
        ("api", {"type": "batch", "actions": [text, {"type": "navigate", "url": "/"}]}, text),
    ):
        await shopper.session.reset(TASK.model_copy(update={"tools": mode}), Observe())
        assert (await shopper.do(**refused)).error is ActionError.NOT_ALLOWED, (mode, refused)
        assert (await shopper.do(**allowed)).ok, (mode, allowed)


HANG = """(() => { const button = document.createElement('button'); button.textContent = 'Hang';
  button.style = 'position:fixed;left:0;top:0;width:90px;height:40px;z-index:99999';
  button.addEventListener('mousedown', () => { while (true) {} });
  document.body.append(button); })()"""


@pytest.mark.parametrize("gym", ["shop", "miniwob"])
async def test_an_episode_whose_page_the_agent_hangs_is_scored(shopper: Visitor, gym: str) -> None:
    task = get_gym(gym).make_task(get_gym(gym).templates[0], 1)
    await shopper.session.reset(task, Observe())
    await shopper.run(HANG)
    async with asyncio.timeout(120):
        await shopper.do(type="click", target={"x": 20, "y": 20})
        assert "did not answer" in shopper.tree
        assert (await shopper.session.evaluate("nonsense")).score < 1
        assert await shopper.session.reset(task, Observe())


@pytest.mark.parametrize("name", ["a/b", "../verdict", "", "?", "shop.none", "x" * 5000])
async def test_no_name_of_a_tool_voids_the_episode(shopper: Visitor, name: str) -> None:
    await shopper.session.reset(TASK, Observe())
    called = await shopper.do(type="tool", name=name, arguments={"text": "x" * 100_000})
    assert not called.ok
    assert (await shopper.session.evaluate("nonsense")).score < 1


async def test_a_hung_page_leaves_other_sessions_their_episodes(
    shopper: Visitor, visitor: Visitor, site: str, browsers: Browsers
) -> None:
    await shopper.session.reset(TASK, Observe())
    await visitor.open("/traps")
    async with visiting(site, browsers) as other:
        await other.open("/form")
        hang = asyncio.create_task(visitor.do(type="click", target=visitor.ref("Hang")))
        while not hang.done():
            assert (await other.do(type="click", target=other.ref("Save"))).ok
            assert (await shopper.do(type="scroll", dy=1)).ok
            await asyncio.sleep(0.3)
        await hang
        assert "did not answer" in visitor.tree
        assert await visitor.open("/form") == "context"
        assert (await other.do(type="click", target=other.ref("Save"))).ok
    assert (await shopper.session.evaluate("nonsense")).score < 1


async def test_a_task_begins_on_no_page_that_has_not_loaded(
    shopper: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shopper.session.reset(TASK, Observe())
    # In this tab pages wait for a picture of a slow network; the next level has a tab of its own.
    slow = {"offline": False, "latency": 2500, "downloadThroughput": -1, "uploadThroughput": -1}
    picture = {"source": "new Image().src = '/picture'"}
    page = shopper.session.page
    await page.call("Network.emulateNetworkConditions", slow)
    await page.call("Page.setBypassCSP", {"enabled": True})
    await page.call("Page.addScriptToEvaluateOnNewDocument", picture)
    monkeypatch.setattr("envs.browser.page.START_LIMIT_S", 1.0)
    again = await shopper.session.reset(TASK, Observe())
    assert again.reset_level == "context"
