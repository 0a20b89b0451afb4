"""Tables, pictures, formulas, links, comments, indexes and files of a real Writer document."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest
from PIL import Image
from real_office import Refused

Call = Any

ROWS = [["Name", "Age"], ["Ann", "31"], ["Bob", "27"]]


@pytest.fixture
def written(call: Call, letter: Path) -> Path:
    call("writer.insert_text", text="Alpha beta\ngamma delta Alpha\nLast one")
    return letter


@pytest.fixture
def table(call: Call, written: Path) -> str:
    name: str = call("writer.insert_table", rows=ROWS, after_paragraph=1)
    return name


@pytest.fixture
def picture(tmp_path: Path) -> str:
    path = tmp_path / "red.png"
    Image.new("RGB", (200, 100), "red").save(path)
    return str(path)


def saved(call: Call) -> Any:
    return docx.Document(call("writer.save"))


def part(path: Path, name: str) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def test_inserts_a_table_where_told(call: Call, table: str) -> None:
    assert call("writer.read_table", table=table) == ROWS
    document = saved(call)
    (found,) = document.tables
    assert [[cell.text for cell in row.cells] for row in found.rows] == ROWS
    assert [run.bold for run in found.cell(0, 0).paragraphs[0].runs] == [True]
    kinds = [type(one).__name__ for one in document.iter_inner_content()]
    assert kinds.index("Table") < kinds.index("Paragraph", 2)
    assert call("writer.info")["tables"] == [table]


def test_uneven_rows_are_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="row 2 has 1 cells, not 2"):
        call("writer.insert_table", rows=[["a", "b"], ["c"]])
    with pytest.raises(Refused, match="rows is empty"):
        call("writer.insert_table", rows=[])


def test_turns_text_into_a_table(call: Call, letter: Path) -> None:
    call("writer.insert_text", text="before\nName, Age\nAnn, 31\nBob\nafter")
    call("writer.text_to_table", paragraph=2, last_paragraph=4)
    assert call("writer.read_table") == [["Name", "Age"], ["Ann", "31"], ["Bob", ""]]
    assert [one.text for one in saved(call).paragraphs if one.text] == ["before", "after"]


def test_text_without_the_separator_is_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="no ';' in these"):
        call("writer.text_to_table", paragraph=1, last_paragraph=2, separator=";")
    assert len(call("writer.info")["paragraphs"]) == 3


def test_sets_a_cell(call: Call, table: str) -> None:
    call("writer.set_table_cell", cell="b2", text="32", bold=True)
    cell = saved(call).tables[0].cell(1, 1)
    assert (cell.text, cell.paragraphs[0].runs[0].bold) == ("32", True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [({"cell": "C9"}, "no cell C9; .* has A1 to B3"), ({"cell": "A1", "table": 2}, "no table 2")],
)
def test_a_wrong_cell_is_refused(
    call: Call, table: str, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("writer.set_table_cell", text="x", **arguments)


def test_reading_a_missing_table_names_those_there_are(call: Call, table: str) -> None:
    with pytest.raises(Refused, match=f"tables: {table}"):
        call("writer.read_table", table="Prices")


def test_adds_and_deletes_rows(call: Call, table: str) -> None:
    call("writer.insert_table_rows", rows=[["Cy", "40"]])
    call("writer.insert_table_rows", rows=[["Al", "20"]], before_row=2)
    names = ["Name", "Al", "Ann", "Bob", "Cy"]
    assert [row[0] for row in call("writer.read_table")] == names
    call("writer.delete_table_rows", row=2, count=2)
    assert [row[0] for row in call("writer.read_table")] == ["Name", "Bob", "Cy"]


def test_rows_that_are_not_there_are_refused(call: Call, table: str) -> None:
    with pytest.raises(Refused, match=r"no row 4; .* has 3"):
        call("writer.delete_table_rows", row=3, count=2)
    with pytest.raises(Refused, match="row 1 has 1 cells, not 2"):
        call("writer.insert_table_rows", rows=[["x"]])


def test_deletes_a_table(call: Call, table: str) -> None:
    call("writer.delete_table", table=table)
    assert saved(call).tables == []
    with pytest.raises(Refused, match="tables: none"):
        call("writer.delete_table")


def test_inserts_a_picture_of_the_size_asked_for(call: Call, written: Path, picture: str) -> None:
    size = call("writer.insert_image", path=picture, after_paragraph=1, width_cm=6)
    assert size == {"width_cm": 6, "height_cm": 3}
    Path(picture).unlink()
    (shape,) = saved(call).inline_shapes
    assert (round(shape.width.cm, 1), round(shape.height.cm, 1)) == (6, 3)


def test_a_picture_keeps_its_natural_size(call: Call, written: Path, picture: str) -> None:
    size = call("writer.insert_image", path=picture)
    assert size["width_cm"] == pytest.approx(200 / 96 * 2.54, abs=0.01)
    assert size["width_cm"] == pytest.approx(2 * size["height_cm"], abs=0.01)


def test_what_is_no_picture_is_refused(call: Call, written: Path, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no picture")
    with pytest.raises(Refused, match="no picture"):
        call("writer.insert_image", path=str(text), after_paragraph=1)
    with pytest.raises(Refused, match="no file"):
        call("writer.insert_image", path=str(tmp_path / "missing.png"))
    document = saved(call)
    assert (len(document.inline_shapes), len(document.paragraphs)) == (0, 3)


def test_inserts_a_formula(call: Call, written: Path) -> None:
    call("writer.insert_formula", formula="{a} over {b}", where="end")
    call("writer.save")
    xml = part(written, "word/document.xml")
    assert "<m:f>" in xml
    assert "<m:num>" in xml


def test_an_empty_formula_is_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="formula is empty"):
        call("writer.insert_formula", formula=" ")


def test_links_what_a_pattern_matches(call: Call, written: Path) -> None:
    assert call("writer.hyperlink", pattern="Alpha", url="https://example.org/a") == 2
    links = [link for one in saved(call).paragraphs for link in one.hyperlinks]
    assert [(one.text, one.url) for one in links] == [("Alpha", "https://example.org/a")] * 2
    call("writer.hyperlink", pattern="Alpha", url="")
    assert not any(one.hyperlinks for one in saved(call).paragraphs)


def test_inserts_a_link(call: Call, written: Path) -> None:
    call("writer.insert_link", text="see here", url="https://example.org/b", after_paragraph=3)
    (link,) = saved(call).paragraphs[3].hyperlinks
    assert (link.text, link.url) == ("see here", "https://example.org/b")


def test_a_link_of_nothing_is_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="nothing matches"):
        call("writer.hyperlink", pattern="zeta", url="https://example.org")


def test_comments_on_text(call: Call, written: Path) -> None:
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
    assert "which?" in part(written, "word/comments.xml")


def test_a_comment_on_nothing_is_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="needs a pattern or a paragraph"):
        call("writer.comment", text="hm")


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_inserts_notes(call: Call, written: Path, kind: str) -> None:
    call("writer.footnote", text="so they say", pattern="gamma", kind=kind)
    call("writer.save")
    assert "so they say" in part(written, f"word/{kind}s.xml")


def test_a_note_on_nothing_is_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="nothing matches"):
        call("writer.footnote", text="x", pattern="zeta")


def test_lists_the_headings_in_a_table_of_contents(call: Call, written: Path) -> None:
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
    assert "TOC" in part(written, "word/document.xml")


def test_a_table_of_contents_without_headings_is_refused(call: Call, written: Path) -> None:
    with pytest.raises(Refused, match="no headings"):
        call("writer.table_of_contents")
    assert len(call("writer.info")["paragraphs"]) == 3


@pytest.mark.parametrize(
    ("extension", "magic"),
    [("docx", b"PK"), ("odt", b"PK"), ("pdf", b"%PDF"), ("rtf", b"{\\rtf"), ("txt", b"Alpha")],
)
def test_saves_in_other_formats(
    call: Call, written: Path, tmp_path: Path, extension: str, magic: bytes
) -> None:
    path = tmp_path / f"copy.{extension}"
    call("writer.save_as", path=str(path))
    assert path.read_bytes().lstrip(b"\xef\xbb\xbf").startswith(magic)
    if extension not in ("pdf", "txt"):
        assert call("writer.info")["path"] == str(path)
        call("office.close", path=str(path))


def test_an_unknown_format_is_refused(call: Call, written: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"ends in one of \.docx"):
        call("writer.save_as", path=str(tmp_path / "x.xlsx"))
