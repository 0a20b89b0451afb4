"""States of pages are put back exactly, or refused."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from envs.browser.chromium import Browsers
from envs.browser.gym_admin import GymAdmin
from envs.browser.session import BrowserSession
from envs.contract.observations import Observe, ScreenshotRequest
from envs.contract.session import CannotSnapshot
from tasksets.registry import get_gym
from tests.envs.browser.site import Visitor
from tests.envs.gyms.harness import TOKEN, GymServer

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TASK = get_gym("billing").make_task(get_gym("billing").templates[0], 1)
OBSERVE = Observe(screenshot=ScreenshotRequest())


@pytest_asyncio.fixture(loop_scope="session")
async def clerk(server: GymServer, browsers: Browsers) -> AsyncIterator[Visitor]:
    session = BrowserSession(browsers, GymAdmin(server.url, TOKEN))
    visitor = Visitor(session, server.url)
    await session.reset(TASK, Observe())
    yield visitor
    await session.close()


async def test_fields_focus_scroll_and_history_come_back(
    clerk: Visitor, server: GymServer, browsers: Browsers
) -> None:
    await clerk.do(type="navigate", url="/billing/customers")
    await clerk.do(type="navigate", url="/billing/invoices/new")
    box = next(line for line in clerk.tree.split("\n") if line.startswith("box"))
    await clerk.do(type="type", text="half a wo", target={"ref": int(box.rpartition("#")[2])})
    await clerk.do(OBSERVE, type="scroll", dy=120)
    left, state = clerk.observation, await clerk.session.snapshot()
    await clerk.do(type="navigate", url="/billing/payments")
    twin = BrowserSession(browsers, GymAdmin(server.url, TOKEN))
    try:
        for session in (clerk.session, twin):
            reply = await session.restore(state.id, OBSERVE)
            assert reply.state_hash == state.state_hash
            assert reply.observation.tree is not None
            assert reply.observation.hash == left.hash
            assert "half a wo" in reply.observation.tree.text
            assert reply.observation.screenshot == left.screenshot
            other = Visitor(session, server.url)
            await other.do(type="type", text="rd")
            assert "half a word" in other.tree
            await other.do(type="history", op="back")
            assert other.observation.url.endswith("/billing/customers")
    finally:
        await twin.close()


async def test_what_cannot_come_back_exactly_is_refused(clerk: Visitor) -> None:
    with pytest.raises(CannotSnapshot, match="no snapshot 'x'"):
        await clerk.session.restore("x", Observe())
    await clerk.do(type="key_down", key="shift")
    with pytest.raises(CannotSnapshot, match="let go of keys"):
        await clerk.session.snapshot()
    await clerk.do(type="key_up", key="shift")
    await clerk.session.snapshot()
    await clerk.session.page.run(
        "document.querySelector('main').addEventListener('click', () => {})"
    )
    with pytest.raises(CannotSnapshot, match="bound to its scripts"):
        await clerk.session.snapshot()
    await clerk.do(type="navigate", url="/billing/customers")
    await clerk.do(type="tab", op="new", url="/billing/invoices")
    with pytest.raises(CannotSnapshot, match="close other tabs"):
        await clerk.session.snapshot()
