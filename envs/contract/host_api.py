"""The host's routes for leased sessions, as both ends know them: header and bodies."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from envs.contract.actions import MAX_ACTIONS, Action, count_actions
from envs.contract.observations import Observe
from envs.contract.secret import MAX_SECRETS, Secret, SecretName
from envs.contract.task import Env, Task

REQUEST_ID_HEADER = "X-Request-Id"
"""A call with the id of the session's last one gets the recorded answer and does not run again."""
NO_SUCH_STATE = "No such state"
"""Title of the answer 409 to what `CannotSnapshot` says."""
NO_SUCH_FILE, FILE_REFUSED = "No such file", "File refused"
"""Titles of answers about files of a session."""
MAX_STATE = 16 * 2**20
"""Bytes of a browser's log-in state."""
MAX_GETTERS = 1000
CALL_LIMIT_S = 60.0
"""The host breaks a call off after this; a client waits a little longer."""
COLLECT_LIMIT_S = 85.0
CLIENT_PATIENCE_S = 5.0
MAX_ASSET = 200 * 1024 * 1024
"""Bytes of a file that a client lends for a task."""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class OpenRequest(_Body):
    """Asks for a session. `ttl_s`: seconds without a heartbeat after which the lease ends."""

    env: Env | None = None
    ttl_s: float = Field(60.0, gt=0, le=3600)


class SessionOpened(_Body):
    """A lease. `wants_assets`: the host has no mirror, so the client lends what a task takes from
    its own."""

    id: str
    ttl_s: float
    wants_assets: bool = False


class ResetRequest(_Body):
    """Starts a task. A desktop's task comes without its evaluator and its oracle."""

    task: Task
    observe: Observe = Observe()


class LendSecretsRequest(_Body):
    """Secrets for the task of the next reset, by name."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    secrets: dict[SecretName, Secret] = Field(max_length=MAX_SECRETS)


class RestoreRequest(_Body):
    """Puts a session into the state of a snapshot that the host keeps."""

    snapshot: str
    observe: Observe = Observe()


class StepRequest(_Body):
    """Actions to run in order, and what to observe after them."""

    actions: list[Action] = Field(max_length=MAX_ACTIONS)
    observe: Observe = Observe()

    @field_validator("actions")
    @classmethod
    def _check_count(cls, actions: list[Action]) -> list[Action]:
        if count_actions(actions) > MAX_ACTIONS:
            raise ValueError(f"more than {MAX_ACTIONS} actions, those in batches counted")
        return actions


class InspectRequest(_Body):
    """Actions that have not run, to be told what they would touch."""

    actions: list[Action] = Field(max_length=MAX_ACTIONS)


class EvaluateRequest(_Body):
    """How the agent ended its episode. `keep`: the reply includes the evidence."""

    answer: str | None = None
    infeasible: bool = False
    keep: bool = False


class CollectRequest(_Body):
    """Steps to run after the episode, and the getters whose values an evaluator wants."""

    postconfig: list[dict[str, Any]] = Field(default_factory=list)
    getters: list[dict[str, Any]] = Field(max_length=MAX_GETTERS)
