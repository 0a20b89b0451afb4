"""Accessible nodes as the compact tree that policies read. Pure functions.

The words for roles are those of a page's tree, so that one dialect serves both. Documents come
before menus and tool bars: when the budget cuts, it cuts what matters least.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from envs.desktop.a11y import Node
from envs.desktop.windows import WindowInfo

ROLES = {
    "push button": "button",
    "toggle button": "button",
    "button": "button",
    "check box": "check",
    "switch": "check",
    "radio button": "radio",
    "link": "link",
    "text": "box",
    "entry": "box",
    "password text": "box",
    "spin button": "box",
    "editbar": "box",
    "combo box": "select",
    "page tab": "tab",
    "menu": "menu",
    "menu item": "menu",
    "check menu item": "menu",
    "radio menu item": "menu",
    "list item": "option",
    "tree item": "option",
    "table cell": "cell",
    "heading": "heading",
    "paragraph": "para",
    "slider": "slider",
    "terminal": "terminal",
    "icon": "icon",
    "image": "img",
    "label": "text",
    "static": "text",
    "column header": "header",
    "table column header": "header",
    "row header": "header",
    "alert": "alert",
    "info bar": "alert",
    "document frame": "doc",
}
"""AT-SPI role name to ours; roles not named here only hold others."""
NEEDS_NAME = frozenset({"img", "icon", "text", "header", "alert", "doc", "menu", "tab", "option"})
TEXT_ONLY = frozenset({"text", "heading", "alert", "header", "img"})
"""Lines without a number: there is nothing to do with them."""
SHOWN_STATES = {
    "checked": "checked",
    "pressed": "checked",
    "selected": "selected",
    "expanded": "open",
    "focused": "focused",
    "editable": "",
}
MAX_NAME = 80
MAX_VALUE = 120
_MARKS = re.compile(r"(?:(?<=\s)|^)[#=\[|]+")
_LIKE_STATES = re.compile(r"\(([a-z, ]+)\)$")


@dataclass(frozen=True, slots=True)
class Element:
    """One line to be: a node with its name, or a window that is not the active one."""

    role: str
    name: str
    value: str | None
    states: tuple[str, ...]
    node: Node | None = None
    window: int | None = None

    @property
    def is_numbered(self) -> bool:
        """Whether a number is shown, by which actions refer to the element."""
        return self.role not in TEXT_ONLY


def clean(text: str, limit: int = MAX_NAME) -> str:
    """One line; no word begins with a mark that the format uses."""
    plain = _MARKS.sub("", " ".join(text.replace("\ufffc", " ").split())).strip()
    plain = _LIKE_STATES.sub(r"\1", plain)
    return plain if len(plain) <= limit else plain[: limit - 1].rstrip() + "…"


def window_lines(windows: Sequence[WindowInfo]) -> list[Element]:
    """The windows in front first. The active one's own elements follow its line elsewhere."""
    return [
        Element(
            role="window",
            name=clean(window.title) or clean(window.application) or "untitled",
            value=None,
            states=("active",) if window.active else ("minimized",) if window.minimized else (),
            window=window.id,
        )
        for window in reversed(windows)
    ]


def elements(tops: Sequence[Node]) -> list[Element]:
    """What can be read or acted on, documents first."""
    visited = [element for top in tops for element in _visit(top, "", False)]
    return [e for deep, e in visited if deep] + [e for deep, e in visited if not deep]


def _visit(node: Node, context: str, document: bool) -> Iterator[tuple[bool, Element]]:
    """(inside a document, element); `context` names what an unnamed element belongs to."""
    sized = node.role == "table cell" or 0 not in node.box[2:]
    # Of a page, what has no size of its own may hold what has.
    if "showing" not in node.states or not (sized or document):
        return
    document |= node.role.startswith("document")
    role = ROLES.get(node.role)
    name = clean(node.name)
    if role is not None and sized and node.box[2] >= 0:
        shown = name or ("" if role in NEEDS_NAME else context)
        element = _element(node, role, shown)
        if element is not None:
            yield document, element
    if node.role in ("tool bar", "panel", "dialog", "alert") and name:
        context = name
    for child in node.children:
        yield from _visit(child, context, document)


def _element(node: Node, role: str, name: str) -> Element | None:
    value: str | None = None
    if role in ("box", "cell", "terminal"):
        value = clean(node.text or "", MAX_VALUE)
    elif role in ("para", "heading", "text") and not name:
        name = clean(node.text or "", MAX_VALUE)
    if not name and (role in NEEDS_NAME or role in TEXT_ONLY or role == "para"):
        return None
    states = tuple(
        dict.fromkeys(word for state, word in SHOWN_STATES.items() if word and state in node.states)
    )
    if role not in TEXT_ONLY and role not in ("para", "cell") and "sensitive" not in node.states:
        states += ("disabled",)
    return Element(role, name, value, states, node)


def render(lines: Sequence[Element], budget: int) -> tuple[str, int]:
    """The tree's text within `budget` characters, and how many elements it holds. Element number
    n (from 1) is `#n`."""
    out: list[str] = []
    size = 0
    for index, element in enumerate(lines, 1):
        line = _line(element, index)
        size += len(line) + 1
        if size > budget:
            return "\n".join(out), index - 1
        out.append(line)
    return "\n".join(out), len(lines)


def _line(element: Element, number: int) -> str:
    parts = [element.role]
    if element.name:
        parts.append(element.name)
    if element.value is not None:
        parts.append(f"= {element.value}")
    if element.states:
        parts.append(f"({', '.join(element.states)})")
    if element.is_numbered:
        parts.append(f"#{number}")
    return " ".join(parts)
