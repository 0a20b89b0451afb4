"""Pictures, formulas, links, comments, notes and indexes of a real document."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused
from tests.envs.apps.office.writer.reading import saved_document

Call = Any


def part(path: Path, name: str) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def test_inserts_a_picture_of_the_size_asked_for(
    call: Call, sample_text: Path, picture: str
) -> None:
    size = call("writer.insert_image", path=picture, after_paragraph=1, width_cm=6)
    assert size == {"width_cm": 6, "height_cm": 3}
    Path(picture).unlink()
    (shape,) = saved_document(call).inline_shapes
    assert (round(shape.width.cm, 1), round(shape.height.cm, 1)) == (6, 3)


def test_a_picture_keeps_its_natural_size(call: Call, sample_text: Path, picture: str) -> None:
    size = call("writer.insert_image", path=picture)
    assert size["width_cm"] == pytest.approx(200 / 96 * 2.54, abs=0.01)
    assert size["width_cm"] == pytest.approx(2 * size["height_cm"], abs=0.01)


def test_what_is_no_picture_is_refused(call: Call, sample_text: Path, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no picture")
    with pytest.raises(Refused, match="not a picture"):
        call("writer.insert_image", path=str(text), after_paragraph=1)
    with pytest.raises(Refused, match="no file"):
        call("writer.insert_image", path=str(tmp_path / "missing.png"))
    document = saved_document(call)
    assert (len(document.inline_shapes), len(document.paragraphs)) == (0, 3)


def test_inserts_a_formula(call: Call, sample_text: Path) -> None:
    call("writer.insert_formula", formula="{a} over {b}", where="end")
    call("writer.save")
    xml = part(sample_text, "word/document.xml")
    assert "<m:f>" in xml
    assert "<m:num>" in xml


def test_an_empty_formula_is_refused(call: Call, sample_text: Path) -> None:
    with pytest.raises(Refused, match="formula is empty"):
        call("writer.insert_formula", formula=" ")


def test_links_what_a_pattern_matches(call: Call, sample_text: Path) -> None:
    assert call("writer.hyperlink", pattern="Alpha", url="https://example.org/a") == 2
    links = [link for item in saved_document(call).paragraphs for link in item.hyperlinks]
    assert [(item.text, item.url) for item in links] == [("Alpha", "https://example.org/a")] * 2
    call("writer.hyperlink", pattern="Alpha", url="")
    assert not any(item.hyperlinks for item in saved_document(call).paragraphs)


def test_inserts_a_link(call: Call, sample_text: Path) -> None:
    call("writer.insert_link", text="see here", url="https://example.org/b", after_paragraph=3)
    (link,) = saved_document(call).paragraphs[3].hyperlinks
    assert (link.text, link.url) == ("see here", "https://example.org/b")


def test_a_link_of_nothing_is_refused(call: Call, sample_text: Path) -> None:
    with pytest.raises(Refused, match="nothing matches"):
        call("writer.hyperlink", pattern="zeta", url="https://example.org")


def test_comments_on_text(call: Call, sample_text: Path) -> None:
    call("writer.comment", text="which?", pattern="delta", author="Ann")
    call("writer.comment", text="good", paragraph=3)
    expected = [
        {"author": "Ann", "text": "which?", "about": "delta"},
        {"author": "", "text": "good", "about": "Last one"},
    ]
    assert sorted(call("writer.comments"), key=lambda one: str(one["text"]), reverse=True) == (
        expected
    )
    call("writer.save")
    assert "which?" in part(sample_text, "word/comments.xml")


def test_a_comment_on_nothing_is_refused(call: Call, sample_text: Path) -> None:
    with pytest.raises(Refused, match="needs a pattern or a paragraph"):
        call("writer.comment", text="hm")


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_inserts_notes(call: Call, sample_text: Path, kind: str) -> None:
    call("writer.footnote", text="so they say", pattern="gamma", kind=kind)
    call("writer.save")
    assert "so they say" in part(sample_text, f"word/{kind}s.xml")


def test_a_note_on_nothing_is_refused(call: Call, sample_text: Path) -> None:
    with pytest.raises(Refused, match="nothing matches"):
        call("writer.footnote", text="x", pattern="zeta")


def test_lists_the_headings_in_a_table_of_contents(call: Call, sample_text: Path) -> None:
    call("writer.apply_style", style="Heading 1", paragraph=1)
    call("writer.apply_style", style="Heading 2", paragraph=2)
    assert call("writer.table_of_contents", title="Inside") == 2
    text = call("writer.read")
    assert text.startswith("Inside\nAlpha beta\t1\ngamma delta Alpha\t1\n")
    last = len(call("writer.info")["paragraphs"])
    call("writer.insert_text", text="New part", after_paragraph=last, style="Heading 1")
    assert call("writer.update_indexes") == 1
    assert "New part\t1\n" in call("writer.read")
    call("writer.save")
    assert "TOC" in part(sample_text, "word/document.xml")


def test_a_table_of_contents_without_headings_is_refused(call: Call, sample_text: Path) -> None:
    with pytest.raises(Refused, match="no headings"):
        call("writer.table_of_contents")
    assert len(call("writer.info")["paragraphs"]) == 3
