"""OSWorld's metrics of how a document is laid out: pages, paragraphs, tab stops.

Guarantees: alignment and spacing count wherever they come from, paragraph or style.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docx.enum.text import WD_PARAGRAPH_ALIGNMENT, WD_TAB_ALIGNMENT

from envs.osworld.outside.metrics.word_styles import W
from envs.osworld.outside.published.error_policy import (
    broken_scores_0,
    get_rule,
    unreadable_scores_0,
)
from envs.osworld.outside.published.word_files import SINGLE, Word, open_document
from envs.osworld.outside.published.word_text import compare_docx_files, same_words

DOUBLE, HALF_MORE = ("auto", 2.0), ("auto", 1.5)


@broken_scores_0
def contains_page_break(result: Path, expected: Mapping[str, int] | None = None) -> float:
    """1 when the body has `page_break_count` page breaks; without that rule, when it has any."""
    required = None
    if expected is not None and "page_break_count" in expected:
        required = get_rule(expected, "page_break_count", int)
    count = _page_breaks(result)
    return float(count > 0 if required is None else count == required)


@unreadable_scores_0
def contains_page_break_compat(result: Path, expected: Mapping[str, int] | None = None) -> float:
    """0 also where no page break is wanted and none is there."""
    return float(contains_page_break(result, expected) and _page_breaks(result) > 0)


@broken_scores_0
def has_page_numbers_in_footers(result: Path) -> float:
    """1 when every footer that pages may show has the number of its page as a field."""
    document = open_document(result)
    two_sided = document.settings.odd_and_even_pages_header_footer
    footers = [
        footer_part for section in document.sections for footer_part in _footers(section, two_sided)
    ]
    return float(bool(footers) and all(_has_page_field(footer._element) for footer in footers))


@unreadable_scores_0
def has_page_numbers_in_footers_compat(result: Path) -> float:
    """1 when the first line of every section's footer has a digit."""
    footers = [section.footer.paragraphs for section in open_document(result).sections]
    lines = [paragraphs[0].text if paragraphs else "" for paragraphs in footers]
    return float(all(any(letter.isdigit() for letter in line) for line in lines))


@broken_scores_0
def is_first_line_centered(result: Path) -> float:
    """1 when the first paragraph with text is centred."""
    word = Word(result)
    return float(word.alignment(word.nonempty_paragraphs[0]) == "center")


@unreadable_scores_0
def is_first_line_centered_compat(result: Path) -> float:
    """By the very first paragraph's own alignment. Raises IndexError without one."""
    first = open_document(result).paragraphs[0]
    return float(first.paragraph_format.alignment == WD_PARAGRAPH_ALIGNMENT.CENTER)


@broken_scores_0
def compare_line_spacing(result: Path, expected: Path) -> float:
    """1 when the documents say the same in as many paragraphs, with the same space between
    lines."""
    if not same_words(result, expected):
        return 0.0
    actual, target = (
        [word.line_spacing(paragraph) for paragraph in word.paragraphs]
        for word in (Word(result), Word(expected))
    )
    return float(actual == target)


@unreadable_scores_0
def compare_line_spacing_compat(result: Path, expected: Path) -> float:
    """By the paragraphs' own spacing; "at least" and "exactly" are the same."""
    if not compare_docx_files(result, expected):
        return 0.0
    actual, target = (
        [paragraph.paragraph_format.line_spacing for paragraph in open_document(path).paragraphs]
        for path in (result, expected)
    )
    return float(actual == target)


@broken_scores_0
def evaluate_spacing(result: Path) -> float:
    """1 when the first three paragraphs with text have single, double and one-and-a-half space
    between lines."""
    word = Word(result)
    spacing = [word.line_spacing(paragraph) for paragraph in word.nonempty_paragraphs[:3]]
    return float(spacing == [SINGLE, DOUBLE, HALF_MORE])


@unreadable_scores_0
def evaluate_spacing_compat(result: Path) -> float:
    """By the very first three paragraphs' own spacing. Raises IndexError when they are fewer."""
    paragraphs = open_document(result).paragraphs
    spacing = [paragraphs[index].paragraph_format.line_spacing for index in range(3)]
    return float(spacing == [1.0, 2.0, 1.5])


