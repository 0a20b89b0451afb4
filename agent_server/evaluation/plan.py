"""evaluation.json: what was asked, the fixed list of tasks and trials, what is left out, the stamp.

Guarantees: written once, before the first episode, and never changed; the denominator follows from
it alone. Beside it tasks.jsonl holds every task of the set, one a line, and its SHA-256 is the task
set's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agent_server.agents.config import AgentSpec
from agent_server.policy.policy import Sampling
from envs.tasks import Task
from envs.whole_file import write_whole

NAME = "evaluation.json"
TASKS = "tasks.jsonl"
AGENT = "agent.json"
"""The asked agent's description, for the workers."""
CONTROL_TRIALS = 1
"""No-op and always-infeasible do the same each time."""

PolicyName = Literal["live", "oracle", "noop", "infeasible", "random"]
Tools = Literal["gui", "api", "both"]


class NotAnEvaluation(Exception):
    """A folder that holds no evaluation; the message names it."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Asked(_Model):
    """What the command said. `tasks` names task files; then gym, templates and `episodes` say
    nothing. A None leaves what the task says."""

    policy: str = Field(description="a policy of ours, or the name of the agent")
    model: str | None = Field(None, description="folder of the policy version")
    agent: AgentSpec | None = Field(None, description="who is asked, if not a policy of ours")
    controls: bool = Field(False, description="run noop and infeasible beside the policy")
    gym: str = "shop"
    templates: tuple[str, ...] = ()
    episodes: int = Field(210, ge=1, description="held-out tasks drawn from the gym")
    tasks: str | None = None
    split: str | None = Field(None, description="split list that chooses among the task files")
    skip_broken: bool = False
    trials: int = Field(1, ge=1, description="attempts at each task")
    tools: Tools | None = None
    compat: bool = Field(False, description="desktops are judged with OSWorld's own defects")
    max_steps: int | None = Field(None, ge=1, le=1000)
    max_seconds: float | None = Field(None, gt=0)
    seed: int = Field(0, ge=0)
    sampling: Sampling = Sampling()
    screenshots: bool = True
    concurrency: int = Field(16, ge=1)
    desktops: int = Field(2, ge=1)

    @model_validator(mode="after")
    def _known_policy(self) -> Asked:
        ours = self.policy in get_args(PolicyName)
        if ours == (self.agent is not None) or (self.agent and self.agent.name != self.policy):
            raise ValueError(f"{self.policy!r} is not the name of a policy of ours, or is one")
        return self

    @property
    def policies(self) -> tuple[str, ...]:
        """The asked one first."""
        controls = ("noop", "infeasible") if self.controls else ()
        return (self.policy, *(one for one in controls if one != self.policy))

    def trials_of(self, policy: str) -> int:
        return self.trials if policy == self.policy else CONTROL_TRIALS

    def as_run(self, task: Task) -> Task:
        """The task with what was asked for put over it."""
        over: dict[str, int | float] = {}
        if self.max_steps is not None:
            over["max_steps"] = self.max_steps
        if self.max_seconds is not None:
            over["max_seconds"] = self.max_seconds
        limits = task.limits.model_copy(update=over)
        tools = self.tools or task.tools
        evaluator = task.evaluator
        if self.compat and evaluator is not None:
            evaluator = {**evaluator, "compat": True}
        changed = {"limits": limits, "tools": tools, "evaluator": evaluator}
        return task.model_copy(update=changed)


class PlannedTask(_Model):
    """`domain`: the template of a gym's task, the folder of a task file."""

    id: str
    domain: str
    sha256: str = Field(description="of the task's line in tasks.jsonl")


class NotRun(_Model):
    """A task of the set that cannot run here."""

    id: str
    domain: str
    reasons: tuple[str, ...]


class AgentStamp(_Model):
    """Which agent of somebody else. What is not there was left to the endpoint."""

    dialect: str
    endpoint: str | None = Field(None, description="base URL; or the class")
    model: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    prompt_sha256: str | None = Field(None, description="of the system prompt")
    sha256: str = Field(description="of all that its file says, and of the class's source")


