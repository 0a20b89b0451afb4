from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.store.pages import BadCursor
from agent_server.store.queries import FinishedCursor
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Group
from envs.contract.outcomes import EndReason, EpisodeFault, InvalidReason, Status
from envs.contract.session import Verdict
from envs.contract.task import SPLIT_BASES
from tests.agent_server.store.hand_clock import Clock

SOLVED = EpisodeResult(Status.SCORED, EndReason.DONE, verdict=Verdict(score=1.0), steps=3)
TRUNCATED = EpisodeResult(Status.TRUNCATED, EndReason.STEP_LIMIT, verdict=Verdict(score=0.5))
CANCELLED = EpisodeResult(Status.CANCELLED)


def invalid(reason: InvalidReason) -> EpisodeResult:
    return EpisodeResult.invalid(EpisodeFault(reason, "for a test"))


def add(store: Store, episode_id: str = "e1", **fields: object) -> str:
    row = Episode(id=episode_id, run_id="run", purpose="train", task={"id": "t"}, **fields)
    return store.episodes.create([row])[0]


def test_a_lease_makes_the_episode_running_for_its_owner_alone(store: Store, clock: Clock) -> None:
    add(store)
    row = store.episodes.lease("e1", "worker-a")
    assert row is not None
    assert row.status is Status.RUNNING
    assert row.lease_owner == "worker-a"
    assert row.lease_expires_at == clock.now + timedelta(seconds=20)
    assert row.root_id == "e1"
    assert store.episodes.lease("e1", "worker-b") is None


