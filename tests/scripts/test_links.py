"""Relative links of the Markdown files lead to files of the repository."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
GENERATED = ("reference/", "changelog.md", "contributing.md", "security.md")
"""Pages of the site that scripts/docs_pages.py writes; `make docs` checks links to them."""


def markdown_files() -> list[str]:
    listing = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return listing.stdout.split()


@pytest.mark.parametrize("name", markdown_files())
def test_links_lead_to_files(name: str) -> None:
    page = ROOT / name
    broken = [
        target
        for target in LINK.findall(page.read_text())
        if not (page.parent / target).exists()
        and not target.removeprefix("../").startswith(GENERATED)
    ]
    assert not broken
