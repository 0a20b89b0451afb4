"""Which searches of posts meet a name, by WordPress's rules for words."""

from __future__ import annotations

import pytest

from envs.gyms.apps.wordpress.post_search import meets


@pytest.mark.parametrize(
    ("words", "is_met"),
    [
        ("Acorn Foods", True),
        ("foods ACORN", True),
        ("foods,acorn", True),
        ("acor", True),
        ("about the Acorn", True),
        ('"Acorn Foods"', True),
        ('"Acorn Foods', True),
        ('"Foods Acorn"', False),
        ("Acorn 7", False),
        ("Acorn -Foods", False),
        ("Acorn Labs", False),
        ("co", False),
        ("the", False),
        ("", False),
    ],
)
def test_a_search_meets_what_has_all_of_its_words(words: str, is_met: bool) -> None:
    assert meets(words, "Acorn Foods") == is_met
