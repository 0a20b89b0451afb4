"""The client for event loops: that of `client.py`, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any, Self, TypeVar

import httpx
import httpx_sse

from agent_server.api.agents import AgentState
from agent_server.api.approval_models import Answer, ApprovalAnswer, ApprovalState, PersonActions
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
from agent_server.client import calls
from agent_server.client.calls import Call
from agent_server.client.connection import (
    EVENT_SILENCE_S,
    RECONNECT_S,
    RECONNECTIONS,
    TIMEOUT_S,
    ApiUnreachable,
    TaskEvent,
    make_http_arguments,
    raise_problem,
    read_evaluation_event,
    read_task_event,
)
from agent_server.evaluation.figures.summary import Summary
from agent_server.store.profiles import Profile
from agent_server.store.task_files import Upload
from envs.contract.actions import Action
from envs.contract.browser_state import BrowserState
from envs.contract.files import FileInfo, SessionFileList
from envs.contract.host_api import RestoreRequest, StepRequest
from envs.contract.observations import Observation, Observe
from envs.contract.outcomes import InvalidReason, Status
from envs.contract.session import SnapshotTaken, StepReply
from envs.contract.task import Env

T = TypeVar("T")
TREE = Observe()


class AsyncClient:
    """Use as an async context manager. `url` and `key` are taken from DESKHAND_API_URL and
    DESKHAND_API_KEY where they are not given. Every method raises ApiProblem for an answer that is
    no success, and ApiUnreachable where none came."""

    def __init__(
        self, url: str | None = None, key: str | None = None, timeout_s: float = TIMEOUT_S
    ) -> None:
        self._http = httpx.AsyncClient(**make_http_arguments(url, key, timeout_s))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes its connections."""
        await self._http.aclose()

    async def create_task(
        self, request: TaskRequest, idempotency_key: str | None = None
    ) -> TaskState:
        """Starts a task; returns at once. A second call with the same key returns the first one's
        task."""
        return await self._send(calls.create_task(request, idempotency_key))

    async def run_task(self, request: TaskRequest) -> TaskState:
        """Starts a task, and returns when it has ended."""
        task = await self.create_task(request)
        async for event in self.follow_task(task.id):
            if event.state is not None:
                return event.state
        return await self.get_task(task.id)

    async def follow_task(self, task_id: str) -> AsyncIterator[TaskEvent]:
        """Events of a task up to its end, across lost connections."""
        call = calls.task_events(task_id)
        async for event in self._follow(call, TIMEOUT_S):
            yield read_task_event(event)

    async def follow_evaluation(self, evaluation_id: str) -> AsyncIterator[EvaluationState]:
        """States of an evaluation up to its end, across lost connections."""
        call = calls.evaluation_events(evaluation_id)
        async for event in self._follow(call, TIMEOUT_S):
            yield read_evaluation_event(event)[1]

    async def list_tasks(
        self,
        status: Status | None = None,
        run_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        *,
        policy: str | None = None,
        text: str | None = None,
        since: datetime | None = None,
        before: datetime | None = None,
    ) -> TaskPage:
        """One page of tasks, newest first; `next_cursor` leads to the next. `text`: words of the
        instruction, each by its first letters; `since`, `before`: when they were submitted."""
        call = calls.list_tasks(status, run_id, policy, text, since, before, cursor, limit)
        return await self._send(call)

    async def get_task(self, task_id: str) -> TaskState:
        """How far a task is."""
        return await self._send(calls.get_task(task_id))

    async def cancel_task(self, task_id: str) -> TaskState:
        """Stops it before its next step."""
        return await self._send(calls.cancel_task(task_id))

    async def pause_task(self, task_id: str) -> TaskState:
        """Holds it before its next step."""
        return await self._send(calls.pause_task(task_id))

    async def resume_task(self, task_id: str) -> TaskState:
        """Lets it go on."""
        return await self._send(calls.resume_task(task_id))

    async def add_follow_up(self, task_id: str, text: str) -> TaskState:
        """Tells its agent more, which reads that with its next step."""
        return await self._send(calls.add_follow_up(task_id, FollowUpRequest(text=text)))

    async def retry_task(
        self,
        task_id: str,
        steps: int,
        policy: str | None = None,
        follow_up: str | None = None,
    ) -> TaskState:
        """A new task that repeats so many first steps of this one; then the agent goes on."""
        request = RetryRequest(steps=steps, policy=policy, follow_up=follow_up)
        return await self._send(calls.retry_task(task_id, request))

    async def list_deliveries(self, task_id: str) -> list[DeliveryState]:
        """Who is told of its end, and what became of that."""
        return await self._send(calls.list_deliveries(task_id))

    async def send_again(self, task_id: str, delivery_id: str) -> list[DeliveryState]:
        """Sends once more what was delivered or given up."""
        return await self._send(calls.send_again(task_id, delivery_id))

    async def list_dead_letters(
        self,
        run_id: str | None = None,
        reason: InvalidReason | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> TaskPage:
        """One page of the tasks that infrastructure lost for good, newest first."""
        return await self._send(calls.list_dead_letters(run_id, reason, cursor, limit))

    async def requeue(self, task_ids: Sequence[str]) -> Requeued:
        """Runs dead letters once more."""
        return await self._send(calls.requeue(RequeueRequest(ids=tuple(task_ids))))

    async def get_trajectory(
        self, task_id: str, after: int = 0, limit: int | None = None
    ) -> TrajectoryPage:
        """Recorded steps after the first `after` ones."""
        return await self._send(calls.get_trajectory(task_id, after, limit))

    async def list_waiting(self) -> list[ApprovalState]:
        """What waits for a person now, in all tasks."""
        return await self._send(calls.list_waiting())

    async def list_approvals(self, task_id: str) -> list[ApprovalState]:
        """All that waited for a person in a task."""
        return await self._send(calls.list_approvals(task_id))

    async def answer_approval(
        self, task_id: str, approval_id: str, answer: Answer, words: str = ""
    ) -> ApprovalState:
        """Approves, refuses, takes over or hands back."""
        body = ApprovalAnswer(answer=answer, words=words)
        return await self._send(calls.answer_approval(task_id, approval_id, body))

    async def act_as_person(
        self, task_id: str, approval_id: str, actions: Sequence[Action]
    ) -> ApprovalState:
        """After taking over: actions in the agent's place, carried out soon."""
        body = PersonActions(actions=list(actions))
        return await self._send(calls.act_as_person(task_id, approval_id, body))

    async def get_approval_picture(self, task_id: str, approval_id: str) -> bytes:
        """The newest picture of what waits."""
        return await self._send(calls.get_approval_picture(task_id, approval_id))

    async def list_screenshots(self, task_id: str) -> list[str]:
        """Names of the recorded pictures."""
        return await self._send(calls.list_screenshots(task_id))

    async def get_screenshot(self, task_id: str, name: str) -> bytes:
        """One picture."""
        return await self._send(calls.get_screenshot(task_id, name))

    async def open_session(self, request: SessionRequest) -> SessionStart:
        """A browser or desktop of one's own. Close it."""
        return await self._send(calls.open_session(request))

    async def list_sessions(self) -> list[SessionState]:
        """The open sessions, oldest first."""
        return await self._send(calls.list_sessions())

    async def get_session(self, session_id: str) -> SessionState:
        """One open session."""
        return await self._send(calls.get_session(session_id))

    async def close_session(self, session_id: str) -> None:
        """Ends it."""
        await self._send(calls.close_session(session_id))

    async def act(
        self, session_id: str, actions: Sequence[Action], observe: Observe = TREE
    ) -> StepReply:
        """Carries out actions up to the first that fails, and shows what came of it."""
        request = StepRequest(actions=list(actions), observe=observe)
        return await self._send(calls.act(session_id, request))

    async def observe(self, session_id: str, observe: Observe = TREE) -> Observation:
        """What it shows now."""
        return await self._send(calls.observe(session_id, observe))

    async def take_snapshot(self, session_id: str) -> SnapshotTaken:
        """Keeps its state."""
        return await self._send(calls.take_snapshot(session_id))

    async def restore_session(
        self, session_id: str, snapshot: str, observe: Observe = TREE
    ) -> Observation:
        """Puts it into a state that was kept."""
        request = RestoreRequest(snapshot=snapshot, observe=observe)
        return await self._send(calls.restore_session(session_id, request))

    async def fork_session(
        self, session_id: str, request: ForkRequest | None = None
    ) -> SessionStart:
        """Another one in the same state. Close it."""
        return await self._send(calls.fork_session(session_id, request or ForkRequest()))

    async def create_evaluation(self, request: EvaluationRequest) -> EvaluationState:
        """Starts an evaluation; returns at once."""
        return await self._send(calls.create_evaluation(request))

    async def list_evaluations(self) -> list[EvaluationState]:
        """Newest first."""
        return await self._send(calls.list_evaluations())

    async def get_evaluation(self, evaluation_id: str) -> EvaluationState:
        """Progress, with the expected end."""
        return await self._send(calls.get_evaluation(evaluation_id))

    async def get_figures(self, evaluation_id: str) -> Summary:
        """Success by policy and domain, with intervals."""
        return await self._send(calls.get_figures(evaluation_id))

    async def cancel_evaluation(self, evaluation_id: str) -> EvaluationState:
        """Cancels what has not ended."""
        return await self._send(calls.cancel_evaluation(evaluation_id))

    async def create_script(self, request: ScriptRequest) -> ScriptState:
        """Makes a script of a task that succeeded, or mends one, or takes a whole one."""
        return await self._send(calls.create_script(request))

    async def list_scripts(self) -> list[ScriptSummary]:
        """Scripts by name, the newest version of each."""
        return await self._send(calls.list_scripts())

    async def get_script(self, name: str, version: int | None = None) -> ScriptState:
        """One version of a script, by default the newest."""
        return await self._send(calls.get_script(name, version))

    async def delete_script(self, name: str) -> None:
        """Removes all versions of a script."""
        await self._send(calls.delete_script(name))

    async def upload_file(self, name: str, content: bytes) -> Upload:
        """Keeps a file for a day; `files` of a task names its id."""
        return await self._send(calls.upload_file(name, content))

    async def list_task_files(self, task_id: str) -> SessionFileList:
        """What came with a task and, once it has ended, what it made."""
        return await self._send(calls.list_task_files(task_id))

    async def get_task_file(self, task_id: str, name: str) -> bytes:
        """One of them."""
        return await self._send(calls.get_task_file(task_id, name))

    async def put_session_file(self, session_id: str, name: str, content: bytes) -> FileInfo:
        """Puts a file into a session: for uploads of its pages, or into its home folder."""
        return await self._send(calls.put_session_file(session_id, name, content))

    async def list_session_files(self, session_id: str) -> SessionFileList:
        """What was put into a session, and what was made in it so far."""
        return await self._send(calls.list_session_files(session_id))

    async def get_session_file(self, session_id: str, name: str) -> bytes:
        """One of them."""
        return await self._send(calls.get_session_file(session_id, name))

    async def list_profiles(self) -> list[Profile]:
        """Saved log-in states, by name, without values."""
        return await self._send(calls.list_profiles())

    async def get_profile(self, name: str) -> Profile:
        """Which domains it holds something of."""
        return await self._send(calls.get_profile(name))

    async def put_profile(self, name: str, state: BrowserState) -> Profile:
        """Keeps a state that was made elsewhere, in the form of Playwright's `storage_state`."""
        return await self._send(calls.put_profile(name, state))

    async def delete_profile(self, name: str) -> None:
        """Removes it for good."""
        await self._send(calls.delete_profile(name))

    async def save_session_profile(self, session_id: str, name: str) -> Profile:
        """Keeps what a session's sites have in its browser now."""
        return await self._send(
            calls.save_session_profile(session_id, SaveProfileRequest(name=name))
        )

    async def list_agents(self) -> list[AgentState]:
        """Who carries out tasks."""
        return await self._send(calls.list_agents())

    async def list_tools(self, env: Env | None = None) -> dict[str, list[dict[str, Any]]]:
        """Tools of sessions, with their JSON schemas."""
        return await self._send(calls.list_tools(env))

    async def list_versions(self) -> list[VersionState]:
        """Published policy versions."""
        return await self._send(calls.list_versions())

    async def get_current_version(self) -> VersionState:
        """The version that is live."""
        return await self._send(calls.get_current_version())

    async def list_runs(self) -> list[RunState]:
        """Runs, newest first."""
        return await self._send(calls.list_runs())

    async def get_run(self, run_id: str) -> RunState:
        """One run with its episodes by outcome."""
        return await self._send(calls.get_run(run_id))

    async def get_metrics(self) -> bytes:
        """Metrics in Prometheus' text format."""
        return await self._send(calls.get_metrics())

    async def get_health(self) -> Health:
        """Whether the API works."""
        return await self._send(calls.get_health())

    async def get_ready(self) -> Health:
        """Whether it takes new tasks."""
        return await self._send(calls.get_ready())

    async def _send(self, call: Call[T]) -> T:
        try:
            reply = await self._http.request(**call.arguments())
        except httpx.TransportError as error:
            raise ApiUnreachable(f"{self._http.base_url} does not answer: {error!r}") from error
        raise_problem(reply)
        return call.read(reply.content)

    async def _follow(
        self, call: Call[bytes], timeout_s: float
    ) -> AsyncIterator[httpx_sse.ServerSentEvent]:
        """Events up to `end`; a lost connection is opened again after the last event."""
        last_id, failures = "", 0
        timeout = httpx.Timeout(timeout_s, read=EVENT_SILENCE_S)
        while True:
            arguments = call.arguments() | {"timeout": timeout}
            if last_id:
                arguments["headers"]["Last-Event-ID"] = last_id
            try:
                async with httpx_sse.aconnect_sse(self._http, **arguments) as source:
                    if not source.response.is_success:
                        await source.response.aread()
                        raise_problem(source.response)
                    async for event in source.aiter_sse():
                        failures, last_id = 0, event.id or last_id
                        # A ping of the server, which httpx_sse takes for an event without data.
                        if event.data:
                            yield event
                        if event.event == "end":
                            return
            except httpx.TransportError as error:
                if failures >= RECONNECTIONS:
                    detail = f"{self._http.base_url} does not answer: {error!r}"
                    raise ApiUnreachable(detail) from error
            failures += 1
            await asyncio.sleep(RECONNECT_S * failures)
