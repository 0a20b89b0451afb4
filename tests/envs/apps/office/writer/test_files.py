"""Saving a real document in several formats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Any


@pytest.mark.parametrize(
    ("extension", "magic"),
    [("docx", b"PK"), ("odt", b"PK"), ("pdf", b"%PDF"), ("rtf", b"{\\rtf"), ("txt", b"Alpha")],
)
def test_saves_in_other_formats(
    call: Call, sample_text: Path, tmp_path: Path, extension: str, magic: bytes
) -> None:
    path = tmp_path / f"copy.{extension}"
    call("writer.save_as", path=str(path))
    assert path.read_bytes().lstrip(b"\xef\xbb\xbf").startswith(magic)
    if extension not in ("pdf", "txt"):
        assert call("writer.info")["path"] == str(path)
        call("office.close", path=str(path))


def test_an_unknown_format_is_refused(call: Call, sample_text: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"ends in one of \.docx"):
        call("writer.save_as", path=str(tmp_path / "x.xlsx"))
