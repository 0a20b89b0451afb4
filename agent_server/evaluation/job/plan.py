"""evaluation.json: the specification, the fixed list of tasks and trials, unsupported tasks, the
stamp.

Guarantees: written once, before the first episode, and never changed; the denominator follows from
it alone. Beside it, tasks.jsonl holds every task of the set, one a line; its SHA-256 is the task
set's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agent_server.agents.config import RESERVED, AgentSpec
from agent_server.episodes.agent import Sampling
from envs.contract.task import Task
from envs.contract.validation import describe_first, suggest_files
from envs.desktop.size import OSWORLD_SIZE, SIZE, Size
from envs.io.atomic_write import write_whole

EVALUATION_FILE = "evaluation.json"
TASKS_FILE = "tasks.jsonl"
STOPPED_FILE = "stopped.json"
AGENT_FILE, VERSUS_FILE = "agent.json", "versus.json"
"""Descriptions of external agents, for the workers."""
CONTROL_TRIALS = 1
"""No-op and always-infeasible act the same in each trial."""

PolicyName = Literal["live", "oracle", "noop", "infeasible", "random"]
Tools = Literal["gui", "api", "both"]
Provider = Literal["box", "docker", "qemu"]


class NotAnEvaluation(Exception):
    """The folder holds no evaluation; the message names it."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EvalSpec(_Model):
    """The specification of an evaluation, as given by the command or the API.

    With `tasks`, a path of task files, `gym`, `templates` and `episodes` are ignored. `tools`,
    `max_steps` and `max_seconds` None: the task's own value."""

    policy: str = Field(description="a policy that Deskhand serves, or the name of the agent")
    model: str | None = Field(None, description="folder of the policy version")
    agent: AgentSpec | None = Field(
        None, description="external agent; none: a policy that Deskhand serves"
    )
    versus: str | None = Field(
        None,
        description="a second policy or agent, which tries each trial in turn with the first, so "
        "that the two are compared pair by pair",
    )
    versus_agent: AgentSpec | None = None
    controls: bool = Field(False, description="run noop and infeasible beside the policy")
    gym: str = "shop"
    templates: tuple[str, ...] = ()
    episodes: int = Field(210, ge=1, description="tasks drawn from the gym, held-out ones")
    training: bool = Field(
        False, description="training tasks instead, for examples to train on: no figure of quality"
    )
    tasks: str | None = None
    split: str | None = Field(None, description="split list that chooses among the task files")
    skip_broken: bool = False
    trials: int = Field(1, ge=1, description="trials of each task; with `until_width` at most")
    until_width: float | None = Field(
        None,
        gt=0,
        lt=1,
        description="stop after the first trial of all tasks at which the 95% interval over trials "
        "is at most this wide",
    )
    tools: Tools | None = None
    compat: bool = Field(False, description="desktops are judged with OSWorld's own defects")
    max_steps: int | None = Field(None, ge=1, le=1000)
    max_seconds: float | None = Field(None, gt=0, le=86_400)
    seed: int = Field(0, ge=0)
    sampling: Sampling = Sampling()
    screenshots: bool = True
    record: bool = Field(False, description="a film of each episode on a desktop")
    concurrency: int = Field(16, ge=1)
    desktops: int = Field(2, ge=1)
    provider: Provider = Field("box", description="of desktops")
    image: str = Field("", description="of desktops in containers or virtual machines")
    screen: Size | None = Field(
        None, description="of desktops; none: 1920 x 1080 for OSWorld's task files, else 1280 x 720"
    )

    @model_validator(mode="after")
    def _check_policy_name(self) -> EvalSpec:
        pairs = [(self.policy, self.agent)]
        if self.versus is not None:
            pairs.append((self.versus, self.versus_agent))
        for name, agent in pairs:
            if agent is None:
                is_known = name in get_args(PolicyName)
            else:
                is_known = name == agent.name and name not in RESERVED
            if not is_known:
                raise ValueError(
                    f"{name!r}: an external agent needs a name that no policy has, and a "
                    "description with that name"
                )
        if self.versus in ("live", self.policy):
            raise ValueError(f"versus: {self.versus!r} must differ from the first, and not be live")
        return self

    @property
    def contenders(self) -> tuple[str, ...]:
        """The evaluated policy, and the one that it is compared with."""
        return (self.policy,) if self.versus is None else (self.policy, self.versus)

    @property
    def policies(self) -> tuple[str, ...]:
        """The contenders first, then the controls."""
        controls = ("noop", "infeasible") if self.controls else ()
        return (*self.contenders, *(name for name in controls if name not in self.contenders))

    @property
    def agents(self) -> dict[str, AgentSpec]:
        """The external agents of the job, by name."""
        specs = (self.agent, self.versus_agent)
        return {spec.name: spec for spec in specs if spec is not None}

    def trials_of(self, policy: str) -> int:
        """Number of trials of each task by this policy."""
        return self.trials if policy in self.contenders else CONTROL_TRIALS

    def screen_for(self, tasks: Iterable[Task]) -> Size:
        """Size of the desktops: OSWorld's, whose tasks may click fixed pixels, unless all tasks are
        ours."""
        if self.screen is not None:
            return self.screen
        if self.provider != "box":
            return SIZE
        foreign = any(task.env == "desktop" and task.gym is None for task in tasks)
        return OSWORLD_SIZE if foreign else SIZE

    def apply_to(self, task: Task) -> Task:
        """The task with the specification's limits, tools and compat mode applied."""
        limit_changes: dict[str, int | float] = {}
        if self.max_steps is not None:
            limit_changes["max_steps"] = self.max_steps
        if self.max_seconds is not None:
            limit_changes["max_seconds"] = self.max_seconds
        limits = task.limits.model_copy(update=limit_changes)
        tools = self.tools or task.tools
        evaluator = task.evaluator
        if self.compat and evaluator is not None:
            evaluator = {**evaluator, "compat": True}
        changes = {"limits": limits, "tools": tools, "evaluator": evaluator}
        return task.model_copy(update=changes)


