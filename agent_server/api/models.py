"""Requests and replies of the HTTP API. Unknown fields are refused, so that a typo is an error.

A task of this API is one episode with its retries.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from agent_server.api.script_models import ScriptCall
from agent_server.episodes.agent import Sampling
from agent_server.episodes.structured_answer import AnswerMisfit, check_schema, read_answer
from agent_server.episodes.trajectory import Trajectory
from agent_server.store.episodes import describe_task
from agent_server.store.tables import Episode
from agent_server.store.task_files import UPLOAD_ID
from envs.contract.approval import MAX_WAIT_S, RULES, Approve, Mode, Rule
from envs.contract.browser_state import ProfileName
from envs.contract.domains import MAX_ENTRIES, check_start
from envs.contract.files import MAX_FILES
from envs.contract.outcomes import Status
from envs.contract.page_url import SITE_URL
from envs.contract.secret import MAX_SECRETS, SecretName
from envs.contract.task import Domain, Env, Task

MAX_SEED = 2**63 - 1


def _with_env(task: object) -> object:
    """OSWorld's files say no `env`. What brings its own evaluator is judged on a desktop alone, so
    it is for one, as it is where the same file is read from a folder."""
    if isinstance(task, dict) and task.get("evaluator") and task.get("gym") is None:
        return {"env": "desktop"} | task
    return task


SentTask = Annotated[Task, BeforeValidator(_with_env)]
"""A whole task in a request."""


class TaskRequest(BaseModel):
    """One of: a gym template with a seed; a whole task; an instruction (in the browser with a start
    URL), which is carried out but not judged; a script. A gym's template and a script go together
    as well: the script is replayed on that task."""

    model_config = ConfigDict(extra="forbid")

    gym: str | None = Field(None, description='e.g. "shop"', min_length=1, max_length=100)
    template: str | None = Field(
        None, description="task template of the gym", min_length=1, max_length=100
    )
    seed: int | None = Field(None, ge=0, le=MAX_SEED, description="which task of the template")
    task: SentTask | None = Field(None, description="a whole task")
    instruction: str | None = Field(None, min_length=1, max_length=4000)
    env: Env = Field("browser", description="where an instruction is carried out")
    start_url: str | None = Field(None, max_length=2000, pattern=SITE_URL)
    allow: tuple[Domain, ...] = Field(
        (),
        max_length=MAX_ENTRIES,
        description="instruction: domains that the browser may reach, each with those below it, "
        'e.g. ["shop.example"]; none: only sites of the server\'s machine that it was told of',
    )
    secrets: tuple[SecretName, ...] = Field(
        (),
        max_length=MAX_SECRETS,
        description="instruction in the browser: names of what the agent may type without seeing "
        "it; values stand in the server's file",
    )
    approve: Mode | None = Field(
        None,
        description="instruction, script: actions that wait for a person: never, risky, all; null: "
        "risky where an agent acts on the internet (`allow`), else never",
    )
    approve_rules: tuple[Rule, ...] = Field(
        RULES, max_length=len(RULES), description="approve risky: the rules that hold"
    )
    approve_wait_s: float = Field(
        600.0, gt=0, le=MAX_WAIT_S, description="seconds without an answer that are a refusal"
    )
    policy: str | None = Field(
        None,
        min_length=1,
        max_length=100,
        description="who carries it out: live, oracle, or the name of an agent (GET /v1/agents); "
        "null: live where a model is served, else the first agent",
    )
    script: ScriptCall | None = Field(
        None,
        description="a task that was done once, to be replayed without a model",
    )
    sampling: Sampling = Sampling()
    screenshots: bool = Field(False, description="record a picture before each step")
    files: tuple[Annotated[str, StringConstraints(pattern=f"^{UPLOAD_ID}$")], ...] = Field(
        (),
        max_length=MAX_FILES,
        description="instruction: ids of uploads (POST /v1/files), which the agent may give to "
        "pages, or finds in the home folder of its desktop",
    )
    profile: ProfileName | None = Field(
        None,
        description="instruction in the browser: saved log-in state to begin with (GET "
        "/v1/profiles), as far as its sites are the task's; the agent never sees it",
    )
    save_profile: bool = Field(
        False,
        description="the state of the task's sites is saved to the profile, new or not, when the "
        "agent is done",
    )
    keep_files: bool | None = Field(
        None,
        description="keep what is downloaded, or made in the desktop's home folder, for "
        "GET .../files; null: yes with an instruction, else no",
    )
    answer_schema: dict[str, Any] | None = Field(
        None,
        description="instruction: JSON Schema (2020-12) of the answer. The agent is told; an "
        "answer that does not fit is refused once; `result` of the task is what it says",
    )
    max_steps: int | None = Field(None, ge=1, le=1000)
    max_seconds: float | None = Field(
        None, gt=0, le=86_400, description="wall clock of the whole episode, as a guard"
    )
    max_tokens: int | None = Field(
        None, ge=1, le=10**9, description="of all prompts and answers; the last may go over"
    )
    max_cost: float | None = Field(
        None,
        gt=0,
        le=10**6,
        description="at the prices of the agent's file (price_in, price_out), in their currency",
    )
    webhooks: tuple[Annotated[str, StringConstraints(min_length=1, max_length=2000)], ...] = Field(
        (),
        max_length=5,
        description="who is told when it ends: names of the operator's file, or https addresses "
        "where that lets tasks bring some",
    )
    priority: int = Field(
        0, ge=0, le=10, description="of the tasks that wait, those with more are run first"
    )

    @model_validator(mode="after")
    def _one_kind(self) -> TaskRequest:
        kinds = (self.gym is not None, self.task is not None, self.instruction is not None)
        if self.script is not None and (self.task or self.instruction or self.start_url):
            raise ValueError("a script has its own task; only gym, template and seed go with it")
        if self.script is not None and self.policy not in (None, "script"):
            raise ValueError("script: who takes over from it stands in its `otherwise`")
        if sum(kinds) != 1 and self.script is None:
            raise ValueError("give one of: gym (with template and seed), task, instruction, script")
        if self.answer_schema is not None:
            if self.instruction is None:
                raise ValueError("answer_schema goes with an instruction")
            check_schema(self.answer_schema)
        if self.gym is not None and (self.template is None or self.seed is None):
            raise ValueError("gym needs template and seed")
        if self.instruction is not None and self.start_url is None and self.env == "browser":
            raise ValueError('instruction needs start_url, or "env": "desktop"')
        if self.start_url:
            check_start(self.start_url, self.allow)
        if self.allow and (self.instruction is None or self.env != "browser"):
            raise ValueError("allow goes with an instruction in the browser")
        has_approval = self.instruction is not None or self.script is not None
        if self.approve not in (None, "never") and not has_approval:
            raise ValueError(
                "approve goes with an instruction or a script; a task says so in its own field"
            )
        return self

    @model_validator(mode="after")
    def _check_belongings(self) -> TaskRequest:
        in_browser = self.instruction is not None and self.env == "browser"
        if self.secrets and not in_browser:
            raise ValueError("secrets go with an instruction in the browser")
        if self.files and self.instruction is None:
            raise ValueError("files go with an instruction")
        if self.task is not None and self.task.files:
            raise ValueError("task.files: give an instruction and the ids of uploads instead")
        if self.profile and not in_browser:
            raise ValueError("profile goes with an instruction in the browser")
        if self.save_profile and not self.profile:
            raise ValueError("save_profile wants the name of a profile")
        return self

    def make_approval(self, is_risky: bool) -> Approve | None:
        """What waits for a person. `is_risky`: where the request says nothing, what is risky."""
        mode: Mode = self.approve or ("risky" if is_risky else "never")
        settings = Approve(mode=mode, rules=self.approve_rules, wait_s=self.approve_wait_s)
        return settings if settings.is_on else None


class TaskState(BaseModel):
    """One task as clients see it: the newest episode of its chain. While an episode that was lost
    waits to be run again, the status is `queued`, and reason and detail tell why it was lost."""

    id: str = Field(description="the id in the task's path")
    run_id: str
    status: Status
    reason: str | None
    detail: str | None
    is_paused: bool = Field(description="held before its next step, until it is resumed")
    waiting: str | None = Field(description="queued: why no worker takes it now, as far as known")
    approval: str | None = Field(
        None, description="running: the id of what waits for a person (GET .../approvals)"
    )
    score: float | None
    success: bool | None
    answer: str | None
    result: Any = Field(None, description="the answer as JSON, where it fits the task's schema")
    verdict: dict[str, Any]
    steps: int
    tokens: int | None = Field(description="of prompts and answers; null where nothing counts them")
    cost: float | None = Field(description="at the prices of the agent's file; null without")
    priority: int
    replay_of: str | None = Field(None, description="episode whose first steps it repeated")
    attempt: int
    instruction: str
    name: str = Field(description='how the task calls itself, e.g. "shop/price@3"')
    policy: str
    policy_version: int | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None

    @classmethod
    def of(
        cls,
        row: Episode,
        *,
        retry_follows: bool,
        waiting: str | None = None,
        approval: str | None = None,
    ) -> TaskState:
        """The state of a task whose newest episode is `row`. `waiting`: why queued tasks wait;
        `approval`: what of it waits for a person."""
        name, instruction = describe_task(row.task)
        return cls(
            id=row.root_id or row.id,
            run_id=row.run_id,
            status=Status.QUEUED if retry_follows else row.status,
            reason=row.reason,
            detail=row.detail,
            is_paused=row.pause_requested and (retry_follows or not row.status.terminal),
            waiting=waiting if retry_follows or row.status is Status.QUEUED else None,
            approval=approval,
            score=row.score,
            success=row.success,
            answer=row.answer,
            result=_read_result(row),
            verdict=row.verdict,
            steps=row.steps,
            tokens=row.tokens,
            cost=row.cost,
            priority=row.priority,
            replay_of=row.replay_of,
            attempt=row.attempt,
            instruction=instruction,
            name=name,
            policy=row.policy,
            policy_version=row.version_max,
            created_at=row.created_at,
            started_at=row.started_at,
            finished_at=None if retry_follows else row.finished_at,
        )


def _read_result(row: Episode) -> Any:
    schema = row.task.get("answer_schema")
    if schema is None or row.answer is None:
        return None
    try:
        return read_answer(row.answer, schema)
    except AnswerMisfit:
        return None


class TaskPage(BaseModel):
    """One page of tasks."""

    tasks: list[TaskState]
    next_cursor: str | None = Field(None, description="pass as `cursor` for the next page")


class TrajectoryPage(Trajectory):
    """One page of a trajectory."""

    next_after: int | None = Field(None, description="pass as `after` for the next page")


class VersionState(BaseModel):
    """One published policy version."""

    version: int
    parent: int | None
    phase: str
    status: str
    pause_ms: float | None
    verify: dict[str, Any]
    created_at: datetime


class RunState(BaseModel):
    """One run with its episodes by outcome."""

    id: str
    kind: str
    preset: str
    seed: int
    status: str
    created_at: datetime
    finished_at: datetime | None
    episodes: dict[str, Any] = Field(default_factory=dict)


class Problem(BaseModel):
    """RFC 9457 problem details."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
