"""Requests that a desktop's host refuses, or lets wait."""

from __future__ import annotations

import aiohttp
import pytest

from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Task
from tests.envs.desktop_box import NOTHING, Box, DesktopUser

pytestmark = pytest.mark.desktop


async def test_a_megabyte_of_text_is_refused_by_the_host(user: DesktopUser) -> None:
    body = {"actions": [{"type": "type", "text": "x" * 1_000_000}]}
    url = f"{user.box.url}{user.session.path}/step"
    headers = {"Authorization": f"Bearer {user.box.token}"}
    async with aiohttp.ClientSession() as http, http.post(url, json=body, headers=headers) as reply:
        assert reply.status == 422
        assert "20000" in (await reply.json())["detail"]


@pytest.mark.parametrize("token", ["", "Bearer wrong"])
async def test_a_wrong_or_missing_token_is_refused(box: Box, token: str) -> None:
    async with aiohttp.ClientSession() as http:
        for path in ("/v1/sessions", "/v1/tools", "/v1/schema"):
            method = "POST" if path.endswith("sessions") else "GET"
            async with http.request(
                method, box.url + path, headers={"Authorization": token}
            ) as reply:
                assert reply.status == 401


async def test_a_setup_step_that_fails_is_a_fault_that_names_it(user: DesktopUser) -> None:
    bad = Task(
        id="bad", instruction="x", env="desktop",
        config=[{"type": "open", "parameters": {"path": "/home/user/missing.odt"}}],
    )  # fmt: skip
    with pytest.raises(EpisodeFault, match=r"setup step 1 \(open\): .*missing\.odt"):
        await user.session.reset(bad, NOTHING)
    await user.reset()


async def test_a_second_session_waits_for_the_first(user: DesktopUser) -> None:
    headers = {"Authorization": f"Bearer {user.box.token}"}
    url = f"{user.box.url}/v1/sessions"
    async with aiohttp.ClientSession() as http, http.post(url, json={}, headers=headers) as reply:
        assert reply.status == 503
        assert reply.headers["Retry-After"]
