"""Recorded answers of each dialect, over real HTTP, through the runner, on a page that tells the
events it gets."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from agent_server.agents.config import load_agent
from agent_server.agents.endpoint_agent import EndpointAgent, client_of
from agent_server.episodes.agent import Sampling
from agent_server.episodes.runner import run_episode
from agent_server.episodes.trajectory import Usage
from agent_server.evaluation.job.results import Trial
from agent_server.evaluation.report.viewer import viewer_data
from agent_server.store.artifacts import Artifacts, Recorder
from envs.browser.chromium import Browsers
from envs.contract.actions import ActionError
from envs.contract.outcomes import EndReason, Status
from envs.contract.task import Task
from tests.agent_server.agents.model_server import Said, chat, messages, playing, responses
from tests.envs.browser.site import Visitor, serving, visiting

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
TRANSCRIPTS = Path(__file__).with_name("transcripts")
REPLIES: dict[str, Callable[[Any], Said]] = {
    "openai_tools": chat,
    "openai_computer": responses,
    "anthropic_computer": messages,
    "uitars": chat,
    "osworld": chat,
}


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serving() as base:
        yield base


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browsers(site: str) -> AsyncIterator[Browsers]:
    made = Browsers(sites=(site,))
    yield made
    await made.close()


async def logged(visitor: Visitor) -> list[str]:
    log_text = await visitor.run("document.getElementById('log').textContent")
    return [event.strip() for event in log_text.split(";")]


def in_order(expected_events: list[str], events: list[str]) -> list[str]:
    """The first of the wanted events from which on they do not come in this order."""
    rest = iter(events)
    return [event for event in expected_events if event not in rest]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("dialect", REPLIES)
async def test_a_recorded_episode_does_what_it_says(
    browsers: Browsers, site: str, tmp_path: Path, dialect: str
) -> None:
    recorded = json.loads((TRANSCRIPTS / f"{dialect}.json").read_text())
    replies = [REPLIES[dialect](answer) for answer in recorded["answers"]]
    file, artifacts = tmp_path / f"{dialect}.json", Artifacts(str(tmp_path))
    with playing(*replies) as server:
        about = {"dialect": dialect, "base_url": server.url, "model": "m", "history": 2}
        file.write_text(json.dumps(about | recorded["file"]))
        spec: Any = load_agent(str(file))
        client = client_of(spec)
        task = Task(id="t", instruction="Say hello.", start_url=f"{site}/conformance")
        async with visiting(site, browsers) as visitor:
            with Recorder(artifacts, "e1") as recorder:
                result = await run_episode(
                    task, visitor.session, EndpointAgent(client, task), Sampling(),
                    task.limits, recorder, screenshots=True,
                )  # fmt: skip
                recorder.finish(result, {})
            events = await logged(visitor)
        await client.close()

    assert (result.status, result.reason) == (Status.UNJUDGED, EndReason.DONE), result.detail
    assert result.answer == recorded["answer"]
    assert in_order(recorded["log"], events) == [], events
    steps = artifacts.read_trajectory("e1").steps
    assert len(steps) == len(server.received) == len(replies)
    wrong = [step for step in steps if step.action is None]
    assert len(wrong) == recorded["errors"]
    for step in wrong:
        assert step.result.error in set(ActionError)
        assert step.result.message[:30] in steps[step.index + 1].prompt, "it was told"
    assert "Say hello." in json.dumps(server.bodies[0])
    assert [step.completion.tokens for step in steps] == [Usage(prompt=100, completion=20)] * len(
        steps
    )
    assert all(step.screenshot and "base64," not in step.prompt for step in steps)
    trial = Trial("m", "t", "d", 0, "done", episode_id="e1")
    page = "".join(data for _, data in viewer_data(artifacts, {"t": task}, [trial]))
    assert page.count('"picture":"data:image/jpeg;base64,') == len(steps)
    assert page.count('"marks":[[{"x":') >= 2, "it shows where the agent acted"
