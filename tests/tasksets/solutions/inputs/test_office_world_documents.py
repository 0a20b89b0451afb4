"""Made text documents: what is edited in them, and that the metric sees each edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.published.office_world import simple_docx_compare
from tasksets.solutions.inputs.office_world_documents import (
    OFFICE_WORLD_DOCUMENTS,
    article,
    swap_of,
    with_breaks,
    with_words,
    without,
)

SMALL = article("Title", One=["a"], Two=["b", "c"], Three_more=["d"])


def test_sections_are_found_swapped_and_left_out() -> None:
    texts = [text for _, text in SMALL]
    assert texts == ["Title", "One", "a", "Two", "b", "c", "Three more", "d"]
    swapped = [text for _, text in swap_of(SMALL, "One", "Three more")]
    assert swapped == ["Title", "Three more", "d", "Two", "b", "c", "One", "a"]
    assert [text for _, text in without(SMALL, "Two")] == ["Title", "One", "a", "Three more", "d"]
    assert [kind for kind, _ in with_breaks(SMALL)].count("br") == 2


def test_words_are_exchanged_in_text_alone() -> None:
    blocks = [("text", "a b a"), ("table", [["a"]])]
    assert with_words(blocks, "a", "x") == [("text", "x b x"), ("table", [["a"]])]


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("Food", "Food_fix0"),
        ("Wedding", "Wedding_pbr"),
        ("Psy", "Psy_comment"),
        ("Women", "Women_image"),
        ("Politeness_table", "Politeness_table_fix0"),
    ],
)
def test_an_expected_document_is_not_the_start(tmp_path: Path, start: str, end: str) -> None:
    files = []
    for name in (start, end):
        content = OFFICE_WORLD_DOCUMENTS[f"/{name}.docx"]()
        assert content == OFFICE_WORLD_DOCUMENTS[f"/{name}.docx"]()
        files.append(tmp_path / f"{name}.docx")
        files[-1].write_bytes(content)
    assert simple_docx_compare(files[1], files[1]) == 1
    assert simple_docx_compare(files[0], files[1]) == 0
