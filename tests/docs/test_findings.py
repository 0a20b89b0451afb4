"""Every test that a table of findings names exists, and every finding has one."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("SECURITY.md", "docs/reliability.md", "docs/findings.md")
TIMED = "bench policy"
"""A figure and no test: no test asserts a time."""


@cache
def names_of_tests() -> frozenset[str]:
    files = (ROOT / "tests").rglob("test_*.py")
    return frozenset(
        name for file in files for name in re.findall(r"def (test_\w+)\(", file.read_text())
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_test_that_a_table_names_exists(page: str) -> None:
    text = (ROOT / page).read_text()
    files = re.findall(r"[`(](tests/[\w/]+\.py)[`)]", text)
    functions = re.findall(r"`(test_\w+)`", text)
    assert files
    assert functions
    assert [file for file in files if not (ROOT / file).is_file()] == []
    assert [name for name in functions if name not in names_of_tests()] == []


def test_every_number_has_a_row_with_a_test() -> None:
    text = (ROOT / "docs/findings.md").read_text()
    _, *tables = re.split(r"^## (?:Security|Reliability|Web gyms)$", text, flags=re.MULTILINE)
    for table, count in zip(tables, (15, 20, 12), strict=True):
        rows = dict(re.findall(r"^\| G?(\d+) \|(.*)$", table, re.MULTILINE))
        assert list(map(int, rows)) == list(range(1, count + 1))
        assert all("test_" in row or TIMED in row for row in rows.values())
