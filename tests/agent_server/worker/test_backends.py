"""Which host a worker's episode gets."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from agent_server.agents.python_agent import PythonAgent
from agent_server.episodes.compact import CompactAgent
from agent_server.episodes.seeing_agent import SeeingAgent
from agent_server.policy.client import VllmPolicy
from agent_server.policy.envelope import EnvelopeError, GuardedPolicy
from agent_server.policy.led import LedPolicy
from agent_server.policy.planned import PlannedPolicy
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run
from agent_server.worker import hosts
from agent_server.worker import runtime as runtimes
from agent_server.worker.backends import HttpBackends
from agent_server.worker.runtime import Runtime
from envs.contract.outcomes import EpisodeFault, Status
from envs.contract.task import Task
from envs.dialects.pictures import make_blank
from envs.dialects.view import View
from envs.providers.local import free_port
from tasksets.registry import get_gym
from tests.agent_server.episodes.test_seeing_agent import screenshot
from tests.agent_server.policy.test_envelope import ENVELOPE
from tests.agent_server.worker.toy_hosts import TOKEN, toy_host, worker


async def test_a_desktop_that_another_worker_uses_is_passed_over() -> None:
    async with (
        toy_host() as (first, first_app),
        toy_host() as (second, other),
        worker(first, second) as mine,
        worker(first, second) as theirs,
        theirs.session("desktop"),
        asyncio.timeout(5),
        mine.session("desktop"),
    ):
        assert (first_app.lent, other.lent) == (1, 1)


async def test_a_desktop_is_given_back_after_its_episode() -> None:
    async with toy_host() as (url, desktop), worker(url) as mine, worker(url) as theirs:
        with pytest.raises(ZeroDivisionError):
            async with mine.session("desktop"):
                raise ZeroDivisionError
        async with asyncio.timeout(5), theirs.session("desktop"):
            assert desktop.lent == 2


async def test_a_desktop_that_cannot_be_reached_is_passed_over() -> None:
    gone = f"http://127.0.0.1:{free_port()}"
    async with toy_host() as (url, desktop), worker(gone, url) as mine:
        for count in (1, 2):
            async with mine.session("desktop"):
                assert desktop.lent == count


async def test_the_served_policy_is_stopped_outside_the_envelope_of_the_settings(
    tmp_path: Path,
) -> None:
    file = tmp_path / "envelope.json"
    file.write_text(ENVELOPE.model_dump_json())
    url = f"http://127.0.0.1:{free_port()}/v1"
    backends = HttpBackends(Settings(envelope=file, policy_urls=(url,)))
    task = Task(id="t", instruction="x")
    guarded = {}
    for name in ("live", "noop"):
        agent = backends.agent(name, task)
        assert isinstance(agent, CompactAgent)
        guarded[name] = isinstance(agent._policy, GuardedPolicy)
    await backends.close()
    assert guarded == {"live": True, "noop": False}


async def test_the_blind_control_is_the_live_policy_shown_blank_pictures() -> None:
    view = View(observe="picture", dialect="uitars")
    url = f"http://127.0.0.1:{free_port()}/v1"
    backends = HttpBackends(Settings(policy_urls=(url,), policy_view=view))
    task, red = Task(id="t", instruction="x"), screenshot(200)
    shown = {}
    for name in ("live", "blind"):
        agent = backends.agent(name, task)
        assert isinstance(agent, SeeingAgent)
        assert isinstance(agent._policy, VllmPolicy)
        assert not agent._translates, "it answers in its own dialect"
        shown[name] = agent._fit(red)
    assert "blind" in backends.offer().policies
    await backends.close()
    assert shown == {"live": red, "blind": make_blank(red)}
    assert "blind" not in HttpBackends(Settings(policy_urls=(url,))).offer().policies


def test_an_envelope_that_cannot_be_read_stops_the_worker_at_its_start(tmp_path: Path) -> None:
    with pytest.raises(EnvelopeError, match="is no envelope"):
        HttpBackends(Settings(envelope=tmp_path / "none.json"))


async def test_without_a_host_the_variable_is_named() -> None:
    async with worker() as mine:
        for env, variable in (("browser", "DESKHAND_HOST"), ("desktop", "DESKHAND_DESKTOP")):
            with pytest.raises(EpisodeFault, match=f"{variable}_URLS"):
                async with mine.session(env):  # type: ignore[arg-type]
                    pass


async def test_agents_of_the_settings_are_offered_and_made_by_name(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text('dialect = "python"\nentry = "slow_agent:Slow"\n')
    files = (tmp_path / "one.toml", tmp_path / "two.toml")
    backends = HttpBackends(Settings(agents=files))
    task = Task(id="t", instruction="x")
    assert {"one", "two"} <= set(backends.offer().policies)
    assert isinstance(backends.agent("two", task), PythonAgent)
    with pytest.raises(EpisodeFault, match="knows no agent three; it knows one, two"):
        backends.agent("three", task)
    twice = HttpBackends(Settings(agents=(files[0], files[0])))
    with pytest.raises(EpisodeFault, match="the name 'one' is taken"):
        twice.agent("one", task)
    assert "oracle" in twice.offer().policies


CLOCK = 1 / 1200
"""Ten minutes are half a second."""
SLOW_AGENT = f"""
import time
class Slow:
    def reset(self, task): ...
    def act(self, observation):
        time.sleep({600 * CLOCK})
        return {{"type": "done"}}
