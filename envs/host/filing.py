"""Routes of a host for files that go into a session, and for those that come out of it.

    POST /v1/sessions/{id}/files?name=...   the file's bytes   -> FileInfo
    GET  /v1/sessions/{id}/files                               -> SessionFileList
    GET  /v1/sessions/{id}/file?name=...                       -> the file's bytes

Guarantees: a file is bounded by MAX_FILE_BYTES on its way in and out; a name leads to no other
place. What is put there stays until the next reset.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar, runtime_checkable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from envs.contract.files import (
    MAX_FILE_BYTES,
    FileInfo,
    FileRefused,
    NoSuchFile,
    SessionFileList,
)
from envs.contract.host_api import CALL_LIMIT_S, FILE_REFUSED, NO_SUCH_FILE
from envs.host.leases import LeaseEnded
from envs.host.messages import json_reply, problem, read_body
from envs.host.service import Host

T = TypeVar("T")


@runtime_checkable
class Filing(Protocol):
    """A session that takes files in and gives files out."""

    async def put_file(self, name: str, data: bytes) -> FileInfo:
        """Raises FileRefused, EpisodeFault."""

    async def list_files(self) -> SessionFileList:
        """Raises EpisodeFault."""

    async def read_file(self, name: str) -> bytes:
        """Raises NoSuchFile, EpisodeFault."""


def routes(host: Host) -> list[BaseRoute]:
    """Routes to put, list and read files."""

    async def call(request: Request, work: Callable[[Filing], Awaitable[T]]) -> T:
        lease = host.leases.get(request.path_params["id"])
        if lease is None:
            raise LeaseEnded
        session = lease.session
        assert isinstance(session, Filing)

        async def run() -> T:
            return await work(session)

        async with lease.busy:
            return await lease.run(run, CALL_LIMIT_S)

    async def put(request: Request) -> Response:
        data = await read_body(request, MAX_FILE_BYTES)
        name = request.query_params.get("name", "")
        try:
            info = await call(request, lambda session: session.put_file(name, data))
        except FileRefused as error:
            return problem(422, FILE_REFUSED, str(error))
        return json_reply(info.model_dump())

    async def list_all(request: Request) -> Response:
        return json_reply((await call(request, lambda session: session.list_files())).model_dump())

    async def read(request: Request) -> Response:
        name = request.query_params.get("name", "")
        try:
            data = await call(request, lambda session: session.read_file(name))
        except NoSuchFile as error:
            return problem(410, NO_SUCH_FILE, str(error))
        return Response(data, media_type="application/octet-stream")

    path = "/v1/sessions/{id}/file"
    return [
        Route(f"{path}s", host.require_token(put), methods=["POST"]),
        Route(f"{path}s", host.require_token(list_all)),
        Route(path, host.require_token(read)),
    ]
