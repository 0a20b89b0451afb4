"""Both clients on a real API: a task is started, followed to its end, and problems are raised."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_server.settings import Settings
from deskhand import ApiProblem, ApiUnreachable, AsyncClient, Client, TaskRequest
from envs.contract.outcomes import Status
from envs.providers.local import free_port
from tests.agent_server.api_process import KEY, Api, running_api

PRICE = TaskRequest(gym="shop", template="price", seed=3, policy="oracle")


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with running_api(Settings(run_dir=tmp_path_factory.mktemp("run"), api_key=KEY)) as running:
        yield running


def test_a_task_is_started_listed_and_cancelled(api: Api) -> None:
    with Client(api.url, KEY) as client:
        task = client.create_task(PRICE, idempotency_key="one")
        assert client.create_task(PRICE, idempotency_key="one").id == task.id
        assert task.status is Status.QUEUED
        assert task.id in [entry.id for entry in client.list_tasks(limit=200).tasks]
        assert client.cancel_task(task.id).status is Status.CANCELLED
        (*_, last) = client.follow_task(task.id)
        assert last.kind == "end"
        assert last.state is not None
        assert last.state.status is Status.CANCELLED


async def test_the_same_on_an_event_loop(api: Api) -> None:
    async with AsyncClient(api.url, KEY) as client:
        task = await client.create_task(PRICE)

        async def cancel_soon() -> None:
            await asyncio.sleep(0.2)
            await client.cancel_task(task.id)

        cancelling = asyncio.create_task(cancel_soon())
        kinds = [event.kind async for event in client.follow_task(task.id)]
        await cancelling
        assert kinds[-1] == "end"


def test_every_reading_route_gives_its_type(api: Api) -> None:
    with Client(api.url, KEY) as client:
        assert {agent.name for agent in client.list_agents()} >= {"live", "oracle"}
        assert client.get_health().status == "ok"
        assert client.get_ready().status == "ok"
        assert client.list_tools("browser")["tools"]
        assert [run.id for run in client.list_runs()] == ["api"]
        assert client.get_run("api").kind == "serve"
        assert client.list_versions() == []
        assert client.list_evaluations() == []
        assert b"deskhand" in client.get_metrics()


def test_a_refusal_is_raised_with_the_server_s_own_sentence(api: Api) -> None:
    with Client(api.url, KEY) as client:
        with pytest.raises(ApiProblem, match="there is no task 'none'") as problem:
            client.get_task("none")
        assert problem.value.status == 404
        with pytest.raises(ApiProblem, match="there is no task 'none'"):
            list(client.follow_task("none"))
        with pytest.raises(ApiProblem, match="there is no 'nobody'; there are: ") as problem:
            client.create_task(PRICE.model_copy(update={"policy": "nobody"}))
        assert problem.value.status == 422
    with Client(api.url, "wrong") as client, pytest.raises(ApiProblem) as problem:
        client.list_tasks()
    assert problem.value.status == 401


def test_a_server_that_does_not_answer_is_named() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with Client(url, KEY) as client, pytest.raises(ApiUnreachable, match=url):
        client.list_runs()


def test_address_and_key_come_from_the_environment(
    api: Api, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DESKHAND_API_URL", api.url)
    monkeypatch.setenv("DESKHAND_API_KEY", KEY)
    with Client() as client:
        assert client.get_run("api").id == "api"
