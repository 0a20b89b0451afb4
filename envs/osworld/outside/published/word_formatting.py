"""OSWorld's metrics of text formatting in documents: fonts, sizes, colours, marks.

Guarantees: formatting counts wherever it comes from, run or style, and however a program cuts
text into runs; a document whose text is gone never passes.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from skimage.color import deltaE_ciede2000, rgb2lab

from envs.osworld.outside.metrics.word_styles import W
from envs.osworld.outside.published import odt_files
from envs.osworld.outside.published.error_policy import (
    BadRules,
    broken_scores_0,
    get_rule,
    unreadable_scores_0,
)
from envs.osworld.outside.published.safe_xml import parse_xml
from envs.osworld.outside.published.word_files import Span, Word, open_document, table_texts
from envs.osworld.outside.published.word_text import (
    compare_docx_files,
    compare_docx_files_compat,
    same_words,
)

VOWELS = "aeiou"
VOWEL_COLOR, OTHER_COLOR = "FF0000", "0000FF"


@broken_scores_0
def compare_font_names(result: Path, expected: Mapping[str, str]) -> float:
    """1 when there is text and all of it, tables too, is in `font_name`."""
    font = get_rule(expected, "font_name", str)
    word = Word(result)
    spans = list(_visible(word, (*word.paragraphs, *word.in_tables())))
    return float(bool(spans) and all(span.formatting.get("font") == font for span in spans))


@unreadable_scores_0
def compare_font_names_compat(result: Path, expected: Mapping[str, str]) -> float:
    """Looks at the runs' own fonts, without tables; a document without text passes."""
    runs = (run for paragraph in open_document(result).paragraphs for run in paragraph.runs)
    return float(all(run.font.name == expected["font_name"] for run in runs))


@broken_scores_0
def compare_subscript_contains(result: Path, expected: Path) -> float:
    """1 when a character stands lower in both documents, at the same place in the same paragraph,
    and no text stands lower that does not somewhere in the expected one."""
    actual, target = (_subscript_characters(Word(path)) for path in (result, expected))
    return float(bool(set(actual) & set(target)) and set(_pieces(actual)) <= set(_pieces(target)))


@unreadable_scores_0
def compare_subscript_contains_compat(result: Path, expected: Path) -> float:
    """1 when a run of the same number is lower in both, whatever it says."""
    pairs = _run_pairs(open_document(result), open_document(expected))
    return float(any(a.font.subscript and b.font.subscript for a, b in pairs))


@broken_scores_0
def evaluate_strike_through_last_paragraph(result: Path, expected: Path) -> float:
    """1 when the documents say the same and the last paragraph with text is struck through."""
    if not same_words(result, expected):
        return 0.0
    word = Word(result)
    return float(
        all(span.formatting.get("strike") for span in _visible(word, word.nonempty_paragraphs[-1:]))
    )


@unreadable_scores_0
def evaluate_strike_through_last_paragraph_compat(result: Path, expected: Path) -> float:
    """Looks at the very last paragraph, and passes it when it is empty."""
    if not compare_docx_files(result, expected):
        return 0.0
    return float(all(run.font.strike for run in open_document(result).paragraphs[-1].runs))


@broken_scores_0
def check_italic_font_size_14(result: Path, expected: Path) -> float:
    """1 when the documents say the same, the first has italics if the second does, and all of them
    are 14 pt."""
    if not same_words(result, expected):
        return 0.0
    actual, target = (
        [span for span in _visible(word, word.paragraphs) if span.formatting.get("italic")]
        for word in (Word(result), Word(expected))
    )
    return float(
        bool(actual) >= bool(target) and all(span.formatting["size"] == 14 for span in actual)
    )


@unreadable_scores_0
def check_italic_font_size_14_compat(result: Path, expected: Path) -> float:
    """Looks at the runs' own italics and sizes; passes a document that has lost its italics."""
    if not compare_docx_files(result, expected):
        return 0.0
    runs = [run for paragraph in open_document(result).paragraphs for run in paragraph.runs]
    sizes = [run.font.size for run in runs if run.italic]
    return float(all(size is not None and size.pt == 14 for size in sizes))


@broken_scores_0
def evaluate_colored_words_in_tables(
    result: Path, expected: Path, *, threshold: float = 3.5
) -> float:
    """1 when the documents, their tables too, say the same, and each word in a table is red if its
    first letter is a vowel, else blue, within `threshold` by CIEDE2000. Words without a letter may
    have any colour."""
    if not same_words(result, expected):
        return 0.0
    if table_texts(open_document(result)) != table_texts(open_document(expected)):
        return 0.0
    word = Word(result)
    colored = [
        word_colors
        for paragraph in word.in_tables()
        for word_colors in _words(word.spans(paragraph))
    ]
    return float(
        bool(colored) and all(_rightly_colored(*word_colors, threshold) for word_colors in colored)
    )


