"""What became of each member of a run's groups; what a run that is started again begins with."""

from __future__ import annotations

from datetime import timedelta

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.contract.outcomes import EndReason, EpisodeFault, InvalidReason, Status
from envs.contract.session import Verdict
from tests.agent_server.store.hand_clock import Clock

SOLVED = EpisodeResult(Status.SCORED, EndReason.DONE, verdict=Verdict(score=1.0), steps=3)


def add(store: Store, key: str, slot: int, group: str = "g") -> None:
    store.episodes.create(
        [Episode(id=key, run_id="run", purpose="eval", task={}, group_id=group, slot=slot)]
    )


def finish(store: Store, key: str, result: EpisodeResult) -> None:
    assert store.episodes.lease(key, "w") is not None
    assert store.episodes.finish(key, "w", result)


def invalid(reason: InvalidReason) -> EpisodeResult:
    return EpisodeResult.invalid(EpisodeFault(reason, "for a test"))


def states(store: Store) -> dict[int, tuple[str, str]]:
    members = store.episodes.members("run")
    return {slot: (member.state, member.episode_id) for (_, slot), member in members.items()}


def test_each_member_stands_as_its_newest_attempt_does(store: Store) -> None:
    for slot in range(6):
        add(store, f"e{slot}", slot)
    finish(store, "e0", SOLVED)
    assert store.episodes.lease("e1", "w") is not None
    finish(store, "e2", invalid(InvalidReason.STALE))
    finish(store, "e3", invalid(InvalidReason.RESET))
    store.episodes.cancel(["e4"])
    assert states(store) == {
        0: ("arrived", "e0"),
        1: ("open", "e1"),
        2: ("lost", "e2"),
        3: ("open", "e3"),
        4: ("cancelled", "e4"),
        5: ("open", "e5"),
    }
    assert store.episodes.retry("e3") == "e3.2"
    assert states(store)[3] == ("open", "e3.2")
    assert store.episodes.members("run")["g", 0].success is True


def test_a_verdict_counts_before_everything_that_was_asked_for_later(store: Store) -> None:
    add(store, "lost", 0)
    finish(store, "lost", invalid(InvalidReason.STALE))
    add(store, "again", 0)
    assert states(store) == {0: ("open", "again")}
    finish(store, "again", SOLVED)
    add(store, "late", 0)
    assert states(store) == {0: ("arrived", "again")}


def test_members_of_other_runs_and_of_no_group_are_not_there(store: Store) -> None:
    store.episodes.create(
        [
            Episode(id="a", run_id="other", purpose="eval", task={}, group_id="g"),
            Episode(id="b", run_id="run", purpose="eval", task={}),
        ]
    )
    assert store.episodes.members("run") == {}


def test_what_ran_before_a_restart_ends_at_once_and_only_that(store: Store, clock: Clock) -> None:
    for slot, key in enumerate(("kept", "cancelled", "running")):
        add(store, key, slot)
        assert store.episodes.lease(key, "dead") is not None
    store.episodes.cancel(["cancelled"])
    clock.now += timedelta(seconds=1)
    since = clock.now
    add(store, "new", 3)
    assert store.episodes.lease("new", "w") is not None
    assert store.episodes.finish("kept", "dead", SOLVED)
    assert sorted(store.episodes.end_running("run", since)) == ["cancelled", "running"]
    assert states(store) == {
        0: ("arrived", "kept"),
        1: ("cancelled", "cancelled"),
        2: ("open", "running"),
        3: ("open", "new"),
    }
    assert not store.episodes.finish("running", "dead", SOLVED), "too late to count"
    assert store.episodes.retry_due() == ["running.2"]


def test_a_retry_keeps_its_place_and_time_in_the_pages(store: Store) -> None:
    for slot in range(3):
        add(store, f"e{slot}", slot)
    first = store.episodes.get("e0")
    finish(store, "e0", invalid(InvalidReason.RESET))
    assert store.episodes.retry("e0") == "e0.2"
    ids: list[str] = []
    cursor = None
    for _ in range(3):
        page = store.episodes.page(run_id="run", limit=1, cursor=cursor, newest_only=True)
        ids += [row.id for row in page.episodes]
        cursor = page.next_cursor
    assert (ids, cursor) == (["e2", "e1", "e0.2"], None)
    latest = store.episodes.latest("e0")
    assert first is not None
    assert latest is not None
    assert latest.created_at == page.episodes[0].created_at == first.created_at


def dead_letters(store: Store) -> list[str]:
    return [row.id for row in store.episodes.page(dead_only=True).episodes]


def test_a_chain_without_a_retry_left_is_a_dead_letter_until_it_is_queued_again(
    store: Store,
) -> None:
    for slot in range(4):
        add(store, f"e{slot}", slot)
    finish(store, "e0", SOLVED)
    finish(store, "e1", invalid(InvalidReason.UNRUNNABLE))
    finish(store, "e2", invalid(InvalidReason.HOST_LOST))
    finish(store, "e3", invalid(InvalidReason.UNRUNNABLE))
    store.episodes.cancel(["e3"])
    assert [row.id for row in store.episodes.page(dead_only=True).episodes] == ["e1"], (
        "e2 has retries left"
    )
    assert store.episodes.requeue(["e1"]) == ["e1.2"]
    assert store.episodes.requeue(["e1"]) == [], "it is not the newest any more"
    assert store.episodes.requeue(["e0"]) == [], "it was not lost"
    assert store.episodes.requeue(["e3"]) == [], "it was cancelled"
    assert dead_letters(store) == []
    finish(store, "e1.2", SOLVED)
    assert states(store)[1] == ("arrived", "e1.2")
    store.runs.set_status("run", "finished")
    assert [row.id for row in store.episodes.page(dead_only=True).episodes] == ["e2"], (
        "nothing retries it now"
    )
    assert store.episodes.requeue(["e2"]) == [], "its run has ended"


def test_the_queue_says_what_waits_and_who_runs_what(store: Store) -> None:
    assert store.episodes.queue_state().oldest is None
    for slot in range(3):
        add(store, f"e{slot}", slot)
    assert store.episodes.lease("e0", "w1") is not None
    queue = store.episodes.queue_state()
    assert (queue.queued, queue.running) == (2, {"w1": 1})
    second = store.episodes.get("e1")
    assert second is not None
    assert queue.oldest == second.created_at
