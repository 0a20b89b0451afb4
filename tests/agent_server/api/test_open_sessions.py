"""Sessions on loan, on real hosts of a toy environment: how many, for how long, and given back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from starlette.requests import Request

from agent_server.api import open_sessions
from agent_server.api.errors import ApiError
from agent_server.api.open_sessions import OpenSession, OpenSessions
from agent_server.api.session_models import Loan, SessionRequest
from agent_server.api.sessions import open_session
from agent_server.settings import Settings
from envs.client import HostClient
from envs.contract.actions import Click, Target
from envs.contract.observations import Observe
from envs.contract.task import Env, Task
from tests.agent_server.toy_env import toy_task
from tests.agent_server.worker.toy_hosts import TOKEN, toy_host, worker

PATIENCE_S = 30.0


def toy(env: Env, **params: Any) -> Task:
    return toy_task(**params).model_copy(update={"env": env})


@contextlib.asynccontextmanager
async def lending(url: str, env: Env, **values: Any) -> AsyncIterator[OpenSessions]:
    urls = {"host_urls" if env == "browser" else "desktop_urls": (url,)}
    async with OpenSessions(Settings(host_token=TOKEN, **urls, **values)) as sessions:
        yield sessions


async def open_toy(
    sessions: OpenSessions, env: Env, loan: Loan | None = None, **params: Any
) -> OpenSession:
    session, observation = await sessions.open(toy(env, **params), loan or Loan(), Observe())
    assert observation.title == "Counter"
    return session


async def count_leases(url: str) -> int:
    async with HostClient(url, TOKEN) as client:
        return int((await client.health())["sessions"])


async def refusal(work: Any) -> ApiError:
    with pytest.raises(ApiError) as error:
        await work
    return error.value


async def wait_for_end(sessions: OpenSessions, session: OpenSession) -> str:
    async with asyncio.timeout(PATIENCE_S):
        while session in sessions.list():
            await asyncio.sleep(0.05)
    with pytest.raises(ApiError) as error:
        sessions.get(session.id)
    assert error.value.status == 404
    return error.value.detail


async def test_episodes_keep_the_hosts_other_share() -> None:
    async with (
        toy_host("browser") as (url, environment),
        lending(url, "browser", session_share=0.5) as sessions,
    ):
        for _ in range(environment.capacity // 2):
            await open_toy(sessions, "browser")
        refused = await refusal(open_toy(sessions, "browser"))
        assert (refused.status, refused.headers) == (503, {"Retry-After": "5"})
        assert "have their share: 4 of 8 places of browser hosts" in refused.detail
        async with worker(url, env="browser") as backends, backends.session("browser") as session:
            await session.reset(toy_task(), Observe())


async def test_the_only_desktop_rests_for_tasks_after_each_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with toy_host("desktop") as (url, _), lending(url, "desktop") as sessions:
        session = await open_toy(sessions, "desktop")
        refused = await refusal(open_toy(sessions, "desktop"))
        assert "1 of 1 places of desktop hosts" in refused.detail
        await sessions.end(session.id, "it was closed")
        assert "rests for tasks that wait" in str(await refusal(open_toy(sessions, "desktop")))
        monkeypatch.setattr(open_sessions, "REST_S", 0.0)
        sessions._rests_until.clear()
        session = await open_toy(sessions, "desktop")
        await sessions.end(session.id, "it was closed")
        await open_toy(sessions, "desktop")


async def test_so_many_are_open_as_the_settings_say() -> None:
    async with toy_host("browser") as (url, _), lending(url, "browser", max_sessions=1) as sessions:
        first = await asyncio.gather(
            *(open_toy(sessions, "browser") for _ in range(3)), return_exceptions=True
        )
        refused = [answer for answer in first if isinstance(answer, ApiError)]
        assert [error.status for error in refused] == [503, 503]
        assert await count_leases(url) == 1


async def test_a_full_host_is_no_room_and_an_absent_one_is_said() -> None:
    async with toy_host("browser") as (url, environment), lending(url, "browser") as sessions:
        async with HostClient(url, TOKEN) as other:
            taken = [await other.open_now("browser") for _ in range(environment.capacity)]
            refused = await refusal(open_toy(sessions, "browser"))
            assert (refused.status, "no browser host has room" in refused.detail) == (503, True)
            for session in taken:
                await session.close()
        assert (await refusal(open_toy(sessions, "desktop"))).status == 422
        await open_toy(sessions, "browser")
    assert "no browser host answers" in str(await refusal(open_gone(url)))


async def open_gone(url: str) -> None:
    async with lending(url, "browser") as sessions:
        await open_toy(sessions, "browser")


@pytest.mark.parametrize(
    ("loan", "reason"),
    [(Loan(idle_s=1), "it was not used for 1 s"), (Loan(max_s=1), "its 1 s were over")],
)
async def test_a_session_ends_by_its_loan(loan: Loan, reason: str) -> None:
    async with toy_host("browser") as (url, _), lending(url, "browser") as sessions:
        session = await open_toy(sessions, "browser", loan)
        assert (await wait_for_end(sessions, session)).endswith(f"has ended: {reason}")
        async with asyncio.timeout(PATIENCE_S):
            while await count_leases(url):
                await asyncio.sleep(0.05)


async def test_a_call_under_way_keeps_a_session_from_being_idle() -> None:
    async with toy_host("browser") as (url, _), lending(url, "browser") as sessions:
        session = await open_toy(sessions, "browser", Loan(idle_s=1), delay_s=2.5)
        async with sessions.using(session.id) as used:
            reply = await used.remote.step([Click(target=Target(ref=1))], Observe())
        assert reply.observation.hash == "count-1"


async def test_closing_breaks_a_call_off() -> None:
    async with toy_host("browser") as (url, _), lending(url, "browser") as sessions:
        session = await open_toy(sessions, "browser", delay_s=20)

        async def step() -> None:
            async with sessions.using(session.id) as used:
                await used.remote.step([], Observe())

        stepping = asyncio.create_task(step())
        while not session.calls:
            await asyncio.sleep(0.01)
        await sessions.end(session.id, "it was closed")
        refused = await refusal(stepping)
        assert (refused.status, refused.detail.endswith("it was closed")) == (404, True)
        assert await count_leases(url) == 0


async def test_a_fault_of_the_environment_ends_the_session() -> None:
    async with toy_host("browser") as (url, _), lending(url, "browser") as sessions:
        fault = {"at": "step", "reason": "observation"}
        session = await open_toy(sessions, "browser", fault=fault)

        async def step() -> None:
            async with sessions.using(session.id) as used:
                await used.remote.step([], Observe())

        assert (await refusal(step())).status == 502
        assert "its environment failed" in await wait_for_end(sessions, session)
        fault = {"at": "reset", "reason": "reset"}
        assert (await refusal(open_toy(sessions, "browser", fault=fault))).status == 502
        assert await count_leases(url) == 0


async def test_all_are_given_back_when_the_api_stops() -> None:
    async with toy_host("browser") as (url, _):
        async with lending(url, "browser") as sessions:
            await open_toy(sessions, "browser")
            await open_toy(sessions, "browser")
            assert await count_leases(url) == 2
        assert await count_leases(url) == 0


async def test_a_caller_that_goes_away_leaves_no_session() -> None:
    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    request = Request({"type": "http"}, receive)
    async with toy_host("desktop") as (url, _), lending(url, "desktop") as sessions:
        start = await open_session(SessionRequest(env="desktop"), sessions, request)
        with pytest.raises(ApiError, match="its caller was gone before it was open"):
            sessions.get(start.session.id)
        assert await count_leases(url) == 0


async def test_a_longer_time_than_the_settings_allow_is_refused() -> None:
    async with (
        toy_host("browser") as (url, _),
        lending(url, "browser", session_max_s=60) as sessions,
    ):
        refused = await refusal(open_toy(sessions, "browser", Loan(max_s=61)))
        assert refused.detail == "max_s: a session lasts 60 s at most (DESKHAND_SESSION_MAX_S)"


async def test_an_api_that_ends_opens_no_session_and_lets_the_others_go_on() -> None:
    async with toy_host("browser") as (url, _), lending(url, "browser") as sessions:
        session = await open_toy(sessions, "browser")
        sessions.refuse("the API is being stopped")
        error = await refusal(open_toy(sessions, "browser"))
        assert (error.status, "being stopped" in error.detail) == (503, True)
        async with sessions.using(session.id) as used:
            assert used is session
