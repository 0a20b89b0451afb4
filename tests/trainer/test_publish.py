"""A version appears whole or not at all; its probes are the learner's own logprobs."""

from __future__ import annotations

from pathlib import Path

import pytest
from safetensors.torch import load_file
from torch import equal

from agent_server.policy.manifest import LIVE, read_manifest
from tests.trainer.tiny_policy import make_samples, open_learner
from tests.trainer.tiny_run import tiny_tokenizer
from trainer.learner import Learner
from trainer.publish import make_probes, mark_live, publish_version
from trainer.samples import Sample


def publish(folder: Path, learner: Learner, version: int = 3) -> Path:
    return publish_version(
        folder,
        version=version,
        parent=None,
        phase="test",
        learner=learner,
        tokenizer=tiny_tokenizer(),
        samples=make_samples(count=2),
    )


def test_a_published_version_is_what_a_server_checks(tmp_path: Path) -> None:
    with open_learner() as learner:
        folder = publish(tmp_path, learner)
        weights = load_file(folder / "model.safetensors")
        assert all(equal(weights[k], v) for k, v in learner.export_bf16_state().items())
    manifest = read_manifest(folder)
    assert (manifest.version, manifest.phase, manifest.dtype) == (3, "test", "bfloat16")
    assert len(manifest.probes) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["v000003"], "nothing is left beside it"


def test_a_version_is_never_overwritten(tmp_path: Path) -> None:
    with open_learner() as learner:
        publish(tmp_path, learner)
        with pytest.raises(FileExistsError, match="never overwritten"):
            publish(tmp_path, learner)


def test_a_version_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with open_learner() as learner:
        bad = Sample((1,), (2,))
        object.__setattr__(bad, "completion_ids", (10_000,))
        with pytest.raises(Exception, match="index"):
            publish_version(
                tmp_path,
                version=1,
                parent=None,
                phase="",
                learner=learner,
                tokenizer=tiny_tokenizer(),
                samples=[bad],
            )
    assert list(tmp_path.iterdir()) == []


def test_probes_have_a_logprob_for_each_token_but_the_first(tmp_path: Path) -> None:
    sample = make_samples(count=1)[0]
    with open_learner() as learner:
        (probe,) = make_probes(learner, [sample], tmp_path)
        (completion,) = learner.logprobs([sample])
    assert probe.token_ids == sample.prompt_ids + sample.completion_ids
    assert len(probe.logprobs) == len(probe.token_ids) - 1
    assert probe.logprobs[-len(completion) :] == pytest.approx(completion, abs=1e-4)


def test_live_is_the_version_accepted_last(tmp_path: Path) -> None:
    for name in ("v000001", "v000002"):
        (tmp_path / name).mkdir()
        mark_live(tmp_path / name)
    assert (tmp_path / LIVE).resolve() == tmp_path / "v000002"
