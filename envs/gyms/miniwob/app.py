"""The package's files over HTTP, read-only."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from envs.gyms.miniwob.assets import content

HEADERS = {
    "Cache-Control": "private, max-age=86400",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
        "connect-src 'self'; frame-src 'self'; frame-ancestors 'self'; form-action 'none'; "
        "base-uri 'self'"
    ),
}
"""The pages are made of scripts within them, some of which build functions from text. They stay
on this server, and no form leaves a page."""


def routes() -> list[BaseRoute]:
    async def show(request: Request) -> Response:
        found = content(request.path_params["path"])
        if found is None:
            return Response("there is no such file", 404, headers=HEADERS)
        data, kind = found
        return Response(data, media_type=kind, headers=HEADERS)

    return [Route("/miniwob/{path:path}", show, methods=["GET"])]
