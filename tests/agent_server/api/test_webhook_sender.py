"""Receivers are real servers, and verify what they get as the specification says."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from pydantic import SecretStr
from starlette.testclient import TestClient

from agent_server.api import webhook_sender
from agent_server.api.app import create_app
from agent_server.api.webhook_sender import make_headers
from agent_server.settings import Settings
from agent_server.webhooks_file import Target
from envs.io.public_network import public_connector
from tests.agent_server.test_private_file import make_file
from tests.agent_server.test_webhooks_file import SECRET
from tests.http_server import serving

KEY = "test-key"
KNOWN = base64.b64decode(SECRET.removeprefix("whsec_"))


class Receiver:
    """Answers with these statuses, the last one for ever."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.silent_requests = 0

    async def keep_silent(self, _: web.Request) -> web.Response:
        self.silent_requests += 1
        await asyncio.sleep(60)
        raise AssertionError("nobody waits so long")

    async def receive(self, request: web.Request) -> web.Response:
        self.requests.append((dict(request.headers), await request.read()))
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        return web.Response(status=status, headers={"Location": "/elsewhere"})

    def make_app(self, _: asyncio.Event) -> web.Application:
        app = web.Application()
        app.router.add_post("/silent", self.keep_silent)
        app.router.add_route("*", "/{path:.*}", self.receive)
        return app


def verify(headers: dict[str, str], body: bytes) -> dict[str, Any]:
    """What a receiver does. Written apart from the sender's own code."""
    names = {name.lower(): value for name, value in headers.items()}
    content = f"{names['webhook-id']}.{names['webhook-timestamp']}.".encode() + body
    digest = base64.b64encode(hmac.new(KNOWN, content, hashlib.sha256).digest()).decode()
    assert f"v1,{digest}" in names["webhook-signature"].split()
    assert abs(int(names["webhook-timestamp"]) - time.time()) < 60
    message: dict[str, Any] = json.loads(body)
    return {**message, "id": names["webhook-id"]}


