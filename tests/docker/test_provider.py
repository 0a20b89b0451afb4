"""Boxes come warm, are replaced when they fail, and never outlive who started them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task
from envs.providers.boxes import RUN_LABEL, DockerConfig, owner_is_gone, owner_label, reap_orphans
from envs.providers.docker import DockerProvider

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("nothing_left")]

OWNER = """
import asyncio, sys
from envs.providers.boxes import DockerConfig
from envs.providers.docker import DockerProvider

async def main():
    async with DockerProvider(DockerConfig(env="browser")) as provider:
        print(provider.run, flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


def of_run(engine: Any, run: str) -> list[Any]:
    containers: list[Any] = engine.containers.list(
        all=True, filters={"label": f"{RUN_LABEL}={run}"}
    )
    return containers


async def test_leases_are_boxes_of_their_own_that_run_sessions(
    engine: Any, browser_image: str
) -> None:
    config = DockerConfig(env="browser", size=2)
    async with DockerProvider(config) as provider:
        async with provider.lease() as first, provider.lease() as other:
            assert first.base_url != other.base_url
            assert all(
                url.startswith("http://127.0.0.1:") for url in (first.base_url, other.base_url)
            )
            session = await first.open()
            task = Task(id="blank", env="browser", instruction="look", start_url="about:blank")
            assert (await session.reset(task, Observe(tree=False))).observation.url == "about:blank"
            await session.close()
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.5), provider.lease():
                    pass
        assert provider.started == 2
        assert len(of_run(engine, provider.run)) == 2
    assert not of_run(engine, provider.run)


async def test_a_box_whose_host_is_killed_is_replaced_before_the_next_lease(
    engine: Any, browser_image: str
) -> None:
    async with DockerProvider(DockerConfig(env="browser")) as provider:
        async with provider.lease() as host:
            first = host.base_url
        (container,) = of_run(engine, provider.run)
        container.kill()
        async with provider.lease() as host:
            assert host.base_url != first
            assert (await host.health())["status"] == "ok"
        assert [box.id for box in of_run(engine, provider.run)] != [container.id]


async def test_a_box_that_stopped_answering_is_replaced(engine: Any, browser_image: str) -> None:
    async with DockerProvider(DockerConfig(env="browser")) as provider:
        (container,) = of_run(engine, provider.run)
        container.pause()
        async with provider.lease() as host:
            assert (await host.health())["status"] == "ok"
        assert [box.id for box in of_run(engine, provider.run)] != [container.id]


async def test_a_lease_that_ended_with_an_exception_gives_its_box_up(
    engine: Any, browser_image: str
) -> None:
    async with DockerProvider(DockerConfig(env="browser")) as provider:
        first = ""
        with contextlib.suppress(EpisodeFault):
            async with provider.lease() as host:
                first = host.base_url
                raise EpisodeFault(InvalidReason.HOST_LOST, "as after a crash")
        assert first
        async with provider.lease() as host:
            assert host.base_url != first
        assert provider.started == 2


async def test_boxes_that_serve_one_lease_are_never_seen_twice(
    engine: Any, browser_image: str
) -> None:
    async with DockerProvider(DockerConfig(env="browser", reuse=False)) as provider:
        seen = []
        for _ in range(2):
            async with provider.lease():
                seen += [box.id for box in of_run(engine, provider.run)]
        assert len(set(seen)) == 2


async def test_a_box_that_ends_at_once_is_a_fault_that_says_why(browser_image: str) -> None:
    config = DockerConfig(env="browser", command=("sh", "-c", "echo no display; exit 3"))
    with pytest.raises(EpisodeFault, match="ended with 3: no display") as raised:
        async with DockerProvider(config):
            pass
    assert raised.value.reason == InvalidReason.HOST_START


async def test_a_box_that_never_answers_is_a_fault_after_its_time(browser_image: str) -> None:
    config = DockerConfig(env="browser", command=("sleep", "600"), start_timeout_s=1)
    with pytest.raises(EpisodeFault, match="did not answer"):
        async with DockerProvider(config):
            pass


async def test_a_missing_image_is_a_fault(engine: Any) -> None:
    with pytest.raises(EpisodeFault, match="deskhand/none") as raised:
        async with DockerProvider(DockerConfig(image="deskhand/none")):
            pass
    assert raised.value.reason == InvalidReason.HOST_START


async def test_no_engine_is_a_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'none.sock'}")
    with pytest.raises(EpisodeFault, match="no Docker Engine answers at unix:"):
        async with DockerProvider(DockerConfig()):
            pass


async def test_what_a_killed_owner_left_is_removed_and_nothing_else(
    engine: Any, browser_image: str
) -> None:
    async with DockerProvider(DockerConfig(env="browser")) as living:
        owner = await asyncio.create_subprocess_exec(
            sys.executable, "-c", OWNER, stdout=asyncio.subprocess.PIPE
        )
        try:
            assert owner.stdout is not None
            run = (await asyncio.wait_for(owner.stdout.readline(), 120)).decode().strip()
            assert len(of_run(engine, run)) == 1
            assert await asyncio.to_thread(reap_orphans) == 0, "its owner lives"
        finally:
            owner.kill()
            await asyncio.wait_for(owner.wait(), 10)
        assert len(of_run(engine, run)) == 1, "nobody was there to remove it"
        assert await asyncio.to_thread(reap_orphans) == 1
        assert not of_run(engine, run)
        assert not engine.networks.list(filters={"label": f"{RUN_LABEL}={run}"})
        async with living.lease() as host:
            assert (await host.health())["status"] == "ok"


def test_an_owner_is_a_process_not_a_number(engine: Any) -> None:
    host, pid, ticks = owner_label().rsplit(":", 2)
    assert not owner_is_gone(f"{host}:{pid}:{ticks}")
    assert owner_is_gone(f"{host}:{pid}:{int(ticks) - 1}"), "another process had this number"
    assert not owner_is_gone(f"elsewhere:{os.getpid()}:{int(ticks) - 1}"), "not ours to judge"
    assert not owner_is_gone("")
    assert not owner_is_gone("words")
