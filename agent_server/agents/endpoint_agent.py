"""An agent behind an endpoint: a conversation in its dialect, posted turn by turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from agent_server.agents import messages
from agent_server.agents.agent import Answer
from agent_server.agents.chat import CompactConversation, OSWorldChat, ToolsChat, UiTarsChat
from agent_server.agents.config import (
    AnthropicComputer,
    AnyEndpoint,
    CompactChat,
    OpenAIComputer,
    OpenAITools,
    OSWorldText,
    UiTars,
)
from agent_server.agents.conversation import Conversation
from agent_server.agents.endpoint import EndpointClient, Patience
from agent_server.agents.messages import ComputerMessages
from agent_server.agents.responses import ComputerResponses
from agent_server.episodes.trajectory import Completion
from agent_server.policy.policy import Sampling
from envs.actions import ActionResult
from envs.observations import Observation, Observe, Screenshot, ScreenshotRequest
from envs.outcomes import EpisodeFault, InvalidReason
from envs.tasks import Task


def client_of(spec: AnyEndpoint) -> EndpointClient:
    own = messages.headers(spec) if isinstance(spec, AnthropicComputer) else {}
    return EndpointClient(spec, own)


def conversation_of(spec: AnyEndpoint, task: Task) -> Conversation:
    match spec:
        case OpenAITools():
            return ToolsChat(spec, task)
        case CompactChat():
            return CompactConversation(spec, task)
        case OSWorldText():
            return OSWorldChat(spec, task)
        case UiTars():
            return UiTarsChat(spec, task)
        case OpenAIComputer():
            return ComputerResponses(spec, task)
        case AnthropicComputer():
            return ComputerMessages(spec, task)


class EndpointAgent:
    """See `Agent`. The client is shared and stays open."""

    def __init__(self, client: EndpointClient, task: Task) -> None:
        spec = client.spec
        self._client, self._spec = client, spec
        self._conversation = conversation_of(spec, task)
        self._patience = Patience(spec.patience_s)
        self._picture: Screenshot | None = None
        self.longest_s = spec.timeout_s + spec.patience_s

    def wanted(self, observe: Observe) -> Observe:
        """Always a picture: its size is the screen's, which points are told in."""
        spec = self._spec
        asked = ScreenshotRequest(format=spec.picture_format, quality=spec.picture_quality)
        return observe.model_copy(
            update={
                "tree": "tree" in spec.observe,
                "tree_chars": spec.tree_chars,
                "screenshot": asked,
            }
        )

    async def act(
        self, observation: Observation, results: Sequence[ActionResult], sampling: Sampling
    ) -> Answer:
        """See `Agent.act`."""
        started, spent = time.perf_counter(), self._patience.spent_s
        body, sent = await asyncio.to_thread(
            self._conversation.request, self._pictured(observation), results, sampling.seed
        )
        reply = await self._client.ask(
            self._conversation.path, body, self._conversation.read, self._patience
        )
        waited = self._patience.spent_s - spent
        completion = Completion(
            text=reply.text,
            finish_reason=reply.finish_reason,
            latency_s=round(time.perf_counter() - started - waited, 5),
            usage=reply.usage,
        )
        return Answer(sent, completion, reply.parsed, waited)

    def _pictured(self, observation: Observation) -> Observation:
        """With the last picture where there is none, as while a page's dialog is open. Raises
        EpisodeFault."""
        picture = observation.screenshot or self._picture
        if picture is None:
            raise EpisodeFault(InvalidReason.OBSERVATION, "the environment gave no screenshot")
        self._picture = picture
        return observation.model_copy(update={"screenshot": picture})
