"""Screenshots of gym pages and plain pages."""

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
from envs.contract.observations import Observation, Observe, ScreenshotRequest, parse_tree
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


async def test_a_screenshot_shows_the_page_as_it_is_now(shopper: Visitor) -> None:
    observe = Observe(screenshot=ScreenshotRequest(format="png"))
    before = picture((await shopper.session.reset(TASK, observe)).observation)
    again = picture((await shopper.session.reset(TASK, observe)).observation)
    assert before.tobytes() == again.tobytes()
    box = {"selector": "input[type=search], input[type=text], input:not([type])"}
    assert (await shopper.do(observe, type="type", target=box, text="a blue bag")).ok
    assert picture(shopper.observation).tobytes() != before.tobytes()
    assert len(set(before.tobytes())) > 1, "not a blank picture"


async def test_a_drop_down_that_is_clicked_leaves_the_tab_drawing(shopper: Visitor) -> None:
    task, observe = (
        get_gym("desk").make_task("escalate_ticket", 1),
        Observe(screenshot=ScreenshotRequest()),
    )
    shopper.observation = (await shopper.session.reset(task, observe)).observation
    await shopper.do(observe, type="click", target=shopper.ref("Tickets"))
    drop_down = next(line for line in parse_tree(shopper.tree) if line.role == "select")
    for action in (
        {"type": "click", "target": {"ref": drop_down.ref}},
        {"type": "key", "keys": ["alt", "ArrowDown"]},
        {"type": "key", "keys": ["space"]},
        {"type": "scroll", "dy": 1, "unit": "page"},
        {"type": "key", "keys": ["ArrowDown"]},
    ):
        assert (await shopper.do(observe, **action)).ok
        assert shopper.observation.screenshot is not None, action
    after = next(line for line in parse_tree(shopper.tree) if line.role == "select")
    assert after.value == drop_down.options[1]


async def test_a_space_among_letters_chooses_in_a_drop_down(shopper: Visitor) -> None:
    await shopper.session.reset(TASK, Observe())
    page = shopper.session.page
    await page.evaluate(
        "document.body.innerHTML = '<select><option>Old<option>New Delhi<option>New York</select>'"
    )
    await shopper.do(type="click", target={"selector": "select"})
    for key in ("N", "e", "w", "space", "Y"):
        await shopper.do(type="key", keys=[key])
    assert "select = New York" in shopper.tree


async def test_twelve_sessions_on_gym_and_plain_pages_all_get_their_pictures(
    server: GymServer, site: str, browsers: Browsers
) -> None:
    async def shop(seed: int) -> str:
        session = BrowserSession(browsers, GymAdmin(server.url, TOKEN))
        visitor = Visitor(session, server.url)
        observe = Observe(screenshot=ScreenshotRequest(format="webp", scale=0.5))
        try:
            task = get_gym("shop").make_task("price", seed)
            visitor.observation = (await session.reset(task, observe)).observation
            for _ in range(3):
                assert picture(visitor.observation).size == (512, 384)
                await visitor.do(observe, type="scroll", dy=120)
            return visitor.observation.url
        finally:
            await session.close()

    async def look(path: str) -> str:
        async with visiting(site, browsers) as visitor:
            observe = Observe(screenshot=ScreenshotRequest(format="png", scale=0.25))
            await visitor.open(path, observe)
            for _ in range(3):
                assert picture(visitor.observation).size == (256, 192)
                await visitor.do(observe, type="scroll", dy=120)
            return visitor.observation.url

    work = [*(shop(seed) for seed in range(6)), *(look("/form") for _ in range(6))]
    async with asyncio.timeout(90):
        urls = await asyncio.gather(*work)
    assert all(url.startswith(server.url) for url in urls[:6])
    assert urls[6:] == [f"{site}/form"] * 6


async def test_a_small_page_is_shown_whole_with_the_places_of_its_elements(
    server: GymServer, browsers: Browsers
) -> None:
    session = BrowserSession(browsers, GymAdmin(server.url, TOKEN), size=(320, 240))
    visitor = Visitor(session, server.url)
    observe = Observe(points=True, screenshot=ScreenshotRequest(format="png"))
    visitor.observation = (await session.reset(TASK, observe)).observation
    assert picture(visitor.observation).size == (320, 240)
    tree = visitor.observation.tree
    assert tree is not None
    assert tree.points
    assert tree.points.keys() == {line.ref for line in parse_tree(tree.text) if line.ref}
    assert all(0 <= x < 320 and 0 <= y < 240 for x, y in tree.points.values())
    _home, link, *_ = (line for line in parse_tree(tree.text) if line.role == "link")
    x, y = tree.points[link.ref or 0]
    before = visitor.observation.url
    assert (await visitor.do(observe, type="click", target={"x": x, "y": y})).ok
    by_point = visitor.observation.url
    visitor.observation = (await session.reset(TASK, Observe())).observation
    assert visitor.observation.tree is not None
    assert visitor.observation.tree.points is None
    assert (await visitor.do(type="click", target={"ref": link.ref})).ok
    assert visitor.observation.url == by_point != before
    await session.close()
