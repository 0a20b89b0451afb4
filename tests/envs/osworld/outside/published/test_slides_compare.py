"""`compare_pptx_files`: what is compared counts, nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_UNDERLINE, PP_ALIGN
from pptx.oxml.xmlchemy import OxmlElement
from pptx.util import Emu, Inches, Pt

from envs.osworld.outside.compat.slides_compare import compare_pptx_files_compat
from envs.osworld.outside.published.slides_compare import compare_pptx_files
from tests.envs.osworld.outside.published.made_slides import presentation

Write = Callable[[Any], object]
Make = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Make:
    def make(name: str, *writes: Write) -> Path:
        def write(presented: Any) -> None:
            for write_part in writes:
                write_part(presented)

        return presentation(tmp_path / f"{name}.pptx", write)

    return make


def title(made: Any) -> Any:
    return made.slides[0].shapes.title.text_frame.paragraphs[0]


def body(made: Any) -> Any:
    return made.slides[0].placeholders[1].text_frame.paragraphs[0]


def font(**looks: Any) -> Write:
    def write(made: Any) -> None:
        for name, value in looks.items():
            setattr(title(made).runs[0].font, name, value)

    return write


def colored(color: str) -> Write:
    return lambda made: setattr(title(made).runs[0].font.color, "rgb", RGBColor.from_string(color))


def background(made: Any) -> None:
    made.slides[0].background.fill.solid()
    made.slides[0].background.fill.fore_color.rgb = RGBColor(0, 0, 255)


def note(made: Any) -> None:
    made.slides[1].notes_slide.notes_text_frame.text = "Slowly"


def slide(made: Any) -> None:
    made.slides.add_slide(made.slide_layouts[6])


def dash(made: Any) -> None:
    mark = OxmlElement("a:buChar")
    mark.set("char", "-")
    body(made)._p.get_or_add_pPr().append(mark)


def move_title(made: Any) -> None:
    shape = made.slides[0].shapes.title
    shape.left, shape.top, shape.width, shape.height = map(Emu, (0, 0, 3000000, 1000000))


EDITS: dict[str, Write] = {
    "examine_number_of_slides": slide,
    "examine_shape": move_title,
    "examine_indent": lambda made: setattr(body(made), "level", 1),
    "examine_font_name": font(name="Arial"),
    "examine_font_size": font(size=Pt(30)),
    "examine_font_bold": font(bold=True),
    "examine_font_italic": font(italic=True),
    "examine_font_underline": font(underline=True),
    "examine_color_rgb": colored("FF0000"),
    "examine_strike_through": lambda made: (
        title(made).runs[0].font._element.set("strike", "sngStrike")
    ),
    "examine_alignment": lambda made: setattr(body(made), "alignment", PP_ALIGN.RIGHT),
    "examine_bullets": dash,
    "examine_background_color": background,
    "examine_note": note,
    "examine_text": lambda made: setattr(title(made).runs[0], "text", "Other"),
}


def test_the_same_slides_are_right(made: Make) -> None:
    assert compare_pptx_files(made("one"), made("other")) == 1


@pytest.mark.parametrize("option", EDITS)
def test_what_is_examined_must_agree(option: str, made: Make) -> None:
    gold, other = made("gold"), made("other", EDITS[option])
    assert compare_pptx_files(other, gold) == 0
    left_out = {option: False}
    if option == "examine_indent":
        # Each level has a bullet of its own.
        left_out["examine_bullets"] = False
    assert compare_pptx_files(other, gold, **left_out) == 1


def test_what_is_no_presentation_scores_nothing(made: Make, tmp_path: Path) -> None:
    path = tmp_path / "broken.pptx"
    path.write_bytes(b"PK no slides")
    assert compare_pptx_files(path, made("gold")) == 0


def scores(result: Path, expected: Path, **options: Any) -> tuple[float, float]:
    """Ours, OSWorld's."""
    return (
        compare_pptx_files(result, expected, **options),
        compare_pptx_files_compat(result, expected, **options),
    )


