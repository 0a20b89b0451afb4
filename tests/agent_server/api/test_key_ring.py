"""Named keys at the real application: scopes, limits, expiry and revocation, and the log."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.api.key_ring import MAX_REFUSED, REFRESH_S, Allowance, KeyRing
from agent_server.settings import Settings
from agent_server.store.store import Store

OPERATOR_KEY = "test-key"
TASK = {"gym": "shop", "template": "price", "seed": 3, "policy": "oracle"}


class Time:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def known(settings: Settings) -> Settings:
    return settings.model_copy(update={"api_key": OPERATOR_KEY})


@pytest.fixture
def client(known: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(known)) as opened:
        yield opened


def make_key(known: Settings, name: str, **more: object) -> dict[str, str]:
    """Headers with a new key."""
    with Store.open(known) as store:
        return {"x-api-key": store.keys.create(name, **more)}  # type: ignore[arg-type]


def test_a_key_does_what_its_scope_says(client: TestClient, known: Settings) -> None:
    reader = make_key(known, "reader", scope="read")
    runner = make_key(known, "runner", scope="run")
    assert client.get("/v1/tasks", headers=reader).status_code == 200
    refused = client.post("/v1/tasks", json=TASK, headers=reader)
    assert refused.status_code == 403
    assert refused.json()["detail"] == "the key reader may only read"
    created = client.post("/v1/tasks", json=TASK, headers=runner)
    assert created.status_code == 201
    cancelled = client.delete(f"/v1/tasks/{created.json()['id']}", headers=reader)
    assert cancelled.status_code in (403, 405)


@pytest.mark.parametrize("sent", ["", "dhk_", "dhk_wrong", "dhk_\u00e4", "wrong"])
def test_what_is_no_key_opens_nothing(client: TestClient, known: Settings, sent: str) -> None:
    make_key(known, "ci", scope="run")
    headers = {"x-api-key": sent.encode()}
    assert client.get("/v1/tasks", headers=headers).status_code == 401


def test_a_limit_of_requests_is_said(client: TestClient, known: Settings) -> None:
    headers = make_key(known, "slow", scope="read", per_minute=2)
    statuses = [client.get("/v1/tasks", headers=headers).status_code for _ in range(3)]
    assert statuses[:2] == [200, 200]
    assert statuses[2] == 429


def test_an_allowance_fills_evenly() -> None:
    allowance = Allowance(60, 60.0, 0.0)
    assert all(allowance.take(0.0) for _ in range(60))
    assert not allowance.take(0.5)
    assert allowance.take(1.5)
    assert not allowance.take(1.5)


async def test_a_revoked_key_ends_after_the_next_refresh(known: Settings) -> None:
    time = Time()
    with Store.open(known) as store:
        ring = KeyRing(store.keys, OPERATOR_KEY, time)
        key = store.keys.create("ci", "run")
        found_key = await ring.find(key)
        assert found_key is not None
        store.keys.revoke("ci")
        time.now_s += REFRESH_S + 0.1
        assert await ring.find(key) is None


def test_what_changes_something_is_in_the_log_and_so_is_what_was_refused(
    client: TestClient, known: Settings
) -> None:
    runner = make_key(known, "runner", scope="run")
    client.post("/v1/tasks", json=TASK, headers=runner)
    client.get("/v1/tasks", headers=runner)
    client.post("/v1/tasks", json=TASK, headers={"x-api-key": OPERATOR_KEY})
    client.post("/v1/tasks", json=TASK)
    ring: KeyRing = client.app.state.deskhand.keys  # type: ignore[attr-defined]
    ring.write()
    with Store.open(known) as store:
        entries = store.keys.list_entries(10)
    assert [(entry.key, entry.method, entry.status) for entry in reversed(entries)] == [
        ("runner", "POST", 201),
        ("operator", "POST", 201),
        ("", "POST", 401),
    ]


def test_a_flood_without_a_key_does_not_fill_the_log(known: Settings) -> None:
    with Store.open(known) as store:
        ring = KeyRing(store.keys, OPERATOR_KEY)
        for _ in range(10 * MAX_REFUSED):
            ring.note("", "127.0.0.1", "GET", "/", 401)
        ring.note("ci", "127.0.0.1", "POST", "/v1/tasks", 201)
        ring.write()
        entries = store.keys.list_entries(1000)
    assert len(entries) == MAX_REFUSED + 1
    assert entries[0].key == "ci"
