"""One answer counts, the first; after the time none does; a retry takes over what waits."""

from __future__ import annotations

from typing import Any

import pytest

from agent_server.store.approvals import MAX_INPUTS, ApprovalStatus
from agent_server.store.store import Store
from agent_server.store.tables import Approval
from tests.agent_server.store.hand_clock import Clock


def make_question(episode: str = "e1", mark: str = "m", **more: Any) -> Approval:
    now = Clock().now
    fields = {"step": 0, "summary": "click Pay", "wait_s": 60.0, "picture": b"\xff\xd8"} | more
    return Approval(
        id="",
        root_id="e1",
        episode_id=episode,
        fingerprint=mark,
        reasons=[{"rule": "pay", "why": "it would press 'Pay'"}],
        actions=[{"type": "wait", "ms": 1}],
        created_at=now,
        expires_at=now,
        **fields,
    )


def test_the_first_answer_counts(store: Store) -> None:
    row = store.approvals.ask(make_question())
    assert row.status == ApprovalStatus.WAITING
    assert store.approvals.answer(row.id, ApprovalStatus.REFUSED, "no", "ann")
    assert not store.approvals.answer(row.id, ApprovalStatus.APPROVED, "yes", "bob")
    seen = store.approvals.look(row.id)
    assert (seen.status, seen.words, seen.decided_by) == ("refused", "no", "ann")


def test_after_the_time_no_answer_counts(store: Store, clock: Clock) -> None:
    row = store.approvals.ask(make_question())
    assert [waiting.id for waiting in store.approvals.list_open()] == [row.id]
    clock.pass_s(61)
    assert store.approvals.list_open() == []
    assert not store.approvals.answer(row.id, ApprovalStatus.APPROVED)
    assert store.approvals.look(row.id).status == ApprovalStatus.EXPIRED


def test_an_answer_is_acted_on_once_and_by_its_owner_only(store: Store) -> None:
    row = store.approvals.ask(make_question())
    store.approvals.answer(row.id, ApprovalStatus.APPROVED)
    assert not store.approvals.use(row.id, "e1.2")
    assert store.approvals.use(row.id, "e1")
    assert not store.approvals.use(row.id, "e1")


@pytest.mark.parametrize("answer", [None, ApprovalStatus.APPROVED, ApprovalStatus.REFUSED])
def test_a_retry_takes_over_what_waits_or_was_answered(
    store: Store, answer: ApprovalStatus | None
) -> None:
    row = store.approvals.ask(make_question())
    if answer is not None:
        store.approvals.answer(row.id, answer)
    again = store.approvals.ask(make_question("e1.2"))
    assert (again.id, again.episode_id) == (row.id, "e1.2")
    assert again.status == (answer or ApprovalStatus.WAITING)


def test_a_retry_asks_anew_after_an_answer_was_acted_on(store: Store) -> None:
    row = store.approvals.ask(make_question())
    store.approvals.answer(row.id, ApprovalStatus.APPROVED)
    store.approvals.use(row.id, "e1")
    assert store.approvals.ask(make_question("e1.2")).id != row.id


def test_what_a_retry_does_not_come_to_is_withdrawn(store: Store) -> None:
    row = store.approvals.ask(make_question())
    other = store.approvals.ask(make_question("e1.2", mark="another page"))
    assert other.id != row.id
    assert store.approvals.look(row.id).status == ApprovalStatus.WITHDRAWN
    assert store.approvals.open_of(["e1", "e9"])["e1"].id == other.id


def test_inputs_are_taken_only_while_a_person_has_control(store: Store, clock: Clock) -> None:
    row = store.approvals.ask(make_question())
    key = {"type": "key", "keys": ["enter"]}
    assert not store.approvals.add_inputs(row.id, [key])
    assert store.approvals.answer(row.id, ApprovalStatus.TAKEN)
    assert store.approvals.add_inputs(row.id, [key])
    assert store.approvals.add_inputs(row.id, [key, key])
    assert not store.approvals.add_inputs(row.id, [key] * MAX_INPUTS)
    assert len(store.approvals.look(row.id).inputs) == 3
    clock.pass_s(3600)
    assert store.approvals.look(row.id).status == ApprovalStatus.RETURNED
    assert not store.approvals.add_inputs(row.id, [key])


def test_a_new_picture_has_a_new_number(store: Store) -> None:
    row = store.approvals.ask(make_question())
    assert store.approvals.picture("e1", row.id) == b"\xff\xd8"
    store.approvals.show(row.id, b"new", 2)
    seen = store.approvals.look(row.id)
    assert (seen.picture_number, seen.inputs_done) == (1, 2)
    assert store.approvals.picture("e1", row.id) == b"new"
    assert store.approvals.picture("e2", row.id) is None


def test_the_end_of_a_task_withdraws(store: Store) -> None:
    row = store.approvals.ask(make_question())
    store.approvals.withdraw("e1")
    assert not store.approvals.answer(row.id, ApprovalStatus.APPROVED)
    assert [entry.status for entry in store.approvals.of_task("e1")] == ["withdrawn"]
