"""Named keys at the real application: scopes, limits, expiry and revocation, and the log."""

from __future__ import annotations

import asyncio
import string
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from starlette.types import Message

from agent_server.api.app import create_app
from agent_server.api.gate import ending_with_key
from agent_server.api.key_ring import MAX_REFUSED, REFRESH_S, Allowance, KeyRing
from agent_server.settings import Settings
from agent_server.store.quotas import Quota
from agent_server.store.store import Store
from agent_server.store.tables import ApiKey

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


@pytest.mark.parametrize("sent", ["/v1/a\n2026-11-24  201  operator", "/v1/\x1b[2J", "/v1/\x00"])
def test_a_line_of_the_log_cannot_be_forged(known: Settings, sent: str) -> None:
    with Store.open(known) as store:
        ring = KeyRing(store.keys, OPERATOR_KEY)
        ring.note("", "127.0.0.1", "X" * 5000, sent, 401)
        ring.write()
        entry = store.keys.list_entries(1)[0]
    assert set(entry.path) <= set(string.printable) - set(string.whitespace) - {"\x1b"}
    assert len(entry.method) == 16


def test_a_path_in_the_log_is_readable(known: Settings) -> None:
    with Store.open(known) as store:
        ring = KeyRing(store.keys, OPERATOR_KEY)
        ring.note("ci", "127.0.0.1", "POST", "/v1/tasks/t_1/cancel", 200)
        ring.write()
        assert store.keys.list_entries(1)[0].path == "/v1/tasks/t_1/cancel"


async def test_requests_at_once_read_the_keys_once(
    known: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(known) as store:
        reads: list[int] = []
        genuine = store.keys.list_valid
        monkeypatch.setattr(store.keys, "list_valid", lambda: (reads.append(1), genuine())[1])
        ring = KeyRing(store.keys, OPERATOR_KEY)
        await asyncio.gather(*(ring.find(f"dhk_{number}") for number in range(200)))
    assert len(reads) == 1


async def test_a_slow_answer_of_the_database_counts_from_when_it_was_asked(
    known: Settings,
) -> None:
    """Else a key that is revoked right after the reading holds longer than is said."""
    time = Time()
    with Store.open(known) as store:
        ring = KeyRing(store.keys, OPERATOR_KEY, time)
        key = store.keys.create("ci", "run")
        genuine = store.keys.list_valid

        def read_slowly() -> list[ApiKey]:
            keys = genuine()
            time.now_s += 1.5
            return keys

        store.keys.list_valid = read_slowly  # type: ignore[method-assign]
        assert await ring.find(key) is not None
        store.keys.revoke("ci")
        time.now_s += REFRESH_S - 1.4
        assert await ring.find(key) is None


def test_a_refusal_says_when_there_is_room_again() -> None:
    allowance = Allowance(2, 2.0, 0.0)
    assert [allowance.take(0.0) for _ in range(3)] == [True, True, False]
    assert allowance.wait_s() == 30
    assert allowance.take(30.0)


def test_sign_ins_and_forms_of_other_pages_are_in_the_log(
    client: TestClient, known: Settings
) -> None:
    client.post("/console/sign-in", data={"key": "wrong"})
    client.post("/console/sign-in", data={"key": OPERATOR_KEY}, follow_redirects=False)
    client.post("/console/new", headers={"origin": "http://evil.test"})
    ring: KeyRing = client.app.state.deskhand.keys  # type: ignore[attr-defined]
    ring.write()
    with Store.open(known) as store:
        entries = store.keys.list_entries(10)
    assert [(entry.path, entry.status) for entry in reversed(entries)] == [
        ("/console/sign-in", 403),
        ("/console/sign-in", 303),
        ("/console/new", 403),
    ]


async def test_an_answer_that_goes_on_ends_with_its_key(known: Settings) -> None:
    time = Time()
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    with Store.open(known) as store:
        ring = KeyRing(store.keys, OPERATOR_KEY, time)
        key = store.keys.create("reader", "read")
        stream = ending_with_key(ring, key, send)
        more = {"type": "http.response.body", "body": b"x", "more_body": True}
        await stream(more)
        store.keys.revoke("reader")
        await stream(more)
        time.now_s += REFRESH_S + 0.1
        for _ in range(3):
            await stream(more)
    assert [message["body"] for message in sent] == [b"x", b"x", b""]
    assert sent[-1]["more_body"] is False


def test_a_key_beyond_its_limits_is_told_what_to_do(client: TestClient, known: Settings) -> None:
    headers = make_key(known, "ci", scope="run", quota=Quota(in_flight=1))
    first = client.post("/v1/tasks", json=TASK, headers=headers)
    assert first.status_code == 201
    refused = client.post("/v1/tasks", json=TASK, headers=headers)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
    assert "wait until some have ended, or cancel some" in refused.json()["detail"]
    trials = {"gym": "shop", "templates": ["cheapest"], "episodes": 2, "policy": "oracle"}
    evaluation = client.post("/v1/evaluations", json=trials, headers=headers)
    assert evaluation.status_code == 429, evaluation.text
    operator = {"x-api-key": OPERATOR_KEY}
    assert client.post("/v1/tasks", json=TASK, headers=operator).status_code == 201
    client.post(f"/v1/tasks/{first.json()['id']}/cancel", headers=headers)
    assert client.post("/v1/tasks", json=TASK, headers=headers).status_code == 201
