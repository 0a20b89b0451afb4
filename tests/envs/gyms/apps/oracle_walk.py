"""Lets parts of an oracle act on hand-written pages."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from envs.contract.observations import Observation, Tree
from envs.gyms.server.gym import OracleMove
from envs.gyms.server.view import Page


def make_page(*lines: str, title: str = "Page") -> Page:
    """A page with this tree. A "#" at the end of a line is completed to the element's ref."""
    numbered = [
        f"{line}{number}" if line.endswith("#") else line for number, line in enumerate(lines, 1)
    ]
    tree = Tree(id=1, text="\n".join(numbered))
    return Page(Observation(hash="", url=f"/{title}", title=title, tree=tree))


def walk(
    start: Callable[[Page], Generator[OracleMove, Page, Any]], *pages: Page
) -> tuple[list[str], Any]:
    """Every move as "action element text", and what the generator returns.

    Each move leads to the next page; the last one stays."""
    moves, done = start(pages[0]), []
    try:
        move = next(moves)
        while True:
            page = pages[min(len(done), len(pages) - 1)]
            done.append(_describe(page, move))
            move = moves.send(pages[min(len(done), len(pages) - 1)])
    except StopIteration as end:
        return done, end.value


def _describe(page: Page, move: OracleMove) -> str:
    target = getattr(move.action, "target", None)
    name = next((line.name for line in page.lines if target and line.ref == target.ref), "")
    values = [getattr(move.action, key, None) for key in ("text", "value")]
    return " ".join(str(word) for word in (move.action.type, name, *values) if word)
