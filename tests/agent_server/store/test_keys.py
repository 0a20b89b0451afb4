"""Keys are made, found by what they hash to, replaced and ended; the log keeps what was done."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from agent_server.store import keys
from agent_server.store.keys import KEEP_ENTRIES, KeyRefused, digest_of
from agent_server.store.store import Store
from tests.agent_server.store.hand_clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(database_url: str, clock: Clock) -> Iterator[Store]:
    with Store(database_url, clock=clock) as opened:
        yield opened


def test_the_database_holds_no_key(store: Store) -> None:
    key = store.keys.create("ci", "run")
    (row,) = store.keys.list_valid()
    assert (row.name, row.digest, row.scope) == ("ci", digest_of(key), "run")
    assert key not in repr(row)


def test_a_rotated_key_is_replaced_and_a_revoked_one_ends(store: Store) -> None:
    first = store.keys.create("ci", "run")
    second = store.keys.rotate("ci")
    assert [row.digest for row in store.keys.list_valid()] == [digest_of(second)]
    assert first != second
    store.keys.revoke("ci")
    assert store.keys.list_valid() == []
    assert [row.name for row in store.keys.list_all()] == ["ci"]
    with pytest.raises(KeyRefused, match="no key ci that holds"):
        store.keys.rotate("ci")


def test_a_key_expires(store: Store, clock: Clock) -> None:
    store.keys.create("ci", "read", days=1)
    assert len(store.keys.list_valid()) == 1
    clock.pass_s(86_401)
    assert store.keys.list_valid() == []


@pytest.mark.parametrize(("name", "says"), [("ci", "already"), ("C I", "is no name"), ("", "name")])
def test_a_name_is_new_and_plain(store: Store, name: str, says: str) -> None:
    store.keys.create("ci", "run")
    with pytest.raises(KeyRefused, match=says):
        store.keys.create(name, "run")


def test_the_log_gives_the_newest_first_and_drops_the_old(store: Store, clock: Clock) -> None:
    def entry(path: str, age: timedelta, key: str = "ci") -> dict[str, object]:
        fields = {"key": key, "client": "127.0.0.1", "method": "POST", "status": 201}
        return {"at": clock.now - age, "path": path, **fields}

    store.keys.record([entry("/old", KEEP_ENTRIES * 2), entry("/1", timedelta())])
    store.keys.record([entry("/2", timedelta()), entry("/3", timedelta(), "other")])
    assert [row.path for row in store.keys.list_entries(10)] == ["/3", "/2", "/1"]
    assert [row.path for row in store.keys.list_entries(1, "ci")] == ["/2"]


def test_refusals_are_bounded_whatever_their_age(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "KEEP_REFUSED", 10)

    def entry(path: str, status: int) -> dict[str, object]:
        fields = {"key": "", "client": "127.0.0.1", "method": "POST"}
        return {"at": clock.now, "path": path, "status": status, **fields}

    refusals = [entry(f"/{number}", 401) for number in range(50)]
    store.keys.record([entry("/kept", 201), *refusals])
    paths = [row.path for row in store.keys.list_entries(100)]
    assert paths == [*(f"/{number}" for number in reversed(range(40, 50))), "/kept"]
