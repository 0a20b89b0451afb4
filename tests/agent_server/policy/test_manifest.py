"""A published version is checked before it is served; what is wrong is named by its file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_server.policy.manifest import (
    BadVersion,
    PromptFormat,
    read_manifest,
    read_max_model_len,
    read_prompt_format,
)
from trainer.learner import Learner, LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.publish import publish_version
from trainer.samples import text_sample
from trainer.tokenizer import encode_answer, encode_prompt, train_tokenizer

FORMAT = PromptFormat(prefix=(7, 8), suffix=(9,), ends=(3, 0))


@pytest.fixture
def version(tmp_path: Path) -> Path:
    tokenizer = train_tokenizer(["link Cart #1\nclick Cart"], 400)
    shape = ModelConfig(hidden=64, layers=1, heads=1, kv_heads=1, intermediate=64)
    learner = Learner(new_policy(shape, len(tokenizer), 0), LearnerConfig(threads=1))
    probe = text_sample(
        encode_prompt(tokenizer, "link Cart #1"), encode_answer(tokenizer, "click Cart")
    )
    try:
        return publish_version(
            tmp_path,
            version=7,
            parent=6,
            phase="imitate",
            learner=learner,
            tokenizer=tokenizer,
            samples=[probe],
        )
    finally:
        learner.close()


def test_a_published_version_reads_back(version: Path) -> None:
    manifest = read_manifest(version)
    assert (version.name, manifest.version, manifest.parent) == ("v000007", 7, 6)
    probe = manifest.probes[0]
    assert len(probe.logprobs) == len(probe.token_ids) - 1
    assert all(logprob <= 0 for logprob in probe.logprobs)


@pytest.mark.parametrize(
    "name", ["manifest.json", "model.safetensors", "config.json", "prompt.json"]
)
def test_a_missing_file_is_named(version: Path, name: str) -> None:
    (version / name).unlink()
    with pytest.raises(BadVersion, match=f"{name} is missing; publish this version again"):
        read_manifest(version)


def test_truncated_weights_are_refused(version: Path) -> None:
    weights = version / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(BadVersion, match=r"model\.safetensors is truncated or was changed"):
        read_manifest(version)


def test_a_damaged_manifest_is_refused(version: Path) -> None:
    (version / "manifest.json").write_text('{"version": -1}')
    with pytest.raises(BadVersion, match=r"manifest\.json is damaged"):
        read_manifest(version)


def test_no_half_published_version_is_left_beside(version: Path) -> None:
    assert [path.name for path in version.parent.iterdir()] == ["v000007"]


def test_the_manifest_of_other_weights_is_refused(version: Path) -> None:
    file = version / "manifest.json"
    manifest = read_manifest(version)
    file.write_text(manifest.model_copy(update={"sha256": "0" * 64}).model_dump_json())
    with pytest.raises(BadVersion, match=r"model\.safetensors is truncated or was changed"):
        read_manifest(version)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"name": "deskhand", "files": []}', "\0"])
def test_a_manifest_of_something_else_is_refused(version: Path, content: str) -> None:
    (version / "manifest.json").write_text(content)
    with pytest.raises(BadVersion, match=r"v000007/manifest\.json is damaged"):
        read_manifest(version)


@pytest.mark.parametrize("folder", ["../elsewhere", "/etc", "..", "a/b", ""])
def test_the_base_of_an_adapter_lies_beside_it(version: Path, folder: str) -> None:
    file = version / "manifest.json"
    base = {"folder": folder, "sha256": "0" * 64}
    file.write_text(json.dumps(json.loads(file.read_bytes()) | {"base": base}))
    with pytest.raises(BadVersion, match=r"manifest\.json is damaged"):
        read_manifest(version)


def test_a_folder_that_is_no_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadVersion, match=r"none/manifest\.json is missing"):
        read_manifest(tmp_path / "none")


def test_a_version_says_how_long_a_prompt_may_be(version: Path) -> None:
    assert read_max_model_len(version) == ModelConfig().max_model_len
    file = version / "manifest.json"
    manifest = read_manifest(version)
    file.write_text(manifest.model_copy(update={"max_model_len": 300}).model_dump_json())
    assert read_max_model_len(version) == 300, "a run may allow less than the model can read"
    file.write_text(manifest.model_dump_json())
    (version / "config.json").write_text("{}")
    with pytest.raises(BadVersion, match=r"config\.json does not say max_position_embeddings"):
        read_max_model_len(version)


def test_text_stands_between_the_ids_of_the_template() -> None:
    assert FORMAT.wrap([1, 2]) == [7, 8, 1, 2, 9]


def test_a_long_text_leaves_room_for_the_answer_and_a_probe_s_token() -> None:
    room = FORMAT.room(max_model_len=20, max_tokens=6)
    assert len(FORMAT.wrap(range(100), room)) + 6 + 1 == 20
    assert FORMAT.room(max_model_len=8, max_tokens=6) == 1, "a prompt is never empty"


def test_a_format_is_read_from_a_version_s_folder(tmp_path: Path) -> None:
    with pytest.raises(BadVersion, match=r"prompt\.json is missing; publish this version again"):
        read_prompt_format(tmp_path)
    file = tmp_path / "prompt.json"
    file.write_text('{"prefix": [], "suffix": [], "ends": []}')
    with pytest.raises(BadVersion, match=r"prompt\.json is damaged"):
        read_prompt_format(tmp_path)
    file.write_text(FORMAT.model_dump_json())
    assert read_prompt_format(tmp_path) == FORMAT
