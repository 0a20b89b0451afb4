"""How the console takes requests: refusals are pages, and forms hear in words what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic import ValidationError

from agent_server.api.errors import ApiError
from agent_server.web.pages import render


class PageRoute(APIRoute):
    """A route whose refusals are pages, for people."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's handler, with errors of the API's functions shown."""
        handle = super().get_route_handler()

        async def handle_for_people(request: Request) -> Response:
            try:
                return await handle(request)
            except ApiError as error:
                return render(
                    "problem.html", error.status, title=error.status.phrase, why=str(error)
                )

        return handle_for_people


def describe_problem(error: ValidationError | ApiError) -> str:
    """What is wrong with a form, field by field."""
    if isinstance(error, ApiError):
        return error.detail
    texts = []
    for part in error.errors():
        field = ".".join(str(place) for place in part["loc"])
        message = str(part["msg"]).removeprefix("Value error, ")
        texts.append(f"{field}: {message}" if field else message)
    return "; ".join(texts)


def is_piece(request: Request) -> bool:
    """Whether htmx asks for the changing part of a page only."""
    return request.headers.get("hx-request") == "true"
