"""Key names of policies: known, or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.browser.keys import key_press

pytestmark = [pytest.mark.browser]


@given(st.text(max_size=3))
def test_any_key_name_is_known_or_refused(name: str) -> None:
    press = key_press(name)
    assert press is None or press.key
