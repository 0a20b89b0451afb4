"""Cases of upstream's module docs: what .docx and .odt files say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.envs.osworld.outside.published.made_documents import rows_of
from tests.osworld.parity.case import ABSENT, Case, cases_in
from tests.osworld.parity.shelf import Shelf

_case = cases_in("docs")


def cases(folder: Path) -> Iterator[Case]:
    shelf = Shelf(folder)
    for part in (_text, _odt, _lines, _tables, _references, _records):
        yield from part(shelf)


def _text(shelf: Shelf) -> Iterator[Case]:
    metric = "compare_docx_files"
    gold = shelf.docx("gold", "One two.", "Three")
    broken = shelf.file("broken.docx", b"no document")
    yield _case(metric, "same", shelf.docx("same", "One two.", "Three"), gold)
    yield _case(metric, "other", shelf.docx("other", "One two.", "Four"), gold)
    spaced = shelf.docx("spaced", "One  two.", "", "Three ")
    yield _case(metric, "spaced", spaced, gold)
    yield _case(metric, "spaced, blanks count", spaced, gold, ignore_blanks=False)
    yield _case(metric, "same, blanks count", shelf.docx("same"), gold, ignore_blanks=False)
    yield _case(metric, "case", shelf.docx("case", "ONE two.", "three"), gold)
    yield _case(metric, "case ignored", shelf.docx("case"), gold, ignore_case=True)
    yield _case(
        metric, "case ignored, blanks count", shelf.docx("case"), gold,
        ignore_case=True, ignore_blanks=False,
    )  # fmt: skip
    turned = shelf.docx("turned", "Three", "One two.")
    yield _case(metric, "order", turned, gold)
    yield _case(metric, "order ignored", turned, gold, ignore_order=True)
    mixed, sorted_gold = shelf.docx("mixed", "b", "A"), shelf.docx("sorted", "B", "a")
    options = {"ignore_order": True, "ignore_case": True}
    yield _case(metric, "order and case", mixed, sorted_gold, "sorted-before-folded", **options)
    yield _case(metric, "order and case, the same", gold, gold, **options)
    for option in ("content_only", "fuzzy_match"):
        yield _case(metric, option, shelf.docx("other"), gold, **{option: True})
        yield _case(metric, f"{option}, broken", broken, gold, **{option: True})
    yield _case(
        metric, "fuzzy lines", shelf.docx("other"), gold, fuzzy_match=True, ignore_blanks=False
    )
    yield _case(
        metric, "fuzzy lines, one more", spaced, gold, fuzzy_match=True, ignore_blanks=False
    )
    yield _case(
        metric, "empty lines deleted", shelf.docx("gaps", "One two.", "", "Three"), gold,
        ignore_blanks=False, delete_empty_lines=True,
    )  # fmt: skip
    yield _case(metric, "broken", broken, gold)
    yield _case(metric, "another kind", shelf.odt("gold-odt", "One two.", "Three"), gold)
    metric = "compare_docx_files_and_ignore_new_lines"
    for name in ("same", "other", "gaps", "spaced"):
        yield _case(metric, name, shelf.docx(name), gold)
        yield _case(metric, f"{name}, blanks count", shelf.docx(name), gold, ignore_blanks=False)
    yield _case(metric, "broken", broken, gold)


def _odt(shelf: Shelf) -> Iterator[Case]:
    metric = "compare_docx_files"
    gold = shelf.odt("plain", "One two.", "Three")
    yield _case(metric, "odt, same", shelf.odt("plain-too", "One two.", "Three"), gold)
    yield _case(metric, "odt, other", shelf.odt("plain-other", "One two.", "Four"), gold)
    yield _case(metric, "odt, order ignored", shelf.odt("o", "Three", "One two."), gold,
                ignore_order=True)  # fmt: skip
    yield _case(metric, "odt, broken", shelf.file("broken.odt", b"no document"), gold)
    nested = shelf.odt("nested", [("One two.", "span span")], "Three")
    yield _case(metric, "odt, nested spans", nested, gold, "odt-read-in-part")
    heading = shelf.odt("heading", ("Title", "h"), "One two.", "Three")
    yield _case(metric, "odt, a heading more", heading, gold, "odt-read-in-part")
    metric = "check_highlighted_words"
    marked = shelf.odt("marked", [("One", "yellow"), (" two.", "")], "Three")
    yield _case(metric, "none", gold, gold)
    yield _case(metric, "yellow", marked, gold)
    yield _case(metric, "other words", shelf.odt("plain-other"), gold)
    green = shelf.odt("green", [("One", "yellow"), (" two.", "")], "Three", yellow="#00ff00")
    yield _case(metric, "green", green, gold, "only-yellow-spans")
    whole = shelf.odt("whole", ("One two.", "paragraph"), "Three")
    yield _case(metric, "a paragraph's style", whole, gold, "only-yellow-spans")
    yield _case(metric, "broken", shelf.file("broken.odt", b"no document"), gold)


def _lines(shelf: Shelf) -> Iterator[Case]:
    gold, broken = shelf.docx("gold"), shelf.file("broken.docx", b"no document")
    metric = "compare_init_lines"
    yield _case(metric, "same", shelf.docx("same"), gold)
    longer = shelf.docx("longer", "One two.", "Three", "Four")
    yield _case(metric, "longer", longer, gold)
    yield _case(metric, "other", shelf.docx("other"), gold)
    yield _case(metric, "shorter", shelf.docx("short", "One two."), gold, "short-passes")
    yield _case(metric, "empty", shelf.docx("empty"), gold, "short-passes")
    yield _case(metric, "broken", broken, gold)
    metric = "compare_docx_lines"
    yield _case(metric, "order", shelf.docx("turned"), gold)
    yield _case(metric, "other", shelf.docx("other"), gold)
    twice = shelf.docx("twice", "Three", "One two.", "Three")
    yield _case(metric, "one twice", twice, gold, "repeats-pass")
    yield _case(metric, "broken", broken, gold)
    metric = "evaluate_conversion"
    yield _case(metric, "lower", shelf.docx("lower", "all lower"))
    yield _case(metric, "upper", shelf.docx("upper", "ALL UPPER"))
    yield _case(metric, "one word", shelf.docx("word", "one WORD"), ABSENT, "capitals-by-run")
    yield _case(metric, "a letter", shelf.docx("letter", "A"), ABSENT, "capitals-by-run")
    yield _case(metric, "empty", shelf.docx("empty"), ABSENT, "capitals-by-run")
    cell = shelf.docx("cell", "lower", write=rows_of(["UPPER"]))
    yield _case(metric, "in a table", cell)
    yield _case(metric, "broken", broken)


def _tables(shelf: Shelf) -> Iterator[Case]:
    metric = "compare_docx_tables"
    gold = shelf.docx("table", "T", write=rows_of(["a", "b"], ["1", "2"]))
    yield _case(metric, "same", shelf.docx("table2", "U", write=rows_of([" a", "b"], ["1", "2"])),
                gold)  # fmt: skip
    yield _case(metric, "a cell", shelf.docx("table3", write=rows_of(["a", "b"], ["1", "3"])), gold)
    yield _case(metric, "a row", shelf.docx("table4", write=rows_of(["a", "b"])), gold)
    yield _case(metric, "a column", shelf.docx("table5", write=rows_of(["a"], ["1"])), gold)
    yield _case(metric, "none", shelf.docx("gold"), gold)
    yield _case(metric, "broken", shelf.file("broken.docx", b"no document"), gold)

    def remove_cell(document: Any) -> None:
        rows_of(["a", "b"], ["1", "2"])(document)
        row = document.tables[0]._tbl.tr_lst[1]
        row.remove(row.tc_lst[1])

    torn = shelf.docx("ragged", write=remove_cell)
    yield _case(metric, "ragged", torn, torn, "ragged-table-crash")


def _references(shelf: Shelf) -> Iterator[Case]:
    metric = "compare_references"
    gold = shelf.docx("refs", "Text", "References", "Alpha, A. (2000).", "Beta, B. (2001).")
    near = shelf.docx("refs-near", "Text", "References", "Alpha, A. 2000.", "Beta, B. (2001).")
    yield _case(metric, "same", gold, gold, reference_base_result=0.6, content_only=True)
    yield _case(metric, "near", near, gold, reference_base_result=0.6)
    far = shelf.docx("refs-far", "Text", "References", "xx", "yy")
    yield _case(metric, "far", far, gold)
    yield _case(metric, "one less", shelf.docx("refs-less", "References", "Alpha"), gold)
    yield _case(metric, "no heading", shelf.docx("gold"), gold)
    yield _case(metric, "neither", shelf.docx("gold"), shelf.docx("same"))
    listed = shelf.docx(
        "refs-listed", "References", "1", "References", "Alpha, A. (2000).", "Beta, B. (2001)."
    )
    yield _case(metric, "in the contents too", listed, gold, "first-heading")
    bare = shelf.docx("refs-bare", "Text", "References")
    yield _case(metric, "nothing follows", bare, bare, "no-references-crash")
    yield _case(metric, "broken", shelf.file("broken.docx", b"no document"), gold)


def _records(shelf: Shelf) -> Iterator[Case]:
    broken = shelf.file("broken.docx", b"no document")
    all_lines = ("06:00, T1, S1, 1", "06:10, T1, S2, 1", "06:20, T2, S1, 2")
    original, gold = shelf.docx("all", *all_lines), shelf.docx("once", *all_lines[1:])
    metric, expected = "compare_unique_train_records", [gold, original]

    def lines(name: str, *numbers: int) -> Path:
        return shelf.docx(name, *(all_lines[number] for number in numbers))

    yield _case(metric, "the gold one", gold, expected)
    yield _case(metric, "the other record", lines("once-first", 0, 2), expected)
    yield _case(metric, "twice", original, expected)
    yield _case(metric, "one less", lines("one", 2), expected)
    invented = shelf.docx("invented", "06:00, T1, S9, 1", all_lines[2])
    yield _case(metric, "invented", invented, expected)
    yield _case(metric, "broken", broken, expected)
    metric = "check_no_duplicates"
    yield _case(metric, "once", gold, original, "sides-swapped")
    yield _case(metric, "twice", original, gold, "sides-swapped")
    yield _case(metric, "both once", gold, lines("once-first", 0, 2))
    yield _case(metric, "one less", lines("one", 2), gold)
    yield _case(metric, "broken", broken, gold)
    metric = "get_unique_train_ids"
    yield _case(metric, "once", gold, ABSENT, "no-score")
    yield _case(metric, "twice", original, ABSENT, "no-score")
