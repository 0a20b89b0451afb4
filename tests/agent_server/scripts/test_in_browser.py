"""Scripts in real Chromium: an oracle's episode, replayed on a disturbed site, on another layout,
on another task; and mended after another agent took over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from agent_server.episodes.agent import Agent, Sampling
from agent_server.episodes.compact import CompactAgent
from agent_server.episodes.runner import run_episode
from agent_server.episodes.trajectory import EpisodeResult, Step
from agent_server.policy.oracle import OraclePolicy
from agent_server.scripts.make import make_script
from agent_server.scripts.mend import find_takeover, mend_script
from agent_server.scripts.model import Named, Script, ScriptPlay
from agent_server.scripts.play import make_script_task, read_play
from agent_server.scripts.replay import ScriptAgent
from envs.client import RemoteSession
from envs.contract.task import Task
from envs.gyms.kit.gym import AppGym
from envs.providers.local import local_host
from tasksets.registry import get_gym

pytestmark = [pytest.mark.browser, pytest.mark.gyms, pytest.mark.timeout(300)]
SEED = 1_000_000_000


class Sink:
    def __init__(self) -> None:
        self.steps: list[Step] = []

    def save_screenshot(self, index: int, screenshot: Any) -> str:
        raise AssertionError("no picture was asked for")

    def record_step(self, step: Step) -> None:
        self.steps.append(step)

    def save_evidence(self, data: bytes) -> None:
        pass


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def session() -> AsyncIterator[RemoteSession]:
    async with local_host(1) as host:
        yield await host.open()


async def play(session: RemoteSession, task: Task, agent: Agent) -> tuple[EpisodeResult, Sink]:
    sink = Sink()
    return await run_episode(task, session, agent, Sampling(), task.limits, sink), sink


async def record(session: RemoteSession, template: str) -> tuple[Task, Script]:
    task = get_gym("billing").make_task(template, SEED)
    result, sink = await play(session, task, CompactAgent(task, OraclePolicy(task)))
    assert result.success
    return task, make_script(template.replace("_", "-"), task, sink.steps)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("template", ["new_invoice", "void_invoice"])
async def test_a_script_holds_on_a_disturbed_site_of_another_layout_without_tokens(
    session: RemoteSession, template: str
) -> None:
    task, script = await record(session, template)
    gym = get_gym("billing")
    assert isinstance(gym, AppGym)
    look = gym.make_world(SEED).appearance
    other_look = {"appearance": {"layout": look.layout + 1, "theme": look.theme + 1}}
    disturbed = Task.model_validate(gym.disturb(task, 0.5).model_dump() | other_look)
    result, sink = await play(session, disturbed, ScriptAgent(ScriptPlay(script=script)))
    assert result.success, sink.steps[-1].thought
    assert all(step.completion.tokens is None for step in sink.steps)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_script_holds_on_another_task_of_its_template(session: RemoteSession) -> None:
    _, script = await record(session, "new_invoice")
    assert set(script.examples) == {"name", "service", "qty", "price"}
    task = make_script_task(ScriptPlay(script=script), "t", SEED + 1)
    result, sink = await play(session, task, ScriptAgent(read_play(task)))
    assert result.success, sink.steps[-1].thought


@pytest.mark.asyncio(loop_scope="module")
async def test_where_it_does_not_fit_an_agent_takes_over_and_the_mended_one_holds(
    session: RemoteSession,
) -> None:
    task, script = await record(session, "new_invoice")
    gone = script.steps[1].model_copy(update={"target": (Named(role="link", name="Gone"),)})
    worn = script.model_copy(update={"steps": (script.steps[0], gone, *script.steps[2:])})
    alone, _ = await play(session, task, ScriptAgent(ScriptPlay(script=worn)))
    assert not alone.success

    other = CompactAgent(task, OraclePolicy(task))
    longer = make_script_task(ScriptPlay(script=worn), "t")
    helped, sink = await play(session, longer, ScriptAgent(ScriptPlay(script=worn), other))
    assert helped.success
    assert find_takeover(sink.steps) is not None
    mended = mend_script(worn, sink.steps, worn.examples)
    held, _ = await play(session, task, ScriptAgent(ScriptPlay(script=mended)))
    assert (held.success, mended.version) == (True, 2)
