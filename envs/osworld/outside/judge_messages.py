"""The messages between `judge` and the process it starts: JSON, validated on both sides."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from envs.state.evidence import Measure


class Limits(BaseModel):
    """Limits of one call, which is all metrics of a task. Seconds, bytes."""

    model_config = ConfigDict(frozen=True)
    wall_s: float = Field(default=60, gt=0)
    cpu_s: int = Field(default=60, gt=0)
    memory: int = Field(default=4 * 1024**3, gt=0)
    file_size: int = Field(default=1024**3, gt=0)
    open_files: int = Field(default=256, gt=0)


class Call(BaseModel):
    """`folder` holds the files of the measures."""

    measures: list[Measure]
    folder: Path
    compat: bool
    limits: Limits


class Reply(BaseModel):
    """The scores, or the `error` of the metric `func`."""

    scores: list[float | None] = Field(default_factory=list)
    func: str | None = None
    error: str | None = None
