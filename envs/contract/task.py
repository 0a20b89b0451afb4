"""Task: what is to be achieved, where, within which limits, and how it is judged.

A superset of OSWorld's task JSON: `id`, `instruction`, `config` (setup steps) and `evaluator` keep
its meaning; `env`, `seed`, `limits`, `milestones`, `tools` and `split` are ours. A gym task names
its gym and template instead of an evaluator: the gym's verifier judges it from server-owned state.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, Protocol, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

from envs.contract.approval import Approve
from envs.contract.browser_state import ProfileName, Reach
from envs.contract.domains import DOMAIN, MAX_ENTRIES
from envs.contract.domains import MAX_LENGTH as MAX_DOMAIN
from envs.contract.files import MAX_FILES, FileRef
from envs.contract.page_url import MAX_LENGTH, PAGE_URL
from envs.contract.secret import MAX_SECRETS, SecretName
from envs.contract.validation import suggest_names

Split = Literal["train", "dev", "test"]
Env = Literal["browser", "desktop"]
Domain = Annotated[str, StringConstraints(pattern=DOMAIN, max_length=MAX_DOMAIN)]


class Limits(BaseModel):
    """When an episode is truncated: steps, tokens, cost, and seconds as a guard. What an answer
    uses is known when it is there, so the last one may go over."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_steps: int = Field(20, ge=1, le=1000)
    max_seconds: float = Field(
        300.0, gt=0, le=86_400, description="wall clock of the whole episode; at most a day"
    )
    max_tokens: int | None = Field(
        None, ge=1, le=10**9, description="of all prompts and answers; none: no limit"
    )
    max_cost: float | None = Field(
        None, gt=0, le=10**6, description="at the prices of the agent's file; none: no limit"
    )


class Task(BaseModel):
    """One task: its instruction, how it is set up, and how it is judged."""

    model_config = ConfigDict(extra="allow", frozen=True)

    id: str
    instruction: str
    env: Env = "browser"
    gym: str | None = Field(None, description='gym that hosts the task, e.g. "shop"')
    template: str | None = None
    seed: int = 0
    params: dict[str, Any] = Field(default_factory=dict, description="what the template drew")
    start_url: str | None = Field(
        None,
        pattern=PAGE_URL,
        max_length=MAX_LENGTH,
        description="page to open when no gym is named",
    )
    allow: tuple[Domain, ...] = Field(
        (),
        max_length=MAX_ENTRIES,
        description="domains of the internet that the browser may reach, each with those below it; "
        "none: only sites of this machine that the host was told of",
    )
    secrets: tuple[SecretName, ...] = Field(
        (),
        max_length=MAX_SECRETS,
        description="names of what the agent may type without seeing it; for tasks in the browser "
        "that nothing judges",
    )
    profile: ProfileName | None = Field(
        None,
        description="saved log-in state that the browser begins with, as far as its sites are the "
        "task's; for tasks in the browser that nothing judges",
    )
    save_profile: bool = Field(
        False, description="the state of its sites is saved to the profile when it is done"
    )
    files: tuple[FileRef, ...] = Field(
        (), max_length=MAX_FILES, description="files that came with it: names, sizes, checksums"
    )
    keep_files: bool = Field(
        False,
        description="what it makes is kept: downloads of the browser, files of the desktop's home",
    )
    answer_schema: dict[str, Any] | None = Field(
        None, description="JSON Schema of the answer; one that does not fit is refused once"
    )
    approve: Approve | None = Field(
        None, description="which actions wait for a person; none: no action does"
    )
    config: list[dict[str, Any]] = Field(default_factory=list, description="OSWorld setup steps")
    evaluator: dict[str, Any] | None = None
    limits: Limits = Limits()
    milestones: tuple[str, ...] = ()
    tools: Literal["gui", "api", "both"] = "both"
    disturb: float = Field(
        0.0, ge=0, le=1, description="how much a web gym gets in the way; 0: off"
    )
    split: Split = "train"

    @field_validator("split", mode="before")
    @classmethod
    def _rename_split(cls, value: object) -> object:
        """Tasks written before there was a dev split say "heldout"."""
        return "test" if value == "heldout" else value

    @model_validator(mode="after")
    def _keep_secrets_out_of_evidence(self) -> Self:
        if self.secrets and (self.env != "browser" or self.is_judged):
            raise ValueError("secrets go with a task in the browser that nothing judges")
        if self.profile and (self.env != "browser" or self.is_judged):
            raise ValueError("a profile goes with a task in the browser that nothing judges")
        if self.save_profile and not self.profile:
            raise ValueError("save_profile wants the name of a profile")
        return self

    @property
    def reach(self) -> Reach:
        """The sites that saved state of a browser may be of."""
        return Reach(allow=self.allow, start_url=self.start_url)

    @property
    def origin(self) -> str:
        """What made it, as task sets name it: "shop/checkout"; the id where no gym did."""
        return f"{self.gym}/{self.template}" if self.gym and self.template else self.id

    @property
    def is_judged(self) -> bool:
        """Whether there is anything that could say how well it was done."""
        return self.gym is not None or self.evaluator is not None


HELDOUT_SEED_BASE = 1_000_000_000
"""Seeds below are train, at or above are held out: the splits are disjoint by construction. From
here on they are test, which reports quote and no choice is made on."""
DEV_SEED_BASE = 2 * HELDOUT_SEED_BASE
"""From here on they are dev: for settings, stopping rules and whatever else is chosen."""
SPLIT_BASES: dict[Split, int] = {"train": 0, "test": HELDOUT_SEED_BASE, "dev": DEV_SEED_BASE}
"""The first of the `HELDOUT_SEED_BASE` seeds of each split."""


def split_of(seed: int) -> Split:
    """The split of a task, from its seed alone."""
    if seed < HELDOUT_SEED_BASE:
        return "train"
    return "test" if seed < DEV_SEED_BASE else "dev"


class TaskTemplate(Protocol):
    """A family of tasks, one for each seed. A gym holds templates and makes tasks of them; what a
    task is made from (pages and rules of apps, files and evaluators) is the template's own."""

    @property
    def name(self) -> str:
        """Unique in its gym; task ids are `<gym>/<name>@<seed>`."""
        ...

    @property
    def max_steps(self) -> int:
        """The step limit of its tasks."""
        ...


T = TypeVar("T", bound=TaskTemplate)


def get_template(gym: str, templates: Mapping[str, T], name: str | None) -> T:
    """The template of a name. Raises KeyError with the names that there are."""
    template = templates.get(name or "")
    if template is None:
        raise KeyError(describe_unknown_template(gym, name, templates))
    return template


def describe_unknown_template(gym: str, name: str | None, known: Collection[str]) -> str:
    """One sentence: that the gym has no such template, which may be meant, and which it has."""
    hint = suggest_names(name or "", known)
    return f"{gym} has no template {name!r}{hint}; there are: {', '.join(known)}"


def make_task_id(gym: str, template: str, seed: int) -> str:
    """The id of the task that a template makes of a seed."""
    return f"{gym}/{template}@{seed}"
