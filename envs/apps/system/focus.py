"""What programs show on the screen, for tools: their text areas and their windows.

Guarantees: every search and every wait is bounded; what is not there is a ToolError in words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from envs.contract.actions import ActionError
from envs.contract.tools import ToolError
from envs.desktop import windows
from envs.desktop.a11y import ACTION, ROOT_PATH, TEXT, AccessError, Address, Budget, Node
from envs.desktop.desktop import Desktop
from envs.desktop.windows import WindowInfo

TREE_S = 3.0
EVERY_S = 0.03
MAX_NODES = 800
MAX_TEXT = 200_000


@dataclass(frozen=True, slots=True)
class Area:
    """A text area: where it is, its window's title, all that it holds."""

    address: Address
    title: str
    text: str


async def text_area(desktop: Desktop, application: str, role: str) -> Area:
    """The text area with this role of an application's window, of the active one if there are
    several. Raises ToolError."""
    try:
        tops = await desktop.a11y.top_levels(TREE_S)
        names = await asyncio.gather(
            *(desktop.a11y.name(Address(top.address.bus, ROOT_PATH)) for top in tops),
            return_exceptions=True,
        )
        own = [top for top, name in zip(tops, names, strict=True) if name == application]
        own.sort(key=lambda top: "active" not in top.states)
        for top in own:
            await desktop.a11y.walk(top, Budget(MAX_NODES), TREE_S)
            areas = [node for node in _below(top) if node.role == role]
            if areas:
                areas.sort(key=lambda node: "focused" not in node.states)
                at = areas[0].address
                text = str(await desktop.a11y.call(at, TEXT, "GetText", "ii", 0, -1))
                return Area(at, top.name, text[:MAX_TEXT])
    except AccessError as error:
        raise ToolError(ActionError.TOOL_FAILED, f"{application} does not answer") from error
    shown = ", ".join(window.title for window in await desktop.windows()) or "none"
    message = f"{application} shows no {role}; windows: {shown}"
    raise ToolError(ActionError.NOT_FOUND, message[:300])


async def press_button(desktop: Desktop, title: str, button: str) -> None:
    """Presses a button of the window with this title. Raises ToolError."""
    try:
        for top in await desktop.a11y.top_levels(TREE_S):
            if top.name == title:
                await desktop.a11y.walk(top, Budget(MAX_NODES), TREE_S)
                for node in _below(top):
                    if node.role == "push button" and node.name == button:
                        await desktop.a11y.call(node.address, ACTION, "DoAction", "i", 0)
                        return
    except AccessError as error:
        raise ToolError(ActionError.TOOL_FAILED, f"{title} does not answer") from error
    raise ToolError(ActionError.NOT_FOUND, f"there is no {title} window with a button {button}")


async def window(desktop: Desktop, named: str) -> WindowInfo:
    """By title or part of it, or by its program's name; the topmost. Raises ToolError."""
    shown = await desktop.windows()
    matches = windows.find_window(shown, named)
    if not matches:
        titles = ", ".join(item.title for item in shown) or "none"
        message = f"no window {named[:60]!r}; there are: {titles}"
        raise ToolError(ActionError.NOT_FOUND, message[:300])
    return matches[-1]


async def until_window(
    desktop: Desktop, fits: Callable[[WindowInfo], bool], limit_s: float
) -> WindowInfo | None:
    """The first window that fits, once it is there and drawn; None at the limit."""
    deadline = asyncio.get_running_loop().time() + limit_s
    while asyncio.get_running_loop().time() < deadline:
        for item in await desktop.windows():
            if fits(item):
                await desktop.settle(2.0, 0.15)
                return item
        await asyncio.sleep(EVERY_S)
    return None


def _below(top: Node) -> list[Node]:
    nodes_below = []
    pending = [top]
    while pending:
        node = pending.pop(0)
        nodes_below.append(node)
        pending += [child for child in node.children if "showing" in child.states]
    return nodes_below
