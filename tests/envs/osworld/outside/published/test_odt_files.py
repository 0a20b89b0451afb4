"""Text of .odt files."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.published.word_text import (
    compare_docx_files,
    compare_docx_files_compat,
)
from tests.envs.osworld.outside.published.made_documents import odt, word


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return word(tmp_path / "gold.docx", "One two.", "Three")


def test_an_odt_file_is_read_whole(tmp_path: Path) -> None:
    """OSWorld's leaves out headings and spans within spans."""
    gold = odt(tmp_path / "gold.odt", "One two.")
    assert compare_docx_files(odt(tmp_path / "same.odt", "One two."), gold) == 1
    heading = odt(tmp_path / "heading.odt", ("Title", "h"), "One two.")
    assert compare_docx_files(heading, gold) == 0
    assert compare_docx_files_compat(heading, gold) == 1
    nested = odt(tmp_path / "nested.odt", [("One two.", "span span")])
    assert compare_docx_files(nested, gold) == 1
    assert compare_docx_files_compat(nested, gold) == 0
