"""Creates agents from their descriptions, and checks one before an evaluation."""

from __future__ import annotations

import asyncio
import base64
import io
from typing import Any

from PIL import Image

from agent_server.agents.config import AgentSpec, AnyEndpoint, PythonClass
from agent_server.agents.endpoint import EndpointClient, Patience
from agent_server.agents.endpoint_agent import EndpointAgent, client_of, conversation_of
from agent_server.agents.python_agent import PythonAgent, find_class
from agent_server.episodes.agent import Agent, Sampling
from envs.contract.observations import Observation, Screenshot, Tree
from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Task

CHECK = "This is a check of the connection. Say at once that you are done, in one word."
CHECK_SIZE = (640, 480)


class AgentUnusable(Exception):
    """The agent did not answer the check; the message says why."""


class Agents:
    """Creates the agents of one description; endpoints share a client. Used on one loop."""

    def __init__(self, spec: AgentSpec) -> None:
        self.spec = spec
        self._client: EndpointClient | None = None

    def make(self, task: Task) -> Agent:
        """An agent for one episode."""
        if isinstance(self.spec, PythonClass):
            return PythonAgent(self.spec, task)
        if self._client is None:
            self._client = client_of(self.spec)
        return EndpointAgent(self._client, task)

    async def close(self) -> None:
        """Close the shared client."""
        if self._client is not None:
            await self._client.close()
            self._client = None


def sampling_of(spec: AgentSpec) -> Sampling:
    """Sampling for the plan of an evaluation; the APIs' documented defaults where the description
    sets none."""
    if isinstance(spec, PythonClass):
        return Sampling()
    settings = {"temperature": spec.temperature, "top_p": spec.top_p, "max_tokens": spec.max_tokens}
    return Sampling.model_validate({k: v for k, v in settings.items() if v is not None})


def system_prompt(spec: AnyEndpoint) -> str:
    """The system prompt, for a task without instruction in a browser."""
    return conversation_of(spec, Task(id="", instruction="")).system


async def check_agent(spec: AgentSpec) -> None:
    """Send one request in the agent's dialect with a small blank picture, or import its class.
    Raises AgentUnusable, AgentFileError."""
    if isinstance(spec, PythonClass):
        await asyncio.to_thread(find_class, spec)
        return
    task = Task(id="check", instruction=CHECK)
    conversation, client = conversation_of(spec, task), client_of(spec)
    body, _ = conversation.request(_blank(), (), None)
    try:
        await client.post_until_read(
            conversation.path, body, conversation.read_reply, Patience(0.0)
        )
    except EpisodeFault as fault:
        raise AgentUnusable(f"the agent does not answer: {fault}") from fault
    finally:
        await client.close()


def _blank() -> Observation:
    file = io.BytesIO()
    Image.new("RGB", CHECK_SIZE, "white").save(file, "JPEG")
    width, height = CHECK_SIZE
    data = base64.b64encode(file.getvalue()).decode()
    picture: dict[str, Any] = {"format": "jpeg", "width": width, "height": height, "data": data}
    tree = Tree(id=1, text="text (nothing here)")
    return Observation(hash="", tree=tree, screenshot=Screenshot(**picture))
