"""Settings of problems in text: `[reasoning]` of the training configuration."""

from __future__ import annotations

from typing import get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from trainer.reasoning.source import Kind


class ReasoningConfig(BaseModel):
    """Problems in text with exact verifiers, as a share of every phase."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    share: float = Field(
        0.0,
        ge=0,
        le=0.9,
        description="of what is imitated, and of the groups of a learner step; 0: none",
    )
    kinds: tuple[Kind, ...] = Field(
        get_args(Kind), description="that are generated, each as frequent as the others"
    )
    file: str | None = Field(
        None, description="own problems as JSONL, one kind more; see docs/reasoning.md"
    )
    max_tokens: int = Field(96, ge=4, le=1024, description="longest answer, tokens")
    eval_problems: int | None = Field(
        None,
        ge=0,
        description="held-out problems after each phase; none: 120 where share is above 0",
    )

    @model_validator(mode="after")
    def _check_kinds(self) -> ReasoningConfig:
        if not self.kinds and self.file is None and (self.share or self.eval_problems):
            raise ValueError("kinds is empty and there is no file: name one of the two")
        return self

    @property
    def heldout(self) -> int:
        """Held-out problems after each phase."""
        if self.eval_problems is not None:
            return self.eval_problems
        return 120 if self.share else 0
