"""An external agent behind an endpoint: a conversation in its dialect, posted turn by turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from agent_server.agents import messages
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
from agent_server.episodes.agent import Answer, Sampling
from agent_server.episodes.trajectory import Completion
from envs.contract.actions import ActionResult
from envs.contract.observations import Observation, Observe, Screenshot, ScreenshotRequest
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task


def client_of(spec: AnyEndpoint) -> EndpointClient:
    """The HTTP client of an endpoint, with the headers of its dialect."""
    dialect_headers = messages.headers(spec) if isinstance(spec, AnthropicComputer) else {}
    return EndpointClient(spec, dialect_headers)


def conversation_of(spec: AnyEndpoint, task: Task) -> Conversation:
    """A new conversation in the endpoint's dialect."""
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
        self._limits_use = task.limits.max_tokens is not None or task.limits.max_cost is not None
        self.longest_s = spec.timeout_s + spec.patience_s

    def extend_observe(self, observe: Observe) -> Observe:
        """Always with a picture: its size is the screen's, which coordinates refer to."""
        spec = self._spec
        picture = ScreenshotRequest(format=spec.picture_format, quality=spec.picture_quality)
        return observe.model_copy(
            update={
                "tree": "tree" in spec.observe,
                "tree_chars": spec.tree_chars,
                "screenshot": picture,
            }
        )

    def tell(self, text: str) -> None:
        """See `Agent.tell`."""
        self._conversation.follow_ups.append(text)

    async def act(
        self, observation: Observation, results: Sequence[ActionResult], sampling: Sampling
    ) -> Answer:
        """See `Agent.act`."""
        started, spent = time.perf_counter(), self._patience.spent_s
        body, new_content = await asyncio.to_thread(
            self._conversation.request, self._with_picture(observation), results, sampling.seed
        )
        reply = await self._client.post_until_read(
            self._conversation.path, body, self._conversation.read_reply, self._patience
        )
        waited = self._patience.spent_s - spent
        if reply.usage is None and self._limits_use:
            detail = f"{self._spec.base_url} counts no tokens, so max_tokens and max_cost cannot be"
            raise EpisodeFault(InvalidReason.POLICY_REFUSED, f"{detail} kept")
        completion = Completion(
            text=reply.text,
            finish_reason=reply.finish_reason,
            latency_s=round(time.perf_counter() - started - waited, 5),
            usage=reply.usage,
        )
        cost = None if reply.usage is None else self._spec.cost_of(reply.usage)
        return Answer(new_content, completion, reply.parsed, waited, cost)

    def _with_picture(self, observation: Observation) -> Observation:
        """With the last picture where there is none, as while a page's dialog is open. Raises
        EpisodeFault."""
        picture = observation.screenshot or self._picture
        if picture is None:
            raise EpisodeFault(InvalidReason.OBSERVATION, "the environment gave no screenshot")
        self._picture = picture
        return observation.model_copy(update={"screenshot": picture})