@broken_scores_0
def evaluate_alignment(result: Path) -> float:
    """1 when there is a sentence of more than three words and each has a tab after the third."""
    words = [
        (sentence.split(), sentence.strip().split("\t")[0].split())
        for paragraph in open_document(result).paragraphs
        for sentence in paragraph.text.split(".")
    ]
    heads = [head for all_words, head in words if len(all_words) > 3]
    return float(bool(heads) and all(len(head) == 3 for head in heads))


@unreadable_scores_0
def evaluate_alignment_compat(result: Path) -> float:
    """Passes any sentence but one with unusual space among its first or its other words."""
    for paragraph in open_document(result).paragraphs:
        for sentence in paragraph.text.split("."):
            words = sentence.split()
            first, rest = " ".join(words[:3]), " ".join(words[3:])
            if len(words) >= 3 and not -1 < sentence.find(first) < sentence.find(rest):
                return 0.0
    return 1.0


@broken_scores_0
def check_tabstops(
    result: Path,
    expected: Path,
    *,
    word_number_split_by_tabstop: int | None = None,
    index: int = 0,
) -> float:
    """1 when the paragraphs with text have the same tab stops as the expected ones, less for each
    by which part of the text's width they are off, 0 when their number or kinds differ. With
    `word_number_split_by_tabstop` also 0 unless each paragraph has so many words before its first
    tab, or between the tabs `index` and `index` + 1."""
    if not _nonempty_paragraphs(result):
        return 0.0
    return max(0.0, _tabs_alike(result, expected, word_number_split_by_tabstop, index))


@unreadable_scores_0
def check_tabstops_compat(
    result: Path,
    expected: Path,
    *,
    word_number_split_by_tabstop: int | None = None,
    index: int = 0,
) -> float:
    """May fall below 0. Raises IndexError where a paragraph has too few tabs, ZeroDivisionError
    when neither document has text."""
    return _tabs_alike(result, expected, word_number_split_by_tabstop, index)


def _page_breaks(path: Path) -> int:
    runs = (run for paragraph in open_document(path).paragraphs for run in paragraph.runs)
    breaks = (element for run in runs for element in run.element.iter(f"{W}br"))
    return sum(element.get(f"{W}type") == "page" for element in breaks)


def _footers(section: Any, two_sided: bool) -> Iterator[Any]:
    yield section.footer
    if section.different_first_page_header_footer:
        yield section.first_page_footer
    if two_sided:
        yield section.even_page_footer


def _has_page_field(footer: Any) -> bool:
    codes = [field.get(f"{W}instr", "") for field in footer.iter(f"{W}fldSimple")]
    codes += [field.text or "" for field in footer.iter(f"{W}instrText")]
    return any(code.split()[:1] in (["PAGE"], ["page"]) for code in codes)


def _nonempty_paragraphs(path: Path) -> list[Any]:
    return [paragraph for paragraph in open_document(path).paragraphs if paragraph.text.strip()]


def _tabs_alike(result: Path, expected: Path, words: int | None, index: int) -> float:
    actual, target = _nonempty_paragraphs(result), _nonempty_paragraphs(expected)
    if len(actual) != len(target):
        return 0.0
    if words is not None:
        parts = (re.split(r"\s", paragraph.text.split("\t")[index]) for paragraph in actual)
        if any(sum(map(bool, part)) != words for part in parts):
            return 0.0
    section = open_document(expected).sections[0]
    width = section.page_width - section.left_margin - section.right_margin
    off = 0.0
    for paragraph, target_paragraph in zip(actual, target, strict=True):
        stops, targets = _stops(paragraph), _stops(target_paragraph)
        if [kind for kind, _ in stops] != [kind for kind, _ in targets]:
            return 0.0
        off += sum(abs(a - b) for (_, a), (_, b) in zip(stops, targets, strict=True)) / width
    return 1 - off / len(actual)


def _stops(paragraph: Any) -> list[tuple[Any, int]]:
    """(kind, position): all but cleared ones and the left one at the margin."""
    stops = ((stop.alignment, stop.position) for stop in paragraph.paragraph_format.tab_stops)
    return [
        (kind, position)
        for kind, position in stops
        if kind != WD_TAB_ALIGNMENT.CLEAR and (kind, position) != (WD_TAB_ALIGNMENT.LEFT, 0)
    ]
