"""What is measured of steps is measured with the prompts that the policy read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trainer.seeing_run import make_seeing_step, open_seeing_context
from trainer.algorithms.table import make_algorithm
from trainer.phases.measures import measure_steps
from trainer.phases.plays import Play
from trainer.samples import ce_sample


def test_log_probabilities_are_those_beside_the_pictures_of_the_prompt(tmp_path: Path) -> None:
    with open_seeing_context(tmp_path) as context:
        step = make_seeing_step(context)
        context.learner.snapshot_reference()
        plays = [[Play((step,), 1.0, success=True)]]
        (((extras,),),) = measure_steps(context, plays, make_algorithm("dpo", {}))
        (logprobs,) = context.learner.logprobs([ce_sample(step)])
    assert extras.policy_logprob == pytest.approx(sum(logprobs))
    assert extras.reference_logprob == pytest.approx(extras.policy_logprob)


@pytest.mark.parametrize("algorithm", ["reinforce", "digirl"])
def test_a_critic_reads_states_beside_the_pictures(tmp_path: Path, algorithm: str) -> None:
    with open_seeing_context(tmp_path) as context:
        plays = [[Play((make_seeing_step(context),), 1.0, success=True)]]
        (((extras,),),) = measure_steps(context, plays, make_algorithm(algorithm, {}))
        assert context.critic is not None
    assert (extras.value, extras.task_value) == (0.5, 0.5)