class PolicyStamp(_Model):
    """Which policy: for a served one its folder and what its manifest says."""

    name: str
    folder: str | None = None
    version: int | None = None
    sha256: str | None = Field(None, description="of the weights")
    agent: AgentStamp | None = None


class Stamp(_Model):
    """What the numbers were measured with."""

    task_set: str = Field(description="SHA-256 of tasks.jsonl")
    commit: str
    deskhand: str
    policy: PolicyStamp
    compat: bool = False
    sampling: Sampling
    seed: int
    applications: dict[str, str] = Field(description="package -> version")
    host: str
    device: str
    started_at: datetime


@dataclass(frozen=True, slots=True)
class Cell:
    """One unit of the denominator. `trial` counts from 0."""

    policy: str
    task: PlannedTask
    trial: int
    group_id: str


class Evaluation(_Model):
    """`broken`: files that could not be read as tasks and were skipped, one sentence each."""

    format: Literal[1] = 1
    run_id: str
    asked: Asked
    stamp: Stamp
    tasks: tuple[PlannedTask, ...]
    not_run: tuple[NotRun, ...] = ()
    broken: tuple[str, ...] = ()

    def cells(self, policy: str | None = None) -> list[Cell]:
        """The denominator, of one policy or of all: trial by trial, so that an interrupted job has
        seen all tasks as often as it could."""
        return list(self._cells(self.asked.policies if policy is None else (policy,)))

    def _cells(self, policies: Sequence[str]) -> Iterator[Cell]:
        for trial in range(max(self.asked.trials, CONTROL_TRIALS)):
            for policy in policies:
                if trial >= self.asked.trials_of(policy):
                    continue
                for task in self.tasks:
                    yield Cell(policy, task, trial, self.group_id(policy, task.id))

    def group_id(self, policy: str, task_id: str) -> str:
        """Of the trials of one task by one policy, in the database."""
        return "g" + _digest(self.run_id, policy, task_id)

    def sampling(self, cell: Cell) -> Sampling:
        """A seed for each trial: the same when it is run again."""
        seed = int(_digest(str(self.asked.seed), cell.task.id, str(cell.trial))[:7], 16)
        return self.asked.sampling.model_copy(update={"seed": seed})

    def write(self, folder: Path, tasks: Sequence[Task]) -> None:
        """Makes the folder, and evaluation.json last. Raises FileExistsError."""
        folder.mkdir(parents=True)
        (folder / TASKS).write_bytes(b"".join(line_of(task) + b"\n" for task in tasks))
        data = orjson.dumps(self.model_dump(mode="json"), option=orjson.OPT_INDENT_2)
        write_whole(folder / NAME, [data, b"\n"])

    @classmethod
    def read(cls, folder: Path) -> Evaluation:
        """Raises NotAnEvaluation."""
        path = folder / NAME
        try:
            return cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise NotAnEvaluation(
                f"{folder} is not the folder of an evaluation: it has no {NAME}"
            ) from error
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise NotAnEvaluation(f"{path} cannot be read: {where}: {first['msg']}") from error


def line_of(task: Task) -> bytes:
    # In their own order: that of the sheets of a workbook, say, is part of what a task asks.
    return orjson.dumps(task.model_dump(mode="json"))


def planned(domain: str, task: Task) -> PlannedTask:
    return PlannedTask(id=task.id, domain=domain, sha256=hashlib.sha256(line_of(task)).hexdigest())


def task_set_sha256(tasks: Sequence[Task]) -> str:
    """Of the file that holds these tasks, line by line."""
    digest = hashlib.sha256()
    for task in tasks:
        digest.update(line_of(task) + b"\n")
    return digest.hexdigest()


def read_planned_tasks(folder: Path) -> dict[str, Task]:
    """By id, those that are not run too. Raises NotAnEvaluation."""
    path = folder / TASKS
    try:
        tasks = [Task.model_validate_json(line) for line in path.read_bytes().splitlines()]
    except (OSError, ValidationError) as error:
        raise NotAnEvaluation(f"{path} cannot be read: {error}") from error
    return {task.id: task for task in tasks}


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=10).hexdigest()
