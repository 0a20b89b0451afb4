"""What a person hands in is carried out once and in order, and the picture follows."""

from __future__ import annotations

from pathlib import Path

from agent_server.approvals.take_over import TakeOver
from agent_server.store.approvals import ApprovalStatus
from agent_server.store.store import Store
from agent_server.store.tables import Approval, utcnow
from envs.contract.actions import Click, Target
from tests.agent_server.toy_env import PIXEL, ToySession


async def test_inputs_are_carried_out_once(tmp_path: Path) -> None:
    session = ToySession()
    with Store(f"sqlite:///{tmp_path / 'test.db'}") as store:
        row = Approval(
            id="", root_id="e1", episode_id="e1", step=0, fingerprint="m", reasons=[], actions=[],
            summary="", wait_s=60, created_at=utcnow(), expires_at=utcnow(),
        )  # fmt: skip
        row = store.approvals.ask(row)
        store.approvals.answer(row.id, ApprovalStatus.TAKEN)
        click = Click(target=Target(ref=1))
        raw = click.model_dump(mode="json", exclude_none=True)
        store.approvals.add_inputs(row.id, [raw, {"type": "of another version"}, raw])
        take_over = TakeOver(session, store.approvals)
        for _ in range(3):
            await take_over.follow(store.approvals.look(row.id))
        assert take_over.actions == [click, click]
        assert session.count == 2
        seen = store.approvals.look(row.id)
        assert (seen.inputs_done, seen.picture_number) == (3, 1)
        assert store.approvals.picture("e1", row.id) == PIXEL
