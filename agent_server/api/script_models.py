"""Requests and replies of /v1/scripts."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agent_server.scripts.model import NAME, PARAMETER, Script, Text

ScriptName = Annotated[str, Field(pattern=NAME)]
MAX_VALUES = 100


class ScriptRequest(BaseModel):
    """A script from a task that an agent finished, or a whole script. From a task that replayed a
    script and in which an agent took over, it is that script, mended."""

    model_config = ConfigDict(extra="forbid")

    name: ScriptName = Field(description="a script of this name gets a new version")
    task_id: str | None = Field(None, min_length=1, max_length=100)
    parameters: dict[Annotated[str, Field(pattern=PARAMETER)], Text] = Field(
        default_factory=dict,
        max_length=MAX_VALUES,
        description="values of the task that replays may change, by name; those that were typed "
        "or chosen and stand in the instruction are found without",
    )
    script: Script | None = Field(None, description="instead of a task: what a script's file holds")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.task_id is None) == (self.script is None):
            raise ValueError("give one of: task_id, script")
        if self.script is not None and self.parameters:
            raise ValueError("parameters go with task_id; a whole script has its own")
        return self


class ScriptCall(BaseModel):
    """A replay, as a task asks for it."""

    model_config = ConfigDict(extra="forbid")

    name: ScriptName
    version: int | None = Field(None, ge=1, description="null: the newest")
    values: dict[str, Text] = Field(
        default_factory=dict,
        max_length=MAX_VALUES,
        description="of parameters; others have the values of the recorded run",
    )
    otherwise: str | None = Field(
        None,
        min_length=1,
        max_length=100,
        description="agent or policy that takes over where the script does not fit; null: the task "
        "ends there",
    )


class ScriptSummary(BaseModel):
    """One script, its newest version."""

    name: str
    version: int
    instruction: str
    parameters: dict[str, str] = Field(description="with the values of the recorded run")
    steps: int
    fixed: list[str] = Field(
        description="what a replay with other values would do as in the recorded run"
    )


class ScriptState(ScriptSummary):
    """One version with all of it."""

    script: Script
