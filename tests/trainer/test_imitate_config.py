"""A share of examples needs a file that has them."""

from __future__ import annotations

import pytest

from trainer.imitate_config import ImitateConfig


def test_a_share_of_no_file_is_refused() -> None:
    with pytest.raises(ValueError, match="data names no file"):
        ImitateConfig(data_share=0.1)
    assert ImitateConfig(data=("a.jsonl",)).data_share == 0.0
