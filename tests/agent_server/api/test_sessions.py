"""Sessions over HTTP, by the typed client, on a whole stack with a real Chromium."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from agent_server.api.session_models import SessionStart
from agent_server.stack.local_stack import Stack
from deskhand import ApiProblem, AsyncClient, Client, SessionRequest
from envs.contract.actions import Action, Click, SetValue, Target, Type
from envs.contract.observations import Observation, Observe, ScreenshotRequest, parse_tree

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.asyncio(loop_scope="session"),
]
SHOP = SessionRequest(gym="shop", template="price", seed=3)


def find(observation: Observation, role: str, name: str = "") -> Target:
    assert observation.tree is not None
    lines = parse_tree(observation.tree.text)
    line = next(line for line in lines if line.role == role and name in line.name)
    return Target(ref=line.ref)


async def act(client: AsyncClient, start: SessionStart, *actions: Action) -> Observation:
    reply = await client.act(start.session.id, actions)
    assert all(result.ok for result in reply.results), reply.results
    return reply.observation


async def test_an_agent_of_ones_own_works_on_a_page(
    api_client: AsyncClient, lending_stack: tuple[Stack, str]
) -> None:
    _, site = lending_stack
    start = await api_client.open_session(SessionRequest(start_url=f"{site}/form", idle_s=300))
    assert start.observation.title == "Form"
    assert (start.session.name, start.session.start_url) == (None, f"{site}/form")
    name = find(start.observation, "box", "Name")
    shown = await act(
        api_client, start, SetValue(target=name, value=""), Type(text="me", target=name)
    )
    shown = await act(api_client, start, Click(target=find(shown, "button", "Save")))
    seen = await api_client.observe(
        start.session.id, Observe(text=True, screenshot=ScreenshotRequest())
    )
    assert "saved me" in (seen.text or "")
    assert seen.screenshot is not None
    refused = (await api_client.act(start.session.id, [Click(target=Target(ref=999))])).results[0]
    assert (refused.ok, refused.error) == (False, "unknown_ref")
    with pytest.raises(ApiProblem, match="only the state of a web gym's task") as problem:
        await api_client.take_snapshot(start.session.id)
    assert problem.value.status == 409
    with pytest.raises(ApiProblem, match="this session has no snapshot 'x'"):
        await api_client.restore_session(start.session.id, "x")


async def test_a_gym_s_state_is_kept_put_back_and_forked(api_client: AsyncClient) -> None:
    start = await api_client.open_session(SHOP)
    assert start.session.name == "shop/price@3"
    assert start.session.instruction
    at_first = start.observation
    kept = await api_client.take_snapshot(start.session.id)
    moved = await act(api_client, start, Click(target=find(at_first, "link", "Backpack")))
    assert moved.hash != at_first.hash
    twin = await api_client.fork_session(start.session.id)
    assert twin.observation.hash == moved.hash
    back = await api_client.restore_session(start.session.id, kept.id)
    assert back.hash == at_first.hash
    assert (await api_client.observe(twin.session.id)).hash == moved.hash
    listed = [session.id for session in await api_client.list_sessions()]
    assert listed == [start.session.id, twin.session.id]
    await api_client.close_session(start.session.id)
    with pytest.raises(ApiProblem, match="has ended: it was closed") as problem:
        await api_client.act(start.session.id, [])
    assert problem.value.status == 404
    assert (await api_client.get_session(twin.session.id)).id == twin.session.id


async def test_sessions_have_a_share_and_the_refusal_says_when_to_try_again(
    api_client: AsyncClient, lending_stack: tuple[Stack, str]
) -> None:
    running, _ = lending_stack
    opened = [await api_client.open_session(SHOP) for _ in range(2)]
    assert b'deskhand_sessions{env="browser"} 2.0' in await api_client.get_metrics()
    headers = {"x-api-key": running.settings.api_key}
    async with httpx.AsyncClient(base_url=running.api_url or "", headers=headers) as plain:
        refused = await plain.post("/v1/sessions", json={"env": "browser"})
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        assert refused.headers["content-type"] == "application/problem+json"
        desktop = await plain.post("/v1/sessions", json={"env": "desktop"})
        assert (desktop.status_code, "--desktops" in desktop.text) == (422, True)
    await api_client.close_session(opened[0].session.id)
    await api_client.open_session(SHOP)


async def test_a_page_that_does_not_open_leaves_no_session(api_client: AsyncClient) -> None:
    with pytest.raises(ApiProblem) as problem:
        await api_client.open_session(SessionRequest(start_url="http://127.0.0.1:9/"))
    assert problem.value.status in (422, 502)
    assert await api_client.list_sessions() == []


async def test_the_client_that_waits_does_the_same(lending_stack: tuple[Stack, str]) -> None:
    running, site = lending_stack

    def work() -> None:
        with Client(running.api_url, running.settings.api_key) as client:
            start = client.open_session(SessionRequest(start_url=f"{site}/form"))
            save = Click(target=find(start.observation, "button", "Save"))
            assert client.act(start.session.id, [save]).results[0].ok
            assert client.observe(start.session.id).title == "Form"
            client.close_session(start.session.id)
            assert client.list_sessions() == []

    await asyncio.to_thread(work)
