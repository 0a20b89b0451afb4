"""The metric of listed places."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx import Document

from envs.osworld.outside.published.place_names import fuzzy_place_math, fuzzy_place_math_compat

NO_TEXT = b"\xff\xfe\x00"


def file(folder: Path, content: str | bytes, name: str = "a") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_as_many_places_as_the_task_asks_for(tmp_path: Path) -> None:
    known = ["Mill Rd 1", "Main St 2", "Park Ave 3", "Oak Ln 4", "Elm Way 5", "Hill Ct 6"]

    def listed(*lines: str) -> Path:
        document = Document()
        for line in lines:
            document.add_paragraph(line)
        document.save(str(tmp_path / "a.docx"))
        return tmp_path / "a.docx"

    rules = {"expected": known}
    assert fuzzy_place_math(listed(*known[:5]), rules) == 1
    assert fuzzy_place_math_compat(listed(*known[:5]), rules) == 0
    assert fuzzy_place_math(listed(*known[:3]), rules) == pytest.approx(0.6)
    assert fuzzy_place_math(listed(*[known[0]] * 5), rules) < 0.7
    assert fuzzy_place_math(file(tmp_path, NO_TEXT), rules) == 0
