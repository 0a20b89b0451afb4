"""Options of `compare_pptx_files`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envs.osworld.outside.published.error_policy import BadRules
from envs.osworld.outside.published.slides_compare import compare_pptx_files
from tests.envs.osworld.outside.published.made_slides import presentation

Write = Callable[[Any], object]
Make = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Make:
    def make(name: str, *writes: Write) -> Path:
        def write(presented: Any) -> None:
            for write_part in writes:
                write_part(presented)

        return presentation(tmp_path / f"{name}.pptx", write)

    return make


def test_options_are_those_that_there_are(made: Make) -> None:
    gold = made("gold")
    assert compare_pptx_files(gold, gold, _note="a remark", examine_run_count=False) == 1
    with pytest.raises(BadRules, match="examine_all"):
        compare_pptx_files(gold, gold, examine_all=True)
    with pytest.raises(BadRules, match="examine_text"):
        compare_pptx_files(gold, gold, examine_text="yes")