@unreadable_scores_0
def evaluate_colored_words_in_tables_compat(
    result: Path, expected: Path, *, threshold: float = 3.5
) -> float:
    """Takes runs for words and does not compare what tables say; raises TypeError at a run without
    a colour of its own."""
    if not compare_docx_files(result, expected):
        return 0.0
    for table in open_document(result).tables:
        cells = [cell for row in table.rows for cell in row.cells]
        paragraphs = [paragraph for cell in cells for paragraph in cell.paragraphs]
        for run in (run for paragraph in paragraphs for run in paragraph.runs if run.text):
            target = VOWEL_COLOR if run.text[0].lower() in VOWELS else OTHER_COLOR
            if run.font.color.rgb is None:
                raise TypeError("a run has no colour")
            if _difference(str(run.font.color.rgb), target) > threshold:
                return 0.0
    return 1.0


@broken_scores_0
def compare_highlighted_text(result: Path, expected: Path) -> float:
    """1 when the same stretches of text are highlighted, in the same order, in any colour."""
    actual, target = (
        [
            text
            for paragraph in word.paragraphs
            for text in _highlighted_texts(word.spans(paragraph))
        ]
        for word in (Word(result), Word(expected))
    )
    return float(actual == target)


def compare_highlighted_text_compat(result: Path, expected: Path) -> float:
    """By runs, in any order, each as often as one likes; shading does not count. Raises BadZipFile
    or an error of the XML for a file that is no document."""
    return float(_highlighted_runs(result) == _highlighted_runs(expected))


@broken_scores_0
def check_highlighted_words(result: Path, expected: Path) -> float:
    """1 when two .odt files say the same and nothing is highlighted that is not in the expected
    one, in whatever colour and by whatever style."""
    if not compare_docx_files(result, expected):
        return 0.0
    if result.suffix != ".odt":
        raise BadRules(f"{result.name} is not an .odt file")
    actual, allowed = (
        odt_files.highlights(odt_files.open_odt(path)) for path in (result, expected)
    )
    return float(actual <= allowed)


def check_highlighted_words_compat(result: Path, expected: Path) -> float:
    """Looks for spans that an automatic style makes yellow."""
    if not compare_docx_files_compat(result, expected):
        return 0.0
    document = odt_files.open_odt(result)
    used = {span.getAttribute("stylename") for span in odt_files.spans(document)}
    styles = (
        style_element
        for style_element in document.automaticstyles.childNodes
        if style_element.getAttribute("name") in used
    )
    properties = (child for style in styles for child in style.childNodes)
    return float(
        not any(child.getAttribute("backgroundcolor") == "#ffff00" for child in properties)
    )


def _visible(word: Word, paragraphs: Iterable[Any]) -> Iterator[Span]:
    return (span for paragraph in paragraphs for span in word.spans(paragraph) if span.visible)


def _run_pairs(first: Any, second: Any) -> Iterator[tuple[Any, Any]]:
    for a, b in zip(first.paragraphs, second.paragraphs, strict=False):
        yield from zip(a.runs, b.runs, strict=False)


def _subscript_characters(word: Word) -> list[tuple[int, int, str]]:
    """(paragraph, place in it, character) of what stands lower."""
    characters = []
    for number, paragraph in enumerate(word.paragraphs):
        letters = [(letter, span) for span in word.spans(paragraph) for letter in span.text]
        characters += [
            (number, place, letter)
            for place, (letter, span) in enumerate(letters)
            if span.formatting.get("script") == "subscript" and letter.strip()
        ]
    return characters


def _pieces(lowered: Sequence[tuple[int, int, str]]) -> list[str]:
    """Texts of characters that stand together."""
    together = groupby(enumerate(lowered), lambda entry: (entry[1][0], entry[1][1] - entry[0]))
    return ["".join(letter for _, (_, _, letter) in group) for _, group in together]


def _words(spans: Sequence[Span]) -> Iterator[tuple[str, set[str | None]]]:
    """Each word with the colours of its letters."""
    letters = [(letter, span.formatting.get("color")) for span in spans for letter in span.text]
    for blank, group in groupby(letters, lambda entry: entry[0].isspace()):
        if not blank:
            word = list(group)
            yield "".join(letter for letter, _ in word), {color for _, color in word}


def _rightly_colored(word: str, colors: set[str | None], threshold: float) -> bool:
    first = next((letter.lower() for letter in word if letter.isalpha()), None)
    if first is None:
        return True
    target = VOWEL_COLOR if first in VOWELS else OTHER_COLOR
    return all(color and _difference(color, target) <= threshold for color in colors)


def _difference(color: str, target: str) -> float:
    lab = [rgb2lab([part / 255 for part in bytes.fromhex(code)]) for code in (color, target)]
    return float(deltaE_ciede2000(*lab))


def _highlighted_texts(spans: Sequence[Span]) -> Iterator[str]:
    for marked, group in groupby(spans, lambda span: "highlight" in span.formatting):
        text = "".join(span.text for span in group)
        if marked and text.strip():
            yield text


def _highlighted_runs(path: Path) -> set[str | None]:
    with zipfile.ZipFile(path) as archive:
        root = parse_xml(archive.read("word/document.xml"))
    texts = set()
    for run in root.iter(f"{W}r"):
        mark, text = run.find(f".//{W}highlight"), run.find(f".//{W}t")
        if mark is not None and mark.get(f"{W}val") != "none" and text is not None:
            texts.add(text.text)
    return texts
