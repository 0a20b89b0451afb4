"""A row is shown without its picture and its inputs; answers are of four words."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from agent_server.api.approval_models import ApprovalAnswer, ApprovalState, PersonActions
from agent_server.store.tables import Approval, utcnow


def test_a_state_shows_the_question_and_counts_the_inputs() -> None:
    row = Approval(
        id="a1", root_id="e1", episode_id="e1.2", step=3, fingerprint="m", summary="click Pay",
        reasons=[{"rule": "pay", "why": "x"}], actions=[{"type": "click"}], inputs=[{}, {}],
        created_at=utcnow(), expires_at=utcnow(), picture=b"secret",
    )  # fmt: skip
    state = ApprovalState.of(row)
    assert (state.task_id, state.inputs, state.status) == ("e1", 2, "waiting")
    assert "secret" not in state.model_dump_json()


def test_only_four_words_are_answers() -> None:
    assert ApprovalAnswer(answer="take").words == ""
    for body in ({"answer": "maybe"}, {"answer": "refuse", "words": "x" * 5000}):
        with pytest.raises(ValidationError):
            ApprovalAnswer.model_validate(body)
    with pytest.raises(ValidationError):
        PersonActions(actions=[])