def test_many_workers_that_want_one_episode_get_it_once(store: Store) -> None:
    add(store)
    got: list[str] = []
    barrier = threading.Barrier(4)

    def want(owner: str) -> None:
        barrier.wait(timeout=10)
        if store.episodes.lease("e1", owner) is not None:
            got.append(owner)

    threads = [threading.Thread(target=want, args=(f"w{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert len(got) == 1


def test_an_episode_is_not_leased_before_its_time(store: Store, clock: Clock) -> None:
    add(store, not_before=clock.now + timedelta(seconds=5))
    assert store.episodes.lease("e1", "w") is None
    clock.pass_s(5)
    assert store.episodes.lease("e1", "w") is not None


def test_unknown_episodes_are_not_leased(store: Store) -> None:
    assert store.episodes.lease("nobody", "w") is None


def test_finish_keeps_what_the_runner_measured(store: Store, clock: Clock) -> None:
    add(store)
    store.episodes.lease("e1", "w")
    result = EpisodeResult(
        Status.SCORED,
        EndReason.DONE,
        verdict=Verdict(score=0.25, milestones={"found": True}, details={"why": "half"}),
        answer="42 €",
        steps=7,
        version_min=3,
        version_max=4,
        timings={"total_s": 1.5},
    )
    assert store.episodes.finish("e1", "w", result)
    row = store.episodes.get("e1")
    assert row is not None
    assert (row.status, row.reason, row.score, row.success) == (Status.SCORED, "done", 0.25, False)
    assert row.verdict["milestones"] == {"found": True}
    assert (row.answer, row.steps, row.version_min, row.version_max) == ("42 €", 7, 3, 4)
    assert row.timings == {"total_s": 1.5}
    assert row.finished_at == clock.now


def test_a_worker_that_lost_its_lease_changes_nothing(store: Store, clock: Clock) -> None:
    add(store)
    store.episodes.lease("e1", "slow")
    clock.pass_s(21)
    assert store.episodes.expire_leases() == ["e1"]
    assert not store.episodes.finish("e1", "slow", SOLVED)
    row = store.episodes.get("e1")
    assert row is not None
    assert (row.status, row.reason, row.score) == (Status.INVALID, "worker_lost", None)


def test_an_episode_finishes_once(store: Store) -> None:
    add(store)
    store.episodes.lease("e1", "w")
    assert store.episodes.finish("e1", "w", SOLVED)
    assert not store.episodes.finish("e1", "w", TRUNCATED)
    assert not store.episodes.finish("e1", "other", TRUNCATED)


def test_renewal_keeps_leases_and_tells_which_are_lost_or_cancelled(
    store: Store, clock: Clock
) -> None:
    for episode_id in ("mine", "wanted-back", "theirs", "done"):
        add(store, episode_id)
        store.episodes.lease(episode_id, "them" if episode_id == "theirs" else "me")
    store.episodes.finish("done", "me", SOLVED)
    store.episodes.cancel(["wanted-back"])
    clock.pass_s(15)
    renewal = store.episodes.renew(["mine", "wanted-back", "theirs", "done"], "me")
    assert renewal.kept == {"mine", "wanted-back"}
    assert renewal.cancelled == {"wanted-back"}
    clock.pass_s(15)
    assert store.episodes.expire_leases() == ["theirs"]


def test_retry_is_a_new_row_that_names_the_old_one(store: Store) -> None:
    add(store, group_id="g", slot=3, phase="reinforce", policy="oracle")
    store.episodes.lease("e1", "w")
    store.episodes.finish("e1", "w", invalid(InvalidReason.HOST_LOST))
    assert store.episodes.retry("e1") == "e1.2"
    row = store.episodes.get("e1.2")
    assert row is not None
    assert (row.status, row.attempt, row.retry_of, row.root_id) == (Status.QUEUED, 2, "e1", "e1")
    assert (row.group_id, row.slot, row.phase, row.policy) == ("g", 3, "reinforce", "oracle")
    assert (row.reason, row.lease_owner, row.finished_at, row.steps) == (None, None, None, 0)
    assert store.episodes.retry("e1") is None, "one failure is retried once"


def test_retries_end_where_the_rule_says(store: Store) -> None:
    """evaluator_error: one retry; so two attempts in all."""
    episode_id: str | None = add(store)
    attempts = 0
    while episode_id is not None:
        attempts += 1
        store.episodes.lease(episode_id, "w")
        store.episodes.finish(episode_id, "w", invalid(InvalidReason.EVALUATOR_ERROR))
        episode_id = store.episodes.retry(episode_id)
    assert attempts == 2


def test_stale_scored_and_cancelled_episodes_are_not_retried(store: Store) -> None:
    results = {"s": invalid(InvalidReason.STALE), "ok": SOLVED, "c": CANCELLED}
    for episode_id, result in results.items():
        add(store, episode_id)
        store.episodes.lease(episode_id, "w")
        assert store.episodes.finish(episode_id, "w", result)
        assert store.episodes.retry(episode_id) is None


def test_a_retry_waits_for_the_delay_of_its_class(store: Store, clock: Clock) -> None:
    """policy_error: 5 s; worker_lost: at once."""
    for episode_id, reason in (("p", InvalidReason.POLICY_ERROR), ("w", InvalidReason.WORKER_LOST)):
        add(store, episode_id)
        store.episodes.lease(episode_id, "w")
        store.episodes.finish(episode_id, "w", invalid(reason))
    assert store.episodes.retry_due() == ["w.2"]
    clock.pass_s(4.9)
    assert store.episodes.retry_due() == []
    clock.pass_s(0.1)
    assert store.episodes.retry_due() == ["p.2"]
    assert store.episodes.retry_due() == []


def test_reapers_at_once_retry_once(store: Store) -> None:
    ids = [add(store, f"e{n}") for n in range(20)]
    for episode_id in ids:
        store.episodes.lease(episode_id, "w")
        store.episodes.finish(episode_id, "w", invalid(InvalidReason.WORKER_LOST))
    made: list[str] = []
    threads = [
        threading.Thread(target=lambda: made.extend(store.episodes.retry_due())) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert sorted(made) == sorted(f"{episode_id}.2" for episode_id in ids)
    assert store.episodes.accounting("run").dispatched == 40


def test_runs_that_are_over_get_no_retries(store: Store) -> None:
    add(store)
    store.episodes.lease("e1", "w")
    store.episodes.finish("e1", "w", invalid(InvalidReason.WORKER_LOST))
    store.runs.set_status("run", "interrupted")
    assert store.episodes.retry("e1") is None
    assert store.episodes.retry_due() == []
    store.runs.set_status("run", "running")
    assert store.episodes.retry("e1") == "e1.2"


def test_cancel_ends_a_queued_episode_and_asks_a_running_one(store: Store, clock: Clock) -> None:
    add(store, "queued")
    add(store, "running")
    store.episodes.lease("running", "w")
    assert store.episodes.cancel(["queued", "running", "nobody"]) == 1
    queued, running = store.episodes.get("queued"), store.episodes.get("running")
    assert queued is not None
    assert running is not None
    assert queued.status is Status.CANCELLED
    assert queued.finished_at is not None
    assert (running.status, running.cancel_requested) == (Status.RUNNING, True)
    assert store.episodes.lease("queued", "w") is None


def test_cancelling_an_episode_stops_its_retries_too(store: Store) -> None:
    for episode_id in ("before", "after"):
        add(store, episode_id)
        store.episodes.lease(episode_id, "w")
        store.episodes.finish(episode_id, "w", invalid(InvalidReason.WORKER_LOST))
    assert store.episodes.retry("after") == "after.2"
    assert store.episodes.cancel(["before", "after"]) == 1
    assert store.episodes.retry("before") is None
    latest = store.episodes.latest("after")
    assert latest is not None
    assert (latest.id, latest.status) == ("after.2", Status.CANCELLED)


def test_a_run_is_cancelled_but_for_the_groups_that_are_kept(store: Store) -> None:
    for episode_id, group_id in [("kept", "g1"), ("other", "g2"), ("alone", None)]:
        add(store, episode_id, group_id=group_id)
    assert store.episodes.cancel_run("run", keep=["g1"]) == 2
    rows = store.episodes.get_many(["kept", "other", "alone"])
    assert [row.id for row in rows if row.status is Status.QUEUED] == ["kept"]


def test_a_cancelled_episode_whose_worker_dies_is_cancelled(store: Store, clock: Clock) -> None:
    add(store)
    store.episodes.lease("e1", "w")
    store.episodes.cancel_run("run")
    clock.pass_s(21)
    store.episodes.expire_leases()
    row = store.episodes.get("e1")
    assert row is not None
    assert (row.status, row.reason) == (Status.CANCELLED, None)


def test_a_group_is_complete_when_every_slot_arrived_was_cancelled_or_lost(store: Store) -> None:
    store.episodes.create_groups(
        [Group(id="g", run_id="run", phase="p", template="t", seed=1, size=4)]
    )
    for slot in range(4):
        add(store, f"s{slot}", group_id="g", slot=slot)
        store.episodes.lease(f"s{slot}", "w")
    store.episodes.finish("s0", "w", SOLVED)
    store.episodes.finish("s1", "w", CANCELLED)
    store.episodes.finish("s2", "w", invalid(InvalidReason.STALE))
    store.episodes.finish("s3", "w", invalid(InvalidReason.WORKER_LOST))
    status = store.episodes.group_status("g")
    assert (status.arrived, status.cancelled, status.lost) == (("s0",), 1, 1)
    assert not status.complete, "slot 3 will be tried again"

    retried = store.episodes.retry("s3")
    assert retried is not None
    store.episodes.lease(retried, "w")
    store.episodes.finish(retried, "w", TRUNCATED)
    status = store.episodes.group_status("g")
    assert status.arrived == ("s0", "s3.2")
    assert status.complete


def test_groups_of_every_split_are_stored(store: Store) -> None:
    groups = [
        Group(id=split, run_id="run", phase="p", template="t", seed=base + 999_999_999, size=1)
        for split, base in SPLIT_BASES.items()
    ]
    store.episodes.create_groups(groups)
    assert store.episodes.group_status("dev").arrived == ()


def test_a_group_that_is_not_there_is_named(store: Store) -> None:
    with pytest.raises(KeyError, match="nothing"):
        store.episodes.group_status("nothing")


def test_accounting_by_hand(store: Store) -> None:
    for n, result in enumerate(
        [SOLVED, SOLVED, TRUNCATED, invalid(InvalidReason.RESET), CANCELLED, None]
    ):
        add(store, f"e{n}", phase="a" if n < 2 else "b")
        store.episodes.lease(f"e{n}", "w")
        if result is not None:
            store.episodes.finish(f"e{n}", "w", result)
    store.episodes.retry("e3")
    counts = store.episodes.accounting("run")
    assert (counts.dispatched, counts.scored, counts.truncated) == (7, 2, 1)
    assert (counts.invalid, counts.cancelled, counts.retried) == ({"reset": 1}, 1, 1)
    assert (counts.queued, counts.running, counts.is_balanced) == (1, 1, False)
    assert store.episodes.accounting("run", "a").dispatched == 2
    assert store.episodes.accounting("no such run").is_balanced


def test_finished_episodes_are_handed_out_once(store: Store, clock: Clock) -> None:
    for n in range(4):
        add(store, f"e{n}")
        store.episodes.lease(f"e{n}", "w")
    cursor = FinishedCursor()
    store.episodes.finish("e2", "w", SOLVED)
    assert [row.id for row in store.episodes.finished_since("run", cursor)] == ["e2"]
    assert store.episodes.finished_since("run", cursor) == []
    store.episodes.finish("e0", "w", SOLVED)
    clock.pass_s(60)
    store.episodes.renew(["e1"], "w")
    store.episodes.finish("e1", "w", TRUNCATED)
    assert [row.id for row in store.episodes.finished_since("run", cursor)] == ["e0", "e1"]
    assert store.episodes.finished_since("run", cursor) == []


def test_an_episode_that_commits_late_is_not_missed(store: Store, clock: Clock) -> None:
    """Its time of finish may lie before one that was already handed out."""
    for n in range(2):
        add(store, f"e{n}")
        store.episodes.lease(f"e{n}", "w")
    cursor = FinishedCursor()
    store.episodes.finish("e0", "w", SOLVED)
    store.episodes.finished_since("run", cursor)
    clock.pass_s(-3)
    store.episodes.finish("e1", "w", SOLVED)
    assert [row.id for row in store.episodes.finished_since("run", cursor)] == ["e1"]


def test_pages_show_every_episode_once_newest_first(store: Store) -> None:
    ids = [add(store, f"e{n}", phase="even" if n % 2 == 0 else "odd") for n in range(7)]
    seen: list[str] = []
    cursor = None
    while True:
        page = store.episodes.page(run_id="run", limit=3, cursor=cursor)
        seen += [row.id for row in page.episodes]
        if page.next_cursor is None:
            break
        cursor = page.next_cursor
        add(store, f"new-{len(seen)}")
    assert seen == ids[::-1]


def test_pages_filter(store: Store) -> None:
    add(store, "a", phase="x", group_id="g")
    add(store, "b", phase="y")
    store.episodes.lease("b", "w")

    def found(**wanted: object) -> list[str]:
        return [row.id for row in store.episodes.page(**wanted).episodes]  # type: ignore[arg-type]

    assert found(phase="x") == ["a"]
    assert found(group_id="g") == ["a"]
    assert found(status=[Status.RUNNING]) == ["b"]
    assert found(status=[Status.RUNNING, Status.QUEUED]) == ["b", "a"]
    assert found(run_id="other") == []
    assert found(purpose="train", phase="y") == ["b"]


@pytest.mark.parametrize("cursor", ["", "x", "é", "bm90IGEgY3Vyc29y", "MjAyNi0wMS0wMXw="])
def test_cursors_from_elsewhere_are_refused(store: Store, cursor: str) -> None:
    with pytest.raises(BadCursor):
        store.episodes.page(cursor=cursor)


def test_only_new_episodes_are_created(store: Store) -> None:
    with pytest.raises(ValueError, match="e9 is not new"):
        add(store, "e9", attempt=2)


def test_a_message_runs_what_has_priority_and_loses_nobody(store: Store) -> None:
    """Each message is the right to run one episode: the urgent one takes the first, and who lost it
    takes the urgent one's."""
    for name, priority in (("a", 0), ("b", 0), ("urgent", 5), ("more", 9)):
        row = Episode(id=name, run_id="run", purpose="api", task={}, priority=priority)
        store.episodes.create([row])
    leased = [store.episodes.lease_first(name, "w") for name in ("a", "b", "urgent", "more")]
    assert [row.id for row in leased if row] == ["more", "urgent", "a", "b"]
    assert store.episodes.lease_first("a", "w") is None


def test_episodes_of_other_runs_take_their_own_messages(store: Store) -> None:
    for name, priority in (("a", 0), ("urgent", 5)):
        row = Episode(id=name, run_id="run", purpose="train", task={}, priority=priority)
        store.episodes.create([row])
    leased = store.episodes.lease_first("a", "w")
    assert leased is not None
    assert leased.id == "a"
