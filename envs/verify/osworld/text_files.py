"""OSWorld's metrics that compare a text file or an archive with the one it should be."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from envs.verify.osworld.broken_files import Unreadable, read_text, unreadable_scores_0
from envs.verify.registry import compat, metric

CLOSE = 1e-4
PDF_ALIKE = 0.95
MAX_PDF = 64 * 1024 * 1024
NUMBER = re.compile(
    r"(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)", re.ASCII
)


@metric
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


@metric
@unreadable_scores_0
def compare_result_files(result: Path, expected: Path) -> float:
    """1 when the texts are the same but for white space around them, or, if what is expected is a
    number, when that number stands in the result, alone or with words."""
    found, wanted = read_text(result).strip(), read_text(expected).strip()
    number = _number(wanted)
    if number is None:
        return float(found == wanted)
    stated = [float(text.replace(",", "")) for text in NUMBER.findall(found)]
    return float(any(abs(one - number) < CLOSE for one in stated))


@compat
def compare_result_files_compat(result: Path, expected: Path) -> float:
    """The digits of a number may stand within another one. Raises UnicodeDecodeError."""
    found = result.read_text(encoding="utf-8").strip()
    wanted = expected.read_text(encoding="utf-8").strip()
    number, stated = _number(wanted), _number(found)
    if number is None or (stated is None and wanted not in found):
        return float(found == wanted)
    return float(wanted in found or (stated is not None and abs(stated - number) < CLOSE))


@metric
@unreadable_scores_0
def compare_zip_files(result: Path, expected: Path, **options: Any) -> float:
    """1 when both archives hold files of the same names and bytes; of PDFs the text is compared.
    Entries of folders do not matter."""
    try:
        with zipfile.ZipFile(result) as found, zipfile.ZipFile(expected) as wanted:
            names = _files(wanted)
            return float(
                _files(found) == names and all(_same_member(found, wanted, name) for name in names)
            )
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
        raise Unreadable(str(error)) from error


@compat
def compare_zip_files_compat(result: Path, expected: Path, **options: Any) -> float:
    """Entries of folders count; a PDF whose letters all repeat is never like another. Raises
    BadZipFile."""
    with zipfile.ZipFile(result) as found, zipfile.ZipFile(expected) as wanted:
        names = set(wanted.namelist())
        if set(found.namelist()) != names:
            return 0.0
        for name in names:
            one, other = found.read(name), wanted.read(name)
            if name.lower().endswith(".pdf"):
                texts = _pdf_text(one), _pdf_text(other)
                if SequenceMatcher(None, *texts).ratio() < PDF_ALIKE:
                    return 0.0
            elif one != other:
                return 0.0
    return 1.0


def _files(archive: zipfile.ZipFile) -> list[str]:
    return sorted(member.filename for member in archive.infolist() if not member.is_dir())


def _same_member(found: zipfile.ZipFile, wanted: zipfile.ZipFile, name: str) -> bool:
    """What is unpacked is never larger than what is expected, or MAX_PDF."""
    from pypdf.errors import PyPdfError
    from rapidfuzz.fuzz import ratio

    size = found.getinfo(name).file_size
    if not name.lower().endswith(".pdf"):
        return size == wanted.getinfo(name).file_size and found.read(name) == wanted.read(name)
    if size > MAX_PDF:
        return False
    one, other = found.read(name), wanted.read(name)
    try:
        return one == other or ratio(_pdf_text(one), _pdf_text(other)) >= PDF_ALIKE * 100
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
