"""Routes of a desktop host for what evaluators look at; nothing is judged here.

    POST /v1/sessions/{id}/collect                  {postconfig, wanted}  -> Collected
    GET  /v1/sessions/{id}/collected/{value}/{file}                       -> the file's bytes

`wanted`: getters with their parameters. A file is that of a value of the last answer, by its place.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from envs.contract.host_api import COLLECT_LIMIT_S, CollectRequest
from envs.desktop.session import DesktopSession
from envs.host.leases import Lease
from envs.host.messages import problem, read_body
from envs.host.service import Host
from envs.state.evidence import Collected


def routes(host: Host) -> list[BaseRoute]:
    """Routes to collect evidence and to download its files."""

    async def collect(request: Request) -> Response:
        body = CollectRequest.model_validate_json(await read_body(request))

        async def collect_evidence(lease: Lease) -> Collected:
            return await _desktop(lease).collect(body.postconfig, body.getters)

        return await host.once(request, collect_evidence, COLLECT_LIMIT_S)

    async def file(request: Request) -> Response:
        place = request.path_params
        lease = host.leases.get(place["id"])
        if lease is None:
            return problem(404, "No such session", "it was closed, or its lease expired")
        try:
            path = _desktop(lease).task_support.file(place["value"], place["file"])
        except KeyError as error:
            return problem(404, "No such file", str(error.args[0]))
        if not path.is_file():
            return problem(404, "No such file", f"{path.name} is gone")
        return FileResponse(path, media_type="application/octet-stream")

    session_path = "/v1/sessions/{id}"
    return [
        Route(f"{session_path}/collect", host.require_token(collect), methods=["POST"]),
        Route(f"{session_path}/collected/{{value:int}}/{{file:int}}", host.require_token(file)),
    ]


def _desktop(lease: Lease) -> DesktopSession:
    assert isinstance(lease.session, DesktopSession)
    return lease.session
