"""Cases of upstream's module docs: how .docx files look."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_BREAK, WD_COLOR_INDEX, WD_TAB_ALIGNMENT
from docx.shared import Cm, Pt, RGBColor

from tests.envs.osworld.outside.published.made_documents import equation, field, picture
from tests.osworld.parity.case import ABSENT, Case, cases_in
from tests.osworld.parity.shelf import Shelf, Write

_case = cases_in("docs")


def cases(folder: Path) -> Iterator[Case]:
    shelf = Shelf(folder)
    for name, *lines in (("gold", "One two.", "Three"), ("short", "One two."), ("letter", "A")):
        shelf.docx(name, *lines)
    for part in (_fonts, _marks, _colors, _layout, _tabs, _pictures):
        yield from part(shelf)


def _fonts(shelf: Shelf) -> Iterator[Case]:
    metric, rules = "compare_font_names", {"font_name": "Liberation Serif"}

    def all_runs(document: Any) -> None:
        for paragraph in document.paragraphs:
            for run in paragraph.runs:
                run.font.name = "Liberation Serif"

    def by_style(document: Any) -> None:
        document.styles["Normal"].font.name = "Liberation Serif"

    yield _case(metric, "all", shelf.docx("font", "One", "Two", write=all_runs), rules)
    yield _case(metric, "none", shelf.docx("gold"), rules)
    styled = shelf.docx("font-style", "One", write=by_style)
    yield _case(metric, "by the style", styled, rules, "own-font-only")
    yield _case(metric, "empty", shelf.docx("empty"), rules, "own-font-only")
    yield _case(metric, "broken", shelf.file("broken.docx", b"no document"), rules)
    metric = "check_italic_font_size_14"

    def italic(size: float | None) -> Write:
        def write(document: Any) -> None:
            run = document.add_paragraph("a ").add_run("b")
            run.italic, run.font.size = True, size and Pt(size)

        return write

    gold = shelf.docx("it14", write=italic(14))
    yield _case(metric, "14", shelf.docx("it14-too", write=italic(14)), gold)
    yield _case(metric, "12", shelf.docx("it12", write=italic(12)), gold)
    yield _case(metric, "no size", shelf.docx("it", write=italic(None)), gold)
    yield _case(metric, "upright", shelf.docx("upright", "a b"), gold, "italics-gone")
    yield _case(metric, "other words", shelf.docx("gold"), gold)
    yield _case(metric, "broken", shelf.file("broken.docx", b"no document"), gold)


def _runs(*runs: tuple[str, str]) -> Write:
    """Adds a paragraph of runs: text, and what is set to True in its font."""

    def write(document: Any) -> None:
        paragraph = document.add_paragraph()
        for text, look in runs:
            run = paragraph.add_run(text)
            if look == "highlight_color":
                run.font.highlight_color = WD_COLOR_INDEX.YELLOW
            elif look:
                setattr(run.font, look, True)

    return write


def _marks(shelf: Shelf) -> Iterator[Case]:
    broken = shelf.file("broken.docx", b"no document")
    metric = "compare_subscript_contains"
    gold = shelf.docx("h2o", write=_runs(("H", ""), ("2", "subscript"), ("O", "")))
    yield _case(metric, "same", shelf.docx("h2o-too", write=_runs(
        ("H", ""), ("2", "subscript"), ("O", ""))), gold)  # fmt: skip
    yield _case(metric, "none", shelf.docx("h2o-plain", "H2O"), gold)
    cut = shelf.docx("h2o-cut", write=_runs(("", ""), ("H", ""), ("2", "subscript"), ("O", "")))
    yield _case(metric, "cut otherwise", cut, gold, "runs-by-number")
    all_low = shelf.docx("h2o-all", write=_runs(("H", "subscript"), ("2O", "subscript")))
    yield _case(metric, "all of it", all_low, gold, "runs-by-number")
    yield _case(metric, "broken", broken, gold)
    metric = "evaluate_strike_through_last_paragraph"
    gold = shelf.docx("last", "One", "Two")
    struck = shelf.docx("struck", "One", write=_runs(("T", "strike"), ("wo", "strike")))
    yield _case(metric, "struck", struck, gold)
    half = shelf.docx("half", "One", write=_runs(("T", "strike"), ("wo", "")))
    yield _case(metric, "half", half, gold)
    yield _case(metric, "plain", gold, gold)
    trailing = shelf.docx("trailing", "One", "Two", "")
    yield _case(metric, "an empty line last", trailing, gold, "empty-last-paragraph")
    double = shelf.docx("double", "One", write=_runs(("Two", "double_strike")))
    yield _case(metric, "struck twice", double, gold, "empty-last-paragraph")
    yield _case(metric, "broken", broken, gold)
    metric = "compare_highlighted_text"
    gold = shelf.docx("light", write=_runs(("a ", ""), ("word", "highlight_color")))
    yield _case(metric, "same", gold, gold)
    yield _case(metric, "none", shelf.docx("gold"), gold)
    cut = shelf.docx("light-cut", write=_runs(("a ", ""), ("wo", "highlight_color"),
                                              ("rd", "highlight_color")))  # fmt: skip
    yield _case(metric, "cut otherwise", cut, gold, "highlights-by-run")
    yield _case(metric, "broken", broken, gold, "malformed-crash")


def _colors(shelf: Shelf) -> Iterator[Case]:
    metric = "evaluate_colored_words_in_tables"
    red, blue, dark = RGBColor(255, 0, 0), RGBColor(0, 0, 255), RGBColor(60, 0, 0)

    def colored(*runs: tuple[str, RGBColor | None]) -> Write:
        def write(document: Any) -> None:
            paragraph = document.add_table(1, 1).cell(0, 0).paragraphs[0]
            for text, color in runs:
                paragraph.add_run(text).font.color.rgb = color

        return write

    gold = shelf.docx("words", "W", write=colored(("apple", red), (" the", blue)))
    yield _case(metric, "right", gold, gold)
    wrong = shelf.docx("words-wrong", "W", write=colored(("apple", blue), (" the", blue)))
    yield _case(metric, "wrong", wrong, gold)
    near = shelf.docx("words-dark", "W", write=colored(("apple", dark), (" the", blue)))
    yield _case(metric, "too dark", near, gold)
    yield _case(metric, "any red", near, gold, threshold=100)
    plain = shelf.docx("words-plain", "W", write=colored(("apple", None), (" the", None)))
    yield _case(metric, "plain", plain, gold, "colour-of-runs")
    cut = shelf.docx("words-cut", "W", write=colored(("a", red), ("pple", red), (" the", blue)))
    yield _case(metric, "cut otherwise", cut, gold, "colour-of-runs")
    gone = shelf.docx("words-gone", "W", write=colored())
    yield _case(metric, "gone", gone, gold, "colour-of-runs")
    yield _case(metric, "broken", shelf.file("broken.docx", b"no document"), gold)


def _paragraphs(*looks: dict[str, Any]) -> Write:
    def write(document: Any) -> None:
        for number, look in enumerate(looks):
            paragraph = document.add_paragraph(look.pop("text", f"Line {number}"))
            for name, value in look.items():
                setattr(paragraph.paragraph_format, name, value)

    return write


def _layout(shelf: Shelf) -> Iterator[Case]:
    broken = shelf.file("broken.docx", b"no document")
    metric = "contains_page_break"

    def breaks(count: int) -> Write:
        def write(document: Any) -> None:
            for _ in range(count):
                document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)

        return write

    two = shelf.docx("breaks", "A", write=breaks(2))
    yield _case(metric, "two", two, {"page_break_count": 2})
    yield _case(metric, "not three", two, {"page_break_count": 3})
    yield _case(metric, "any", two, {})
    yield _case(metric, "none of any", shelf.docx("gold"), {})
    yield _case(metric, "none wanted", shelf.docx("gold"), {"page_break_count": 0}, "no-breaks")
    yield _case(metric, "broken", broken, {"page_break_count": 2})
    metric = "has_page_numbers_in_footers"

    def footer(*parts: str) -> Write:
        def write(document: Any) -> None:
            paragraph = document.sections[0].footer.paragraphs[0]
            for part in parts:
                field(paragraph, part, "1") if part.isupper() else paragraph.add_run(part)

        return write

    yield _case(metric, "a field", shelf.docx("foot", "A", write=footer("Page ", "PAGE")))
    yield _case(metric, "none", shelf.docx("gold"))
    typed = shelf.docx("foot-typed", "A", write=footer("Page 1"))
    yield _case(metric, "typed", typed, ABSENT, "digits-for-numbers")
    yield _case(metric, "words", shelf.docx("foot-words", "A", write=footer("Page")))
    yield _case(metric, "broken", broken)
    metric = "is_first_line_centered"
    center = {"alignment": WD_ALIGN_PARAGRAPH.CENTER}
    yield _case(metric, "centered", shelf.docx("center", write=_paragraphs({**center})))
    yield _case(metric, "left", shelf.docx("gold"))
    after = shelf.docx("center-after", "", write=_paragraphs({**center}))
    yield _case(metric, "after an empty line", after, ABSENT, "own-alignment-only")
    yield _case(metric, "empty", shelf.docx("nothing"), ABSENT, "own-alignment-only")
    yield _case(metric, "broken", broken)
    yield from _spacing(shelf, broken)


def _spacing(shelf: Shelf, broken: Path) -> Iterator[Case]:
    def spaced(*amounts: Any) -> Write:
        def write(document: Any) -> None:
            document.styles["Normal"].paragraph_format.line_spacing = 1.0
            _paragraphs(*({"line_spacing": amount} for amount in amounts))(document)

        return write

    metric = "compare_line_spacing"
    gold = shelf.docx("lines", write=spaced(2.0, 2.0, 1.0))
    yield _case(metric, "same", shelf.docx("lines-too", write=spaced(2.0, 2.0, 1.0)), gold)
    yield _case(metric, "other", shelf.docx("lines-other", write=spaced(2.0, 1.5, 1.0)), gold)
    fixed = shelf.docx("lines-fixed", write=spaced(2.0, Pt(24), 1.0))
    yield _case(metric, "points", fixed, gold)
    implied = shelf.docx("lines-implied", write=spaced(2.0, 2.0, None))
    yield _case(metric, "single as it is", implied, gold, "own-spacing-only")
    yield _case(metric, "other words", shelf.docx("gold"), gold)
    yield _case(metric, "broken", broken, gold)
    metric = "evaluate_spacing"
    yield _case(metric, "right", shelf.docx("three", write=spaced(1.0, 2.0, 1.5)))
    yield _case(metric, "wrong", shelf.docx("three-wrong", write=spaced(1.0, 1.5, 2.0)))
    implied = shelf.docx("three-implied", write=spaced(None, 2.0, 1.5))
    yield _case(metric, "single as it is", implied, ABSENT, "own-spacing-only")
    yield _case(metric, "too short", shelf.docx("short"), ABSENT, "own-spacing-only")
    yield _case(metric, "broken", broken)
    metric = "evaluate_alignment"
    yield _case(metric, "a tab", shelf.docx("tab", "One two three\tfour five."))
    yield _case(metric, "none", shelf.docx("no-tab", "One two three four."), ABSENT, "any-sentence")
    short = shelf.docx("three-words", "One two three.")
    yield _case(metric, "three words", short)
    yield _case(metric, "empty", shelf.docx("empty"), ABSENT, "any-sentence")
    yield _case(metric, "broken", broken)


def _tabs(shelf: Shelf) -> Iterator[Case]:
    metric, options = "check_tabstops", {"word_number_split_by_tabstop": 3, "index": 0}

    def tabbed(at: float | None, *texts: str, kind: Any = WD_TAB_ALIGNMENT.RIGHT) -> Write:
        def write(document: Any) -> None:
            for text in texts or ("One two three\tfour five.",):
                paragraph = document.add_paragraph(text)
                if at is not None:
                    paragraph.paragraph_format.tab_stops.add_tab_stop(Cm(at), kind)

        return write

    gold = shelf.docx("tabs", write=tabbed(15))
    yield _case(metric, "same", gold, gold, **options)
    yield _case(metric, "a little off", shelf.docx("tabs-off", write=tabbed(14)), gold, **options)
    left = shelf.docx("tabs-left", write=tabbed(15, kind=WD_TAB_ALIGNMENT.LEFT))
    yield _case(metric, "another kind", left, gold, **options)
    yield _case(metric, "no stop", shelf.docx("tabs-none", write=tabbed(None)), gold, **options)
    four = shelf.docx("tabs-four", write=tabbed(15, "One two three four\tfive."))
    yield _case(metric, "four words", four, gold, **options)
    yield _case(metric, "words do not count", four, gold)
    yield _case(metric, "one more line", shelf.docx("tabs-more", "A", write=tabbed(15)), gold)
    far = shelf.docx("tabs-far", write=tabbed(50))
    yield _case(metric, "far off", far, gold, "tab-score", **options)
    empty = shelf.docx("empty")
    yield _case(metric, "both empty", empty, empty, "tab-score", **options)
    yield _case(metric, "broken", shelf.file("broken.docx", b"no document"), gold, **options)


def _pictures(shelf: Shelf) -> Iterator[Case]:
    broken = shelf.file("broken.docx", b"no document")
    red, blue = shelf.image("red", "red"), shelf.image("blue", "blue")
    wide = shelf.image("wide", "red", (16, 4))

    def pictures(*paths: Path) -> Write:
        return lambda document: [picture(document, path) for path in paths]

    metric = "compare_docx_images"
    gold = shelf.docx("red-blue", write=pictures(red, blue))
    yield _case(metric, "same", shelf.docx("red-blue2", "A", write=pictures(red, blue)), gold)
    yield _case(metric, "order", shelf.docx("blue-red", write=pictures(blue, red)), gold)
    yield _case(metric, "one less", shelf.docx("red", write=pictures(red)), gold)
    yield _case(metric, "none", shelf.docx("gold"), gold)

    def other_way(document: Any) -> None:
        picture(document, blue)
        picture(document, red)
        body = document.element.body
        body.insert(0, document.paragraphs[-1]._p)

    moved = shelf.docx("red-blue3", write=other_way)
    yield _case(metric, "stored in another order", moved, gold, "pictures-by-storage")
    red_text = shelf.docx("red")
    yield _case(metric, "another size", shelf.docx("wide", write=pictures(wide)), red_text,
                "pictures-by-storage")  # fmt: skip
    yield _case(metric, "broken", broken, gold)
    metric = "compare_contains_image"
    yield _case(metric, "same", shelf.docx("red-blue2", "A", write=pictures(red, blue)),
                shelf.docx("red-blue2"))  # fmt: skip
    yield _case(metric, "moved", shelf.docx("red-late", "", write=pictures(red)), red_text,
                "pictures-by-run")  # fmt: skip
    yield _case(metric, "empty", shelf.docx("nothing"), red_text, "pictures-by-run")
    yield _case(metric, "text instead", shelf.docx("letter"), red_text)
    yield _case(metric, "broken", broken, red_text)
    metric = "compare_insert_equation"
    gold = shelf.docx("sum", "A", write=lambda document: equation(document, "a+b"))
    yield _case(metric, "same", gold, gold, "equations-as-objects")
    yield _case(metric, "none", shelf.docx("sum-none", "A"), gold)
    yield _case(metric, "other words", shelf.docx("gold"), gold)
    ole = shelf.docx("object", "A", write=_object)
    yield _case(metric, "an object", ole, ole)
    yield _case(metric, "broken", broken, gold)
    metric, rules = "compare_image_text", {"type": "text", "text": "ls"}
    yield _case(metric, "no picture", shelf.file("ls.png", b"no picture"), rules)


def _object(document: Any) -> None:
    from docx.oxml import OxmlElement

    document.add_paragraph().add_run()._r.append(OxmlElement("w:object"))
