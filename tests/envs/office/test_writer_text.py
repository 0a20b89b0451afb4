"""Reading, finding and changing text in a real Writer document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import docx
import pytest
from real_office import Refused

Call = Any

WORDS = "Alpha beta\ngamma delta alpha\nLast one"


@pytest.fixture
def written(call: Call, letter: Path) -> Path:
    call("writer.insert_text", text=WORDS)
    return letter


def saved(call: Call) -> list[str]:
    return [one.text for one in docx.Document(call("writer.save")).paragraphs]


def test_info_describes_paragraphs(call: Call, written: Path) -> None:
    found = call("writer.info")
    assert found["path"] == str(written)
    assert found["paragraphs"][1] == {
        "paragraph": 2,
        "style": "Standard",
        "text": "gamma delta alpha",
    }
    assert (found["words"], found["pages"], found["more"]) == (7, 1, False)


def test_info_pages_through_a_long_document(call: Call, written: Path) -> None:
    found = call("writer.info", first=2, count=1)
    assert [one["paragraph"] for one in found["paragraphs"]] == [2]
    assert found["more"]


def test_info_cuts_long_paragraphs(call: Call, letter: Path) -> None:
    call("writer.insert_text", text="x" * 200)
    assert len(call("writer.info")["paragraphs"][0]["text"]) == 81


def test_reads_all_or_some_paragraphs(call: Call, written: Path) -> None:
    assert call("writer.read") == WORDS
    assert call("writer.read", paragraph=2, last_paragraph=3) == WORDS.split("\n", 1)[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"paragraph": 9}, "there is no paragraph 9; the document has 3"),
        ({"paragraph": 0}, "counted from 1"),
        ({"paragraph": 3, "last_paragraph": 2}, "before paragraph 3"),
        ({"last_paragraph": 2}, "needs paragraph"),
    ],
)
def test_a_wrong_paragraph_is_refused(
    call: Call, written: Path, arguments: dict[str, int], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("writer.read", **arguments)


def test_counts_words(call: Call, written: Path) -> None:
    assert call("writer.word_count") == {
        "words": 7,
        "characters": len(WORDS) - 2,
        "paragraphs": 3,
        "pages": 1,
    }


def test_finds_matches_with_their_paragraphs(call: Call, written: Path) -> None:
    call("writer.insert_table", rows=[["alphabet"]])
    found = call("writer.find", pattern="[Aa]lpha")
    assert found == {
        "count": 3,
        "matches": [
            {"paragraph": 1, "text": "Alpha"},
            {"paragraph": 2, "text": "alpha"},
            {"paragraph": None, "text": "alpha"},
        ],
    }
    assert call("writer.find", pattern="ALPHA")["count"] == 0
    assert call("writer.find", pattern="ALPHA", match_case=False)["count"] == 3


def test_replaces_words(call: Call, written: Path) -> None:
    assert call("writer.find_replace", find="alpha", replace="omega", match_case=False) == 2
    assert saved(call) == ["omega beta", "gamma delta omega", "Last one"]


def test_replaces_groups_of_a_regular_expression(call: Call, written: Path) -> None:
    call("writer.find_replace", find=r"(\w+) (\w+)$", replace="$2 $1", regex=True)
    assert saved(call) == ["beta Alpha", "gamma alpha delta", "one Last"]


def test_find_replace_takes_text_literally_unless_told(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="not in the document"):
        call("writer.find_replace", find="a.pha", replace="x")


def test_a_broken_pattern_is_explained(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="regular expression it is wrong"):
        call("writer.find_replace", find="(alpha", replace="x", regex=True)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"where": "start"}, "NEWAlpha beta\ngamma delta alpha\nLast one"),
        ({"where": "end"}, "Alpha beta\ngamma delta alpha\nLast oneNEW"),
        ({"after_paragraph": 0}, "NEW\nAlpha beta\ngamma delta alpha\nLast one"),
        ({"after_paragraph": 1}, "Alpha beta\nNEW\ngamma delta alpha\nLast one"),
        ({"after_paragraph": 3}, "Alpha beta\ngamma delta alpha\nLast one\nNEW"),
    ],
)
def test_inserts_where_told(
    call: Call, written: Path, arguments: dict[str, Any], expected: str
) -> None:
    call("writer.insert_text", text="NEW", **arguments)
    assert call("writer.read") == expected
    assert saved(call) == expected.split("\n")


def test_inserts_at_the_cursor(call: Call, written: Path) -> None:
    assert call("writer.select", pattern="delta") == "delta"
    call("writer.insert_text", text="!", where="cursor")
    assert call("writer.read", paragraph=2) == "gamma delta! alpha"


def test_inserted_headings_are_headings_and_what_follows_is_not(call: Call, written: Path) -> None:
    call("writer.insert_text", text="Part", after_paragraph=1, style="Heading 1")
    call("writer.insert_text", text="under it", after_paragraph=2)
    styles = [one["style"] for one in call("writer.info")["paragraphs"]]
    assert styles == ["Standard", "Heading 1", "Text body", "Standard", "Standard"]


def test_inserting_after_a_missing_paragraph_is_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="the document has 3"):
        call("writer.insert_text", text="x", after_paragraph=7)
    assert call("writer.read") == WORDS


def test_replaces_a_paragraph_and_keeps_its_style(call: Call, written: Path) -> None:
    call("writer.apply_style", style="Heading 2", paragraph=2)
    call("writer.replace_paragraph", paragraph=2, text="new")
    document = docx.Document(call("writer.save"))
    assert [one.text for one in document.paragraphs] == ["Alpha beta", "new", "Last one"]
    assert document.paragraphs[1].style.name == "Heading 2"


def test_replacing_an_empty_paragraph_leaves_its_neighbours(call: Call, letter: Path) -> None:
    call("writer.insert_text", text="a\n\nb")
    call("writer.replace_paragraph", paragraph=2, text="middle")
    assert call("writer.read") == "a\nmiddle\nb"


def test_deletes_paragraphs_and_leaves_the_style_of_the_next(call: Call, written: Path) -> None:
    call("writer.apply_style", style="Heading 1", paragraph=1)
    call("writer.delete_paragraph", paragraph=1, last_paragraph=2)
    (left,) = call("writer.info")["paragraphs"]
    assert (left["text"], left["style"]) == ("Last one", "Standard")


def test_deletes_the_last_paragraph(call: Call, written: Path) -> None:
    call("writer.delete_paragraph", paragraph=3)
    assert saved(call) == ["Alpha beta", "gamma delta alpha"]


def test_deleting_a_missing_paragraph_deletes_nothing(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="no paragraph 4"):
        call("writer.delete_paragraph", paragraph=2, last_paragraph=4)
    assert call("writer.read") == WORDS


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("upper", "DON'T STOP STRAßE, 🎉ÉTÉ"),
        ("lower", "don't stop straße, 🎉été"),
        ("title", "Don't Stop Straße, 🎉Été"),
        ("sentence", "Don't stop straße, 🎉été"),
    ],
)
def test_changes_case_and_nothing_else(call: Call, letter: Path, case: str, expected: str) -> None:
    call("writer.insert_text", text="don't stop straße, 🎉été")
    call("writer.format", pattern="n't st|🎉", bold=True)
    assert call("writer.change_case", case=case) == (0 if case == "lower" else 1)
    (paragraph,) = docx.Document(call("writer.save")).paragraphs
    assert paragraph.text == expected
    assert [run.text.lower() for run in paragraph.runs if run.bold] == ["n't st", "🎉"]


def test_changes_case_in_tables_or_in_one_paragraph(call: Call, written: Path) -> None:
    call("writer.insert_table", rows=[["cell"]])
    assert call("writer.change_case", case="upper", paragraph=3) == 1
    assert call("writer.read", paragraph=3) == "LAST ONE"
    call("writer.change_case", case="upper")
    assert call("writer.read_table") == [["CELL"]]


def test_changing_the_case_of_a_missing_paragraph_is_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="no paragraph 5"):
        call("writer.change_case", case="upper", paragraph=5)


def test_selecting_what_is_not_there_is_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="nothing matches 'zeta'"):
        call("writer.select", pattern="zeta")
