"""What a child inherits of the environment."""

from __future__ import annotations

import pytest

from envs.io.child_process import inherited_environment


def test_only_listed_variables_are_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "OPENAI_API_KEY", "DESKHAND_API_KEY", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "x")
    environment = inherited_environment()
    assert {"PATH", "LC_ALL"} <= set(environment)
    assert not [name for name in environment if "KEY" in name or "TOKEN" in name]


def test_more_is_inherited_by_name_or_by_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("A_KEY", "CUDA_HOME", "CUDA_VISIBLE_DEVICES"):
        monkeypatch.setenv(name, "x")
    environment = inherited_environment("A_KEY", kinds=("CUDA_",))
    assert {"A_KEY", "CUDA_HOME", "CUDA_VISIBLE_DEVICES"} <= set(environment)
