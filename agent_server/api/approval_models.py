"""Requests and replies of /v1/approvals: what waits for a person, and the person's answer."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agent_server.store.approvals import ApprovalStatus
from agent_server.store.tables import Approval
from envs.contract.actions import Action
from envs.contract.approval import MAX_WORDS, Rule

Answer = Literal["approve", "refuse", "take", "return"]
MAX_ACTIONS = 50


class ApprovalReason(BaseModel):
    """Why a person is asked."""

    rule: Rule
    why: str


class ApprovalState(BaseModel):
    """Actions that wait, or waited, for a person."""

    id: str
    task_id: str
    status: ApprovalStatus = Field(
        description="waiting; approved, refused, expired (nobody answered), withdrawn (the task "
        "ended); taken (a person acts), returned (and has handed back)"
    )
    step: int = Field(description="from 0")
    summary: str = Field(description="the actions in words")
    actions: list[dict[str, Any]]
    reasons: list[ApprovalReason]
    url: str
    created_at: datetime
    expires_at: datetime = Field(description="no answer until then is a refusal")
    decided_at: datetime | None
    decided_by: str = Field(description="name of the key that answered")
    words: str
    inputs: int = Field(description="taken: actions that were handed in")
    inputs_done: int = Field(description="taken: actions that were carried out")
    picture_number: int = Field(description="grows when there is a new picture")

    @classmethod
    def of(cls, row: Approval) -> ApprovalState:
        """The state of a row."""
        return cls(
            **row.model_dump(include=set(cls.model_fields) - {"inputs", "reasons", "status"}),
            task_id=row.root_id,
            status=ApprovalStatus(row.status),
            reasons=[ApprovalReason.model_validate(reason) for reason in row.reasons],
            inputs=len(row.inputs),
        )


class ApprovalAnswer(BaseModel):
    """What a person says. `return` hands back after `take`."""

    model_config = ConfigDict(extra="forbid")

    answer: Answer
    words: str = Field(
        "", max_length=MAX_WORDS, description="refuse, return: what the agent is told"
    )


class PersonActions(BaseModel):
    """What a person who has taken over wants done, in order."""

    model_config = ConfigDict(extra="forbid")

    actions: list[Action] = Field(min_length=1, max_length=MAX_ACTIONS)
