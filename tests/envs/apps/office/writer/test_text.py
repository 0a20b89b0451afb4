"""Reading, finding and changing text in a real document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import docx
import pytest

from tests.envs.apps.office.real_office import Refused
from tests.envs.apps.office.writer.reading import WORDS, saved_texts

Call = Any


def test_info_describes_paragraphs(call: Call, plain_text: Path) -> None:
    result = call("writer.info")
    assert result["path"] == str(plain_text)
    assert result["paragraphs"][1] == {
        "paragraph": 2,
        "style": "Standard",
        "text": "gamma delta alpha",
    }
    assert (result["words"], result["pages"], result["more"]) == (7, 1, False)


def test_info_pages_through_a_long_document(call: Call, plain_text: Path) -> None:
    result = call("writer.info", first=2, count=1)
    assert [item["paragraph"] for item in result["paragraphs"]] == [2]
    assert result["more"]


def test_info_cuts_long_paragraphs(call: Call, letter: Path) -> None:
    call("writer.insert_text", text="x" * 200)
    assert len(call("writer.info")["paragraphs"][0]["text"]) == 81


def test_reads_all_or_some_paragraphs(call: Call, plain_text: Path) -> None:
    assert call("writer.read") == WORDS
    assert call("writer.read", paragraph=2, last_paragraph=3) == WORDS.split("\n", 1)[1]


def test_counts_words(call: Call, plain_text: Path) -> None:
    assert call("writer.word_count") == {
        "words": 7,
        "characters": len(WORDS) - 2,
        "paragraphs": 3,
        "pages": 1,
    }


def test_finds_matches_with_their_paragraphs(call: Call, plain_text: Path) -> None:
    call("writer.insert_table", rows=[["alphabet"]])
    result = call("writer.find", pattern="[Aa]lpha")
    assert result == {
        "count": 3,
        "matches": [
            {"paragraph": 1, "text": "Alpha"},
            {"paragraph": 2, "text": "alpha"},
            {"paragraph": None, "text": "alpha"},
        ],
    }
    assert call("writer.find", pattern="ALPHA")["count"] == 0
    assert call("writer.find", pattern="ALPHA", match_case=False)["count"] == 3


def test_replaces_words(call: Call, plain_text: Path) -> None:
    assert call("writer.find_replace", find="alpha", replace="omega", match_case=False) == 2
    assert saved_texts(call) == ["omega beta", "gamma delta omega", "Last one"]


def test_replaces_groups_of_a_regular_expression(call: Call, plain_text: Path) -> None:
    call("writer.find_replace", find=r"(\w+) (\w+)$", replace="$2 $1", regex=True)
    assert saved_texts(call) == ["beta Alpha", "gamma alpha delta", "one Last"]


def test_find_replace_takes_text_literally_unless_told(call: Call, plain_text: Path) -> None:
    with pytest.raises(Refused, match="not in the document"):
        call("writer.find_replace", find="a.pha", replace="x")


def test_replaces_a_paragraph_and_keeps_its_style(call: Call, plain_text: Path) -> None:
    call("writer.apply_style", style="Heading 2", paragraph=2)
    call("writer.replace_paragraph", paragraph=2, text="new")
    document = docx.Document(call("writer.save"))
    assert [item.text for item in document.paragraphs] == ["Alpha beta", "new", "Last one"]
    assert document.paragraphs[1].style.name == "Heading 2"


def test_replacing_an_empty_paragraph_leaves_its_neighbours(call: Call, letter: Path) -> None:
    call("writer.insert_text", text="a\n\nb")
    call("writer.replace_paragraph", paragraph=2, text="middle")
    assert call("writer.read") == "a\nmiddle\nb"


def test_deletes_paragraphs_and_leaves_the_style_of_the_next(call: Call, plain_text: Path) -> None:
    call("writer.apply_style", style="Heading 1", paragraph=1)
    call("writer.delete_paragraph", paragraph=1, last_paragraph=2)
    (left,) = call("writer.info")["paragraphs"]
    assert (left["text"], left["style"]) == ("Last one", "Standard")


def test_deletes_the_last_paragraph(call: Call, plain_text: Path) -> None:
    call("writer.delete_paragraph", paragraph=3)
    assert saved_texts(call) == ["Alpha beta", "gamma delta alpha"]


def test_deleting_a_missing_paragraph_deletes_nothing(call: Call, plain_text: Path) -> None:
    with pytest.raises(Refused, match="no paragraph 4"):
        call("writer.delete_paragraph", paragraph=2, last_paragraph=4)
    assert call("writer.read") == WORDS