def test_a_missing_colour_is_another_colour(made: Make) -> None:
    """OSWorld's compares colours only where both runs have one."""
    assert scores(made("plain"), made("red", colored("FF0000"))) == (0, 1)
    # The theme's text is black.
    assert scores(made("plain"), made("black", colored("000000"))) == (1, 1)


def test_text_may_be_cut_into_any_runs(made: Make) -> None:
    """OSWorld's counts runs."""

    def cut(made: Any) -> None:
        title(made).runs[0].text = "P"
        title(made).add_run().text = "lan"

    whole = made("whole", lambda made: setattr(title(made).runs[0], "text", "Plan"))
    assert scores(made("cut", cut), whole) == (1, 0)


def test_any_kind_of_line_below_is_a_line(made: Make) -> None:
    """OSWorld's takes all but the plain one for none."""
    assert scores(made("wavy", font(underline=MSO_UNDERLINE.WAVY_LINE)), made("none")) == (0, 1)


def test_bullets_are_compared_as_shown(made: Make) -> None:
    """OSWorld's: a paragraph that says "left" is at no level, numbers are no bullets, and an empty
    run turns the comparison off."""
    left = made("left", lambda made: setattr(body(made), "alignment", PP_ALIGN.LEFT))
    assert scores(left, made("gold")) == (1, 0)

    def marked(kind: str, **said: str) -> Write:
        def write(made: Any) -> None:
            mark = OxmlElement(f"a:{kind}")
            for name, value in said.items():
                mark.set(name, value)
            body(made)._p.get_or_add_pPr().append(mark)

        return write

    numbers, none = marked("buAutoNum", type="arabicPeriod"), marked("buNone")
    assert scores(made("numbers", numbers), made("none", none)) == (0, 1)

    def empty(made: Any) -> None:
        body(made).add_run().text = ""

    assert scores(made("dash", dash, empty), made("empty", empty)) == (0, 1)


def test_text_that_is_not_examined_is_not(made: Make) -> None:
    """OSWorld's compares it along with bullets."""
    other = made("other", EDITS["examine_text"])
    assert scores(other, made("gold"), examine_text=False) == (1, 0)


def table(*rows: tuple[str, ...], bold: bool = False) -> Write:
    def write(made: Any) -> None:
        blank = made.slides.add_slide(made.slide_layouts[6])
        frame = blank.shapes.add_table(len(rows), len(rows[0]), 0, 0, Inches(4), Inches(2))
        for row, texts in zip(frame.table.rows, rows, strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text
                cell.text_frame.paragraphs[0].runs[0].font.bold = bold

    return write


def test_texts_of_tables_are_compared(made: Make) -> None:
    """OSWorld's sees them only along with bullets of other text."""
    gold = made("gold", table(("a", "b")))
    assert scores(made("same", table(("a", "b"))), gold) == (1, 1)
    assert scores(made("other", table(("a", "c"))), gold) == (0, 1)
    assert scores(made("more", table(("a", "b"), ("1", "2"))), gold) == (0, 0)


def test_options_hold_in_tables(made: Make) -> None:
    """OSWorld's always examines bold, italic and underline there."""
    bold, gold = made("bold", table(("a", "b"), bold=True)), made("gold", table(("a", "b")))
    assert scores(bold, gold) == (0, 0)
    assert scores(bold, gold, examine_font_bold=False) == (1, 0)


def test_pictures_are_looked_at(made: Make, tmp_path: Path) -> None:
    """OSWorld's takes any picture for any other."""

    def pictured(shape: str) -> Write:
        image = Image.new("RGB", (64, 64), "white")
        getattr(ImageDraw.Draw(image), shape)((8, 8, 40, 56), fill="black")
        image.save(tmp_path / f"{shape}.png")

        def write(made: Any) -> None:
            made.slides[0].shapes.add_picture(str(tmp_path / f"{shape}.png"), 0, 0)

        return write

    dot = made("dot", pictured("ellipse"))
    assert scores(made("dot too", pictured("ellipse")), dot) == (1, 1)
    assert scores(made("bar", pictured("rectangle")), dot) == (0, 1)
