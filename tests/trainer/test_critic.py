"""The critic learns outcomes from states, and says nothing before it has seen any."""

from __future__ import annotations

import pytest
import torch

from trainer.critic import Critic

GENERATOR = torch.Generator().manual_seed(0)
STATES = torch.randn(64, 8, generator=GENERATOR)
SUCCESSES = (STATES[:, 0] > STATES[:, 1]).tolist()


def errors(critic: Critic) -> list[float]:
    values = critic.values(STATES, "step")
    return [abs(value - success) for value, success in zip(values, SUCCESSES, strict=True)]


def test_values_begin_at_a_half() -> None:
    assert Critic(8).values(STATES[:3], "task") == [0.5, 0.5, 0.5]


def test_a_head_learns_which_states_succeed_and_the_other_does_not() -> None:
    critic = Critic(8)
    for _ in range(5):
        critic.learn(STATES, SUCCESSES, "step")
    assert sum(error < 0.5 for error in errors(critic)) >= 60
    assert critic.values(STATES[:1], "task") == [0.5]


def test_the_error_falls_with_every_batch() -> None:
    critic, before = Critic(8), 0.5
    for _ in range(5):
        critic.learn(STATES, SUCCESSES, "step")
        now = sum(errors(critic)) / len(STATES)
        assert now < before
        before = now


def test_alike_states_get_the_share_that_succeeds() -> None:
    critic = Critic(8)
    for _ in range(20):
        critic.learn(STATES[:1].expand(4, 8), [True, True, True, False], "task")
    assert critic.values(STATES[:1], "task") == pytest.approx([0.75], abs=0.01)


def test_no_episode_changes_nothing_and_a_resumed_critic_is_the_same() -> None:
    critic = Critic(8)
    critic.learn(STATES, SUCCESSES, "step")
    critic.learn(STATES[:0], [], "step")
    resumed = Critic.from_state(critic.state_dict())
    assert resumed.values(STATES, "step") == critic.values(STATES, "step")
    resumed.learn(STATES, SUCCESSES, "step")
    critic.learn(STATES, SUCCESSES, "step")
    assert resumed.values(STATES, "step") == critic.values(STATES, "step")
