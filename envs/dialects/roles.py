"""Settings of planner and grounder: who plays the two roles, and which of them is trained.

Guarantees: settings that could not run cannot be written. A role that an endpoint plays is never
trained: its answers are recorded as text with their count of tokens.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Role = Literal["planner", "grounder"]
ROLES: tuple[Role, ...] = ("planner", "grounder")


class RoleEndpoint(BaseModel):
    """An OpenAI-compatible endpoint that plays a role."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    base_url: str = Field(description="up to and with /v1, e.g. http://127.0.0.1:8000/v1")
    model: str = Field(min_length=1, description="name of the model at the endpoint")
    api_key_env: str | None = Field(
        None, description="environment variable that holds the key; none: no key is sent"
    )
    timeout_s: float = Field(60.0, gt=0, le=600, description="longest wait for one answer")

    @property
    def server_url(self) -> str:
        """The address without /v1."""
        return self.base_url.rstrip("/").removesuffix("/v1")


class Roles(BaseModel):
    """Planner and grounder apart (docs/roles.md)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    apart: bool = Field(
        False,
        description="two answers a step: a planner says in words what to do, a grounder turns that "
        "into the action",
    )
    endpoint_plays: Role | None = Field(
        None, description="the role that `endpoint` plays; none: the policy plays both"
    )
    endpoint: RoleEndpoint | None = Field(None, description="base_url, model, api_key_env")
    train: tuple[Role, ...] | None = Field(
        None, description="roles that learn; none: all that the policy plays"
    )
    plan_tokens: int = Field(32, ge=4, le=1024, description="longest answer of the planner, tokens")
    explain: bool = Field(
        False,
        description="prompts say what the role answers, for models not trained on it here",
    )

    @model_validator(mode="after")
    def _check(self) -> Roles:
        if not self.apart and (self.endpoint_plays or self.endpoint or self.train is not None):
            raise ValueError("roles are not apart: set roles.apart = true, or leave the rest out")
        if (self.endpoint_plays is None) != (self.endpoint is None):
            raise ValueError("endpoint_plays and endpoint go together: a role, and who plays it")
        if self.train is not None and (not self.train or self.endpoint_plays in self.train):
            raise ValueError(
                "train names at least one role, and only roles that the policy plays: the weights "
                "behind an endpoint are not ours"
            )
        return self

    @property
    def learners(self) -> frozenset[Role]:
        """Roles whose answers are learnt from."""
        ours = frozenset(role for role in ROLES if role != self.endpoint_plays)
        return ours if self.train is None else frozenset(self.train)


TOGETHER = Roles()
"""One policy, one answer a step."""
