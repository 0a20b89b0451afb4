"""No option of an attention function is left out in silence."""

from __future__ import annotations

import pytest

from trainer.attention_options import check_options


def test_an_option_that_would_be_left_out_is_an_error() -> None:
    check_options({"softcap": None, "dropout": 0.0}, "packed attention")
    with pytest.raises(ValueError, match=r"^packed attention cannot compute \['softcap'\]$"):
        check_options({"softcap": 30.0, "dropout": 0.0}, "packed attention")
