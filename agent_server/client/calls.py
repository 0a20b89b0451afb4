"""Every route of the HTTP API as a typed call, for both clients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote

from pydantic import BaseModel, TypeAdapter

from agent_server.api.agents import AgentState
from agent_server.api.approval_models import ApprovalAnswer, ApprovalState, PersonActions
from agent_server.api.dead_letters import Requeued, RequeueRequest
from agent_server.api.evaluation_models import EvaluationRequest, EvaluationState
from agent_server.api.health import Health
from agent_server.api.models import (
    RunState,
    TaskPage,
    TaskRequest,
    TaskState,
    TrajectoryPage,
    VersionState,
)
from agent_server.api.profiles import SaveProfileRequest
from agent_server.api.script_models import ScriptRequest, ScriptState, ScriptSummary
from agent_server.api.session_models import (
    ForkRequest,
    SessionRequest,
    SessionStart,
    SessionState,
)
from agent_server.api.task_control import FollowUpRequest
from agent_server.api.task_retry import RetryRequest
from agent_server.api.task_webhooks import DeliveryState
from agent_server.evaluation.figures.summary import Summary
from agent_server.store.profiles import Profile
from agent_server.store.task_files import Upload
from envs.contract.browser_state import BrowserState
from envs.contract.files import FileInfo, SessionFileList
from envs.contract.host_api import RestoreRequest, StepRequest
from envs.contract.observations import Observation, Observe
from envs.contract.outcomes import InvalidReason, Status
from envs.contract.session import SnapshotTaken, StepReply

T = TypeVar("T")
Query = Mapping[str, str | int | datetime | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Generic[T]):
    """One request, and what its answer is read as: JSON of `type_`, or bytes. `is_whole`: the body
    has its defaults, too; `content`: a file, in place of a body."""

    method: str = "GET"
    path: str
    type_: Any
    query: Query = field(default_factory=dict)
    body: BaseModel | None = None
    content: bytes | None = None
    is_whole: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)

    def arguments(self) -> dict[str, Any]:
        """Of an httpx client's `request`, and of its `build_request`."""
        arguments: dict[str, Any] = {
            "method": self.method,
            "url": self.path,
            "params": {
                name: value.isoformat() if isinstance(value, datetime) else value
                for name, value in self.query.items()
                if value is not None
            },
            "headers": dict(self.headers),
        }
        if self.body is not None:
            # What was not given is left to the server's defaults; but an action has a type, which
            # is a default here.
            is_partial = not self.is_whole
            arguments["json"] = self.body.model_dump(mode="json", exclude_unset=is_partial)
        if self.content is not None:
            arguments["content"] = self.content
            arguments["headers"] |= {"Content-Type": "application/octet-stream"}
        return arguments

    def read(self, content: bytes) -> T:
        """Raises pydantic.ValidationError where the server is of a version that answers
        otherwise."""
        answer: Any = content
        if self.type_ is not bytes:
            answer = TypeAdapter(self.type_).validate_json(content)
        return cast("T", answer)


def _part(text: str) -> str:
    return quote(text, safe="")


def create_task(request: TaskRequest, idempotency_key: str | None) -> Call[TaskState]:
    """POST /v1/tasks."""
    headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
    return Call(method="POST", path="/v1/tasks", type_=TaskState, body=request, headers=headers)


def list_tasks(
    status: Status | None,
    run_id: str | None,
    policy: str | None,
    text: str | None,
    since: datetime | None,
    before: datetime | None,
    cursor: str | None,
    limit: int | None,
) -> Call[TaskPage]:
    """GET /v1/tasks."""
    query: Query = {
        "status": status,
        "run_id": run_id,
        "policy": policy,
        "text": text,
        "since": since,
        "before": before,
        "cursor": cursor,
        "limit": limit,
    }
    return Call(path="/v1/tasks", type_=TaskPage, query=query)


def get_task(task_id: str) -> Call[TaskState]:
    """GET /v1/tasks/{task_id}."""
    return Call(path=f"/v1/tasks/{_part(task_id)}", type_=TaskState)


def cancel_task(task_id: str) -> Call[TaskState]:
    """POST /v1/tasks/{task_id}/cancel."""
    return Call(method="POST", path=f"/v1/tasks/{_part(task_id)}/cancel", type_=TaskState)


