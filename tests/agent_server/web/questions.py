"""Questions that wait for a person, as a worker asks them, for tests of the console."""

from __future__ import annotations

import base64

from agent_server.settings import Settings
from agent_server.store.approvals import ApprovalStatus
from agent_server.store.store import Store
from agent_server.store.tables import Approval, utcnow
from envs.contract.observations import Screenshot


def ask(
    settings: Settings, task_id: str, picture: Screenshot, status: ApprovalStatus | None = None
) -> str:
    """The question's id; answered with `status`."""
    row = Approval(
        id="",
        root_id=task_id,
        episode_id=task_id,
        step=1,
        fingerprint=f"{task_id} {status}",
        reasons=[
            {"rule": "pay", "why": "it would press 'Pay now'"},
            {"rule": "injection", "why": "'DE44500105175407324931' comes from a text on the page"},
        ],
        actions=[{"type": "click"}],
        summary="click Pay now",
        url="http://shop.test/a/long/address/that/has/no/place?q=1",
        wait_s=3600,
        created_at=utcnow(),
        expires_at=utcnow(),
        picture=base64.b64decode(picture.data),
    )
    with Store.open(settings) as store:
        approval_id = store.approvals.ask(row).id
        if status is not None:
            assert store.approvals.answer(approval_id, status, by="operator")
    return approval_id
