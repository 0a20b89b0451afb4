"""The switch between tree, picture and both."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from envs.dialects.view import TREE, View


def test_the_default_is_text_alone() -> None:
    assert TREE.most_pictures == 0
    assert TREE.shows_tree
    both = View(observe="both", pictures=3)
    assert (both.most_pictures, both.shows_tree, both.shows_pictures) == (3, True, True)
    alone = View(observe="picture", dialect="uitars")
    assert alone.most_pictures == 1
    assert not alone.shows_tree


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"observe": "picture"}, "compact names elements of a tree"),
        ({"dialect": "uitars"}, "uitars names points of a picture"),
        ({"observe": "both", "pictures": 0}, "greater than or equal to 1"),
    ],
)
def test_a_policy_is_not_asked_for_what_it_does_not_see(
    settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        View.model_validate(settings)
