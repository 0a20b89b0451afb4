"""The decoder refuses configs that it would compute wrongly; its values are tested by the learner's
tests against transformers' model."""

from __future__ import annotations

import pytest
import torch

from tests.trainer.tiny_policy import SHAPE, VOCAB, make_policy, make_samples
from trainer.decoder import Shape, forward, target_log_softmax
from trainer.decoder_backend import FlatWeights
from trainer.packing import pack


def test_the_shape_is_the_configs() -> None:
    shape = Shape.from_config(make_policy().config)
    assert (shape.vocab, shape.hidden, shape.layers) == (VOCAB, SHAPE.hidden, SHAPE.layers)
    assert (shape.heads, shape.kv_heads, shape.head_dim) == (2, 1, 64)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tie_word_embeddings", True),
        ("attention_bias", True),
        ("hidden_act", "gelu"),
        ("use_sliding_window", True),
        ("rope_parameters", {"rope_type": "yarn", "rope_theta": 1e4}),
    ],
)
def test_a_config_that_would_be_computed_wrongly_is_refused(key: str, value: object) -> None:
    config = make_policy().config
    setattr(config, key, value)
    with pytest.raises(ValueError, match=f"whose config has {key}="):
        Shape.from_config(config)


def test_only_tail_rows_come_out_and_only_targets_reach_the_head() -> None:
    model = make_policy()
    shape = Shape.from_config(model.config)
    weights = FlatWeights(shape, torch.float32, torch.device("cpu"))
    weights.load_hf(model.state_dict())
    (batch,) = pack(make_samples(count=4), 4096)
    views = weights.compute_views
    with torch.no_grad():
        hidden = forward(shape, views, batch, views["embed"][batch.ids_T])
        logs = target_log_softmax(hidden, views["head"], batch, 1.0)
        warm = target_log_softmax(hidden, views["head"], batch, 2.0)
    assert hidden.shape == (len(batch.tail_rows_R), shape.hidden)
    assert len(batch.tail_rows_R) < len(batch.ids_T)
    assert logs.shape == (len(batch.targets_N), VOCAB)
    torch.testing.assert_close(logs.exp().sum(-1), torch.ones(len(batch.targets_N)))
    torch.testing.assert_close(warm, (logs / 2).log_softmax(-1))
