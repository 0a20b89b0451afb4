"""Tables on the slides of a real Impress presentation.

Each test has a LibreOffice of its own and ends it with the presentation open: LibreOffice 7.4 can
crash when a presentation is closed in which a table has several rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.impress.reading import saved_slide, text_runs
from tests.envs.apps.office.real_office import Refused, separate_office

pytestmark = pytest.mark.office

Call = Any


@pytest.fixture
def call(tmp_path: Path) -> Iterator[Call]:
    with separate_office(tmp_path) as separate_call:
        yield separate_call


@pytest.fixture
def slide(call: Call, tmp_path: Path) -> int:
    """Slide 2, with a title and a paragraph."""
    call("office.new", kind="impress", path=str(tmp_path / "slides.pptx"))
    number: int = call("impress.add_slide", layout="title_content")
    call("impress.set_text", slide=number, shape="title", text="Fruit")
    call("impress.set_text", slide=number, shape="content", text="red apple")
    return number


def test_formats_every_slide_with_its_tables(call: Call, slide: int) -> None:
    call("impress.set_text", slide=1, shape="title", text="Start")
    call("impress.add_table", slide=1, rows=[["a", "b"]])
    assert call("impress.format", font="DejaVu Sans") == 5
    first = saved_slide(call, 1)
    assert text_runs(first.shapes.title)[0].font.name == "DejaVu Sans"
    (table,) = [item.table for item in first.shapes if item.has_table]
    assert table.cell(0, 1).text_frame.paragraphs[0].runs[0].font.name == "DejaVu Sans"
    assert text_runs(saved_slide(call, 2).shapes.title)[0].font.name == "DejaVu Sans"


def test_adds_a_table_and_sets_its_cells(call: Call, slide: int) -> None:
    rows = [["Name", "Age", "City"], ["Ann", "31", "Rome"]]
    number = call("impress.add_table", slide=slide, rows=rows, x_cm=3, y_cm=6, width_cm=15)
    call("impress.set_table_cell", slide=slide, row=2, column=2, text="32")
    shape = saved_slide(call).shapes[number - 1]
    result = [[cell.text for cell in row.cells] for row in shape.table.rows]
    assert result == [["Name", "Age", "City"], ["Ann", "32", "Rome"]]
    assert [round(item.cm) for item in (shape.left, shape.top, shape.width)] == [3, 6, 15]
    assert call("impress.read_slide", slide=slide)["shapes"][2]["text"].startswith("Name\nAge")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"row": 3, "column": 1}, "2 rows and 1 columns"),
        ({"row": 1, "column": 1, "shape": "title"}, "not a table but title"),
    ],
)
def test_a_wrong_cell_is_refused(
    call: Call, slide: int, arguments: dict[str, Any], words: str
) -> None:
    call("impress.add_table", slide=slide, rows=[["a"], ["b"]])
    with pytest.raises(Refused, match=words):
        call("impress.set_table_cell", slide=slide, text="x", **arguments)


@pytest.mark.parametrize("rows", [[], [[]], [["a", "b"], ["c"]]])
def test_an_uneven_table_is_refused(call: Call, slide: int, rows: list[list[str]]) -> None:
    with pytest.raises(Refused, match="all of the same length"):
        call("impress.add_table", slide=slide, rows=rows)