def pause_task(task_id: str) -> Call[TaskState]:
    """POST /v1/tasks/{task_id}/pause."""
    return Call(method="POST", path=f"/v1/tasks/{_part(task_id)}/pause", type_=TaskState)


def resume_task(task_id: str) -> Call[TaskState]:
    """POST /v1/tasks/{task_id}/resume."""
    return Call(method="POST", path=f"/v1/tasks/{_part(task_id)}/resume", type_=TaskState)


def add_follow_up(task_id: str, request: FollowUpRequest) -> Call[TaskState]:
    """POST /v1/tasks/{task_id}/follow-ups."""
    path = f"/v1/tasks/{_part(task_id)}/follow-ups"
    return Call(method="POST", path=path, type_=TaskState, body=request)


def retry_task(task_id: str, request: RetryRequest) -> Call[TaskState]:
    """POST /v1/tasks/{task_id}/retry."""
    path = f"/v1/tasks/{_part(task_id)}/retry"
    return Call(method="POST", path=path, type_=TaskState, body=request)


def list_deliveries(task_id: str) -> Call[list[DeliveryState]]:
    """GET /v1/tasks/{task_id}/webhooks."""
    return Call(path=f"/v1/tasks/{_part(task_id)}/webhooks", type_=list[DeliveryState])


def send_again(task_id: str, delivery_id: str) -> Call[list[DeliveryState]]:
    """POST /v1/tasks/{task_id}/webhooks/{delivery_id}/send."""
    path = f"/v1/tasks/{_part(task_id)}/webhooks/{_part(delivery_id)}/send"
    return Call(method="POST", path=path, type_=list[DeliveryState])


def list_dead_letters(
    run_id: str | None, reason: InvalidReason | None, cursor: str | None, limit: int | None
) -> Call[TaskPage]:
    """GET /v1/dead-letters."""
    query: Query = {"run_id": run_id, "reason": reason, "cursor": cursor, "limit": limit}
    return Call(path="/v1/dead-letters", type_=TaskPage, query=query)


def requeue(request: RequeueRequest) -> Call[Requeued]:
    """POST /v1/dead-letters/requeue."""
    return Call(method="POST", path="/v1/dead-letters/requeue", type_=Requeued, body=request)


def get_trajectory(task_id: str, after: int, limit: int | None) -> Call[TrajectoryPage]:
    """GET /v1/tasks/{task_id}/trajectory."""
    return Call(
        path=f"/v1/tasks/{_part(task_id)}/trajectory",
        type_=TrajectoryPage,
        query={"after": after, "limit": limit},
    )


def list_waiting() -> Call[list[ApprovalState]]:
    """GET /v1/approvals."""
    return Call(path="/v1/approvals", type_=list[ApprovalState])


def list_approvals(task_id: str) -> Call[list[ApprovalState]]:
    """GET /v1/tasks/{task_id}/approvals."""
    return Call(path=f"/v1/tasks/{_part(task_id)}/approvals", type_=list[ApprovalState])


def answer_approval(task_id: str, approval_id: str, body: ApprovalAnswer) -> Call[ApprovalState]:
    """POST /v1/tasks/{task_id}/approvals/{approval_id}."""
    path = f"/v1/tasks/{_part(task_id)}/approvals/{_part(approval_id)}"
    return Call(method="POST", path=path, type_=ApprovalState, body=body)


def act_as_person(task_id: str, approval_id: str, body: PersonActions) -> Call[ApprovalState]:
    """POST /v1/tasks/{task_id}/approvals/{approval_id}/actions."""
    path = f"/v1/tasks/{_part(task_id)}/approvals/{_part(approval_id)}/actions"
    return Call(method="POST", path=path, type_=ApprovalState, body=body, is_whole=True)


def get_approval_picture(task_id: str, approval_id: str) -> Call[bytes]:
    """GET /v1/tasks/{task_id}/approvals/{approval_id}/picture."""
    path = f"/v1/tasks/{_part(task_id)}/approvals/{_part(approval_id)}/picture"
    return Call(path=path, type_=bytes)


def list_screenshots(task_id: str) -> Call[list[str]]:
    """GET /v1/tasks/{task_id}/screenshots."""
    return Call(path=f"/v1/tasks/{_part(task_id)}/screenshots", type_=list[str])


