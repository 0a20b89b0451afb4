"""Settings of a phase that imitates: whose steps, how many, and how it is trained on them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, model_validator


class ImitateConfig(BaseModel):
    """Behaviour cloning of oracle episodes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    episodes: int = Field(480, ge=1, description="oracle episodes collected")
    updates: int = Field(900, ge=1, description="most optimiser steps")
    max_minutes: float = Field(90.0, gt=0, description="guard: training stops after this")
    batch_steps: int = Field(8, ge=1, description="environment steps in one optimiser step")
    lr: float = Field(1e-3, gt=0, description="learning rate after warm-up")
    warmup_updates: int = Field(30, ge=0, description="the rate grows linearly over these")
    prompt_ce: float = Field(0.1, ge=0, description="language-model loss on pages, beside actions")
    stumbles: bool = Field(
        False,
        description="some of the oracle's answers are first given with a slip, which is refused "
        "and not imitated, so that demonstrations also show what follows an error",
    )
    renamed: float = Field(
        0.0,
        ge=0,
        le=1,
        description="share of the demonstrated steps in which elements have made-up names, alike "
        "in page, task, history and answer: a policy that must copy them learns none by heart",
    )
    focus: float = Field(
        0.0,
        ge=0,
        le=1,
        description="share of the demonstrations that are of templates whose dev tasks failed "
        "after the phase before, as often as they did; the others are of all templates in turn",
    )
    heldout_share: float = Field(
        0.04,
        ge=0,
        lt=1,
        description="demonstrations of dev tasks, of those collected: their loss is "
        "measured and never trained on",
    )
    data: tuple[str, ...] = Field(
        (),
        description="files of examples of others as chat messages, JSON lines; see "
        "docs/howto/models.md",
    )
    data_share: float = Field(
        0.0, ge=0, lt=1, description="share of them among all that is imitated"
    )
    check_every: int = Field(
        25, ge=1, description="updates between two measurements of the held-out loss"
    )
    entropy_floor: float = Field(
        0.0, ge=0, description="stop when the policy's entropy, nats a token, is below; 0: never"
    )
    loss_target: float = Field(
        0.0,
        ge=0,
        description="stop when the held-out loss, nats a token, is below; 0: never. A phase that "
        "stops misses the end of its schedule, where the rate falls and success rises most",
    )

    @model_validator(mode="after")
    def _check_data(self) -> ImitateConfig:
        if self.data_share and not self.data:
            raise ValueError("data_share is above 0, but data names no file")
        return self

    @model_validator(mode="after")
    def _check_renamed(self) -> ImitateConfig:
        if self.renamed and not self.heldout_share:
            raise ValueError(
                "renamed needs heldout_share: dev pages tell words of the interface from names"
            )
        return self
