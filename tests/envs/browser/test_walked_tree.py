"""What the walker returns becomes a tree, with points where they were asked for."""

from __future__ import annotations

from envs.browser.walked_tree import make_tree

WALKED = {"text": "button Save #1", "truncated": False, "scroll": "more below"}


def test_a_tree_has_its_number_and_the_points_that_were_asked_for() -> None:
    tree = make_tree(WALKED, 3)
    assert (tree.id, tree.text, tree.points) == (3, "button Save #1", None)
    assert make_tree(WALKED | {"points": {1: (30, 12)}}, 4).points == {1: (30, 12)}