def get_screenshot(task_id: str, name: str) -> Call[bytes]:
    """GET /v1/tasks/{task_id}/screenshots/{name}."""
    return Call(path=f"/v1/tasks/{_part(task_id)}/screenshots/{_part(name)}", type_=bytes)


def task_events(task_id: str) -> Call[bytes]:
    """GET /v1/tasks/{task_id}/events."""
    return Call(path=f"/v1/tasks/{_part(task_id)}/events", type_=bytes)


def open_session(request: SessionRequest) -> Call[SessionStart]:
    """POST /v1/sessions."""
    return Call(method="POST", path="/v1/sessions", type_=SessionStart, body=request)


def list_sessions() -> Call[list[SessionState]]:
    """GET /v1/sessions."""
    return Call(path="/v1/sessions", type_=list[SessionState])


def get_session(session_id: str) -> Call[SessionState]:
    """GET /v1/sessions/{session_id}."""
    return Call(path=f"/v1/sessions/{_part(session_id)}", type_=SessionState)


def close_session(session_id: str) -> Call[bytes]:
    """DELETE /v1/sessions/{session_id}."""
    return Call(method="DELETE", path=f"/v1/sessions/{_part(session_id)}", type_=bytes)


def act(session_id: str, request: StepRequest) -> Call[StepReply]:
    """POST /v1/sessions/{session_id}/act."""
    path = f"/v1/sessions/{_part(session_id)}/act"
    return Call(method="POST", path=path, type_=StepReply, body=request, is_whole=True)


def observe(session_id: str, request: Observe) -> Call[Observation]:
    """POST /v1/sessions/{session_id}/observe."""
    path = f"/v1/sessions/{_part(session_id)}/observe"
    return Call(method="POST", path=path, type_=Observation, body=request)


def take_snapshot(session_id: str) -> Call[SnapshotTaken]:
    """POST /v1/sessions/{session_id}/snapshot."""
    path = f"/v1/sessions/{_part(session_id)}/snapshot"
    return Call(method="POST", path=path, type_=SnapshotTaken)


def restore_session(session_id: str, request: RestoreRequest) -> Call[Observation]:
    """POST /v1/sessions/{session_id}/restore."""
    path = f"/v1/sessions/{_part(session_id)}/restore"
    return Call(method="POST", path=path, type_=Observation, body=request)


def fork_session(session_id: str, request: ForkRequest) -> Call[SessionStart]:
    """POST /v1/sessions/{session_id}/fork."""
    path = f"/v1/sessions/{_part(session_id)}/fork"
    return Call(method="POST", path=path, type_=SessionStart, body=request)


def create_evaluation(request: EvaluationRequest) -> Call[EvaluationState]:
    """POST /v1/evaluations."""
    return Call(method="POST", path="/v1/evaluations", type_=EvaluationState, body=request)


def list_evaluations() -> Call[list[EvaluationState]]:
    """GET /v1/evaluations."""
    return Call(path="/v1/evaluations", type_=list[EvaluationState])


def get_evaluation(evaluation_id: str) -> Call[EvaluationState]:
    """GET /v1/evaluations/{evaluation_id}."""
    return Call(path=f"/v1/evaluations/{_part(evaluation_id)}", type_=EvaluationState)


def get_figures(evaluation_id: str) -> Call[Summary]:
    """GET /v1/evaluations/{evaluation_id}/figures."""
    return Call(path=f"/v1/evaluations/{_part(evaluation_id)}/figures", type_=Summary)


def cancel_evaluation(evaluation_id: str) -> Call[EvaluationState]:
    """POST /v1/evaluations/{evaluation_id}/cancel."""
    path = f"/v1/evaluations/{_part(evaluation_id)}/cancel"
    return Call(method="POST", path=path, type_=EvaluationState)


def evaluation_events(evaluation_id: str) -> Call[bytes]:
    """GET /v1/evaluations/{evaluation_id}/events."""
    return Call(path=f"/v1/evaluations/{_part(evaluation_id)}/events", type_=bytes)


def list_tools(env: str | None) -> Call[dict[str, list[dict[str, Any]]]]:
    """GET /v1/tools."""
    return Call(path="/v1/tools", type_=dict[str, list[dict[str, Any]]], query={"env": env})


def get_run(run_id: str) -> Call[RunState]:
    """GET /v1/runs/{run_id}."""
    return Call(path=f"/v1/runs/{_part(run_id)}", type_=RunState)


