"""Settings of verbal feedback: `[feedback]` of the training configuration."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agent_server.agents.text_model import TextModelConfig


class FeedbackConfig(BaseModel):
    """Retries of tasks in which a whole group failed, with what went wrong in their prompt."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    retries: int = Field(
        0, ge=0, le=64, description="episodes of a task that is tried again; 0: no feedback"
    )
    tasks: int = Field(
        2,
        ge=1,
        description="most tasks of a learner step that are tried again: of those in which "
        "every episode failed",
    )
    writer: Literal["none", "rules", "policy", "endpoint"] = Field(
        "rules",
        description="who writes what went wrong; rules: from verdict and errors, no model; none: "
        "the retry is told nothing, the control of as many episodes",
    )
    weight: float = Field(
        0.3,
        ge=0,
        description="imitation weight of what a retry solved, without the feedback in its prompt, "
        "times the share of such tasks among the groups",
    )
    max_chars: int = Field(300, ge=40, le=1500, description="longest feedback, characters")
    endpoint: TextModelConfig | None = Field(
        None, description="OpenAI-compatible endpoint of the writer: base_url, model, ..."
    )

    @model_validator(mode="after")
    def _check_endpoint(self) -> FeedbackConfig:
        if self.writer == "endpoint" and self.endpoint is None:
            raise ValueError(
                "writer is endpoint, but there is none: set feedback.endpoint.base_url and "
                "feedback.endpoint.model, or writer to rules"
            )
        return self
