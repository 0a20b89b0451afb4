"""The learner's logprobs are compared with transformers' own, on the same samples."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.policy.manifest import read_manifest
from benchmarks.models import (
    SEEING_FAMILIES,
    TEXT_FAMILIES,
    make_samples,
    measure_parity,
    publish_adapters,
)
from trainer.tiny_models import make_tiny_model


@pytest.mark.parametrize("family", [*TEXT_FAMILIES, *SEEING_FAMILIES])
def test_the_learner_computes_what_transformers_does(family: str, tmp_path: Path) -> None:
    make_tiny_model(family, tmp_path)
    assert len({sample.prompt_ids for sample in make_samples(tmp_path)}) == 4
    assert measure_parity(tmp_path) < 1e-4


def test_two_adapters_of_one_base_take_turns(tmp_path: Path) -> None:
    manifests = [read_manifest(folder) for folder in publish_adapters(tmp_path)]
    assert [manifest.base is None for manifest in manifests] == [True, False, False]
    assert manifests[1].probes != manifests[2].probes
