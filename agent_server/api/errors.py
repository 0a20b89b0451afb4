"""Errors of clients as 4xx replies with problem details (RFC 9457), never a 500; a full disk is
507, a database that does not answer 503."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from starlette.exceptions import HTTPException
from starlette.routing import compile_path

from agent_server.api.models import Problem
from agent_server.store.engine import is_out_of_space
from agent_server.store.quotas import QuotaRefused
from envs.contract.validation import describe_first

MEDIA_TYPE = "application/problem+json"


def describe_problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For the OpenAPI document: replies with these statuses."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": Problem.model_json_schema()}},
        }
        for status in statuses
    }


PROBLEMS = describe_problems(400, 401, 404, 405, 408, 409, 413, 422, 503, 507)
"""The replies of a route to a wrong request."""
STARTING = PROBLEMS | describe_problems(429)
"""Those of a route that starts episodes, which a key's limits may forbid."""


log = logging.getLogger(__name__)

NO_DATABASE = "the database does not answer; try again"
NO_SPACE = "the disk of the database is full: free space there, nothing was changed"


class ApiError(Exception):
    """Raised by routes; becomes a problem document. `retry_after_s`: when to try again."""

    def __init__(
        self, status: HTTPStatus, detail: str, *, retry_after_s: int | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = {} if retry_after_s is None else {"Retry-After": str(retry_after_s)}


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """A reply with problem details."""
    title = HTTPStatus(status).phrase
    detail = detail.encode(errors="replace").decode()
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return JSONResponse(body, status, headers, MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Make the application answer errors with problem details."""

    @app.exception_handler(ApiError)
    async def api_error(request: Request, error: ApiError) -> JSONResponse:
        return problem(error.status, error.detail, error.headers)

    @app.exception_handler(QuotaRefused)
    async def beyond_quota(request: Request, error: QuotaRefused) -> JSONResponse:
        headers = {"Retry-After": str(error.retry_after_s)}
        return problem(HTTPStatus.TOO_MANY_REQUESTS, str(error), headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, _describe_request(error)[:1000])

    @app.exception_handler(DBAPIError)
    async def no_database(request: Request, error: DBAPIError) -> JSONResponse:
        log.error("%s %s: %s", request.method, request.url.path, error.orig)
        if is_out_of_space(error):
            return problem(HTTPStatus.INSUFFICIENT_STORAGE, NO_SPACE)
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, NO_DATABASE)

    @app.exception_handler(NoFreeConnection)
    async def no_connection(request: Request, error: NoFreeConnection) -> JSONResponse:
        log.error("%s %s: %s", request.method, request.url.path, error)
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, NO_DATABASE)

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        headers = dict(error.headers or {})
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            headers = {"allow": ", ".join(_allowed_methods(app, request))}
            if request.method == "OPTIONS":
                return Response(status_code=HTTPStatus.NO_CONTENT, headers=headers)
        return problem(error.status_code, str(error.detail), headers)


def _describe_request(error: RequestValidationError) -> str:
    first = error.errors()[0]
    match first["type"], first["loc"]:
        case "json_invalid", (_, place):
            return f"body: no JSON, at character {place}: {first['ctx']['error']}"
        case "model_attributes_type", ("body",):
            return "body: send one JSON object, with Content-Type: application/json"
    return describe_first(error)


def _allowed_methods(app: FastAPI, request: Request) -> list[str]:
    """Methods of all routes of the path: the router names those of the first one only."""
    methods = {
        method.upper()
        for template, operations in app.openapi()["paths"].items()
        if compile_path(template)[0].match(request.url.path)
        for method in operations
    }
    return sorted((methods or {"GET", "HEAD"}) | {"OPTIONS"})
