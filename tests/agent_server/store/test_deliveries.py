from __future__ import annotations

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.store.deliveries import AT_ONCE_EACH, CLAIM_S, RETRY_DELAYS_S
from agent_server.store.store import Store
from agent_server.store.tables import Delivery, Episode
from envs.contract.outcomes import EpisodeFault, InvalidReason, Status
from tests.agent_server.store.hand_clock import Clock

LOST = EpisodeResult.invalid(EpisodeFault(InvalidReason.RESET, "it broke"))
DONE = EpisodeResult(Status.UNJUDGED)


def create(store: Store, *targets: str) -> None:
    store.deliveries.create("e1", targets)
    store.episodes.create([Episode(id="e1", run_id="run", purpose="api", task={"id": "t"})])


def end(store: Store, episode_id: str, result: EpisodeResult) -> None:
    store.episodes.lease(episode_id, "w")
    assert store.episodes.finish(episode_id, "w", result)


def claim(store: Store) -> list[Delivery]:
    store.deliveries.release_ended()
    return store.deliveries.claim_due(10)


def test_nobody_is_told_before_the_last_attempt_has_ended(store: Store) -> None:
    create(store, "ops", "https://a.example/")
    assert claim(store) == []
    end(store, "e1", LOST)
    assert claim(store) == [], "a retry follows"
    retry_id = store.episodes.retry("e1")
    assert retry_id is not None
    end(store, retry_id, DONE)
    assert [(row.target, row.tries) for row in claim(store)] == [
        ("ops", 1),
        ("https://a.example/", 1),
    ]


def test_one_sender_has_a_delivery_until_its_time_is_over(store: Store, clock: Clock) -> None:
    create(store, "ops")
    end(store, "e1", DONE)
    [row] = claim(store)
    assert claim(store) == []
    clock.pass_s(CLAIM_S + 1)
    [again] = claim(store)
    assert (again.id, again.tries) == (row.id, 2)
    store.deliveries.finish(row, 200, None)  # the slow sender's answer is not the second's
    assert store.deliveries.of_task("e1")[0].state == "due"
    store.deliveries.finish(again, 200, None)
    assert store.deliveries.of_task("e1")[0].state == "delivered"


def test_a_target_that_answers_slowly_takes_up_no_sender_alone(store: Store) -> None:
    for number in range(AT_ONCE_EACH + 3):
        task_id = f"e{number}"
        store.deliveries.create(task_id, ("slow",))
        store.episodes.create([Episode(id=task_id, run_id="run", purpose="api", task={"id": "t"})])
        end(store, task_id, DONE)
    store.deliveries.create("e99", ("ops",))
    store.episodes.create([Episode(id="e99", run_id="run", purpose="api", task={"id": "t"})])
    end(store, "e99", DONE)
    store.deliveries.release_ended()
    first = [row.target for row in store.deliveries.claim_due(64)]
    assert sorted(first) == ["ops", *["slow"] * AT_ONCE_EACH]
    assert store.deliveries.claim_due(64, ["slow"] * AT_ONCE_EACH) == []
    assert len(store.deliveries.claim_due(64, ["slow"] * (AT_ONCE_EACH - 1))) == 1


def test_a_failure_is_tried_again_later_and_given_up_in_the_end(store: Store, clock: Clock) -> None:
    create(store, "ops")
    end(store, "e1", DONE)
    for delay_s in RETRY_DELAYS_S:
        [row] = claim(store)
        store.deliveries.finish(row, 500, "answered 500")
        clock.pass_s(delay_s - 1)
        assert claim(store) == []
        clock.pass_s(2)
    [row] = claim(store)
    store.deliveries.finish(row, None, "gave no answer")
    [kept] = store.deliveries.of_task("e1")
    assert (kept.state, kept.tries) == ("failed", len(RETRY_DELAYS_S) + 1)
    assert kept.error == "gave no answer"
    assert store.deliveries.send_again(kept.id)
    assert [row.tries for row in claim(store)] == [1]


def test_a_delivery_is_stored_once(store: Store) -> None:
    create(store, "ops")
    store.deliveries.create("e1", ("ops",))
    store.deliveries.create("e1", ())
    assert [row.id for row in store.deliveries.of_task("e1")] == ["msg_e1_0"]
    assert not store.deliveries.send_again("msg_e1_0"), "its task has not ended"
