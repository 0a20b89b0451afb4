"""A prompt is its text between fixed ids, cut so that the answer fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.policy.manifest import BadVersion
from agent_server.policy.prompt_format import PromptFormat, read_prompt_format

FORMAT = PromptFormat(prefix=(7, 8), suffix=(9,), ends=(3, 0))


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
