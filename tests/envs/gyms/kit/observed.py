"""Observations made of lines of a tree."""

from __future__ import annotations

from envs.contract.observations import Observation, Tree


def observe(*lines: str, title: str = "Page", below: bool = False) -> Observation:
    """A page; `below`: it goes on below what is in view."""
    tree = Tree(id=1, text="\n".join(lines), scroll="more below" if below else "")
    return Observation(hash="", url=f"/{title}", title=title, tree=tree)
