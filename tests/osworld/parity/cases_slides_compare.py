"""Cases of compare_pptx_files: each option, alone and against what it examines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.text import MSO_UNDERLINE, PP_ALIGN
from pptx.oxml.xmlchemy import OxmlElement
from pptx.util import Emu, Inches, Pt

from tests.envs.osworld.outside.published.made_slides import presentation
from tests.osworld.parity.case import Case, cases_of

_case = cases_of("slides", "compare_pptx_files")

Write = Callable[[Any], object]


def cases(folder: Path) -> Iterator[Case]:
    shelf = _Shelf(folder)
    for part in (_whole, _runs, _paragraphs, _tables, _pictures, _places):
        yield from part(shelf)


class _Shelf:
    def __init__(self, folder: Path) -> None:
        self._folder = folder / "compared"
        self._folder.mkdir()
        self.gold = presentation(self._folder / "gold.pptx")

    def pptx(self, name: str, *writes: Write) -> Path:
        def write(made: Any) -> None:
            for write_part in writes:
                write_part(made)

        return presentation(self._folder / f"{name}.pptx", write)

    def image(self, name: str, color: str, shape: str) -> Path:
        path = self._folder / f"{name}.png"
        image = Image.new("RGB", (64, 64), "white")
        draw = ImageDraw.Draw(image)
        getattr(draw, shape)((8, 8, 40, 56), fill=color)
        image.save(path)
        return path


def _both(shelf: _Shelf, name: str, write: Write, option: str, differs: str = "") -> Iterator[Case]:
    """With the option and without."""
    made = shelf.pptx(name, write)
    yield _case(name, made, shelf.gold, differs)
    yield _case(f"{name}, not examined", made, shelf.gold, differs, **{option: False})


def _title(made: Any) -> Any:
    return made.slides[0].shapes.title.text_frame.paragraphs[0]


def _run(**looks: Any) -> Write:
    """Looks of the first title's run."""

    def write(made: Any) -> None:
        for name, value in looks.items():
            setattr(_title(made).runs[0].font, name, value)

    return write


def _colored(color: str) -> Write:
    def write(made: Any) -> None:
        _title(made).runs[0].font.color.rgb = RGBColor.from_string(color)

    return write


def _whole(shelf: _Shelf) -> Iterator[Case]:
    yield _case("same", shelf.pptx("same"), shelf.gold)
    yield _case("a remark", shelf.pptx("same"), shelf.gold, _note="see there")
    yield _case("broken", shelf.pptx("same").with_name("no.pptx"), shelf.gold, "malformed-crash")
    shelf.pptx("same").with_name("no.pptx").write_bytes(b"no slides")

    def third(made: Any) -> None:
        made.slides.add_slide(made.slide_layouts[6])

    yield from _both(shelf, "a slide more", third, "examine_number_of_slides")

    def add_note(made: Any) -> None:
        made.slides[1].notes_slide.notes_text_frame.text = "Slowly"

    yield from _both(shelf, "a note", add_note, "examine_note")

    def blue(made: Any) -> None:
        made.slides[0].background.fill.solid()
        made.slides[0].background.fill.fore_color.rgb = RGBColor(0, 0, 255)

    yield from _both(shelf, "blue behind", blue, "examine_background_color")

    def use_theme_colour(made: Any) -> None:
        made.slides[0].background.fill.solid()
        made.slides[0].background.fill.fore_color.theme_color = MSO_THEME_COLOR.ACCENT_1

    theme = shelf.pptx("theme", use_theme_colour)
    yield _case("a theme's colour behind", theme, theme, "theme-background-crash")

    def box(made: Any) -> None:
        made.slides[0].shapes.add_textbox(0, 0, Inches(1), Inches(1))

    yield _case("a shape more", shelf.pptx("box", box), shelf.gold)


def _runs(shelf: _Shelf) -> Iterator[Case]:
    yield from _both(shelf, "font", _run(name="Arial"), "examine_font_name")
    yield from _both(shelf, "size", _run(size=Pt(30)), "examine_font_size")
    yield from _both(shelf, "bold", _run(bold=True), "examine_font_bold")
    yield from _both(shelf, "italic", _run(italic=True), "examine_font_italic")
    yield from _both(shelf, "underline", _run(underline=True), "examine_font_underline")
    yield _case("not bold", shelf.pptx("not bold", _run(bold=False)), shelf.gold)
    yield _case("not underlined", shelf.pptx("plain", _run(underline=False)), shelf.gold)
    wavy = shelf.pptx("wavy", _run(underline=MSO_UNDERLINE.WAVY_LINE))
    yield _case("wavy", wavy, shelf.gold, "other-underlines")

    def strike_title(made: Any) -> None:
        _title(made).runs[0].font._element.set("strike", "sngStrike")

    yield from _both(shelf, "struck", strike_title, "examine_strike_through")
    red, blue = shelf.pptx("red", _colored("FF0000")), shelf.pptx("blue", _colored("0000FF"))
    yield _case("colour", blue, red)
    yield _case("colour, not examined", blue, red, examine_color_rgb=False)
    yield _case("colour, same", shelf.pptx("red too", _colored("FF0000")), red)
    yield _case("not coloured", shelf.gold, red, "colour-of-one")
    yield _case("black, not said", shelf.gold, shelf.pptx("black", _colored("000000")))

    def cut(made: Any) -> None:
        _title(made).runs[0].text = ""
        _title(made).add_run().text = "A"

    yield _case("cut otherwise", shelf.pptx("cut", cut), shelf.gold, "runs-cut")


