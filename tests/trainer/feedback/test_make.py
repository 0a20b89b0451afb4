"""The writer that a configuration names needs its model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trainer.tiny_run import open_context
from trainer.feedback.make import make_writer

ENDPOINT = {"base_url": "http://127.0.0.1:1/v1", "model": "m"}


@pytest.mark.parametrize(
    ("feedback", "words"),
    [
        ({"retries": 1, "writer": "policy"}, "policy server"),
        ({"retries": 1, "writer": "endpoint", "endpoint": ENDPOINT}, "endpoint"),
    ],
)
def test_a_model_that_was_not_opened_is_an_error(
    tmp_path: Path, feedback: dict[str, object], words: str
) -> None:
    with (
        open_context(tmp_path / "run", feedback=feedback) as context,
        pytest.raises(RuntimeError, match=words),
    ):
        make_writer(context)


@pytest.mark.parametrize("retries", [0, 1])
def test_rules_need_no_model(tmp_path: Path, retries: int) -> None:
    feedback = {"retries": retries, "writer": "rules"}
    with open_context(tmp_path / "run", feedback=feedback) as context:
        assert make_writer(context).asks is None
