"""A program that runs one function of a test file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from envs.osworld.outside.published import suite_runner
from envs.osworld.outside.published.suite_runner import as_score


@pytest.mark.parametrize(
    ("value", "score"), [(0.5, 0.5), (7, 1), (-1, 0), (True, 1), ("text", 1), (None, 0), ([], 0)]
)
def test_any_value_is_a_score(value: object, score: float) -> None:
    assert as_score(value) == score


def run(folder: Path, source: str) -> str | None:
    suite, score = folder / "suite.py", folder / "score"
    suite.write_text(source)
    program = [sys.executable, suite_runner.__file__, str(score), str(suite), "test"]
    subprocess.run([*program, "5", str(2**32), "1000"], check=False, capture_output=True)
    return score.read_text() if score.exists() else None


def test_the_score_is_written_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("value = 0.25")
    assert json.loads(run(tmp_path, "import own\ndef test():\n    return own.value") or "") == 0.25


def test_a_function_that_fails_writes_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, "def test():\n    raise ValueError") is None
    assert run(tmp_path, "def other():\n    return 1") is None