def test_the_signature_is_that_of_the_specification() -> None:
    """The example of Standard Webhooks and its libraries."""
    headers = make_headers(
        "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}', SecretStr(SECRET)
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.fixture
def receiver() -> Receiver:
    return Receiver(500, 204)


@pytest.fixture
def client(
    settings: Settings, tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TestClient]:
    monkeypatch.setattr(webhook_sender, "POLL_S", 0.05)
    monkeypatch.setattr("agent_server.store.deliveries.RETRY_DELAYS_S", (0.1, 0.1))
    with serving(receiver.make_app) as url:
        file = make_file(
            tmp_path,
            f'[targets.ops]\nurl = "{url}/hook"\nsecret = "{SECRET}"\nprivate = true\n'
            f'[targets.silent]\nurl = "{url}/silent"\nsecret = "{SECRET}"\nprivate = true\n'
            f'[tasks]\nsecret = "{SECRET}"\n',
        )
        known = settings.model_copy(update={"api_key": KEY, "webhooks": file})
        headers = {"authorization": f"Bearer {KEY}"}
        with TestClient(create_app(known), headers=headers) as opened:
            yield opened


def wait_for(client: TestClient, task_id: str, state: str) -> dict[str, Any]:
    deadline = time.monotonic() + 20
    while True:
        entry: dict[str, Any]
        [entry] = client.get(f"/v1/tasks/{task_id}/webhooks").json()
        if entry["state"] == state:
            return entry
        assert time.monotonic() < deadline, entry
        time.sleep(0.05)


SHOP = {"gym": "shop", "template": "price", "seed": 3}


def test_a_target_is_told_until_it_has_heard_always_with_one_id(
    client: TestClient, receiver: Receiver
) -> None:
    task_id = client.post("/v1/tasks", json={**SHOP, "webhooks": ["ops"]}).json()["id"]
    assert wait_for(client, task_id, "waiting")["tries"] == 0
    early = client.post(f"/v1/tasks/{task_id}/webhooks/msg_{task_id}_0/send")
    assert early.status_code == 409
    client.post(f"/v1/tasks/{task_id}/cancel")
    entry = wait_for(client, task_id, "delivered")
    assert (entry["tries"], entry["status"], entry["error"]) == (2, 204, None)
    first, second = (verify(*request) for request in receiver.requests)
    assert first["id"] == second["id"] == entry["id"]
    assert (second["type"], second["data"]["id"]) == ("task.ended", task_id)
    assert second["data"]["status"] == "cancelled"
    client.post(f"/v1/tasks/{task_id}/webhooks/{entry['id']}/send")
    while len(receiver.requests) < 3:
        time.sleep(0.02)
    assert verify(*receiver.requests[2])["id"] == entry["id"]


def test_a_receiver_that_gives_no_answer_holds_up_no_other(
    client: TestClient, receiver: Receiver
) -> None:
    receiver.statuses = [204]
    silent = client.post("/v1/tasks", json={**SHOP, "webhooks": ["silent"]}).json()["id"]
    client.post(f"/v1/tasks/{silent}/cancel")
    while not receiver.silent_requests:
        time.sleep(0.02)
    heard = client.post("/v1/tasks", json={**SHOP, "webhooks": ["ops"]}).json()["id"]
    client.post(f"/v1/tasks/{heard}/cancel")
    wait_for(client, heard, "delivered")
    [entry] = client.get(f"/v1/tasks/{silent}/webhooks").json()
    assert (entry["state"], entry["error"]) == ("due", None), "it still waits for its answer"


def test_what_fails_by_surprise_is_a_try_and_is_given_up(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(_: Any) -> bytes:
        raise RuntimeError("a state that cannot be told")

    monkeypatch.setattr(webhook_sender, "make_body", break_down)
    task_id = client.post("/v1/tasks", json={**SHOP, "webhooks": ["ops"]}).json()["id"]
    client.post(f"/v1/tasks/{task_id}/cancel")
    entry = wait_for(client, task_id, "failed")
    assert (entry["tries"], entry["error"]) == (3, "it cannot be sent: RuntimeError")


def test_an_idempotency_key_is_for_the_same_webhooks(client: TestClient) -> None:
    key = {"idempotency-key": "order-7"}
    assert client.post("/v1/tasks", json=SHOP, headers=key).status_code == 201
    other = client.post("/v1/tasks", json={**SHOP, "webhooks": ["ops"]}, headers=key)
    assert other.status_code == 409
    assert client.post("/v1/tasks", json=SHOP, headers=key).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/",
        "https://localhost/",
        "https://169.254.169.254/",
        "https://[::1]/",
        "http://hooks.example/",
        "file:///etc/passwd",
        "nobody",
        "https://user:pw@hooks.example/",
        "https://a b.example/",
        "https:///x",
        "https://hooks.example:99999/",
        "https://hooks.example:0/",
        "https://[::1",
    ],
)
def test_an_address_that_a_task_may_not_bring_is_refused(client: TestClient, address: str) -> None:
    reply = client.post("/v1/tasks", json={**SHOP, "webhooks": [address]})
    assert reply.status_code == 422
    assert "webhooks" in reply.json()["detail"]


async def test_a_name_that_leads_into_this_network_is_not_connected_to() -> None:
    receiver = Receiver(204)
    with serving(receiver.make_app) as url:
        target = Target(url=url, secret=SecretStr(SECRET))
        async with aiohttp.ClientSession(connector=public_connector()) as link:
            status, error = await webhook_sender._post(link, target, "msg_1", b"{}")
    assert (status, receiver.requests) == (None, [])
    assert error is not None
    assert "cannot be told" in error


async def test_a_redirection_is_a_failure() -> None:
    receiver = Receiver(302)
    with serving(receiver.make_app) as url:
        target = Target(url=f"{url}/hook?token=hunter-22", secret=SecretStr(SECRET))
        async with aiohttp.ClientSession() as link:
            status, error = await webhook_sender._post(link, target, "msg_1", b"{}")
    assert (status, len(receiver.requests)) == (302, 1)
    assert error is not None
    assert "hunter" not in error
