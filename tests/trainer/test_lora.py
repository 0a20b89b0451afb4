"""Adapters: the gradient of their products, the files of peft, and what is merged again."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers import Qwen3ForCausalLM

from agent_server.policy.manifest import (
    BadVersion,
    model_folder,
    read_lora_rank,
    read_manifest,
    read_max_model_len,
)
from tests.trainer.tiny_policy import EXACT, make_policy, make_samples
from tests.trainer.tiny_run import tiny_tokenizer
from trainer.learner import Learner
from trainer.lora import LoraConfig, merge_adapter, merged_weights
from trainer.model_check import check_adapter
from trainer.publish import publish_version

LORA = LoraConfig(rank=4, alpha=8.0)
CONFIG = EXACT.model_copy(update={"lora": LORA})
Q_PROJ = "model.layers.0.self_attn.q_proj"


@pytest.fixture
def learner() -> Iterator[Learner]:
    made = Learner(rounded_policy(), CONFIG)
    yield made
    made.close()


def rounded_policy() -> Qwen3ForCausalLM:
    """As it is served: what is frozen is rounded to bf16."""
    policy = make_policy()
    for parameter in policy.parameters():
        parameter.data = parameter.data.to(torch.bfloat16).float()
    return policy


def stir(learner: Learner, size: float = 0.2) -> None:
    """Adapters as if trained for long."""
    backend: Any = learner.backend
    torch.manual_seed(1)
    backend.weights.master_P.add_(size * torch.randn_like(backend.weights.master_P))
    backend.weights.refresh()


def publish(learner: Learner, folder: Path, version: int, base: Path | None = None) -> Path:
    return publish_version(
        folder,
        version=version,
        parent=None,
        phase="test",
        learner=learner,
        tokenizer=tiny_tokenizer(),
        samples=make_samples(count=2),
        max_model_len=300,
        base=base,
    )


def test_an_adapter_begins_as_nothing_and_only_it_is_trained(learner: Learner) -> None:
    plain = Learner(rounded_policy(), EXACT)
    assert_close(learner.logprobs(make_samples()), plain.logprobs(make_samples()))
    frozen = {name: value.clone() for name, value in learner.export_bf16_state().items()}
    for name, value in plain.export_bf16_state().items():
        assert torch.equal(frozen[name], value), name
    plain.close()
    samples = [dataclasses.replace(sample, ce=1.0, rl=0.0) for sample in make_samples()]
    losses = [learner.step(samples, lr=1e-2)["loss/ce"] for _ in range(4)]
    assert losses[-1] < losses[0]
    assert learner.base_logprobs(samples) != learner.logprobs(samples)
    merged = learner.export_bf16_state()
    assert not torch.equal(merged[f"{Q_PROJ}.weight"], frozen[f"{Q_PROJ}.weight"])
    name = "model.embed_tokens.weight"
    assert torch.equal(merged[name], frozen[name])


def test_the_gradient_is_that_of_the_product() -> None:
    """With B = 0: dB = (alpha / rank) dW A^T, and dA = 0."""
    oracle = Learner(rounded_policy(), EXACT)
    learner = Learner(rounded_policy(), CONFIG)
    figures = [each.step(make_samples()) for each in (oracle, learner)]
    assert figures[0]["loss/total"] == pytest.approx(figures[1]["loss/total"], rel=1e-5)
    backends: list[Any] = [oracle.backend, learner.backend]
    whole, own = (each.weights.hf_views(each.optimizer.gradient_P) for each in backends)
    fresh = Learner(rounded_policy(), CONFIG)  # the step has changed the adapters
    a_matrix = backend_views(fresh)[f"{Q_PROJ}.lora_A"]
    expected = 2.0 * whole[f"{Q_PROJ}.weight"] @ a_matrix.T
    scale = expected.abs().max()
    torch.testing.assert_close(own[f"{Q_PROJ}.lora_B"] / scale, expected / scale, rtol=0, atol=1e-5)
    assert not own[f"{Q_PROJ}.lora_A"].any()
    for each in (oracle, learner, fresh):
        each.close()


def backend_views(learner: Learner) -> dict[str, torch.Tensor]:
    backend: Any = learner.backend
    views: dict[str, torch.Tensor] = backend.weights.views(backend.weights.master_P)
    return views


def test_merged_weights_compute_what_the_adapter_does(learner: Learner) -> None:
    stir(learner)
    model = rounded_policy()
    backend: Any = learner.backend
    model.load_state_dict(dict(merged_weights(backend.weights.module)))
    merged = Learner(model, EXACT)
    assert_close(learner.logprobs(make_samples()), merged.logprobs(make_samples()))
    merged.close()


def assert_close(first: list[tuple[float, ...]], second: list[tuple[float, ...]]) -> None:
    for own, expected in zip(first, second, strict=True):
        assert own == pytest.approx(expected, abs=1e-4)


def test_a_published_adapter_has_peft_s_files_and_names_its_base(
    learner: Learner, tmp_path: Path
) -> None:
    base = publish(learner, tmp_path, 0)
    stir(learner)
    folder = publish(learner, tmp_path, 1, base)
    assert not (folder / "model.safetensors").exists()
    settings = json.loads((folder / "adapter_config.json").read_bytes())
    assert (settings["peft_type"], settings["r"], settings["lora_alpha"]) == ("LORA", 4, 8.0)
    assert settings["target_modules"] == sorted(LORA.targets)
    tensors = load_file(folder / "adapter_model.safetensors")
    assert tensors[f"base_model.model.{Q_PROJ}.lora_A.weight"].shape == (4, 64)
    assert tensors[f"base_model.model.{Q_PROJ}.lora_B.weight"].shape == (128, 4)
    assert len(tensors) == 2 * 2 * len(LORA.targets), "of two layers"
    check_adapter(folder, base)

    manifest = read_manifest(folder)
    assert (model_folder(folder), read_lora_rank(folder), read_lora_rank(base)) == (base, 4, 0)
    assert (model_folder(base), read_max_model_len(folder)) == (base, 300)
    probe = manifest.probes[0]
    assert len(probe.base_logprobs) == len(probe.logprobs)
    assert probe.base_logprobs != probe.logprobs
    (tmp_path / "other").mkdir()
    publish(Learner(make_policy(3), CONFIG), tmp_path / "other", 0)
    (tmp_path / "other" / "v000000").rename(tmp_path / "kept")
    base.rename(tmp_path / "away")
    (tmp_path / "kept").rename(base)
    with pytest.raises(BadVersion, match="v000001 is an adapter of another base"):
        read_manifest(folder)


def test_an_adapter_is_merged_on_request(learner: Learner, tmp_path: Path) -> None:
    base = publish(learner, tmp_path, 0)
    stir(learner)
    adapter, merged = publish(learner, tmp_path, 1, base), publish(learner, tmp_path, 2)
    assert read_manifest(merged).base is None
    merge_adapter(adapter, base, tmp_path / "whole")
    places = (tmp_path / "whole", merged)
    own, expected = (load_file(place / "model.safetensors") for place in places)
    assert own.keys() == expected.keys()
    for name, value in expected.items():
        torch.testing.assert_close(own[name], value, rtol=0.02, atol=0.02)
    with pytest.raises(FileExistsError, match="has a model already"):
        merge_adapter(adapter, base, tmp_path / "whole")


def test_a_resumed_adapter_goes_on_bit_for_bit_from_the_published_base(
    learner: Learner, tmp_path: Path
) -> None:
    base = publish(learner, tmp_path, 0)
    samples = [dataclasses.replace(sample, ref_kl=0.1) for sample in make_samples()]
    learner.snapshot_reference()
    learner.step(samples)
    resumed = Learner(base, CONFIG)
    resumed.load_state_dict(learner.state_dict())
    for each in (learner, resumed):
        each.step(samples)
    states: list[Any] = [learner.state_dict(), resumed.state_dict()]
    resumed.close()
    assert torch.equal(states[0]["master"], states[1]["master"])
    assert states[0]["master"].numel() < 30_000, "a checkpoint holds the adapter alone"


def test_bf16_keeps_the_base_in_bf16_and_the_adapter_in_fp32() -> None:
    learner = Learner(rounded_policy(), CONFIG.model_copy(update={"dtype": "bfloat16"}))
    backend: Any = learner.backend
    dtypes = {parameter.dtype for parameter in backend.weights.module.parameters()}
    assert (dtypes, backend.weights.master_P.dtype) == ({torch.bfloat16}, torch.float32)
    samples = [dataclasses.replace(sample, ce=1.0, rl=0.0) for sample in make_samples()]
    losses = [learner.step(samples, lr=1e-2)["loss/ce"] for _ in range(4)]
    learner.close()
    assert losses[-1] < losses[0]


def test_layers_that_do_not_exist_and_a_backend_that_cannot_are_refused() -> None:
    nowhere = CONFIG.model_copy(update={"lora": LORA.model_copy(update={"targets": ("mixer",)})})
    with pytest.raises(ValueError, match="Qwen3ForCausalLM has none of the layers mixer"):
        Learner(make_policy(), nowhere)
    with pytest.raises(ValueError, match=r"learner\.backend=decoder trains all weights"):
        Learner(make_policy(), CONFIG.model_copy(update={"backend": "decoder"}))


@pytest.mark.ecosystem
def test_peft_itself_reads_a_published_adapter(learner: Learner, tmp_path: Path) -> None:
    from peft import PeftModel

    base = publish(learner, tmp_path, 0)
    stir(learner)
    adapter = publish(learner, tmp_path, 1, base)
    model: Any = Qwen3ForCausalLM.from_pretrained(base, dtype=torch.float32)
    probe = read_manifest(adapter).probes[0]
    ids = torch.tensor([probe.token_ids])

    def gap(model: Any) -> float:
        with torch.no_grad():
            logs_TV = torch.log_softmax(model(input_ids=ids).logits[0, :-1].float(), -1)
        logprobs = logs_TV.gather(1, ids[0, 1:, None])[:, 0]
        return float((logprobs - torch.tensor(probe.logprobs)).abs().mean())

    without = gap(model)
    # The published matrices are bf16, the learner's are not.
    assert gap(PeftModel.from_pretrained(model, adapter).eval()) < 0.01
    assert without > 0.1
