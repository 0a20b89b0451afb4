"""GSPO: GRPO's advantages, and a loss of whole answers."""

from __future__ import annotations

from tests.trainer.algorithms.groups import make_group
from trainer.algorithms.grpo import Grpo
from trainer.algorithms.gspo import Gspo
from trainer.loss_config import LossConfig
from trainer.objective import phase_loss


def test_advantages_are_those_of_grpo() -> None:
    group = make_group(("ab", 1.0), ("a", 0.0), ("a", 0.0))
    own, theirs = (kind.group_advantages(group) for kind in (Gspo(), Grpo()))
    assert [part.tolist() for part in own] == [part.tolist() for part in theirs]


def test_the_loss_is_of_answers_and_narrowly_clipped() -> None:
    loss = phase_loss(LossConfig(tis_cap=3.0), Gspo(eps_high=5e-4))
    assert (loss.ratio, loss.aggregation) == ("sequence", "step")
    assert (loss.eps_low, loss.eps_high) == (3e-4, 5e-4)
    assert loss.tis_cap == 3.0, "what the algorithm does not fix is the user's"
