"""Regular expressions of task files end in time."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.published import patterns
from envs.osworld.outside.published.plain_texts import (
    check_list,
)


def file(folder: Path, content: str | bytes, name: str = "a") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_pattern_that_explodes_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "SEARCH_S", 0.2)
    path = file(tmp_path, "a" * 60 + "!")
    with pytest.raises(TimeoutError):
        check_list(path, {"expect": [r"^(a|aa|a(?=.))+(?<!x)$"]})
    with pytest.raises(ValueError, match="not a regular expression"):
        check_list(path, {"expect": ["("]})
