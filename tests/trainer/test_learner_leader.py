"""A learner whose leader starts a second process: the learner of one process, but for sums."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.trainer.shard_cases import make_samples
from trainer.checkpoints import find_shards, load_checkpoint, save_checkpoint
from trainer.learner import Learner
from trainer.learner_config import LearnerConfig
from trainer.learner_leader import LeadingBackend
from trainer.tiny_models import make_tiny_model

pytestmark = pytest.mark.e2e

CONFIG = LearnerConfig(
    dtype="float32", micro_tokens=64, threads=1, warmup_steps=0, backend="transformers"
)
TWO = CONFIG.model_copy(update={"processes": 2})


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model") / "qwen3"
    make_tiny_model("qwen3", folder)
    return folder


@pytest.mark.timeout(300)
def test_two_processes_learn_what_one_learns_until_one_of_them_is_lost(
    model: Path, tmp_path: Path
) -> None:
    samples = make_samples()
    alone, pair = Learner(model, CONFIG), Learner(model, TWO)
    try:
        for learner in (alone, pair):
            learner.snapshot_reference()
            learner.step(samples, minibatches=2)
        check_same(alone, pair)
        save_checkpoint(tmp_path, 1, {"learner": pair.state_dict()}, pair.write_shards)
        pair.step(samples)
        # Back to the checkpoint, and on from it, reference and moments included.
        pair.load_state_dict(load_checkpoint(tmp_path)["learner"], find_shards(tmp_path))
        for learner in (alone, pair):
            learner.step(samples)
        check_same(alone, pair)
    finally:
        alone.close()
    assert isinstance(pair.backend, LeadingBackend)
    (follower,) = pair.backend.followers
    follower.kill()
    with pytest.raises(RuntimeError):
        pair.backend.gradient_norm()
    pair.close()
    assert follower.returncode is not None


@pytest.mark.timeout(300)
def test_processes_that_are_started_apart_learn_what_one_learns(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As torchrun starts them: it sets these variables."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    launch = {"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    launch["LOCAL_RANK"] = "0"
    for name, value in launch.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match=r"learner\.processes is 3, but WORLD_SIZE is 2"):
        Learner(model, TWO.model_copy(update={"processes": 3}))
    follower = subprocess.Popen(
        [sys.executable, "-m", "trainer", "train"],
        env=os.environ | {"RANK": "1", "LOCAL_RANK": "1", "OMP_NUM_THREADS": "1"},
    )
    try:
        alone, pair = Learner(model, CONFIG), Learner(model, TWO)
        for learner in (alone, pair):
            learner.step([replace(sample, ref_kl=0.0) for sample in make_samples()])
        # Ctrl-C reaches all processes of a terminal, and torchrun ends all of them.
        for number in (signal.SIGINT, signal.SIGTERM):
            follower.send_signal(number)
        check_same(alone, pair)
        for learner in (alone, pair):
            learner.close()
        assert follower.wait(60) == 0
    finally:
        follower.kill()
        follower.wait()


def check_same(alone: Learner, pair: Learner) -> None:
    """Both give the same logprobs, and would publish the same weights."""
    samples = make_samples()
    for own, others in zip(alone.logprobs(samples), pair.logprobs(samples), strict=True):
        assert others == pytest.approx(own, abs=2e-4)
    exported = pair.export_bf16_state()
    for name, weights in alone.export_bf16_state().items():
        assert torch.allclose(exported[name].float(), weights.float(), atol=2e-3), name


def test_a_model_in_memory_is_refused() -> None:
    with pytest.raises(ValueError, match="from a folder"):
        LeadingBackend(object(), TWO)  # type: ignore[arg-type]
