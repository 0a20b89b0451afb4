"""Documents that the tests of Writer begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.writer.reading import WORDS

Call = Any


@pytest.fixture
def plain_text(call: Call, letter: Path) -> Path:
    """A document of the paragraphs WORDS."""
    call("writer.insert_text", text=WORDS)
    return letter


@pytest.fixture
def sample_text(call: Call, letter: Path) -> Path:
    """As `plain_text`, with "Alpha" as a capitalised word in two paragraphs."""
    call("writer.insert_text", text="Alpha beta\ngamma delta Alpha\nLast one")
    return letter
