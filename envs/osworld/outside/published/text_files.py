"""OSWorld's metrics that compare a text file or an archive with the one it should be."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from envs.osworld.outside.published.error_policy import Unreadable, read_text, unreadable_scores_0

CLOSE = 1e-4
PDF_ALIKE = 0.95
MAX_PDF = 64 * 1024 * 1024
NUMBER = re.compile(
    r"(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)", re.ASCII
)


@unreadable_scores_0
def compare_text_file(result: Path, expected: Path, **options: Any) -> float:
    """1 when the texts are the same; `ignore_blanks` takes any white space for one blank and none
    at the ends, `ignore_case` lower case for upper case."""
    texts = [read_text(result), read_text(expected)]
    if options.get("ignore_blanks"):
        texts = [" ".join(text.split()) for text in texts]
    if options.get("ignore_case"):
        texts = [text.lower() for text in texts]
    return float(texts[0] == texts[1])


@unreadable_scores_0
def compare_result_files(result: Path, expected: Path) -> float:
    """1 when the texts are the same but for white space around them, or, if what is expected is a
    number, when that number stands in the result, alone or with words."""
    actual, target = read_text(result).strip(), read_text(expected).strip()
    number = _number(target)
    if number is None:
        return float(actual == target)
    stated = [float(text.replace(",", "")) for text in NUMBER.findall(actual)]
    return float(any(abs(number_in_text - number) < CLOSE for number_in_text in stated))


def compare_result_files_compat(result: Path, expected: Path) -> float:
    """The digits of a number may stand within another one. Raises UnicodeDecodeError."""
    actual = result.read_text(encoding="utf-8").strip()
    target = expected.read_text(encoding="utf-8").strip()
    number, stated = _number(target), _number(actual)
    if number is None or (stated is None and target not in actual):
        return float(actual == target)
    return float(target in actual or (stated is not None and abs(stated - number) < CLOSE))


@unreadable_scores_0
def compare_zip_files(result: Path, expected: Path, **options: Any) -> float:
    """1 when both archives hold files of the same names and bytes; of PDFs the text is compared.
    Entries of folders do not matter."""
    try:
        with zipfile.ZipFile(result) as actual, zipfile.ZipFile(expected) as target:
            names = _files(target)
            return float(
                _files(actual) == names
                and all(_same_member(actual, target, name) for name in names)
            )
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
        raise Unreadable(str(error)) from error


def compare_zip_files_compat(result: Path, expected: Path, **options: Any) -> float:
    """Entries of folders count; a PDF whose letters all repeat is never like another. Raises
    BadZipFile."""
    with zipfile.ZipFile(result) as actual, zipfile.ZipFile(expected) as target:
        names = set(target.namelist())
        if set(actual.namelist()) != names:
            return 0.0
        for name in names:
            content, target_content = actual.read(name), target.read(name)
            if name.lower().endswith(".pdf"):
                texts = _pdf_text(content), _pdf_text(target_content)
                if SequenceMatcher(None, *texts).ratio() < PDF_ALIKE:
                    return 0.0
            elif content != target_content:
                return 0.0
    return 1.0


def _files(archive: zipfile.ZipFile) -> list[str]:
    return sorted(member.filename for member in archive.infolist() if not member.is_dir())


def _same_member(actual: zipfile.ZipFile, expected: zipfile.ZipFile, name: str) -> bool:
    """What is unpacked is never larger than what is expected, or MAX_PDF."""
    from pypdf.errors import PyPdfError
    from rapidfuzz.fuzz import ratio

    size = actual.getinfo(name).file_size
    if not name.lower().endswith(".pdf"):
        return size == expected.getinfo(name).file_size and actual.read(name) == expected.read(name)
    if size > MAX_PDF:
        return False
    content, target_content = actual.read(name), expected.read(name)
    try:
        return (
            content == target_content
            or ratio(_pdf_text(content), _pdf_text(target_content)) >= PDF_ALIKE * 100
        )
    except (PyPdfError, ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise Unreadable(str(error)) from error


def _pdf_text(content: bytes) -> str:
    from pypdf import PdfReader

    return "".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
