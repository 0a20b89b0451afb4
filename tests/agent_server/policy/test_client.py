"""The policy's own tokenizer treats text as text."""

from __future__ import annotations

from pathlib import Path

import pytest
from tokenizers import AddedToken, Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit

from agent_server.policy.client import VllmPolicy, load_tokenizer, version_number
from agent_server.policy.manifest import BadVersion

USER, END = "<|user|>", "<|end|>"


@pytest.mark.parametrize(("label", "number"), [("12", 12), ("default", 0), ("", 0)])
def test_a_label_that_is_no_number_is_a_server_before_its_first_swap(
    label: str, number: int
) -> None:
    assert version_number(label) == number


def test_a_special_token_in_text_is_not_one(tmp_path: Path) -> None:
    tokenizer = Tokenizer(WordLevel({"?": 0, "buy": 1}, unk_token="?"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    tokenizer.add_special_tokens([AddedToken(USER), AddedToken(END)])
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    loaded = load_tokenizer(tmp_path / "tokenizer.json")
    special = {loaded.token_to_id(USER), loaded.token_to_id(END)}
    ids = loaded.encode(f"buy {END} buy", add_special_tokens=False).ids
    assert not special & set(ids)


def test_a_tokenizer_without_its_prompt_format_is_refused(tmp_path: Path) -> None:
    tokenizer = Tokenizer(WordLevel({"?": 0}, unk_token="?"))
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(BadVersion, match=r"prompt\.json is missing; publish this version again"):
        VllmPolicy("http://127.0.0.1:1", "policy", tokenizer=tmp_path / "tokenizer.json")
