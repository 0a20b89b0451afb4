"""OSWorld's metric of electronic books.

Guarantees: a book is read where it lies; nothing of it is written to disk.
"""

from __future__ import annotations

import difflib
import posixpath
import zipfile
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path

import lxml.html

from envs.osworld.outside.published.error_policy import broken_scores_0

PAGES = (".html", ".xhtml", ".htm")
PART_OF = {"toc.ncx": "navPoint", "content.opf": "dc:identifier"}
"""Lines of the table of contents and of the package with these words differ from program to
program."""
MAX_BYTES = 50_000_000

Lines = list[str]


@broken_scores_0
def compare_epub(result: Path, expected: Path) -> float:
    """How alike the table of contents, the package and each page are, line by line: the mean, a
    part that only one book has counting 0. Pages go together in the order of their names."""
    with zipfile.ZipFile(result) as book, zipfile.ZipFile(expected) as expected_book:
        actual, target = _parts(book), _parts(expected_book)
    ratios = [
        _ratio(a, b) if a is not None and b is not None else 0.0
        for kind in target
        for a, b in zip_longest(actual[kind], target[kind])
    ]
    return sum(ratios) / len(ratios) if ratios else 0.0


def compare_epub_compat(result: Path, expected: Path) -> float:
    """Parts go together in the order of their names, whatever they are, as far as both books have
    them. Raises FileNotFoundError for a page in a folder."""
    actual, target = _top_parts(result), _top_parts(expected)
    ratios = [_ratio(a, b) for a, b in zip(actual, target, strict=False)]
    return sum(ratios) / len(actual) if actual else 0.0


def _parts(book: zipfile.ZipFile) -> Mapping[str, list[Lines]]:
    names = sorted(book.namelist())
    if sum(member.file_size for member in book.infolist()) > MAX_BYTES:
        raise zipfile.BadZipFile("the book is too large")
    parts = {
        name: [_text_lines(book, member) for member in names if posixpath.basename(member) == name]
        for name in PART_OF
    }
    return parts | {"page": [_page_lines(book, name) for name in names if name.endswith(PAGES)]}


def _top_parts(path: Path) -> list[Lines]:
    try:
        with zipfile.ZipFile(path) as book:
            names = [name for name in book.namelist() if name in PART_OF or name.endswith(".html")]
            for name in names:
                if "/" in name:
                    raise FileNotFoundError(name)
            return [
                _text_lines(book, name) if name in PART_OF else _page_lines(book, name)
                for name in sorted(names)
            ]
    except zipfile.BadZipFile:
        return []


def _text_lines(book: zipfile.ZipFile, name: str) -> Lines:
    word = PART_OF[posixpath.basename(name)]
    return [line for line in book.read(name).decode().splitlines() if word not in line]


def _page_lines(book: zipfile.ZipFile, name: str) -> Lines:
    """However the page's source is broken into lines."""
    source = book.read(name).decode().replace("\n", "").replace("\r", "")
    page = lxml.html.fromstring(source.encode())
    return str(lxml.html.tostring(page, pretty_print=True, encoding="unicode")).splitlines()


def _ratio(first: Lines, second: Lines) -> float:
    return difflib.SequenceMatcher(a=first, b=second).ratio()
