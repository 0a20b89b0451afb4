"""Pages of a real document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Cm

from tests.envs.apps.office.real_office import Refused
from tests.envs.apps.office.writer.reading import saved_document

Call = Any


def test_turns_and_sizes_pages(call: Call, sample_text: Path) -> None:
    layout = call("writer.page_setup", orientation="landscape", paper="A4", left_cm=3, columns=2)
    assert (layout["width_cm"], layout["height_cm"], layout["columns"]) == (29.7, 21.0, 2)
    section = saved_document(call).sections[0]
    assert section.page_width > section.page_height
    assert section.left_margin == pytest.approx(Cm(3), abs=Cm(0.01))
    back = call("writer.page_setup", orientation="portrait", paper="Letter")
    assert (back["width_cm"], back["height_cm"]) == (21.59, 27.94)
    assert back["margins_cm"]["left"] == 3


@pytest.mark.parametrize(
    ("arguments", "words"), [({"left_cm": -1}, "LeftMargin"), ({"columns": 0}, "1 to 20")]
)
def test_pages_that_cannot_be_are_refused(
    call: Call, sample_text: Path, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("writer.page_setup", **arguments)


@pytest.mark.parametrize("part", ["header", "footer"])
def test_writes_headers_and_footers(call: Call, sample_text: Path, part: str) -> None:
    call("writer.header_footer", part=part, text="first try")
    call("writer.header_footer", part=part, text="Top secret", alignment="right")
    (paragraph,) = getattr(saved_document(call).sections[0], part).paragraphs
    assert (paragraph.text, paragraph.alignment) == ("Top secret", WD_ALIGN_PARAGRAPH.RIGHT)
    call("writer.header_footer", part=part)
    assert getattr(saved_document(call).sections[0], part).is_linked_to_previous


def test_numbers_pages_below_the_footer(call: Call, sample_text: Path) -> None:
    call("writer.header_footer", part="footer", text="Mine")
    call("writer.page_numbers", form="Page {page} of {pages}", alignment="right")
    first, second = saved_document(call).sections[0].footer.paragraphs
    assert (first.text, second.text) == ("Mine", "Page 1 of 1")
    assert second.alignment == WD_ALIGN_PARAGRAPH.RIGHT
    codes = [item.text.strip() for item in second._p.iter() if item.tag.endswith("}instrText")]
    assert [code.split()[0] for code in codes] == ["PAGE", "NUMPAGES"]


def test_page_numbers_need_the_number(call: Call, sample_text: Path) -> None:
    with pytest.raises(Refused, match="must contain"):
        call("writer.page_numbers", form="Page")