class PlannedTask(_Model):
    """A task of the denominator. `domain`: template of a gym's task, folder of a task file."""

    id: str
    domain: str
    sha256: str = Field(description="of the task's line in tasks.jsonl")


class UnsupportedTask(_Model):
    """A task of the set that cannot run on this machine."""

    id: str
    domain: str
    reasons: tuple[str, ...]


class AgentStamp(_Model):
    """An external agent. None: left to the endpoint."""

    dialect: str
    endpoint: str | None = Field(None, description="base URL; or the class")
    model: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    prompt_sha256: str | None = Field(None, description="of the system prompt")
    sha256: str = Field(description="of all that its file says, and of the class's source")


class PolicyStamp(_Model):
    """The evaluated policy; for a served one its folder and the facts of its manifest."""

    name: str
    folder: str | None = None
    version: int | None = None
    sha256: str | None = Field(None, description="of the weights")
    agent: AgentStamp | None = None


class Hosts(_Model):
    """Where the environments ran. `no_image`: why no image can be named."""

    applications: dict[str, str] = Field(default_factory=dict, description="package -> version")
    image: str | None = Field(None, description="of the containers, by digest")
    no_image: str = ""


class Stamp(Hosts):
    """What the numbers were measured with."""

    task_set: str = Field(description="SHA-256 of tasks.jsonl")
    task_version: str | None = Field(
        None, description="published state that all tasks are of; see `deskhand tasks versions`"
    )
    commit: str
    deskhand: str
    policy: PolicyStamp
    versus: PolicyStamp | None = Field(None, description="the second contender")
    compat: bool = False
    screen: Size | None = Field(None, description="of the desktops that the job started")
    sampling: Sampling
    seed: int
    host: str
    device: str
    started_at: datetime


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """One trial of the denominator. `trial` counts from 0."""

    policy: str
    task: PlannedTask
    trial: int
    group_id: str


