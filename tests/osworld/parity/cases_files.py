"""Cases of PDF files, electronic books and sound files: upstream's modules pdf, chrome, general and
others."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.envs.osworld.outside.published.made_files import (
    book,
    colored_page,
    mp3,
    pdf,
    pdf_of_pictures,
)
from tests.osworld.parity.case import Case, cases_of

BROKEN = "malformed-crash"


def cases(folder: Path) -> Iterator[Case]:
    for part in (_pages, _texts, _pictures, _included, _books, _tags):
        made = folder / part.__name__
        made.mkdir()
        broken = made / "broken"
        broken.write_bytes(b"nothing of the kind")
        yield from part(made, broken)


def _pages(folder: Path, broken: Path) -> Iterator[Case]:
    case = cases_of("pdf", "check_pdf_pages")
    two = pdf(folder / "two.pdf", "One", "Two")
    for relation, number in (("eq", 2), ("eq", 1), ("le", 2), ("lt", 2), ("ge", 3), ("ne", 1)):
        rules = {"relation": relation, "ref_value": number}
        yield case(f"{relation} {number}", two, rules)
    yield case("broken", broken, {"relation": "eq", "ref_value": 1}, BROKEN)


def _texts(folder: Path, broken: Path) -> Iterator[Case]:
    case = cases_of("chrome", "compare_pdfs")
    gold = pdf(folder / "gold.pdf", "A page of text", "Another")
    yield case("same", pdf(folder / "same.pdf", "A page of text", "Another"), gold)
    near = pdf(folder / "near.pdf", "A page of texts", "Another")
    yield case("near", near, gold)
    yield case("far", pdf(folder / "far.pdf", "xyz"), gold)
    yield case("broken", broken, gold)
    yield case("lists", [gold, near], [gold, gold])
    yield case("lists, one broken", [gold, broken], [gold, gold])
    red, blue = (colored_page(folder / f"{name}.pdf", name) for name in ("red", "blue"))
    yield case("no text, same", red, red)
    yield case("no text, another page", blue, red, "no-text")
    yield case("no text in one", red, gold)


def _pictures(folder: Path, broken: Path) -> Iterator[Case]:
    case = cases_of("chrome", "compare_pdf_images")
    gold = pdf_of_pictures(folder / "gold.pdf", "ellipse", "rectangle")
    yield case("same", pdf_of_pictures(folder / "same.pdf", "ellipse", "rectangle"), gold)
    yield case("one other", pdf_of_pictures(folder / "other.pdf", "ellipse", "ellipse"), gold)
    yield case("one less", pdf_of_pictures(folder / "less.pdf", "ellipse"), gold)
    none = pdf(folder / "none.pdf", "text")
    yield case("none", none, gold)
    yield case("none in either", none, none)
    yield case("broken", broken, gold, BROKEN)


def _included(folder: Path, _: Path) -> Iterator[Case]:
    def case(name: str, result: Path, values: Mapping[str, str], differs: str = "") -> Case:
        expected = folder / f"{name}.json"
        expected.write_text(json.dumps(values))
        return Case(
            name=name, metric="is_gold_text_included_in_pdf", module="general",
            result=result, expected=expected, differs=differs,
        )  # fmt: skip

    form = pdf(folder / "form.pdf", "Name: Ada Lovelace\nGrade: A")
    yield case("there", form, {"name": "Ada Lovelace", "grade": "A"})
    yield case("not there", form, {"name": "Ada Lovelace", "grade": "Z"})
    yield case("nothing asked", form, {})
    yield case("over two lines", form, {"all": "Ada Lovelace Grade"}, "line-breaks")


def _books(folder: Path, broken: Path) -> Iterator[Case]:
    case = cases_of("others", "compare_epub")
    chapters = {"c1.html": "<p>One</p>", "c2.html": "<p>Two</p>"}
    gold = book(folder / "gold.epub", chapters)
    yield case("same", book(folder / "same.epub", chapters), gold)
    yield case("other id", book(folder / "id.epub", chapters, identifier="7"), gold)
    other = {**chapters, "c2.html": "<p>Three</p><p>Four</p>"}
    yield case("a chapter", book(folder / "other.epub", other), gold)
    lines = {**chapters, "c2.html": "<p>\nTwo</p>\n"}
    yield case("lines", book(folder / "lines.epub", lines), gold)
    less = book(folder / "less.epub", {"c1.html": "<p>One</p>"})
    yield case("a chapter less", less, gold, "missing-parts")
    nested = book(folder / "nested.epub", {f"text/{name}": text for name, text in chapters.items()})
    yield case("in a folder", nested, nested, "pages-in-folders")
    yield case("broken", broken, gold)
    with zipfile.ZipFile(folder / "empty.epub", "w"):
        pass
    yield case("empty", folder / "empty.epub", gold)


def _tags(folder: Path, broken: Path) -> Iterator[Case]:
    def case(name: str, result: Path, differs: str = "", **rules: Any) -> Case:
        return Case(
            name=name, metric="check_mp3_meta", module="others",
            result=result, expected=rules, differs=differs,
        )  # fmt: skip

    song = mp3(folder / "song.mp3", title="Missing You", artist="Cheng Xiang")
    right = {"method": "eq", "ref": "Missing You"}
    yield case("right", song, title=right, artist={"method": "eq", "ref": "Cheng Xiang"})
    yield case("wrong", song, title=right, artist={"method": "eq", "ref": "Another"})
    yield case("a pattern", song, title={"method": "re.I", "ref": "^missing"})
    yield case("not there", song, album={"method": "eq", "ref": "Album"})
    yield case("not there, wanted so", song, album={"method": "eq", "ref": ""})
    yield case("no tags", mp3(folder / "bare.mp3"), "no-tags", title=right)
    yield case("broken", broken, BROKEN, title=right)
