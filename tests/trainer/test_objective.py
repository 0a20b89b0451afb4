"""The loss of a phase, and what cannot be combined."""

from __future__ import annotations

from trainer.algorithms.gspo import Gspo
from trainer.algorithms.rloo import Rloo
from trainer.loss_config import LossConfig
from trainer.objective import phase_loss, why_impossible


def test_an_algorithm_without_terms_leaves_the_users_loss() -> None:
    loss = LossConfig(eps_low=0.1)
    assert phase_loss(loss, Rloo()) == loss
    assert why_impossible(loss, "rloo", Rloo()) == ""


def test_a_setting_that_an_algorithm_fixes_is_refused_unless_it_agrees() -> None:
    assert why_impossible(LossConfig(ratio="sequence"), "gspo", Gspo()) == ""
    reason = why_impossible(LossConfig(aggregation="task"), "gspo", Gspo())
    assert "learner.loss.aggregation = 'task' has no effect" in reason
    assert reason.endswith("leave it, or choose another algorithm")


def test_single_tokens_cannot_be_clipped_by_covariance_where_answers_are() -> None:
    reason = why_impossible(LossConfig(covariance="hold"), "gspo", Gspo())
    assert "use ratio = 'token' or covariance = 'none'" in reason
    assert why_impossible(LossConfig(covariance="hold"), "rloo", Rloo()) == ""
