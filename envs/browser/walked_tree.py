"""What the walker returns of a page, as a tree of the contract."""

from __future__ import annotations

from envs.contract.observations import Tree
from envs.io.cdp import Json


def make_tree(walked: Json, number: int) -> Tree:
    """The tree under its number in the session; with points where they were asked for."""
    return Tree(
        id=number,
        text=walked["text"],
        truncated=walked["truncated"],
        scroll=walked["scroll"],
        points=walked.get("points"),
    )
