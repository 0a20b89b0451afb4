from __future__ import annotations

from pathlib import Path

import pytest

from envs.apps.office.registry import OfficeError
from envs.apps.office.saving import (
    EDITABLE_FORMATS,
    EXPORT_FORMATS,
    check_folder,
    extension_of,
    filter_of,
)


@pytest.mark.parametrize(
    ("path", "extension"), [("/a/b.XLSX", "xlsx"), ("b.tar.gz", "gz"), ("b", ""), (".odt", "")]
)
def test_extensions(path: str, extension: str) -> None:
    assert extension_of(path) == extension


def test_a_filter_follows_from_the_kind_and_the_extension() -> None:
    assert filter_of(EDITABLE_FORMATS, "calc", "a.ODS") == "calc8"
    assert filter_of(EXPORT_FORMATS, "writer", "a.pdf") == "writer_pdf_Export"


@pytest.mark.parametrize("path", ["a.docx", "a", "a.pdf"])
def test_another_extension_is_refused_with_the_known_ones(path: str) -> None:
    with pytest.raises(OfficeError, match=r"a calc file ends in one of \.xlsx, \.ods, \.xls"):
        filter_of(EDITABLE_FORMATS, "calc", path)


def test_no_extension_is_both_an_own_format_and_a_copy() -> None:
    for kind, formats in EDITABLE_FORMATS.items():
        assert not formats.keys() & EXPORT_FORMATS[kind].keys()


def test_a_file_is_written_into_a_folder_that_exists(tmp_path: Path) -> None:
    check_folder(str(tmp_path / "new.xlsx"))
    with pytest.raises(OfficeError, match="there is no folder") as refused:
        check_folder(str(tmp_path / "missing" / "new.xlsx"))
    assert refused.value.reason == "not_found"
