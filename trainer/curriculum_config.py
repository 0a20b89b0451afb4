"""Settings of the curriculum: `[curriculum]` of the training configuration."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, model_validator


class CurriculumConfig(BaseModel):
    """Which templates are sampled, and how often."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    low: float = Field(0.3, ge=0, le=1, description="lower end of the favoured success band")
    high: float = Field(0.7, ge=0, le=1, description="upper end of the favoured success band")
    weight: float = Field(3.0, ge=1, description="weight in the band; outside it is 1")
    memory: float = Field(
        0.7, gt=0, lt=1, description="share of the past rate that is kept with each group"
    )
    active: int = Field(
        0,
        ge=0,
        description="templates that are trained on at once, in the order of env.tasks; one above "
        "the band makes room for the next. 0: all of them",
    )
    least_groups: int = Field(
        2, ge=1, description="with active: groups before a template can be mastered"
    )
    patience: int = Field(
        6, ge=1, description="with active: groups after which a template below the band waits again"
    )
    revisit: float = Field(
        0.0,
        ge=0,
        le=0.5,
        description="share of the tasks that are of the template drawn longest ago, whatever its "
        "rate; with active at least 0.1 finds what was forgotten",
    )

    @model_validator(mode="after")
    def _check_band(self) -> CurriculumConfig:
        if self.low >= self.high:
            raise ValueError("low must be below high")
        return self