def _paragraphs(shelf: _Shelf) -> Iterator[Case]:
    def body(made: Any) -> Any:
        return made.slides[0].placeholders[1].text_frame.paragraphs[0]

    def text(made: Any) -> None:
        body(made).runs[0].text = "Another"

    yield _case("text", shelf.pptx("text", text), shelf.gold)
    yield _case("text, not examined", shelf.pptx("text", text), shelf.gold, "text-with-bullets",
                examine_text=False)  # fmt: skip
    yield _case("text and bullets, not examined", shelf.pptx("text", text), shelf.gold,
                examine_text=False, examine_bullets=False)  # fmt: skip

    def right(made: Any) -> None:
        body(made).alignment = PP_ALIGN.RIGHT

    yield _case("right", shelf.pptx("right", right), shelf.gold)
    yield _case("right, not examined", shelf.pptx("right", right), shelf.gold,
                "levels-of-bullets", examine_alignment=False)  # fmt: skip

    def align_left(made: Any) -> None:
        body(made).alignment = PP_ALIGN.LEFT

    yield _case("left", shelf.pptx("left", align_left), shelf.gold, "levels-of-bullets")

    def centre_title(made: Any) -> None:
        _title(made).alignment = PP_ALIGN.CENTER

    center = shelf.pptx("centered", centre_title)
    yield _case("centred as it is", center, shelf.gold, "alignment-inherited")

    def deeper(made: Any) -> None:
        body(made).level = 1

    yield from _both(shelf, "deeper", deeper, "examine_indent")

    def marked(kind: str, **label: str) -> Write:
        def write(made: Any) -> None:
            mark = OxmlElement(f"a:{kind}")
            for name, value in label.items():
                mark.set(name, value)
            body(made)._p.get_or_add_pPr().append(mark)

        return write

    dash = marked("buChar", char="-")
    yield from _both(shelf, "a dash", dash, "examine_bullets")
    yield _case("a dash, same", shelf.pptx("a dash", dash), shelf.pptx("dash too", dash))
    numbered = shelf.pptx("numbered", marked("buAutoNum", type="arabicPeriod"))
    bare = shelf.pptx("bare", marked("buNone"))
    yield _case("numbers for none", numbered, bare, "numbers-are-no-bullets")

    def add_empty_run(made: Any) -> None:
        dash(made)
        made.slides[0].placeholders[1].text_frame.paragraphs[0].add_run().text = ""

    empty = shelf.pptx("empty run", add_empty_run)

    def empty_only(made: Any) -> None:
        body(made).add_run().text = ""

    yield _case("an empty run", empty, shelf.pptx("empty gold", empty_only), "empty-run")

    def more(made: Any) -> None:
        made.slides[0].placeholders[1].text_frame.add_paragraph()

    yield _case("a line more", shelf.pptx("line", more), shelf.gold)

    def group(label: str) -> Write:
        def write(made: Any) -> None:
            inner = made.slides[0].shapes.add_group_shape().shapes
            inner.add_textbox(0, 0, Inches(2), Inches(1)).text_frame.text = label

        return write

    first, two = shelf.pptx("group", group("x")), shelf.pptx("group2", group("y"))
    yield _case("in a group", first, two)
    yield _case("in a group, same", first, shelf.pptx("group too", group("x")))


def _tables(shelf: _Shelf) -> Iterator[Case]:
    def table(*rows: tuple[str, ...], bold: bool = False, blank: bool = False) -> Write:
        def write(made: Any) -> None:
            slide = made.slides.add_slide(made.slide_layouts[6]) if blank else made.slides[0]
            frame = slide.shapes.add_table(len(rows), len(rows[0]), 0, 0, Inches(4), Inches(2))
            for row, texts in zip(frame.table.rows, rows, strict=True):
                for cell, text in zip(row.cells, texts, strict=True):
                    cell.text = text
                    for run in cell.text_frame.paragraphs[0].runs:
                        run.font.bold = bold

        return write

    gold = shelf.pptx("table", table(("a", "b"), ("1", "2")))
    yield _case("table, same", shelf.pptx("table too", table(("a", "b"), ("1", "2"))), gold)
    yield _case("table, a cell", shelf.pptx("table3", table(("a", "b"), ("1", "3"))), gold)
    alone = shelf.pptx("table4", table(("a", "b"), blank=True))
    other = shelf.pptx("table5", table(("a", "c"), blank=True))
    yield _case("table, a cell, no other text", other, alone, "table-text")
    yield _case("table, a cell, no bullets", shelf.pptx("table3", table(("a", "b"), ("1", "3"))),
                gold, "table-text", examine_bullets=False)  # fmt: skip
    yield _case("table, a row", shelf.pptx("table6", table(("a", "b"))), gold, examine_shape=False)
    bold = shelf.pptx("table7", table(("a", "b"), ("1", "2"), bold=True))
    yield _case("table, bold", bold, gold)
    yield _case("table, bold, not examined", bold, gold, "table-options",
                examine_font_bold=False)  # fmt: skip


