"""Serves the package's files over HTTP, read-only."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from envs.gyms.apps.miniwob.assets import read_file

_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
    "connect-src 'self'; frame-src 'self'; frame-ancestors 'self'; form-action 'none'; "
    "base-uri 'self'"
)
"""The pages consist of inline scripts, some of which build functions from text. They cannot reach
another server, and no form leaves a page."""
_NO_HANDLERS = "; script-src-attr 'none'"
"""Some pages show typed text as HTML: it must not become a script that rewards itself. Only the
recorded sites of flight/ have event handlers in their own markup."""
HEADERS = {
    "Cache-Control": "private, max-age=86400",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": _POLICY + _NO_HANDLERS,
}


def routes() -> list[Route]:
    """The one route of the gym: GET /miniwob/<path>."""

    async def show(request: Request) -> Response:
        path: str = request.path_params["path"]
        file = read_file(path)
        if file is None:
            return Response("there is no such file", 404, headers=HEADERS)
        data, content_type = file
        relaxed = {"Content-Security-Policy": _POLICY} if path.startswith("flight/") else {}
        return Response(data, media_type=content_type, headers=HEADERS | relaxed)

    return [Route("/miniwob/{path:path}", show, methods=["GET"])]
