"""/v1/files, and the files of tasks and of sessions: into an environment, and out of it.

A file travels as the body of a request or of an answer, without any wrapping. What comes out is
what a page or an agent made: it is handed over as a download that no browser shows.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Body, Query, Response

from agent_server.api.errors import PROBLEMS, ApiError
from agent_server.api.sessions import FAILING, Sessions
from agent_server.api.state import ApiState, State
from agent_server.store.task_files import Upload
from envs.client import HostBusy
from envs.contract.files import (
    FileInfo,
    FileRef,
    FileRefused,
    NoSuchFile,
    SessionFileList,
)
from envs.contract.task import Task

router = APIRouter(tags=["files"])

OCTETS = "application/octet-stream"
Content = Annotated[bytes, Body(media_type=OCTETS, description="the file's bytes")]
Name = Annotated[str, Query(min_length=1, max_length=400, description="the file's name")]
FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {OCTETS: {"schema": {"type": "string", "format": "binary"}}}}
}


@router.post("/files", status_code=201, responses=PROBLEMS)
def upload_file(name: Name, state: State, content: Content = b"") -> Upload:
    """Keeps a file for a task to come, for a day; a task that names its id has a copy of its own.
    The name is made one that any system takes."""
    try:
        return state.files.upload(name, content)
    except FileRefused as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error


@router.get("/tasks/{task_id}/files", responses=PROBLEMS)
def list_task_files(task_id: str, state: State) -> SessionFileList:
    """What came with the task and, once it has ended, what it made: downloads of the browser, new
    and changed files of the desktop's home folder."""
    row = state.newest(task_id)
    return state.files.list(row.id, _inputs_of(state, task_id))


@router.get(
    "/tasks/{task_id}/files/{name}", responses={**PROBLEMS, **FILE}, response_class=Response
)
def get_task_file(task_id: str, name: str, state: State) -> Response:
    """One of them."""
    row = state.newest(task_id)
    try:
        data = state.files.read(row.root_id, row.id, name, _inputs_of(state, task_id))
    except NoSuchFile as error:
        raise ApiError(HTTPStatus.NOT_FOUND, str(error)) from error
    return make_download(name, data)


@router.post("/sessions/{session_id}/files", status_code=201, responses=FAILING)
async def put_session_file(
    session_id: str, name: Name, sessions: Sessions, content: Content = b""
) -> FileInfo:
    """Puts a file into the session: for the upload controls of its pages (click one, then answer
    the dialog with the name), or into the home folder of its desktop."""
    async with sessions.using(session_id) as session:
        try:
            return await session.remote.put_file(name, content)
        except FileRefused as error:
            raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error
        except HostBusy as error:
            raise ApiError(HTTPStatus.BAD_GATEWAY, str(error)) from error


@router.get("/sessions/{session_id}/files", responses=FAILING)
async def list_session_files(session_id: str, sessions: Sessions) -> SessionFileList:
    """What was put into the session, and what was made in it so far. A download that is under way
    is waited for, ten seconds at most."""
    async with sessions.using(session_id) as session:
        return await session.remote.list_files()


@router.get(
    "/sessions/{session_id}/files/{name}", responses={**FAILING, **FILE}, response_class=Response
)
async def get_session_file(session_id: str, name: str, sessions: Sessions) -> Response:
    """One of them, by its name in the list."""
    async with sessions.using(session_id) as session:
        try:
            return make_download(name, await session.remote.read_file(name))
        except NoSuchFile as error:
            raise ApiError(HTTPStatus.NOT_FOUND, str(error)) from error


def make_download(name: str, data: bytes) -> Response:
    """An answer that a browser stores and does not show."""
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return Response(data, media_type=OCTETS, headers=headers)


def _inputs_of(state: ApiState, task_id: str) -> tuple[FileRef, ...]:
    task = state.store.episodes.load_whole_task(state.newest(task_id))
    return Task.model_validate(task).files