def _pictures(shelf: _Shelf) -> Iterator[Case]:
    dot, bar = shelf.image("dot", "red", "ellipse"), shelf.image("bar", "blue", "rectangle")

    def picture(path: Path, size: float = 2) -> Write:
        def write(made: Any) -> None:
            made.slides[0].shapes.add_picture(str(path), 0, 0, Inches(size), Inches(2))

        return write

    gold = shelf.pptx("dot", picture(dot))
    yield _case("picture, same", shelf.pptx("dot too", picture(dot)), gold)
    yield _case("picture, another", shelf.pptx("bar", picture(bar)), gold, "pictures-unseen")
    wide = shelf.pptx("wide", picture(dot, 3))
    yield _case("picture, wide", wide, gold)
    yield _case("picture, wide, not examined", wide, gold, examine_shape=False)
    yield _case("picture, size", wide, gold, examine_shape=False, examine_image_size=True)
    yield _case("picture, height", wide, gold, examine_shape=False, examine_modify_height=True)


def _places(shelf: _Shelf) -> Iterator[Case]:
    def moved(top: int, align_left: int = 457200, text: str = "A") -> Write:
        def write(made: Any) -> None:
            title = made.slides[0].shapes.title
            title.text_frame.text = text
            title.left, title.top, title.width, title.height = map(
                Emu, (align_left, top, 8229600, 1143000)
            )

        return write

    gold = shelf.pptx("placed", moved(1000000))
    yield _case("lower", shelf.pptx("lower", moved(2000000)), gold)
    yield _case(
        "lower, not examined", shelf.pptx("lower", moved(2000000)), gold, examine_shape=False
    )
    near = shelf.pptx("near", moved(1004000))
    yield _case("near", near, gold)
    yield _case("near, strictly", near, gold, approximately_tolerance=0.001)
    zero, rounded = shelf.pptx("zero", moved(1000000, 0)), shelf.pptx("round", moved(1000000, 360))
    yield _case("rounded", rounded, zero, "rounded-near-0")
    loose = {"examine_shape": False}
    title, named = "examine_title_bottom_position", "Product Comparison"
    original = shelf.pptx("named", moved(1000000, text=named))
    yield _case("title, as it was", original, original, **loose, **{title: True})
    down = shelf.pptx("named down", moved(5000000, text=named))
    yield _case("title, down", down, original, **loose, **{title: True})
    half = shelf.pptx("named half", moved(2000000, text=named))
    yield _case("title, half way", half, original, **loose, **{title: True})
    shift = "examine_shape_for_shift_size"
    yield _case("shifted", shelf.pptx("lower", moved(2000000)), gold, **loose, **{shift: True})
    note = "Elaborate on what you want to discuss."
    shifted = shelf.pptx("shift", moved(2000000, text=note))
    start = shelf.pptx("start", moved(1000000, text=note))
    yield _case("shifted, that box", shifted, start, **loose, **{shift: True})
    yield from _moved_pictures(shelf)


def _moved_pictures(shelf: _Shelf) -> Iterator[Case]:
    dot, loose = shelf.image("dot", "red", "ellipse"), {"examine_shape": False}

    def at(align_left: int, top: int) -> Write:
        def write(made: Any) -> None:
            made.slides[1].shapes.add_picture(str(dot), align_left, top, Inches(2), Inches(2))

        return write

    start = shelf.pptx("p-start", at(2000000, 2500000))
    right, up = "examine_right_position", "examine_top_position"
    yield _case(
        "right", shelf.pptx("p-right", at(6000000, 2500000)), start, **loose, **{right: True}
    )
    yield _case("right, stays", start, start, **loose, **{right: True})
    yield _case("right, not far", shelf.pptx("p-mid", at(3000000, 2500000)), start, **loose,
                **{right: True})  # fmt: skip
    yield _case("up", shelf.pptx("p-up", at(2000000, 0)), start, **loose, **{up: True})
    yield _case("up, stays", start, start, **loose, **{up: True})

    def table(top: int) -> Write:
        def write(made: Any) -> None:
            slide = made.slides.add_slide(made.slide_layouts[6])
            slide.shapes.add_table(2, 2, 0, top, Inches(4), Inches(1))

        return write

    start, low = shelf.pptx("t-start", table(1000000)), shelf.pptx("t-low", table(5000000))
    bottom = "examine_table_bottom_position"
    yield _case("table, low", low, start, **loose, **{bottom: True})
    yield _case("table, stays", start, start, **loose, **{bottom: True})
