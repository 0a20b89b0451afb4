"""Settings of reinforcement by groups of episodes: sizes, algorithm, streams and pipeline."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from trainer.algorithms.protocol import Algorithm
from trainer.algorithms.table import check_name, make_algorithm
from trainer.triggers import Trigger, check_trigger


class ReinforceConfig(BaseModel):
    """Reinforcement by groups of episodes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    iterations: int = Field(24, ge=1, description="learner steps, each followed by a swap")
    max_minutes: float = Field(90.0, gt=0, description="guard: no iteration starts after this")
    groups: int = Field(12, ge=1, description="tasks in one learner step")
    group_size: int = Field(8, ge=2, description="episodes of one task")
    minibatches: int = Field(4, ge=1, description="optimiser steps in one learner step")
    lr: float = Field(
        3e-4, gt=0, description="learning rate after warm-up, of a step of lr_episodes episodes"
    )
    lr_episodes: int = Field(
        96,
        ge=1,
        description="a learner step of fewer episodes has a lower rate, by the square root: its "
        "gradient is noisier, and a full step would unlearn",
    )
    warmup_iterations: int = Field(2, ge=0, description="the rate grows linearly over these")
    algorithm: str = Field(
        "same_state", description="what turns episodes into advantages, see docs/algorithms.md"
    )
    options: dict[str, Any] = Field({}, description="settings of the algorithm by their names")
    partial: float = Field(
        0.0, ge=0, le=1, description="reward of a step of an unsolved task: this times the score"
    )
    ref_kl: float = Field(0.03, ge=0, description="pull towards the policy at the phase's start")
    replay_ce: float = Field(0.0, ge=0, description="imitation weight of the batch's own successes")
    rescue_ce: float = Field(
        0.3,
        ge=0,
        description="imitation weight of a kept success where a whole group failed, times the "
        "share of such groups",
    )
    anchor_ce: float = Field(0.0, ge=0, description="imitation weight of oracle steps")
    anchor_steps: int = Field(64, ge=0, description="oracle steps in one learner step")
    renamed: float = Field(
        0.0, ge=0, le=1, description="share of the groups that see made-up names on all pages"
    )
    led: float = Field(
        0.0,
        ge=0,
        le=1,
        description="share of the groups that an oracle begins, where the policy fails alone: a "
        "step further where a whole group failed, a step less where most of it succeeded",
    )
    pipeline: Literal["sync", "one_step", "async"] = Field(
        "one_step",
        description="sync: nothing is in flight while the learner works; one_step: the next step's "
        "groups are; async: as many as max_staleness allows, and versions are published beside it",
    )
    max_staleness: int = Field(
        1, ge=0, description="versions an episode may be behind; without sync at least 1"
    )
    straggler_s: float = Field(
        120.0,
        ge=0,
        description="how long a learner step waits for groups that would be too old for the next; "
        "then they are cancelled",
    )
    until: Trigger | None = Field(
        None, description="ends the phase before its iterations do, see docs/phases.md"
    )

    @field_validator("algorithm")
    @classmethod
    def _check_algorithm(cls, name: str) -> str:
        check_name(name)
        return name

    @field_validator("options")
    @classmethod
    def _check_options(cls, options: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        # Missing where the name itself was refused.
        if "algorithm" in info.data:
            make_algorithm(info.data["algorithm"], options)
        return options

    @model_validator(mode="after")
    def _check_staleness(self) -> ReinforceConfig:
        if self.pipeline != "sync" and self.max_staleness == 0:
            raise ValueError(
                f"with pipeline = '{self.pipeline}' every episode is a version behind: set "
                "max_staleness to at least 1, or pipeline to 'sync'"
            )
        return self

    @model_validator(mode="after")
    def _check_shares(self) -> ReinforceConfig:
        if self.renamed + self.led > 1:
            raise ValueError(
                f"renamed and led are shares of the same groups, and {self.renamed:g} + "
                f"{self.led:g} is more than all: lower one of them"
            )
        if self.led and self.make_algorithm().source != "environment":
            raise ValueError(
                f"led needs episodes, and algorithm = {self.algorithm!r} plays none: set led to 0"
            )
        return self

    @model_validator(mode="after")
    def _check_until(self) -> ReinforceConfig:
        check_trigger("until", self.until, self.iterations)
        return self

    @property
    def needs_reference(self) -> bool:
        """Whether the learner keeps the weights that the phase began with."""
        return bool(self.ref_kl) or "logprobs" in self.make_algorithm().needs

    def make_algorithm(self) -> Algorithm:
        """The algorithm with its settings."""
        return make_algorithm(self.algorithm, self.options)
