"""Versions that must be refused are not those that are served."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.policy.manifest import BadVersion, read_manifest
from benchmarks.faults.weights import make_versions
from benchmarks.policy import publish_two


def test_one_bad_version_is_refused_by_its_file_and_one_only_by_its_probes(tmp_path: Path) -> None:
    versions = make_versions(tmp_path, publish_two(tmp_path)[0])
    with pytest.raises(BadVersion, match="truncated"):
        read_manifest(versions.damaged)
    genuine = read_manifest(versions.good[1]).probes[0].logprobs
    other = read_manifest(versions.mismatched).probes[0].logprobs
    assert other == pytest.approx([logprob - 1.0 for logprob in genuine])
