"""The stack that `deskhand serve` starts, as its options describe it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_server.cli.serve_command import make_config
from agent_server.policy.envelope import EnvelopeError
from agent_server.stack.local_stack import StackConfig
from tests.agent_server.policy.test_envelope import ENVELOPE


def config_of(run_dir: Path, **options: Any) -> StackConfig:
    plain = {
        "desktops": 0, "desktop_provider": "box", "desktop_image": "", "screen": None, "agents": (),
        "endpoint": None, "secrets": None, "profile_keys": None, "envelope": None,
        "webhooks": None, "sessions": 8, "drain_s": 0.0, "policy_dir": None,
    }  # fmt: skip
    return make_config(run_dir=run_dir, **plain | options)


def test_workers_are_told_the_envelope_of_the_served_model(tmp_path: Path) -> None:
    file = tmp_path / "envelope.json"
    file.write_text(ENVELOPE.model_dump_json())
    config = config_of(tmp_path, envelope=file, policy_dir=tmp_path)
    assert config.extra["envelope"] == file
    assert config_of(tmp_path).extra["envelope"] is None


def test_an_envelope_wants_a_model_and_a_file_that_is_one(tmp_path: Path) -> None:
    file = tmp_path / "envelope.json"
    file.write_text("{}")
    with pytest.raises(EnvelopeError, match="--model"):
        config_of(tmp_path, envelope=file)
    with pytest.raises(EnvelopeError, match="is no envelope"):
        config_of(tmp_path, envelope=file, policy_dir=tmp_path)
