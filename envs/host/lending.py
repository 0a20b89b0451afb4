"""Route of a desktop host for files of a mirror that its client keeps.

    POST /v1/sessions/{id}/assets?name=...    the file's bytes    -> {}

For the task of the next reset. A mirror also holds what answers are compared with, so a box does
not get the mirror, only what the steps of one task take from it. `name`: the asset's URL, or its
path in the mirror. The file is held in memory without a name (memfd): no program of the desktop can
open it before the step that puts it into its place.
"""

from __future__ import annotations

import os
from typing import BinaryIO

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from envs.contract.host_api import MAX_ASSET
from envs.desktop.session import DesktopSession
from envs.host.messages import json_reply, problem
from envs.host.service import Host


def routes(host: Host) -> list[BaseRoute]:
    """The route that lends a file to a session."""

    async def lend(request: Request) -> Response:
        name = request.query_params.get("name", "")
        lease = host.leases.get(request.path_params["id"])
        if lease is None:
            return problem(404, "No such session", "it was closed, or its lease expired")
        file = await _read_file(request)
        if file is None:
            return problem(413, "Too large", f"an asset is over {MAX_ASSET} bytes")
        if lease.is_closed:
            file.close()
            return problem(404, "No such session", "it was closed while the file came")
        assert isinstance(lease.session, DesktopSession)
        lease.session.task_support.lend(name, file)
        return json_reply({})

    return [Route("/v1/sessions/{id}/assets", host.require_token(lend), methods=["POST"])]


async def _read_file(request: Request) -> BinaryIO | None:
    """The body; None when it is too large."""
    file = os.fdopen(os.memfd_create("asset", os.MFD_CLOEXEC), "w+b")
    try:
        async for piece in request.stream():
            file.write(piece)
            if file.tell() > MAX_ASSET:
                file.close()
                return None
    except BaseException:
        file.close()
        raise
    file.flush()
    return file
