"""The initial policy is reproducible, and starts with heads that look one token back."""

from __future__ import annotations

import pytest
import torch

from tests.trainer.tiny_policy import SHAPE, VOCAB, make_policy
from trainer.model import new_policy


def test_a_seed_gives_the_same_policy_and_leaves_torchs_generator_alone() -> None:
    torch.manual_seed(7)
    expected = torch.rand(1)
    torch.manual_seed(7)
    first, second = make_policy(3).state_dict(), make_policy(3).state_dict()
    assert torch.equal(torch.rand(1), expected)
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert not torch.equal(first["lm_head.weight"], make_policy(4).state_dict()["lm_head.weight"])


def test_the_first_layers_heads_attend_to_the_token_before() -> None:
    ids = torch.arange(4, 36)[None]
    model = new_policy(SHAPE.model_copy(update={"heads": 4, "kv_heads": 2}), VOCAB, 0)
    model.set_attn_implementation("eager")
    with torch.no_grad():
        weights = model(ids, output_attentions=True).attentions[0][0]
    before = [weights[0, row].argmax().item() == row - 1 for row in range(1, 32)]
    assert sum(before) > 25, "query heads of the first key head"
    other = [weights[3, row].argmax().item() == row - 1 for row in range(1, 32)]
    assert sum(other) < 10


def test_key_heads_must_divide_query_heads() -> None:
    with pytest.raises(ValueError, match=r"kv_heads \(2\) must divide heads \(3\)"):
        new_policy(SHAPE.model_copy(update={"heads": 3, "kv_heads": 2}), VOCAB, 0)
