"""A step on samples that were packed beforehand is the step on the samples."""

from __future__ import annotations

import pytest
import torch

from trainer.learner import Learner
from trainer.learner_config import LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.prepared_update import prepare_update
from trainer.samples import Sample

MODEL = ModelConfig(vocab_size=300, hidden=64, layers=2, heads=1, kv_heads=1, intermediate=64)
CONFIG = LearnerConfig(threads=2, dtype="float32", micro_tokens=64)
SAMPLES = [
    Sample((5, 6, 7, 8), (9, 10), ce=(0.0, 1.0), prompt_ce=0.1),
    Sample((5, 6, 7, 8), (11,), ce=1.0, prompt_ce=0.1),
    Sample((12, 13), (14, 15, 16), ce=1.0),
    Sample((12, 13), (14, 15, 16)),
]


def make_learner() -> Learner:
    return Learner(new_policy(MODEL, 300, 0), CONFIG)


def test_both_steps_give_the_same_weights_and_figures() -> None:
    plain, prepared = make_learner(), make_learner()
    figures = plain.step(SAMPLES, 1e-2)
    others = prepared.step_prepared(prepare_update(SAMPLES, CONFIG), 1e-2)
    assert torch.equal(plain.state_dict()["master"], prepared.state_dict()["master"])
    for name in ("nll_mean", "loss/total", "grad_norm", "tokens"):
        assert others[name] == pytest.approx(figures[name])
    plain.close()
    prepared.close()


def test_an_update_without_anything_to_learn_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        prepare_update(SAMPLES[3:], CONFIG)
    reinforced = Sample((1,), (2,), logprobs=(-1.0,), rl=1.0, advantage=1.0)
    with pytest.raises(ValueError, match="imitated"):
        prepare_update([reinforced], CONFIG)
