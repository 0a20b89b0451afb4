"""/v1/tasks: submit a task, follow it, cancel it, read its trajectory."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from pydantic import BeforeValidator
from sqlalchemy.exc import IntegrityError
from sse_starlette import EventSourceResponse

from agent_server.api.admission import check_start_url, check_task, check_workers
from agent_server.api.agents import check_prices, choose_policy, find_agent
from agent_server.api.errors import PROBLEMS, STARTING, ApiError
from agent_server.api.models import TaskPage, TaskRequest, TaskState, TrajectoryPage
from agent_server.api.script_models import ScriptCall
from agent_server.api.scripts import find_play
from agent_server.api.state import API_RUN, ApiState, SentKey, State
from agent_server.api.storable import storable
from agent_server.api.task_events import task_event_stream
from agent_server.api.task_webhooks import choose_targets
from agent_server.episodes.structured_answer import describe_schema
from agent_server.scripts.play import POLICY as SCRIPT
from agent_server.scripts.play import make_script_task, read_play
from agent_server.secrets_file import SecretsFileError, choose_secrets, load_secrets
from agent_server.store.episodes import make_reference, new_id
from agent_server.store.pages import BadCursor
from agent_server.store.profiles import NoSuchProfile, ProfileError
from agent_server.store.tables import Episode
from agent_server.store.task_files import Upload
from envs.contract.files import FileRef, FileRefused, NoSuchFile, describe_files
from envs.contract.outcomes import Status
from envs.contract.secret import describe_secrets
from envs.contract.task import Limits, Task
from tasksets.registry import get_gym

router = APIRouter(prefix="/tasks", tags=["tasks"])

REPEATED = {"model": TaskState, "description": "the task of an earlier call with this key"}
IDEMPOTENT_FIELDS = ("task", "policy", "sampling", "screenshots", "priority")
"""Columns that must be equal in two calls with one Idempotency-Key."""


def _refuse_number(value: object) -> object:
    """Pydantic takes a number for seconds since 1970; the API's document says that times are
    texts."""
    with contextlib.suppress(TypeError, ValueError):
        float(value)  # type: ignore[arg-type]
        raise AssertionError("a time is a text like 2026-11-24T10:00:00Z")
    return value


Moment = Annotated[datetime, BeforeValidator(_refuse_number)]
"""A time of a query."""


@router.post("", status_code=201, responses={**STARTING, 200: REPEATED})
def create_task(
    body: TaskRequest,
    state: State,
    response: Response,
    key_name: SentKey = None,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=200)] = None,
) -> TaskState:
    """Runs a task with a policy or an agent. Returns at once; follow `events`.

    With an Idempotency-Key, a second call with the same key returns the first call's task; 409 if
    the request differs."""
    task_id = new_id()
    if idempotency_key is not None:
        digest = hashlib.blake2b(idempotency_key.encode(), digest_size=10).hexdigest()
        task_id = f"e_k{digest}"
    policy = choose_policy(state, SCRIPT if body.script is not None else body.policy)
    given_limits = Limits() if body.task is None else body.task.limits
    check_prices(state, body.max_cost or given_limits.max_cost, policy)
    _check_secrets(state, body)
    _check_profile(state, body)
    targets = choose_targets(state, body.webhooks)
    uploads = _find_uploads(state, body)
    references = tuple(reference for _, reference in uploads)
    task = _build_task(state, body, task_id, policy, references)
    row = Episode(
        id=task_id,
        run_id=API_RUN,
        purpose="api",
        task=storable(task),
        policy=policy,
        sampling=storable(body.sampling),
        screenshots=body.screenshots,
        priority=body.priority,
        key_name=key_name,
    )
    existing = state.store.episodes.latest(task_id)
    if existing is None:
        check_workers(state.store, {task.env}, policy)
        state.files.give(task_id, (upload for upload, _ in uploads))
        # Before the task: it may end at once, and a delivery without a task does nothing.
        state.store.deliveries.create(task_id, targets)
        try:
            state.dispatcher.dispatch([row])
        except IntegrityError:  # another call with this key was faster
            existing = state.newest(task_id)
    if existing is not None:
        row.task = make_reference(row.task)
        targets_before = {entry.target for entry in state.store.deliveries.of_task(task_id)}
        is_other = any(getattr(existing, name) != getattr(row, name) for name in IDEMPOTENT_FIELDS)
        if is_other or not targets_before.issuperset(body.webhooks):
            raise ApiError(HTTPStatus.CONFLICT, "this Idempotency-Key was used for another task")
        response.status_code = 200
    return state.state_of_task(task_id)


def _check_secrets(state: ApiState, body: TaskRequest) -> None:
    """Raises ApiError(422) for one that the server's file does not name."""
    names = body.secrets if body.task is None else body.task.secrets
    if body.script is not None:
        names = find_play(state, body.script).script.task.secrets
    if not names:
        return
    try:
        choose_secrets(load_secrets(state.settings.secrets), names)
    except (KeyError, SecretsFileError) as error:
        detail = f"secrets: {error.args[0]}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error


