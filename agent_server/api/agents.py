"""/v1/agents: who carries out tasks: policies of Deskhand, and the agents that this server knows.

An agent is named, and nothing else: where it is reached and with which key stands in the files that
the server was started with (`--agent`, DESKHAND_AGENTS), and no request changes or shows that.
"""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from agent_server.agents.config import (
    RESERVED,
    AgentFileError,
    AgentSpec,
    Endpoint,
    PythonClass,
    load_configured,
)
from agent_server.api.errors import ApiError
from agent_server.api.state import ApiState, State
from envs.contract.validation import suggest_names

router = APIRouter(prefix="/agents", tags=["agents"])


class AgentState(BaseModel):
    """One agent, as a task may name it in `policy`."""

    name: str
    kind: Literal["policy", "endpoint", "python"]
    dialect: str | None = Field(None, description="how it is spoken to; docs/agents.md")
    model: str | None = Field(None, description="what its endpoint calls it")
    observes: tuple[str, ...] = Field((), description="what it is shown each step")
    is_available: bool = Field(description="whether a worker that is alive could run it now")


@router.get("")
def list_agents(state: State) -> list[AgentState]:
    """The policies of Deskhand, then the agents by name."""
    offered = {name for worker in state.store.workers.alive() for name in worker.policies}
    policies = [
        AgentState(name=name, kind="policy", is_available=name in offered)
        for name in sorted(RESERVED)
    ]
    return policies + [
        AgentState(
            name=name,
            kind="python" if isinstance(spec, PythonClass) else "endpoint",
            dialect=spec.dialect,
            model=None if isinstance(spec, PythonClass) else spec.model,
            observes=spec.observe,
            is_available=name in offered,
        )
        for name, spec in sorted(known_agents(state).items())
    ]


def known_agents(state: ApiState) -> dict[str, AgentSpec]:
    """The configured agents by name. Raises ApiError(422) where a file cannot be read."""
    try:
        return load_configured(state.settings.agents)
    except AgentFileError as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, f"DESKHAND_AGENTS: {error}") from error


def find_agent(state: ApiState, policy: str, own: Collection[str] = RESERVED) -> AgentSpec | None:
    """The agent of that name; None for a policy of Deskhand's, one of `own`. Raises
    ApiError(422)."""
    if policy in own:
        return None
    agents = known_agents(state)
    if policy not in agents:
        names = (*sorted(own), *agents)
        hint = suggest_names(policy, names)
        detail = f"policy: there is no {policy[:80]!r}{hint}; there are: {', '.join(names)}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
    return agents[policy]


def check_prices(state: ApiState, max_cost: float | None, policy: str) -> None:
    """Raises ApiError(422) for a limit of cost that nothing could measure."""
    if max_cost is None:
        return
    agent = find_agent(state, policy)
    if not isinstance(agent, Endpoint) or agent.price_in is None or agent.price_out is None:
        detail = f"max_cost: {policy} has no prices: set price_in and price_out in its file"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)


def choose_policy(state: ApiState, requested: str | None) -> str:
    """The policy of a task that names none: the live one where a model is served, else the first
    agent that the server was started with. Raises ApiError(422)."""
    if requested is not None:
        find_agent(state, requested)
        return requested
    workers = state.store.workers.alive()
    agents = known_agents(state)
    if agents and not any("live" in worker.policies for worker in workers):
        return next(iter(agents))
    return "live"
