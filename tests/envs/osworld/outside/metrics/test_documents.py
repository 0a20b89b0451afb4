"""`document_is`: the same meaning passes, one small difference does not."""

from __future__ import annotations

import copy
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envs.osworld.format.makers.documents import document_bytes
from envs.osworld.outside.metrics.documents import document_is

Edit = Callable[[dict[str, Any]], object]
DOCUMENT: dict[str, Any] = {
    "body": [
        {"text": "Report", "style": "Title"},
        {"text": "Start", "style": "Heading 1"},
        {"runs": ["A ", {"text": "word", "bold": True}, " and ", {"text": "link", "link": "https://a.org/b"}]},
        {"text": "Middle", "align": "center", "spacing": 2.0, "before": 6, "indent": 1.0},
        {"text": "First", "list": "number"},
        {"text": "Second", "list": "bullet"},
        {"table": [[{"text": "Item", "bold": True}, "Price"], ["Pens", "3"]]},
        {"text": "New page", "break": True},
        {"runs": ["H", {"text": "2", "script": "sub"}, "O ", {"text": "m", "highlight": "FFFF00"}]},
        {"runs": [{"text": "all", "italic": True, "underline": True, "strike": True, "size": 14,
                   "color": "FF0000", "font": "Liberation Mono"}]},
        "The end.",
    ],
    "header": [{"text": "Head", "align": "right"}],
    "footer": [{"text": "Page {page} of {pages}", "align": "center"}],
    "page": {"width": 21.0, "height": 29.7, "left": 2.0},
    "comments": [["Is this right?", 3]],
}  # fmt: skip


def block(number: int, **parts: Any) -> Edit:
    return lambda rules: rules["body"][number].update(parts)


def run(number: int, index: int, **parts: Any) -> Edit:
    return lambda rules: rules["body"][number]["runs"][index].update(parts)


EDITS: dict[str, Edit] = {
    "a letter": lambda rules: rules["body"].__setitem__(-1, "The End."),
    "a paragraph more": lambda rules: rules["body"].append("More"),
    "an empty paragraph more": lambda rules: rules["body"].append(""),
    "a paragraph less": lambda rules: rules["body"].pop(),
    "the order": lambda rules: rules["body"].reverse(),
    "the style": block(1, style="Heading 2"),
    "bold": run(2, 1, bold=False),
    "the link": run(2, 3, link="https://a.org/c"),
    "the alignment": block(3, align="left"),
    "the line spacing": block(3, spacing=1.5),
    "the space before": block(3, before=12),
    "the space after": block(3, after=0),
    "the indent": block(3, indent=2.0),
    "the kind of list": block(4, list="bullet"),
    "no list": lambda rules: rules["body"][5].pop("list"),
    "a cell": lambda rules: rules["body"][6]["table"][1].__setitem__(1, "4"),
    "bold in a cell": lambda rules: rules["body"][6]["table"][0][0].pop("bold"),
    "a row more": lambda rules: rules["body"][6]["table"].append(["Ink", "9"]),
    "the page break": block(7, **{"break": False}),
    "subscript": run(8, 1, script="super"),
    "the highlighting": run(8, 3, highlight="00FFFF"),
    "italic": run(9, 0, italic=False),
    "underline": run(9, 0, underline=False),
    "strike": run(9, 0, strike=False),
    "the size": run(9, 0, size=14.5),
    "the colour": run(9, 0, color="FE0000"),
    "the font": run(9, 0, font="Liberation Sans"),
    "the header": lambda rules: rules["header"][0].update(text="Heads"),
    "the header's alignment": lambda rules: rules["header"][0].update(align="left"),
    "the footer's field": lambda rules: rules["footer"][0].update(text="Page {page} of 1"),
    "no footer": lambda rules: rules.pop("footer"),
    "the margin": lambda rules: rules["page"].update(left=2.5),
    "the columns": lambda rules: rules["page"].update(columns=2),
    "the comment": lambda rules: rules["comments"][0].__setitem__(0, "Is this wrong?"),
    "no comment": lambda rules: rules.pop("comments"),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "report.docx"
    path.write_bytes(document_bytes(DOCUMENT))
    return path


def test_a_document_is_what_it_was_made_of(file: Path) -> None:
    assert document_is(file, DOCUMENT) == 1


@pytest.mark.parametrize("what", EDITS)
def test_one_small_difference_fails(file: Path, what: str) -> None:
    rules = copy.deepcopy(DOCUMENT)
    EDITS[what](rules)
    assert document_is(file, rules) == 0


@pytest.mark.desktop
@pytest.mark.skipif(shutil.which("soffice") is None, reason="needs LibreOffice")
def test_what_libreoffice_saves_reads_the_same(file: Path, tmp_path: Path) -> None:
    subprocess.run(
        ["soffice", "--headless", f"-env:UserInstallation=file://{tmp_path}/profile",
         "--convert-to", "docx:MS Word 2007 XML", "--outdir", str(tmp_path / "saved"), str(file)],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    saved = tmp_path / "saved" / file.name
    assert saved.read_bytes() != file.read_bytes()
    assert document_is(saved, DOCUMENT) == 1
    for what, edit in EDITS.items():
        rules = copy.deepcopy(DOCUMENT)
        edit(rules)
        assert document_is(saved, rules) == 0, what


def test_what_may_differ_is_named(file: Path) -> None:
    narrow = DOCUMENT | {"page": DOCUMENT["page"] | {"left": 3.0}}
    assert document_is(file, narrow) == 0
    assert document_is(file, narrow | {"any": ["margins"]}) == 1
    plain = copy.deepcopy(DOCUMENT)
    plain["body"][6]["table"][0][0] = "Item"
    assert document_is(file, plain) == 0
    assert document_is(file, plain | {"any": ["cells"]}) == 1
    plain["body"][6]["table"][0][0] = "Items"
    assert document_is(file, plain | {"any": ["cells"]}) == 0


def test_a_tracked_change_is_a_difference(file: Path) -> None:
    from docx import Document
    from docx.oxml import OxmlElement

    made = Document(str(file))
    paragraph = made.paragraphs[-1]._p
    inserted = OxmlElement("w:ins")
    paragraph.append(inserted)
    inserted.append(paragraph.r_lst[0])
    made.save(str(file))
    assert document_is(file, DOCUMENT) == 0


def test_a_style_made_to_look_otherwise_is_a_difference(file: Path) -> None:
    from docx import Document

    made = Document(str(file))
    made.styles["Heading 1"].font.italic = True
    made.save(str(file))
    assert document_is(file, DOCUMENT) == 0


@pytest.mark.parametrize("content", [b"", b"done\n", b"PK\x03\x04 not a zip"])
def test_what_is_no_document_fails(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "report.docx"
    path.write_bytes(content)
    assert document_is(path, DOCUMENT) == 0
