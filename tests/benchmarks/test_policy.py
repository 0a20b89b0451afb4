"""What the policy benchmark serves: two versions that differ, and turns with pages."""

from __future__ import annotations

from pathlib import Path

from safetensors.torch import load_file
from torch import equal

from agent_server.policy.manifest import read_manifest
from benchmarks.policy import ANSWER_TOKENS, PROMPT_LINES, publish_two


def test_two_versions_with_different_weights_take_turns(tmp_path: Path) -> None:
    versions, turns = publish_two(tmp_path)
    assert [read_manifest(folder).version for folder in versions] == [0, 1]
    first, second = (load_file(folder / "model.safetensors") for folder in versions)
    assert first.keys() == second.keys()
    assert not equal(first["lm_head.weight"], second["lm_head.weight"])
    assert len({turn.prompt for turn in turns}) > 1
    assert all(turn.prompt.count("\n") == PROMPT_LINES - 1 for turn in turns)
    assert {turn.sampling.max_tokens for turn in turns} == {ANSWER_TOKENS}
