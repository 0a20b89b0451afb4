"""A new run's policy is published before anything else, and a resumed one is the checkpoint's."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from agent_server.policy.manifest import read_manifest, read_prompt_format
from agent_server.stack.local_stack import RunBusy
from tests.trainer.tiny_run import CONFIG
from trainer.chat_format import prompt_format
from trainer.checkpoints import BadCheckpoint, save_checkpoint
from trainer.config import TrainConfig
from trainer.config_file import load_config
from trainer.initial_policy import InitialPolicy, prepare_policy
from trainer.model import ModelConfig
from trainer.publish import publish_version
from trainer.run_file import RunFile
from trainer.samples import text_sample
from trainer.task_set import resolve_tasks
from trainer.tiny_models import make_tiny_model
from trainer.tokenizer import encode_prompt, load_tokenizer

TINY = TrainConfig.model_validate(
    {**CONFIG, "env": {"tasks": ["shop/price"]}, "model": {**CONFIG["model"], "vocab_size": 600}}
)


def prepare(run_dir: Path, resume: bool = False) -> InitialPolicy:
    return prepare_policy(TINY, resolve_tasks(TINY), run_dir, resume)


def test_a_new_run_begins_with_version_0_and_its_configuration_on_disk(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    policy = prepare(run_dir)
    policy.learner.close()
    assert (policy.version, policy.state) == (0, None)
    assert read_manifest(policy.folder).phase == "start"
    assert load_config(run_dir / "config.toml") == TINY
    assert RunFile.read(run_dir).status == "running"
    with pytest.raises(RunBusy, match="holds a run already; continue it with --resume"):
        prepare(run_dir)
    with pytest.raises(BadCheckpoint, match="no checkpoint to resume from"):
        prepare(run_dir, resume=True)

    state = policy.learner.state_dict()
    state["master"] += 1e-6  # less than bf16 can hold: the checkpoint's fp32 counts
    save_checkpoint(run_dir, 1, {"version": 0, "learner": state})
    resumed = prepare(run_dir, resume=True)
    resumed.learner.close()
    assert torch.equal(resumed.learner.backend.weights.master_P, state["master"])
    assert len(resumed.tokenizer) == len(policy.tokenizer)


@pytest.mark.parametrize("family", ["qwen3", "qwen3-tied"])
def test_a_run_can_begin_with_a_model_and_its_own_tokenizer(family: str, tmp_path: Path) -> None:
    folder, run_dir = tmp_path / "model", tmp_path / "run"
    make_tiny_model(family, folder)
    config = TINY.model_copy(update={"model": ModelConfig(path=str(folder), max_model_len=512)})
    policy = prepare_policy(config, resolve_tasks(config), run_dir, resume=False)
    policy.learner.close()
    assert read_manifest(policy.folder).max_model_len == 512
    own = load_tokenizer(folder)
    assert policy.tokenizer.get_vocab() == own.get_vocab()
    assert read_prompt_format(policy.folder).prefix == prompt_format(own).prefix
    weights = [load_file(place / "model.safetensors") for place in (folder, policy.folder)]
    name = "model.embed_tokens.weight"
    assert torch.equal(weights[0][name], weights[1][name])

    save_checkpoint(run_dir, 1, {"version": 0, "learner": policy.learner.state_dict()})
    resumed = prepare_policy(config, resolve_tasks(config), run_dir, resume=True)
    resumed.learner.close()
    assert type(resumed.learner.backend) is type(policy.learner.backend)
    assert encode_prompt(resumed.tokenizer, "click Cart") == encode_prompt(own, "click Cart")


def test_a_run_that_trains_an_adapter_is_resumed_from_it(tmp_path: Path) -> None:
    learner = {"threads": 1, "lora": {"rank": 4}}
    config = TrainConfig.model_validate(TINY.model_dump() | {"learner": learner})
    tasks = resolve_tasks(config)
    policy = prepare_policy(config, tasks, tmp_path, resume=False)
    assert read_manifest(policy.folder).base is None, "version 0 is the model itself"
    sample = text_sample(encode_prompt(policy.tokenizer, "look"), [5, 6, 7])
    policy.learner.step([sample], lr=1e-2)
    adapter = publish_version(
        policy.folder.parent,
        version=1,
        parent=0,
        phase="test",
        learner=policy.learner,
        tokenizer=policy.tokenizer,
        samples=[sample],
        base=policy.folder,
    )
    expected = policy.learner.logprobs([sample])
    save_checkpoint(tmp_path, 1, {"version": 1, "learner": policy.learner.state_dict()})
    resumed = prepare_policy(config, tasks, tmp_path, resume=True)
    assert (resumed.folder, resumed.version) == (adapter, 1)
    assert resumed.learner.logprobs([sample]) == expected
    assert resumed.learner.base_logprobs([sample]) != expected
    for each in (policy, resumed):
        each.learner.close()
