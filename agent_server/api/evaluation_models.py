"""Requests and replies of /v1/evaluations."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agent_server.agents.config import AgentSpec
from agent_server.agents.make import sampling_of
from agent_server.api.models import MAX_SEED, SentTask
from agent_server.episodes.agent import Sampling
from agent_server.evaluation.job.plan import (
    CONTROL_TRIALS,
    EvalSpec,
    Tools,
    UnsupportedTask,
)
from envs.contract.validation import suggest_names
from envs.desktop.size import SIZE, Size

MAX_EPISODES = 20_000
"""Tasks x trials of one evaluation, its controls included."""


class EvaluationRequest(BaseModel):
    """One of: `gym`, whose held-out tasks are drawn; `tasks`, whole tasks, each with its own id."""

    model_config = ConfigDict(extra="forbid")

    gym: str | None = Field(None, description='e.g. "shop"', min_length=1, max_length=100)
    templates: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = Field(
        (), max_length=100, description="none: all of the gym"
    )
    episodes: int = Field(210, ge=1, le=5000, description="tasks drawn from the gym")
    tasks: list[SentTask] | None = Field(None, min_length=1, max_length=1000)
    policy: str = Field(
        "live",
        min_length=1,
        max_length=100,
        description="live, oracle, noop, infeasible, random, or the name of an agent that "
        "DESKHAND_AGENTS describes to API and workers",
    )
    controls: bool = Field(False, description="run noop and infeasible beside the policy")
    trials: int = Field(1, ge=1, le=100, description="trials of each task")
    tools: Tools | None = Field(None, description="null: each task's own value")
    compat: bool = Field(False, description="judge desktops with OSWorld's own defects")
    max_steps: int | None = Field(None, ge=1, le=1000, description="null: each task's own")
    max_seconds: float | None = Field(None, gt=0, le=86_400, description="null: each task's own")
    seed: int = Field(0, ge=0, le=MAX_SEED, description="which tasks are drawn; sampling")
    sampling: Sampling = Sampling()
    screenshots: bool = Field(False, description="record a picture before each step")

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_fields(cls, data: object) -> object:
        for name in data if isinstance(data, dict) else ():
            if name not in cls.model_fields:
                hint = suggest_names(str(name), cls.model_fields)
                raise ValueError(f"there is no field {str(name)[:80]!r}{hint}")
        return data

    @model_validator(mode="after")
    def _one_kind(self) -> EvaluationRequest:
        if (self.gym is None) == (self.tasks is None):
            raise ValueError(
                'give one of: gym, tasks; such as "gym": "shop", or "tasks": a list of task files'
            )
        return self

    @model_validator(mode="after")
    def _bound(self) -> EvaluationRequest:
        tasks = self.episodes if self.tasks is None else len(self.tasks)
        trials = self.trials + (2 * CONTROL_TRIALS if self.controls else 0)
        if tasks * trials > MAX_EPISODES:
            raise ValueError(
                f"{tasks} tasks x {trials} trials are {tasks * trials} episodes, more than "
                f"{MAX_EPISODES}: ask for fewer, or start several evaluations"
            )
        return self

    def to_spec(self, agent: AgentSpec | None = None, screen: Size = SIZE) -> EvalSpec:
        """The specification of the evaluation, without the tasks of the request. `agent`: the one
        that `policy` names; its description says how it samples. `screen`: of the desktops that
        serve."""
        fields = self.model_dump(exclude={"gym", "tasks"}) | {"screen": screen}
        if agent is not None:
            fields |= {"agent": agent, "sampling": sampling_of(agent)}
        return EvalSpec(**fields, gym=self.gym or "", tasks=None)


class EvaluationState(BaseModel):
    """Progress of an evaluation: `ended` of `total` trials; `seconds_left` at the pace so far."""

    model_config = ConfigDict(
        serialize_by_alias=True, validate_by_alias=True, validate_by_name=True
    )

    id: str
    status: str = Field(description="running | finished | cancelled | failed")
    total: int
    ended: int
    solved: int
    lost: int
    cancelled: int
    seconds_left: float | None
    created_at: datetime
    finished_at: datetime | None
    spec: EvalSpec = Field(alias="asked")
    task_set: str = Field(description="SHA-256 of the tasks")
    tasks: int
    not_run: tuple[UnsupportedTask, ...]