"""


async def test_a_slow_agent_loses_no_trial_while_its_episodes_wait_for_a_desktop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent of ten minutes an episode, 8 episodes on 2 desktops, all admitted at once."""
    for module, name in ((hosts, "OPEN_TIMEOUT_S"), (runtimes, "SESSION_WAIT_S")):
        monkeypatch.setattr(module, name, getattr(module, name) * CLOCK)
    (tmp_path / "slow_agent.py").write_text(SLOW_AGENT)
    description = {"dialect": "python", "entry": "slow_agent:Slow", "path": str(tmp_path)}
    (tmp_path / "agent.json").write_text(json.dumps(description))
    task = Task(id="t", instruction="wait", env="desktop").model_dump(mode="json")
    async with toy_host() as (first, _), toy_host() as (second, _):
        settings = Settings(
            run_dir=tmp_path / "run",
            desktop_urls=(first, second),
            host_token=TOKEN,
            agent=tmp_path / "agent.json",
        )
        with Store.open(settings) as store:
            store.runs.create(Run(id="r", kind="eval"))
            ids = [f"e{number}" for number in range(8)]
            store.episodes.create(
                [
                    Episode(id=name, run_id="r", purpose="eval", task=task, policy="agent")
                    for name in ids
                ]
            )
            runtime = Runtime(settings, store, HttpBackends(settings))
            await asyncio.to_thread(runtime.start)
            try:
                await asyncio.gather(*(asyncio.to_thread(runtime.run, name) for name in ids))
            finally:
                await asyncio.to_thread(runtime.close)
            rows = store.episodes.get_many(ids)
    assert {(row.status, row.detail) for row in rows} == {(Status.UNJUDGED, None)}


async def test_an_episode_that_waits_for_a_desktop_can_be_cancelled(tmp_path: Path) -> None:
    task = Task(id="t", instruction="wait", env="desktop").model_dump(mode="json")
    async with toy_host() as (url, _), worker(url) as theirs, theirs.session("desktop"):
        settings = Settings(
            run_dir=tmp_path, desktop_urls=(url,), host_token=TOKEN, heartbeat_s=0.1
        )
        with Store.open(settings) as store:
            store.runs.create(Run(id="r", kind="eval"))
            row = Episode(id="e", run_id="r", purpose="eval", task=task, policy="noop")
            store.episodes.create([row])
            runtime = Runtime(settings, store, HttpBackends(settings))
            await asyncio.to_thread(runtime.start)
            try:
                running = asyncio.create_task(asyncio.to_thread(runtime.run, "e"))
                async with asyncio.timeout(60):
                    while store.episodes.accounting("r").running == 0:
                        await asyncio.sleep(0.02)
                    store.episodes.cancel(["e"])
                    result = await running
            finally:
                await asyncio.to_thread(runtime.close)
    assert result is not None
    assert result.status is Status.CANCELLED


async def test_an_oracle_leads_the_served_policy_where_the_name_says_so() -> None:
    backends = HttpBackends(Settings(policy_urls=(f"http://127.0.0.1:{free_port()}",)))
    agent = backends.agent("led-2", get_gym("shop").make_task("price", 1))
    assert isinstance(agent, CompactAgent)
    assert isinstance(agent._policy, LedPolicy)
    assert isinstance(agent._policy._policy, VllmPolicy)
    with pytest.raises(EpisodeFault, match="the worker knows no agent led-0"):
        backends.agent("led-0", Task(id="t", instruction="x"))
    await backends.close()


async def test_planner_and_grounder_are_cast_as_the_settings_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = {"base_url": "http://127.0.0.1:1/v1", "model": "m", "api_key_env": "PLANNER_KEY"}
    cast = {"apart": True, "endpoint_plays": "planner", "endpoint": there}
    monkeypatch.delenv("PLANNER_KEY", raising=False)
    settings = Settings.model_validate(
        {"policy_roles": cast, "policy_urls": (f"http://127.0.0.1:{free_port()}",)}
    )
    backends, task = HttpBackends(settings), Task(id="t", instruction="x")
    with pytest.raises(EpisodeFault, match="the planner needs a key: PLANNER_KEY is not set"):
        backends.agent("live", task)
    monkeypatch.setenv("PLANNER_KEY", "k")
    agent = backends.agent("live", task)
    assert isinstance(agent, CompactAgent)
    assert isinstance(agent._policy, PlannedPolicy)
    assert agent._policy._planner is not agent._policy._grounder
    control = backends.agent("noop", task)
    assert isinstance(control, CompactAgent)
    assert not isinstance(control._policy, PlannedPolicy)
    await backends.close()
