"""Errors of clients are problem documents."""

from __future__ import annotations

import json
from http import HTTPStatus

from fastapi import FastAPI
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from starlette.testclient import TestClient

from agent_server.api.errors import MEDIA_TYPE, ApiError, install, problem


def test_a_problem_survives_text_that_is_no_unicode() -> None:
    reply = problem(404, "no task '\ud800'")
    assert reply.media_type == MEDIA_TYPE
    assert json.loads(bytes(reply.body)) == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "no task '?'",
    }


def test_errors_of_routes_become_problems() -> None:
    app = FastAPI()
    install(app)

    @app.get("/conflict/{number}")
    def conflict(number: int) -> None:
        raise ApiError(HTTPStatus.CONFLICT, "it has ended")

    client = TestClient(app)
    assert client.get("/conflict/1").json()["detail"] == "it has ended"
    invalid = client.get("/conflict/x")
    assert (invalid.status_code, invalid.headers["content-type"]) == (422, MEDIA_TYPE)
    assert invalid.json()["detail"].startswith("path.number: ")
    assert client.get("/nothing").json()["title"] == "Not Found"


def test_a_database_whose_connections_are_all_in_use_is_unavailable() -> None:
    app = FastAPI()
    install(app)

    @app.get("/busy")
    def busy() -> None:
        raise NoFreeConnection("QueuePool limit reached")

    reply = TestClient(app).get("/busy")
    assert (reply.status_code, reply.headers["content-type"]) == (503, MEDIA_TYPE)
