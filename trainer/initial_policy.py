"""The policy that a run serves first: untrained weights or a model's as version 0, or a
checkpoint's.

Guarantees: a run folder holds one run: a second one is refused; the configuration is on disk before
anything else, so that whatever was started can be resumed.
"""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transformers import PreTrainedModel, PreTrainedTokenizerFast

from agent_server.policy.manifest import MANIFEST, model_folder, read_manifest, version_folder
from agent_server.stack.local_stack import RunBusy, run_lock
from trainer.checkpoints import find_shards, load_checkpoint
from trainer.config import TrainConfig
from trainer.config_file import to_toml
from trainer.learner import Learner
from trainer.model import new_policy
from trainer.phases.text_episodes import open_source
from trainer.publish import publish_version
from trainer.run_file import RunFile
from trainer.samples import Picture, Sample, text_sample
from trainer.task_set import TaskSet
from trainer.tiny_models import TinySizes, make_tiny_model
from trainer.tokenizer import encode_answer, encode_prompt, load_tokenizer, train_tokenizer

CORPUS_SEEDS = 8
"""Seeds whose pages each gym gives for the tokenizer's training."""
CORPUS_PROBLEMS = 300
"""Problems in text of which it sees prompt and solution, where a run trains on some."""
PROBE_TEXT = 64
"""Tokens of each text of version 0's probe: it has to fit any model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InitialPolicy:
    """A learner with its published version; `state` is the checkpoint's, None for a new run."""

    learner: Learner
    tokenizer: PreTrainedTokenizerFast
    folder: Path
    version: int
    state: dict[str, Any] | None = None


def prepare_policy(
    config: TrainConfig, tasks: TaskSet, run_dir: Path, resume: bool
) -> InitialPolicy:
    """Makes a new run's policy, or restores one. Raises RunBusy where another process has the run
    folder or it holds a run already, BadCheckpoint where it cannot be resumed."""
    run_dir.mkdir(0o700, parents=True, exist_ok=True)
    with run_lock(run_dir):
        if resume:
            return _restore_policy(config, run_dir)
        try:
            with (run_dir / "config.toml").open("x") as file:
                file.write(to_toml(config))
        except FileExistsError as error:
            raise RunBusy(
                f"{run_dir} holds a run already; continue it with --resume {run_dir}, or give "
                "another --name"
            ) from error
        RunFile(run_dir.name, config.preset, config.seed, "running").write(run_dir)
        return _make_policy(config, tasks, run_dir)


def _restore_policy(config: TrainConfig, run_dir: Path) -> InitialPolicy:
    state = load_checkpoint(run_dir)
    version = int(state["version"])
    folder = version_folder(run_dir / "policy", version)
    # The published weights are bf16: they give the shape, the checkpoint the fp32 master. Of an
    # adapter they are the base's.
    learner = Learner(model_folder(folder), config.learner_config)
    learner.load_state_dict(state["learner"], find_shards(run_dir))
    return InitialPolicy(
        learner=learner,
        tokenizer=load_tokenizer(folder),
        folder=folder,
        version=version,
        state=state,
    )


def _published_probes(folder: Path) -> list[Sample]:
    """The probes of a version of ours: text that it was trained on. Of text that a policy thinks
    impossible two engines give logprobs that differ by more than those of two versions."""
    if not (folder / MANIFEST).is_file():
        return []
    return [
        text_sample(
            probe.token_ids[:-1],
            probe.token_ids[-1:],
            pictures=tuple(Picture((folder / name).read_bytes()) for name in probe.pictures),
        )
        for probe in read_manifest(folder).probes
    ]


def _make_seeing_model(config: TrainConfig, corpus: list[str], folder: Path) -> Path:
    """The folder of an untrained model of the family, with the configured sizes."""
    shape = config.model
    sizes = TinySizes(
        hidden=shape.hidden,
        layers=shape.layers,
        heads=shape.heads,
        kv_heads=shape.kv_heads,
        inner=shape.intermediate,
        vocab=shape.vocab_size,
        vision_hidden=shape.vision_hidden,
        vision_layers=shape.vision_layers,
        vision_heads=shape.vision_hidden // 32,
    )
    shutil.rmtree(folder, ignore_errors=True)  # of a run that ended before its first version
    make_tiny_model(shape.family, folder, config.seed, sizes, corpus, to_learn=True)
    return folder


def _make_policy(config: TrainConfig, tasks: TaskSet, run_dir: Path) -> InitialPolicy:
    corpus = [
        text for gym in tasks.gyms for seed in range(CORPUS_SEEDS) for text in gym.corpus(seed)
    ]
    if config.model.path is None and config.model.family != "deskhand":
        model: PreTrainedModel | Path = _make_seeing_model(config, corpus, run_dir / "base")
        tokenizer = load_tokenizer(run_dir / "base")
    elif config.model.path is None:
        if config.reasoning.share:
            rng = random.Random(f"corpus:{config.seed}")
            problems = open_source(config.reasoning).sample(CORPUS_PROBLEMS, "train", rng)
            corpus += [f"{problem.prompt}\n{problem.solution}" for problem in problems]
        tokenizer = train_tokenizer(corpus, config.model.vocab_size)
        model = new_policy(config.model, len(tokenizer), config.seed)
        if config.learner.processes > 1:  # each reads the files
            model.save_pretrained(run_dir / "base")
            model = run_dir / "base"
    else:
        model = Path(config.model.path)
        tokenizer = load_tokenizer(model)
    learner = Learner(model, config.learner_config)
    probes = _published_probes(model) if isinstance(model, Path) else []
    if not probes:
        prompt_ids = encode_prompt(tokenizer, "\n".join(corpus[:8]), PROBE_TEXT)
        answer_ids = encode_answer(tokenizer, corpus[0])[:PROBE_TEXT]
        probes = [text_sample(prompt_ids, answer_ids)]
    folder = publish_version(
        run_dir / "policy",
        version=0,
        parent=None,
        phase="start",
        learner=learner,
        tokenizer=tokenizer,
        samples=probes,
        max_model_len=config.model.max_model_len,
    )
    return InitialPolicy(learner=learner, tokenizer=tokenizer, folder=folder, version=0)
