"""Plays an oracle's script against hand-written trees, without a browser."""

from __future__ import annotations

from envs.contract.actions import Action
from envs.contract.observations import Observation, Tree
from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Script


def observation(*lines: str) -> Observation:
    """A page with this tree. A "#" at the end of a line is completed to the element's ref."""
    numbered = [
        f"{line}{number}" if line.endswith("#") else line for number, line in enumerate(lines)
    ]
    return Observation(hash="", tree=Tree(id=1, text="\n".join(numbered)))


def live_page(*lines: str) -> LivePage:
    """A page that has made this observation."""
    page = LivePage()
    page.update(observation(*lines))
    return page


def play(script: Script, *pages: Observation) -> list[str]:
    """Every move as "action element text". Each move leads to the next page; the last one stays."""
    page = LivePage()
    page.update(pages[0])
    played = []
    for number, move in enumerate(script(page), 1):
        played.append(_describe(page, move.action))
        page.update(pages[min(number, len(pages) - 1)])
    return played


def thoughts(script: Script, *pages: Observation) -> list[str]:
    """What is thought before each move, of the same play."""
    page = LivePage()
    page.update(pages[0])
    thought = []
    for number, move in enumerate(script(page), 1):
        thought.append(move.thought)
        page.update(pages[min(number, len(pages) - 1)])
    return thought


def _describe(page: LivePage, action: Action) -> str:
    target = getattr(action, "target", None)
    name = next((line.name for line in page.lines if target and line.ref == target.ref), "")
    values = [getattr(action, key, None) for key in ("text", "value")]
    keys = "+".join(getattr(action, "keys", ()))
    words = [action.type, name, keys, *values]
    return " ".join(str(word) for word in words if word)
