"""The real server checks the key before it reads a body, and bounds what it reads."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import httpx
import psutil
import pytest

from agent_server.settings import Settings
from tests.agent_server.api_process import KEY, Api, reply_of, running_api

MB = 2**20


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    settings = Settings(run_dir=tmp_path_factory.mktemp("run"), api_key=KEY, max_body_mb=2)
    with running_api(settings) as running:
        yield running


def blanks(megabytes: int) -> Iterator[bytes]:
    """A body of white space, sent in chunks."""
    for _ in range(megabytes):
        yield b" " * MB


def grown_mb(api: Api, before: int) -> float:
    return (psutil.Process(api.process.pid).memory_info().rss - before) / MB


@pytest.mark.parametrize(("key", "status"), [("", 401), ("wrong", 401), (KEY, 413)])
def test_a_large_body_is_refused_and_never_held(api: Api, key: str, status: int) -> None:
    before = psutil.Process(api.process.pid).memory_info().rss
    with api.connect() as connection:
        head = f"POST /v1/tasks HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\n"
        connection.sendall(f"{head}content-length: {600 * MB}\r\n\r\n".encode())
        assert int(connection.recv(65536).split()[1]) == status
        with contextlib.suppress(OSError):  # the server closes after a while
            for chunk in blanks(600):
                connection.sendall(chunk)
    assert grown_mb(api, before) < 40


def test_who_sends_a_wrong_key_is_not_told_that_it_is_missing(api: Api) -> None:
    details = [
        httpx.get(f"{api.url}/v1/evaluations", headers=headers).json()["detail"]
        for headers in ({}, {"x-api-key": "wrong"})
    ]
    assert details[0].startswith("send the API key as")
    assert details[1].startswith("what was sent is no key of this server")


def test_a_body_without_a_length_is_bounded_as_well(api: Api) -> None:
    with api.client() as client:
        refused = client.post("/v1/tasks", content=blanks(3))
    assert refused.status_code == 413
    assert refused.headers["content-type"] == "application/problem+json"
    assert "larger than 2 MB" in refused.json()["detail"]


def test_a_body_up_to_the_bound_is_read(api: Api) -> None:
    padding = b" " * (2 * MB - 2)
    with api.client() as client:
        headers = {"content-type": "application/json"}
        assert client.post("/v1/tasks", content=padding + b"{}", headers=headers).status_code == 422
        assert client.post("/v1/tasks", content=padding + b" {}").status_code == 413


def test_no_part_of_a_body_is_asked_for_without_the_key(api: Api) -> None:
    with api.connect() as connection:
        connection.sendall(
            b"POST /v1/tasks HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n"
            b"content-length: 2000000000\r\nconnection: close\r\n\r\n"
        )
        status, reply = reply_of(connection)
    assert (status, reply["title"]) == (401, "Unauthorized")


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/redoc", "/v1/none", "/v1/runs/"])
def test_no_path_but_health_says_anything_without_the_key(api: Api, path: str) -> None:
    assert httpx.get(f"{api.url}{path}").status_code == 401
    assert httpx.get(f"{api.url}/v1/health").status_code == 200


def test_a_browser_opens_the_documentation_with_the_key_as_password(api: Api) -> None:
    docs_reply = httpx.get(f"{api.url}/docs")
    assert docs_reply.headers["www-authenticate"] == 'Basic realm="Deskhand"'
    for path in ("/docs", "/openapi.json"):
        assert httpx.get(f"{api.url}{path}", auth=("", KEY)).status_code == 200
        assert httpx.get(f"{api.url}{path}", auth=("", "wrong")).status_code == 401
        assert httpx.get(f"{api.url}{path}", headers={"x-api-key": KEY}).status_code == 200
    # A browser sends Basic by itself, also from a form of another page: no other route takes it.
    assert httpx.post(f"{api.url}/v1/tasks", json={}, auth=("", KEY)).status_code == 401