def _check_profile(state: ApiState, body: TaskRequest) -> None:
    """Raises ApiError(422) for a profile that is not there, unless the task is to make it."""
    task = body.task
    name, makes = (body.profile, body.save_profile)
    if task is not None:
        name, makes = task.profile, task.save_profile
    if name is None:
        return
    try:
        state.profiles.load(name)
    except NoSuchProfile as error:
        if not makes:
            raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, f"profile: {error}") from error
    except ProfileError as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, f"profile: {error}") from error


def _find_uploads(state: ApiState, body: TaskRequest) -> list[tuple[Upload, FileRef]]:
    """Raises ApiError(422)."""
    try:
        return state.files.find_uploads(body.files)
    except (NoSuchFile, FileRefused) as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, f"files: {error}") from error


def _build_task(
    state: ApiState, body: TaskRequest, task_id: str, policy: str, files: tuple[FileRef, ...]
) -> Task:
    if body.script is not None:
        task = _build_script_task(state, body, body.script, task_id)
    elif body.task is not None:
        task = body.task
    elif body.gym is not None:
        try:
            task = get_gym(body.gym).make_task(body.template or "", body.seed or 0)
        except (KeyError, ValueError) as error:
            raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error.args[0])) from error
    else:
        parts = [body.instruction or ""]
        if body.secrets:
            parts.append(describe_secrets(body.secrets))
        if files:
            parts.append(describe_files([file.name for file in files], body.env))
        if body.answer_schema is not None:
            parts.append(describe_schema(body.answer_schema))
        task = Task(
            id=f"t{task_id[1:]}",
            instruction="\n\n".join(parts),
            answer_schema=body.answer_schema,
            env=body.env,
            start_url=body.start_url,
            allow=body.allow,
            secrets=body.secrets,
            approve=body.make_approval(bool(body.allow)),
            profile=body.profile,
            save_profile=body.save_profile,
            files=files,
            keep_files=True,
        )
    if body.keep_files is not None:
        task = task.model_copy(update={"keep_files": body.keep_files})
    names = ("max_steps", "max_seconds", "max_tokens", "max_cost")
    limits = Limits(**{name: getattr(body, name) or getattr(task.limits, name) for name in names})
    task = task.model_copy(update={"limits": limits})
    check_start_url(task, state.own_port)
    check_task(task, policy)
    if body.instruction is None and task.approve is None:
        # A script alone does what was done before; whoever may take over from it is an agent.
        is_agent = policy != SCRIPT or read_play(task).otherwise is not None
        approve = body.make_approval(bool(task.allow) and is_agent)
        task = task.model_copy(update={"approve": approve})
    return task


def _build_script_task(state: ApiState, body: TaskRequest, call: ScriptCall, task_id: str) -> Task:
    play = find_play(state, call)
    recorded = play.script.task
    if body.gym is not None and (body.gym, body.template) != (recorded.gym, recorded.template):
        detail = f"script {call.name} is of {recorded.gym}/{recorded.template}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
    if call.otherwise is not None:
        if call.otherwise == SCRIPT:
            detail = "script.otherwise: a script cannot take over from one"
            raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
        find_agent(state, call.otherwise)
        check_workers(state.store, set(), call.otherwise)
    try:
        return make_script_task(play, f"t{task_id[1:]}", body.seed)
    except (KeyError, ValueError) as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error.args[0])) from error


