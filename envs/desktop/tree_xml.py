"""The accessibility tree as OSWorld's XML, and the text of the terminal in front.

Guarantees: the tree is bounded in nodes and in time (see `envs.desktop.a11y`), its XML is well
formed whatever programs call themselves, and its namespaces are those that OSWorld's evaluators
select by. Only what is shown is in it; a sheet has its cells that hold something.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from envs.desktop.a11y import (
    ACCESSIBLE,
    ACTION,
    PROPERTIES,
    TEXT,
    VALUE,
    AccessError,
    Accessibility,
    Budget,
    Node,
)

MAX_NODES = 5000
WINDOW_S = 4.0
DETAILS_S = 4.0
NAMESPACES = {
    prefix: f"https://accessibility.ubuntu.example.org/ns/{name}"
    for prefix, name in (
        ("st", "state"),
        ("attr", "attributes"),
        ("cp", "component"),
        ("doc", "document"),
        ("docattr", "document/attributes"),
        ("txt", "text"),
        ("val", "value"),
        ("act", "action"),
    )
}
_VALUED = frozenset({"slider", "spin button", "scroll bar", "progress bar", "level bar", "dial"})
_VALUES = {
    "CurrentValue": "value",
    "MinimumValue": "min",
    "MaximumValue": "max",
    "MinimumIncrement": "step",
}
_UNNAMEABLE = re.compile(r"[^A-Za-z0-9_.-]")
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffb\U00010000-\U0010ffff]")
"""What XML cannot hold, and the two marks that stand for embedded objects."""

for _prefix, _uri in NAMESPACES.items():
    ElementTree.register_namespace(_prefix, _uri)


async def tree_xml(a11y: Accessibility) -> str:
    """Raises AccessError when there is no accessibility bus."""
    tops = await a11y.top_levels(WINDOW_S)
    budget = Budget(MAX_NODES)
    await asyncio.gather(*(a11y.walk(top, budget, WINDOW_S) for top in tops))
    details: dict[int, dict[str, str]] = {}
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DETAILS_S):
            nodes = [node for top in tops for node in _all(top)]
            await asyncio.gather(*(_collect_details(a11y, node, details) for node in nodes))
    root = ElementTree.Element("desktop-frame", {"name": "main"})
    for application in await a11y.applications():
        mine = [top for top in tops if top.address.bus == application.bus]
        name = ""
        with contextlib.suppress(AccessError, TimeoutError):
            name = await asyncio.wait_for(a11y.name(application), WINDOW_S)
        element = ElementTree.SubElement(root, "application", {"name": _clean(name)})
        element.extend(to_xml(top, details) for top in mine)
    return ElementTree.tostring(root, encoding="unicode")


async def terminal_text(a11y: Accessibility) -> str | None:
    """All text of the active window's terminal, without the empty end; None when it has none."""
    for top in await a11y.top_levels(WINDOW_S):
        if "active" not in top.states:
            continue
        await a11y.walk(top, Budget(MAX_NODES), WINDOW_S)
        nodes = [node for node in _all(top) if node.role == "terminal"]
        for node in sorted(nodes, key=lambda node: "focused" not in node.states)[:1]:
            text = await asyncio.wait_for(
                a11y.call(node.address, TEXT, "GetText", "ii", 0, -1), WINDOW_S
            )
            return str(text).rstrip()
    return None


def _all(top: Node) -> Iterator[Node]:
    yield top
    for child in top.children:
        yield from _all(child)


async def _collect_details(
    a11y: Accessibility, node: Node, details: dict[int, dict[str, str]]
) -> None:
    """Attributes, actions and value, those that the node has."""
    if not any(node.box):
        return
    nodes = details.setdefault(id(node), {})
    with contextlib.suppress(AccessError):
        for name, value in (await a11y.call(node.address, ACCESSIBLE, "GetAttributes")).items():
            nodes[_name("attr", name)] = _clean(value)
    with contextlib.suppress(AccessError):
        for name, description, keys in await a11y.call(node.address, ACTION, "GetActions"):
            nodes[_name("act", f"{name}_desc")] = _clean(description)
            nodes[_name("act", f"{name}_kb")] = _clean(keys)
    if node.role in _VALUED:
        with contextlib.suppress(AccessError):
            values = await a11y.call(node.address, PROPERTIES, "GetAll", "s", VALUE)
            for name, short in _VALUES.items():
                if name in values:
                    nodes[_name("val", short)] = str(values[name].value)


def to_xml(node: Node, details: dict[int, dict[str, str]]) -> ElementTree.Element:
    """`details`: further attributes of nodes, by their `id()`."""
    attributes = {"name": _clean(node.name)}
    attributes |= {_name("st", state): "true" for state in sorted(node.states)}
    if any(node.box):
        x, y, width, height = node.box
        attributes[_name("cp", "screencoord")] = f"({x}, {y})"
        attributes[_name("cp", "size")] = f"({width}, {height})"
    attributes |= details.get(id(node), {})
    tag = _UNNAMEABLE.sub("-", node.role.strip()) or "unknown"
    element = ElementTree.Element(tag if tag[0].isalpha() else f"tag{tag}", attributes)
    if node.text:
        element.text = _clean(node.text)
    element.extend(to_xml(child, details) for child in node.children)
    return element


def _name(prefix: str, name: str) -> str:
    plain = _UNNAMEABLE.sub("-", name)
    return f"{{{NAMESPACES[prefix]}}}{plain if plain[:1].isalpha() else f'_{plain}'}"


def _clean(text: str) -> str:
    return _UNWRITABLE.sub("", text)
