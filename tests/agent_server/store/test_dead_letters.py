"""What infrastructure lost for good is listed, and run once more on request."""

from __future__ import annotations

from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run
from envs.contract.outcomes import InvalidReason, Status
from tests.agent_server.store.test_queries import SOLVED, finish, invalid


def add(store: Store, key: str, run_id: str = "api") -> None:
    store.episodes.create([Episode(id=key, run_id=run_id, purpose="api", task={})])


def list_dead(store: Store, **more: object) -> list[str]:
    page = store.episodes.page(dead_only=True, **more)  # type: ignore[arg-type]
    return [row.root_id for row in page.episodes]


def fill(store: Store) -> None:
    store.runs.create(Run(id="api", kind="serve"))
    for key in ("solved", "retried", "denied", "stale", "cancelled"):
        add(store, key)
    finish(store, "solved", SOLVED)
    finish(store, "retried", invalid(InvalidReason.RESET))
    finish(store, "denied", invalid(InvalidReason.POLICY_DENIED))
    finish(store, "stale", invalid(InvalidReason.STALE))
    finish(store, "cancelled", invalid(InvalidReason.STALE))
    store.episodes.cancel(["cancelled"])


def test_only_what_nothing_retries_is_a_dead_letter(store: Store) -> None:
    fill(store)
    assert sorted(list_dead(store)) == ["denied", "stale"]
    assert list_dead(store, reason=InvalidReason.STALE) == ["stale"]
    assert list_dead(store, run_id="other") == []


def test_an_episode_becomes_one_when_its_retries_are_used_up(store: Store) -> None:
    store.runs.create(Run(id="api", kind="serve"))
    add(store, "e")
    for attempt in ("e", "e.2"):
        assert list_dead(store) == []
        finish(store, attempt, invalid(InvalidReason.EVALUATOR_ERROR))
        store.episodes.retry(attempt)
    assert list_dead(store) == ["e"]


def test_it_runs_once_more_and_no_second_request_changes_that(store: Store) -> None:
    fill(store)
    assert store.episodes.requeue(["denied", "solved", "retried", "cancelled", "none"]) == [
        "denied.2"
    ]
    assert store.episodes.requeue(["denied"]) == []
    assert list_dead(store) == ["stale"]
    newest = store.episodes.latest("denied")
    assert newest is not None
    assert (newest.id, newest.status, newest.attempt) == ("denied.2", Status.QUEUED, 2)
    finish(store, "denied.2", invalid(InvalidReason.POLICY_DENIED))
    assert sorted(list_dead(store)) == ["denied", "stale"]
    assert store.episodes.requeue(["denied.2"]) == ["denied.3"]


def test_a_dead_letter_of_a_run_that_has_ended_is_listed_and_left(store: Store) -> None:
    store.runs.create(Run(id="old", kind="eval", status="finished"))
    add(store, "e", "old")
    finish(store, "e", invalid(InvalidReason.RESET))
    assert list_dead(store) == ["e"]
    assert store.episodes.requeue(["e"]) == []


def test_pages_of_dead_letters_follow_each_other(store: Store) -> None:
    store.runs.create(Run(id="api", kind="serve"))
    keys = [f"e{number}" for number in range(5)]
    for key in keys:
        add(store, key)
        finish(store, key, invalid(InvalidReason.UNRUNNABLE))
    first = store.episodes.page(dead_only=True, limit=3)
    second = store.episodes.page(dead_only=True, limit=3, cursor=first.next_cursor)
    assert [row.root_id for row in (*first.episodes, *second.episodes)] == keys[::-1]
    assert second.next_cursor is None