@router.get("", responses=PROBLEMS)
def list_tasks(
    state: State,
    status: Status | None = None,
    run_id: Annotated[str, Query(min_length=1, max_length=200)] = API_RUN,
    policy: Annotated[str | None, Query(min_length=1, max_length=100)] = None,
    text: Annotated[
        str,
        Query(max_length=200, description="words of the instruction, each by its first letters"),
    ] = "",
    since: Annotated[Moment | None, Query(description="submitted then or later")] = None,
    before: Annotated[Moment | None, Query(description="submitted earlier")] = None,
    cursor: Annotated[str | None, Query(min_length=1, max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> TaskPage:
    """Newest first, each task once. Tasks of the API, or the episodes of another run, which have no
    words to be found by."""
    try:
        page = state.store.episodes.page(
            run_id=run_id,
            status=() if status is None else (status,),
            policy=policy,
            text=text,
            since=_in_utc(since),
            before=_in_utc(before),
            cursor=cursor,
            limit=limit,
            newest_only=True,
        )
    except BadCursor as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, f"cursor: {error}") from error
    return TaskPage(tasks=state.describe(page.episodes), next_cursor=page.next_cursor)


def _in_utc(moment: datetime | None) -> datetime | None:
    """A time without a zone is meant in UTC. Raises ApiError(422)."""
    if moment is None:
        return None
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError as error:
        detail = f"{moment.isoformat()} is no time of this calendar in UTC"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error


@router.get("/{task_id}", responses=PROBLEMS)
def get_task(task_id: str, state: State) -> TaskState:
    """The newest episode: one that infrastructure lost is retried under the same id."""
    return state.state_of_task(task_id)


@router.post("/{task_id}/cancel", responses=PROBLEMS)
def cancel_task(task_id: str, state: State) -> TaskState:
    """Stops the task before its next step. 409 when it has ended already."""
    row = state.newest(task_id)
    if row.status.terminal and not state.retry_follows(row):
        raise ApiError(HTTPStatus.CONFLICT, f"task {task_id} has ended: {row.status}")
    state.store.episodes.cancel([row.id])
    state.store.approvals.withdraw(row.id)
    return state.state_of_task(task_id)


@router.get("/{task_id}/trajectory", responses=PROBLEMS)
def get_trajectory(
    task_id: str,
    state: State,
    after: Annotated[int, Query(ge=0, le=10**6, description="leave out so many steps")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> TrajectoryPage:
    """Recorded steps in pages: prompt, answer with token ids, action, result."""
    row = state.newest(task_id)
    summary = state.artifacts.read_summary(row.id)
    steps, has_more = state.artifacts.read_page(row.id, after, limit)
    if summary is None and not steps and after == 0:
        raise ApiError(HTTPStatus.NOT_FOUND, f"task {task_id} has no steps yet")
    return TrajectoryPage(
        episode_id=row.id,
        steps=tuple(steps),
        summary=summary or {},
        next_after=after + len(steps) if has_more else None,
    )


@router.get("/{task_id}/screenshots", responses=PROBLEMS)
def list_screenshots(task_id: str, state: State) -> list[str]:
    """Names of the recorded pictures, one a step."""
    steps, _ = state.artifacts.read_steps(state.newest(task_id).id, 0)
    return [step.screenshot for step in steps if step.screenshot]


@router.get(
    "/{task_id}/screenshots/{name}",
    responses={**PROBLEMS, 200: {"content": {"image/jpeg": {}}}},
    response_class=Response,
)
def get_screenshot(task_id: str, name: str, state: State) -> Response:
    """One recorded picture."""
    try:
        data = state.artifacts.read_screenshot(state.newest(task_id).id, name)
    except KeyError as error:
        raise ApiError(HTTPStatus.NOT_FOUND, str(error.args[0])) from error
    kind = name.rsplit(".", 1)[-1].replace("jpg", "jpeg")
    return Response(data, media_type=f"image/{kind}")


@router.get(
    "/{task_id}/events",
    responses={**PROBLEMS, 200: {"content": {"text/event-stream": {}}}},
    response_class=EventSourceResponse,
)
async def task_events(
    task_id: str,
    state: State,
    last_event_id: Annotated[int | None, Header(ge=0)] = None,
) -> EventSourceResponse:
    """Server-sent events: `step` for each step (its id is its number), `status` at changes,
    `approval` when something waits for a person (its id) and when it no longer does (null), and
    `end` with the final state. Reconnecting with Last-Event-ID continues after that step."""
    await asyncio.to_thread(state.newest, task_id)
    return EventSourceResponse(task_event_stream(state, task_id, last_event_id or 0), ping=15)
