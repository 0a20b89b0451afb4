"""Settings of an environment of tools: `[toolbox]` of the training configuration."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, model_validator


class ToolboxConfig(BaseModel):
    """A user's file with tools, problems and a reward, see docs/toolbox.md."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: str | None = Field(None, description="Python file that makes one Toolbox; none: no tools")
    share: float = Field(
        0.0, ge=0, le=0.9, description="of the groups of a learner step that are its problems"
    )
    max_tokens: int = Field(96, ge=4, le=1024, description="longest answer of a step, tokens")

    @model_validator(mode="after")
    def _check_file(self) -> ToolboxConfig:
        if self.share and self.file is None:
            raise ValueError("share is above 0, but there is no file: set toolbox.file")
        return self