class Evaluation(_Model):
    """The plan. `broken`: files that could not be read as tasks and were skipped, one sentence
    each."""

    model_config = ConfigDict(
        serialize_by_alias=True, validate_by_alias=True, validate_by_name=True
    )
    format: Literal[1] = 1
    run_id: str
    spec: EvalSpec = Field(alias="asked")
    stamp: Stamp
    tasks: tuple[PlannedTask, ...]
    not_run: tuple[UnsupportedTask, ...] = ()
    broken: tuple[str, ...] = ()

    def planned_trials(self, policy: str | None = None) -> list[PlannedTrial]:
        """The denominator, of one policy or of all, ordered by trial, so that an interrupted job
        has run all tasks equally often; contenders meet a task one right after the other."""
        policies = self.spec.policies if policy is None else (policy,)
        contenders = [name for name in policies if name in self.spec.contenders]
        controls = [[name] for name in policies if name not in self.spec.contenders]
        return [
            planned
            for trial in range(max(self.spec.trials, CONTROL_TRIALS))
            for together in (contenders, *controls)
            for planned in self._planned_trials(together, trial)
        ]

    def _planned_trials(self, policies: Sequence[str], trial: int) -> Iterator[PlannedTrial]:
        for task in self.tasks:
            for policy in policies:
                if trial < self.spec.trials_of(policy):
                    yield PlannedTrial(policy, task, trial, self.group_id(policy, task.id))

    def group_id(self, policy: str, task_id: str) -> str:
        """Database id of the group: the trials of one task by one policy."""
        return "g" + _digest(self.run_id, policy, task_id)

    def sampling_of(self, plan_task: PlannedTrial) -> Sampling:
        """Sampling with the trial's own seed, the same when the trial is run again and for all
        contenders. External agents take the rest from their own files."""
        seed = int(_digest(str(self.spec.seed), plan_task.task.id, str(plan_task.trial))[:7], 16)
        return self.spec.sampling.model_copy(update={"seed": seed})

    def write(self, folder: Path, tasks: Sequence[Task]) -> None:
        """Create the folder; evaluation.json comes last. Raises FileExistsError."""
        folder.mkdir(0o700, parents=True)
        (folder / TASKS_FILE).write_bytes(b"".join(task_line(task) + b"\n" for task in tasks))
        data = orjson.dumps(self.model_dump(mode="json"), option=orjson.OPT_INDENT_2)
        write_whole(folder / EVALUATION_FILE, [data, b"\n"])

    def with_trials(self, trials: int) -> Evaluation:
        """The same plan with another number of trials of each task."""
        spec = self.spec.model_copy(update={"trials": trials})
        return self.model_copy(update={"spec": spec})

    @classmethod
    def read(cls, folder: Path) -> Evaluation:
        """Read the plan of a folder, with the trials that it was stopped at. Raises
        NotAnEvaluation."""
        path = folder / EVALUATION_FILE
        try:
            evaluation = cls.model_validate_json(path.read_bytes())
            stopped = folder / STOPPED_FILE
            if not stopped.exists():
                return evaluation
            return evaluation.with_trials(Stopped.model_validate_json(stopped.read_bytes()).trials)
        except OSError as error:
            reason = (
                f"it has no {EVALUATION_FILE}"
                if folder.exists()
                else f"there is no such folder{suggest_files(folder)}"
            )
            message = f"{folder} is not the folder of an evaluation: {reason}"
            raise NotAnEvaluation(message) from error
        except ValidationError as error:
            raise NotAnEvaluation(f"{path} cannot be read: {describe_first(error)}") from error


class Stopped(_Model):
    """Where a job with `until_width` ended, in STOPPED_FILE."""

    trials: int = Field(ge=1, description="of each task")
    width: float = Field(description="of the 95% interval then")


def task_line(task: Task) -> bytes:
    """One line of tasks.jsonl."""
    # Keys stay in their order, which can matter: the sheets of a workbook, for example.
    return orjson.dumps(task.model_dump(mode="json"))


def plan_task(domain: str, task: Task) -> PlannedTask:
    """The task as the plan names it."""
    return PlannedTask(
        id=task.id, domain=domain, sha256=hashlib.sha256(task_line(task)).hexdigest()
    )


def task_set_sha256(tasks: Sequence[Task]) -> str:
    """SHA-256 of the tasks.jsonl that would hold these tasks."""
    digest = hashlib.sha256()
    for task in tasks:
        digest.update(task_line(task) + b"\n")
    return digest.hexdigest()


def read_planned_tasks(folder: Path) -> dict[str, Task]:
    """All tasks of the set by id, unsupported tasks included. Raises NotAnEvaluation."""
    path = folder / TASKS_FILE
    try:
        tasks = [Task.model_validate_json(line) for line in path.read_bytes().splitlines()]
    except (OSError, ValidationError) as error:
        raise NotAnEvaluation(f"{path} cannot be read: {error}") from error
    return {task.id: task for task in tasks}


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=10).hexdigest()
