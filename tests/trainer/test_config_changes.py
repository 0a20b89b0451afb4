"""Differences of configurations are named by full keys."""

from __future__ import annotations

from trainer.config import TrainConfig
from trainer.config_changes import changed_keys, describe_changes


def test_changes_are_named_by_full_keys_with_both_values() -> None:
    before = TrainConfig()
    now = TrainConfig.model_validate(
        {"seed": 4, "reinforce": {"lr": 1e-4}, "phase": {"imitate": {"updates": 2}}}
    )
    assert changed_keys(before, before) == {}
    changes = changed_keys(before, now)
    assert changes == {
        "seed": (0, 4),
        "reinforce.lr": (3e-4, 1e-4),
        "phase": ({}, {"imitate": {"updates": 2}}),
    }
    assert describe_changes(changes).startswith("seed (0 then, 4 now), reinforce.lr (0.0003 then, ")


def test_a_section_in_place_of_none_is_a_change_of_its_key() -> None:
    now = TrainConfig.model_validate({"reinforce": {"until": {"on": "entropy", "below": 0.1}}})
    assert list(changed_keys(TrainConfig(), now)) == ["reinforce.until"]