def create_script(request: ScriptRequest) -> Call[ScriptState]:
    """POST /v1/scripts."""
    return Call(method="POST", path="/v1/scripts", type_=ScriptState, body=request, is_whole=True)


def list_scripts() -> Call[list[ScriptSummary]]:
    """GET /v1/scripts."""
    return Call(path="/v1/scripts", type_=list[ScriptSummary])


def get_script(name: str, version: int | None) -> Call[ScriptState]:
    """GET /v1/scripts/{name}."""
    query: Query = {"version": version}
    return Call(path=f"/v1/scripts/{_part(name)}", type_=ScriptState, query=query)


def delete_script(name: str) -> Call[bytes]:
    """DELETE /v1/scripts/{name}."""
    return Call(method="DELETE", path=f"/v1/scripts/{_part(name)}", type_=bytes)


def upload_file(name: str, content: bytes) -> Call[Upload]:
    """POST /v1/files."""
    query: Query = {"name": name}
    return Call(method="POST", path="/v1/files", type_=Upload, query=query, content=content)


def list_task_files(task_id: str) -> Call[SessionFileList]:
    """GET /v1/tasks/{id}/files."""
    return Call(path=f"/v1/tasks/{_part(task_id)}/files", type_=SessionFileList)


def get_task_file(task_id: str, name: str) -> Call[bytes]:
    """GET /v1/tasks/{id}/files/{name}."""
    return Call(path=f"/v1/tasks/{_part(task_id)}/files/{_part(name)}", type_=bytes)


def put_session_file(session_id: str, name: str, content: bytes) -> Call[FileInfo]:
    """POST /v1/sessions/{id}/files."""
    path, query = f"/v1/sessions/{_part(session_id)}/files", {"name": name}
    return Call(method="POST", path=path, type_=FileInfo, query=query, content=content)


def list_session_files(session_id: str) -> Call[SessionFileList]:
    """GET /v1/sessions/{id}/files."""
    return Call(path=f"/v1/sessions/{_part(session_id)}/files", type_=SessionFileList)


def get_session_file(session_id: str, name: str) -> Call[bytes]:
    """GET /v1/sessions/{id}/files/{name}."""
    return Call(path=f"/v1/sessions/{_part(session_id)}/files/{_part(name)}", type_=bytes)


def list_profiles() -> Call[list[Profile]]:
    """GET /v1/profiles."""
    return Call(path="/v1/profiles", type_=list[Profile])


def get_profile(name: str) -> Call[Profile]:
    """GET /v1/profiles/{name}."""
    return Call(path=f"/v1/profiles/{_part(name)}", type_=Profile)


def put_profile(name: str, state: BrowserState) -> Call[Profile]:
    """PUT /v1/profiles/{name}."""
    return Call(method="PUT", path=f"/v1/profiles/{_part(name)}", type_=Profile, body=state)


def delete_profile(name: str) -> Call[bytes]:
    """DELETE /v1/profiles/{name}."""
    return Call(method="DELETE", path=f"/v1/profiles/{_part(name)}", type_=bytes)


def save_session_profile(session_id: str, request: SaveProfileRequest) -> Call[Profile]:
    """POST /v1/sessions/{id}/profile."""
    path = f"/v1/sessions/{_part(session_id)}/profile"
    return Call(method="POST", path=path, type_=Profile, body=request)


def list_agents() -> Call[list[AgentState]]:
    """GET /v1/agents."""
    return Call(path="/v1/agents", type_=list[AgentState])


def list_versions() -> Call[list[VersionState]]:
    """GET /v1/policy/versions."""
    return Call(path="/v1/policy/versions", type_=list[VersionState])


def get_current_version() -> Call[VersionState]:
    """GET /v1/policy/current."""
    return Call(path="/v1/policy/current", type_=VersionState)


def list_runs() -> Call[list[RunState]]:
    """GET /v1/runs."""
    return Call(path="/v1/runs", type_=list[RunState])


def get_metrics() -> Call[bytes]:
    """GET /v1/metrics."""
    return Call(path="/v1/metrics", type_=bytes)


def get_health() -> Call[Health]:
    """GET /v1/health."""
    return Call(path="/v1/health", type_=Health)


def get_ready() -> Call[Health]:
    """GET /v1/ready."""
    return Call(path="/v1/ready", type_=Health)
