"""The transformers backend against the decoder of our own, and what only it can train."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    GPT2Config,
    PreTrainedModel,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from tests.trainer.tiny_policy import EXACT, VOCAB, make_policy, make_samples, open_learner
from tests.trainer.tiny_run import tiny_tokenizer
from trainer.learner import Learner, LearnerConfig
from trainer.publish import publish_version
from trainer.samples import Sample
from trainer.transformers_backend import load_language_model

HF = EXACT.model_copy(update={"backend": "transformers"})


@contextmanager
def open_transformers(
    model: PreTrainedModel | Path | None = None, config: LearnerConfig = HF
) -> Iterator[Learner]:
    learner = Learner(make_policy() if model is None else model, config)
    try:
        yield learner
    finally:
        learner.close()


def make_tied(seed: int = 0, **changes: Any) -> Qwen3ForCausalLM:
    """The tiny policy with one matrix for embedding and head."""
    values = {**make_policy().config.to_dict(), "tie_word_embeddings": True, **changes}
    torch.manual_seed(seed)
    return Qwen3ForCausalLM(Qwen3Config.from_dict(values)).float()


def every_stream(seed: int = 0) -> list[Sample]:
    return [dataclasses.replace(sample, ref_kl=0.1, prompt_ce=0.3) for sample in make_samples(seed)]


def gradients(learner: Learner) -> dict[str, torch.Tensor]:
    backend: Any = learner.backend
    return backend.weights.hf_views(backend.optimizer.gradient_P)


def assert_golden(own: dict[str, torch.Tensor], oracle: dict[str, torch.Tensor]) -> None:
    assert own.keys() == oracle.keys()
    for name, expected in oracle.items():
        scale = expected.abs().max()
        torch.testing.assert_close(own[name] / scale, expected / scale, rtol=0, atol=1e-5, msg=name)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"share_prompts": False},
        {"checkpoint_activations": True},
        {"micro_tokens": 64, "threads": 3},
        {"loss": EXACT.loss.model_copy(update={"entropy_weight": 0.01})},
    ],
    ids=["plain", "unshared", "checkpointed", "split", "entropy"],
)
def test_losses_and_gradients_are_those_of_the_decoder(changes: dict[str, Any]) -> None:
    shared = {name: value for name, value in changes.items() if name != "checkpoint_activations"}
    with (
        open_learner(EXACT.model_copy(update=shared)) as oracle,
        open_transformers(config=HF.model_copy(update=changes)) as learner,
    ):
        for each in (oracle, learner):
            each.snapshot_reference()
        expected, figures = oracle.step(every_stream()), learner.step(every_stream())
        for name, value in expected.items():
            if not name.endswith(("seconds", "tokens_per_s")):
                assert figures[name] == pytest.approx(value, rel=1e-5, abs=1e-5), name
        assert_golden(gradients(learner), gradients(oracle))
        expected, figures = oracle.step(every_stream(1)), learner.step(every_stream(1))
        assert figures["loss/ref_kl"] == pytest.approx(expected["loss/ref_kl"], rel=1e-3)
        assert figures["loss/ref_kl"] > 0


def test_sampled_tokens_are_scored_at_the_samplers_temperature() -> None:
    warm = {"temperature": 0.7}
    with (
        open_learner(EXACT.model_copy(update=warm)) as oracle,
        open_transformers(config=HF.model_copy(update=warm)) as learner,
    ):
        for each in (oracle, learner):
            each.snapshot_reference()
        oracle.step(every_stream())
        learner.step(every_stream())
        assert_golden(gradients(learner), gradients(oracle))


def test_a_tied_matrix_gets_the_gradients_of_embedding_and_head() -> None:
    tied = make_tied()
    untied = make_policy()
    untied.load_state_dict({name: value.clone() for name, value in tied.state_dict().items()})
    with open_learner() as oracle, open_transformers(tied) as learner:
        backend: Any = oracle.backend
        backend.weights.load_hf(untied.state_dict())
        expected, figures = oracle.step(make_samples()), learner.step(make_samples())
        assert figures["loss/total"] == pytest.approx(expected["loss/total"], rel=1e-5)
        # The norm before clipping differs, so gradients are compared before it.
        own, theirs = gradients(learner), gradients(oracle)
        own_scale = min(1.0, 1.0 / (figures["grad_norm"] + 1e-6))
        oracle_scale = min(1.0, 1.0 / (expected["grad_norm"] + 1e-6))
        summed = theirs["model.embed_tokens.weight"] + theirs.pop("lm_head.weight")
        theirs["model.embed_tokens.weight"] = summed
        assert_golden(
            {name: grad / own_scale for name, grad in own.items()},
            {name: grad / oracle_scale for name, grad in theirs.items()},
        )


def test_packing_by_positions_gives_the_same_as_by_blocks() -> None:
    # A window longer than any sample changes nothing but the way in which the row is packed.
    windowed = {"use_sliding_window": True, "sliding_window": 4096, "max_window_layers": 1}
    with (
        open_transformers(make_tied(layer_types=None, **windowed)) as positions,
        open_transformers(make_tied()) as blocks,
    ):
        backends: list[Any] = [positions.backend, blocks.backend]
        assert [backend.shares_prompts for backend in backends] == [False, True]
        for learner in (positions, blocks):
            learner.step(make_samples())
        assert_golden(gradients(positions), gradients(blocks))


def test_bf16_computes_with_a_copy_and_learns_in_fp32() -> None:
    fast = HF.model_copy(update={"dtype": "bfloat16"})
    samples = [dataclasses.replace(sample, ce=1.0, rl=0.0) for sample in make_samples()]
    with open_transformers() as exact, open_transformers(config=fast) as learner:
        pairs = zip(exact.logprobs(samples), learner.logprobs(samples), strict=True)
        gaps = [abs(a - b) for left, right in pairs for a, b in zip(left, right, strict=True)]
        assert 0 < sum(gaps) / len(gaps) < 0.03
        losses = [learner.step(samples, lr=1e-3)["loss/ce"] for _ in range(3)]
        assert losses[-1] < losses[0]
        backend: Any = learner.backend
        assert backend.weights.master_P.dtype == torch.float32
        assert backend.weights.module.lm_head.weight.dtype == torch.bfloat16


def test_a_resumed_learner_goes_on_bit_for_bit() -> None:
    config = HF.model_copy(update={"minibatches": 3, "threads": 2, "micro_tokens": 64})
    with (
        open_transformers(make_tied(), config) as steady,
        open_transformers(make_tied(5), config) as resumed,
    ):
        steady.snapshot_reference()
        steady.step(every_stream(1))
        resumed.load_state_dict(steady.state_dict())
        for learner in (steady, resumed):
            learner.step(every_stream(2))
        states: list[Any] = [steady.state_dict(), resumed.state_dict()]
        assert torch.equal(states[0]["master"], states[1]["master"])
        assert torch.equal(states[0]["reference"], states[1]["reference"])
        with (
            open_transformers() as other,
            pytest.raises(ValueError, match="checkpoint is of a model of shape"),
        ):
            other.load_state_dict(steady.state_dict())


def test_a_published_tied_model_has_a_head_of_its_own_and_is_tied_again(tmp_path: Path) -> None:
    with open_transformers(make_tied()) as learner:
        learner.step(make_samples())
        folder = publish_version(
            tmp_path,
            version=1,
            parent=None,
            phase="test",
            learner=learner,
            tokenizer=tiny_tokenizer(),
            samples=make_samples(count=2),
        )
        state = learner.state_dict()
        expected = learner.logprobs(make_samples())
    weights = load_file(folder / "model.safetensors")
    assert torch.equal(weights["lm_head.weight"], weights["model.embed_tokens.weight"])
    served = AutoConfig.from_pretrained(folder)
    assert (served.tie_word_embeddings, served.architectures) == (False, ["Qwen3ForCausalLM"])
    model = load_language_model(folder)
    assert model.get_input_embeddings().weight is model.get_output_embeddings().weight
    with open_transformers(folder) as resumed:
        resumed.load_state_dict(state)
        assert resumed.logprobs(make_samples()) == expected


@pytest.mark.parametrize("family", ["llama", "qwen2", "glm4"])
def test_other_families_are_trained_as_their_own_forward_computes(family: str) -> None:
    config = AutoConfig.for_model(
        family,
        vocab_size=VOCAB,
        hidden_size=64,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=32,
        pad_token_id=0,
        tie_word_embeddings=False,
    )
    with open_transformers(AutoModelForCausalLM.from_config(config)) as learner:
        samples = [dataclasses.replace(sample, ce=1.0, rl=0.0) for sample in make_samples()]
        losses = [learner.step(samples, lr=1e-3)["loss/ce"] for _ in range(3)]
    assert losses[-1] < losses[0]


def test_a_model_that_would_be_computed_wrongly_is_refused() -> None:
    config = AutoConfig.for_model(
        "cohere",
        vocab_size=VOCAB,
        hidden_size=64,
        intermediate_size=96,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        logit_scale=0.5,
    )
    model = AutoModelForCausalLM.from_config(config)
    torch.nn.init.normal_(model.get_output_embeddings().weight)
    with pytest.raises(ValueError, match=r"CohereForCausalLM wrongly.*more than a product"):
        Learner(model, HF)


def test_dropout_is_off() -> None:
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=VOCAB, n_embd=64, n_layer=1, n_head=2, resid_pdrop=0.5)
    model = AutoModelForCausalLM.from_config(config)
    checkpointed = HF.model_copy(update={"checkpoint_activations": True})
    with open_transformers(model, checkpointed) as learner:
        assert learner.logprobs(make_samples()) == learner.logprobs(make_samples())
