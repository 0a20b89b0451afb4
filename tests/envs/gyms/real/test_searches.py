"""What searches show."""

from __future__ import annotations

import pytest

from envs.gyms.kit.template import TaskStates
from envs.gyms.real.searches import fold_words, search_of, search_of_start


@pytest.mark.parametrize(
    ("words", "whole", "start"),
    [
        ("Quartz Press", True, True),
        (' "quartz   PRESS" ', True, True),
        ("quartz", False, True),
        ("press", False, False),
        ("quart", False, False),
        ("Quartz Mills", False, False),
        ("quartz -press", False, False),
        ("", False, False),
    ],
)
def test_a_search_counts_for_what_it_would_have_shown(words: str, whole: bool, start: bool) -> None:
    log = [f"desk:tickets:{fold_words(words)}"]
    states = TaskStates(params={"firm": "Quartz Press"}, before={}, after={"log": log})
    assert search_of("desk:tickets", "firm")(states) == whole
    assert search_of_start("desk:tickets", "firm")(states) == start
