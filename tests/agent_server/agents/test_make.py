"""Agents are made from their descriptions."""

from __future__ import annotations

from agent_server.agents.config import CompactChat, PythonClass
from agent_server.agents.endpoint_agent import EndpointAgent
from agent_server.agents.make import Agents, sampling_of, system_prompt
from agent_server.agents.python_agent import PythonAgent
from envs.contract.task import Task

TASK = Task(id="t", instruction="Buy tea")
CHAT = CompactChat(
    dialect="compact", base_url="http://127.0.0.1:9/v1", model="m", temperature=0.5, max_tokens=99
)
CLASS = PythonClass(dialect="python", entry="module:Class")


async def test_the_description_decides_the_kind_of_agent() -> None:
    assert isinstance(Agents(CLASS).make(TASK), PythonAgent)
    agents = Agents(CHAT)
    first, second = agents.make(TASK), agents.make(TASK)
    assert isinstance(first, EndpointAgent)
    assert first is not second, "one an episode"
    await agents.close()


def test_the_plan_gets_the_description_s_sampling() -> None:
    sampling = sampling_of(CHAT)
    assert (sampling.temperature, sampling.top_p, sampling.max_tokens) == (0.5, 1.0, 99)
    assert sampling_of(CLASS).max_tokens == 64


def test_the_system_prompt_is_the_dialect_s_or_the_file_s() -> None:
    assert "web browser" in system_prompt(CHAT)
    assert system_prompt(CHAT.model_copy(update={"system": "Do: {instruction}"})) == "Do: "
