"""The accessibility tree, read over AT-SPI's D-Bus with many requests under way at once.

Guarantees: a walk is bounded in nodes and in time, for each application by itself, so one that
hangs costs its own part of the tree and nothing else; it never blocks the event loop or a
screenshot; what is not shown is not walked (closed menus, sheets of a million rows).

AT-SPI has no bulk query, so the cost of a tree is its number of requests: one waited for at a time
takes 0.3 ms, in flight together 0.04 ms each. Spec: at-spi2-core, xml/*.xml.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import Any

from dbus_fast import DBusError, Message, MessageType
from dbus_fast.aio import MessageBus

from envs.desktop.column_names import column_name

ACCESSIBLE = "org.a11y.atspi.Accessible"
COMPONENT = "org.a11y.atspi.Component"
TEXT = "org.a11y.atspi.Text"
EDITABLE = "org.a11y.atspi.EditableText"
TABLE = "org.a11y.atspi.Table"
ACTION = "org.a11y.atspi.Action"
VALUE = "org.a11y.atspi.Value"
PROPERTIES = "org.freedesktop.DBus.Properties"
ROOT_PATH = "/org/a11y/atspi/accessible/root"
REGISTRY = "org.a11y.atspi.Registry"
NULL_PATH = "/org/a11y/atspi/null"

WATCHED_EVENT = "object:state-changed:showing"
IN_FLIGHT = 48
"""More would fill the socket's buffer."""
MAX_TEXT = 300
MAX_CHILDREN = 400
MAX_CELLS = 1500
STATES = {
    1: "active",
    4: "checked",
    9: "expandable",
    8: "enabled",
    11: "focusable",
    12: "focused",
    7: "editable",
    16: "modal",
    17: "multi_line",
    20: "pressed",
    23: "selected",
    24: "sensitive",
    25: "showing",
    30: "visible",
    31: "manages_descendants",
    32: "indeterminate",
    33: "required",
    10: "expanded",
    41: "checkable",
    42: "has_popup",
    43: "read_only",
}
"""AtspiStateType."""


@dataclass(frozen=True, slots=True)
class Address:
    """One accessible object: the bus name of its application, and its path there."""

    bus: str
    path: str


@dataclass(slots=True)
class Node:
    """One accessible object, as AT-SPI describes it."""

    address: Address
    role: str
    states: frozenset[str]
    name: str = ""
    text: str | None = None
    """What it holds, where that is not its name."""
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    """x, y, width, height on the screen, pixels, as the program says."""
    shift: tuple[int, int] = (0, 0)
    """What is to be added to x and y: see `get_shift`."""
    children: list[Node] = field(default_factory=list)


class AccessError(Exception):
    """The application did not answer, or the object is gone."""


class Budget:
    """Nodes that a walk may still read."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes
        self.cut = False

    def take(self) -> bool:
        """Uses up one node; False when the budget is spent."""
        self.left -= 1
        self.cut |= self.left < 0
        return self.left >= 0


class Accessibility:
    """Opened lazily on the session bus's own accessibility bus. One a desktop."""

    def __init__(self, session_bus: str) -> None:
        self._session_bus = session_bus
        self._bus: MessageBus | None = None
        self._room = asyncio.Semaphore(IN_FLIGHT)

    async def open(self) -> None:
        """Raises AccessError."""
        try:
            session = await MessageBus(bus_address=self._session_bus).connect()
            try:
                reply = await session.call(
                    Message(
                        destination="org.a11y.Bus",
                        path="/org/a11y/bus",
                        interface="org.a11y.Bus",
                        member="GetAddress",
                    )
                )
            finally:
                session.disconnect()
            if reply is None or reply.message_type is MessageType.ERROR:
                raise AccessError("there is no accessibility bus")
            self._bus = await MessageBus(bus_address=reply.body[0]).connect()
            # Chromium shows its tree only once somebody has asked for events.
            await self._bus.call(
                Message(
                    destination=REGISTRY,
                    path="/org/a11y/atspi/registry",
                    interface=REGISTRY,
                    member="RegisterEvent",
                    signature="sass",
                    body=[WATCHED_EVENT, [], ""],
                )
            )
        except (OSError, DBusError, EOFError) as error:
            raise AccessError(f"no accessibility bus: {error}") from error

    async def close(self) -> None:
        """Closes the bus connection."""
        if self._bus is not None:
            self._bus.disconnect()
            self._bus = None

    async def call(
        self, at: Address, interface: str, member: str, signature: str = "", *body: Any
    ) -> Any:
        """The reply's first value. Raises AccessError."""
        if self._bus is None or not self._bus.connected:
            await self.open()
        assert self._bus is not None
        message = Message(
            destination=at.bus,
            path=at.path,
            interface=interface,
            member=member,
            signature=signature,
            body=list(body),
        )
        async with self._room:
            try:
                reply = await self._bus.call(message)
            except (OSError, EOFError, DBusError) as error:
                raise AccessError(str(error)) from error
        if reply is None or reply.message_type is MessageType.ERROR:
            raise AccessError(f"{member}: {reply.body[0] if reply and reply.body else 'no answer'}")
        return reply.body[0] if reply.body else None

    async def name(self, at: Address) -> str:
        """The accessible name of an object."""
        reply = await self.call(at, PROPERTIES, "Get", "ss", ACCESSIBLE, "Name")
        return str(reply.value)

    async def states(self, at: Address) -> frozenset[str]:
        """The names of an object's states."""
        low, high = await self.call(at, ACCESSIBLE, "GetState")
        bits = low | high << 32
        return frozenset(name for bit, name in STATES.items() if bits >> bit & 1)

    async def role(self, at: Address) -> str:
        """The name of an object's role."""
        return str(await self.call(at, ACCESSIBLE, "GetRoleName"))

    async def box(self, at: Address) -> tuple[int, int, int, int]:
        """Position and size on the screen, in pixels."""
        x, y, width, height = await self.call(at, COMPONENT, "GetExtents", "u", 0)
        return x, y, width, height

    async def text(self, at: Address) -> str:
        """Its beginning. LibreOffice answers nothing when asked for too much, hence -1."""
        return str(await self.call(at, TEXT, "GetText", "ii", 0, -1))[:MAX_TEXT]

    async def children(self, at: Address) -> list[Address]:
        """Addresses of the children."""
        references = await self.call(at, ACCESSIBLE, "GetChildren")
        return [Address(bus, path) for bus, path in references if path != NULL_PATH]

    async def applications(self) -> list[Address]:
        """The roots of all programs on the bus."""
        return await self.children(Address(REGISTRY, ROOT_PATH))

    async def top_levels(self, timeout_s: float) -> list[Node]:
        """Windows of all applications, those that are shown; one that hangs is left out."""
        windows_by_program = await asyncio.gather(
            *(self._windows_of(app, timeout_s) for app in await self.applications())
        )
        return [node for nodes in windows_by_program for node in nodes]

    async def _windows_of(self, application: Address, timeout_s: float) -> list[Node]:
        with contextlib.suppress(AccessError, TimeoutError):
            async with asyncio.timeout(timeout_s):
                tops = await self.children(application)
                nodes = await asyncio.gather(*(self._node(top) for top in tops))
                return [node for node in nodes if node is not None and "showing" in node.states]
        return []

    async def walk(self, top: Node, budget: Budget, timeout_s: float) -> bool:
        """Fills the children of a window in. False when it was cut by time; what came is kept."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._fill(top, budget)
        except TimeoutError:
            return False
        return True

    async def _fill(self, parent: Node, budget: Budget, page: bool = False) -> None:
        """`page`: whether the parent is part of a page of the web."""
        if _is_closed(parent, page):
            return
        page |= parent.role == PAGE
        with contextlib.suppress(AccessError):
            if parent.role in TABLES or "manages_descendants" in parent.states:
                addresses = [at for at, _, _ in await self._shown_cells(parent)]
            else:
                addresses = (await self.children(parent.address))[:MAX_CHILDREN]
            nodes = await asyncio.gather(*(self._node(at, budget) for at in addresses))
            parent.children = [node for node in nodes if node is not None]
            for node in parent.children:
                node.shift = get_shift(parent, node)
            shown = [node for node in parent.children if "showing" in node.states]
            if parent.role == SHEETS:
                await asyncio.gather(*(self._fill_sheet(node, budget) for node in shown))
            else:
                await asyncio.gather(*(self._fill(node, budget, page) for node in shown))

    async def _fill_sheet(self, sheet: Node, budget: Budget) -> None:
        """Cells that hold something: their names follow from their places, so the text is all that
        is asked for."""
        if sheet.role != "table":
            await self._fill(sheet, budget)
            return
        cells = await self._shown_cells(sheet)
        texts = await asyncio.gather(*(self.text(at) for at, _, _ in cells), return_exceptions=True)
        for (at, row, column), text in zip(cells, texts, strict=True):
            if isinstance(text, str) and text and budget.take():
                name = f"{column_name(column)}{row + 1}"
                cell = Node(at, "table cell", frozenset({"showing", "sensitive"}), name, text)
                cell.shift = sheet.shift
                sheet.children.append(cell)

    async def _node(self, at: Address, budget: Budget | None = None) -> Node | None:
        """None when it is gone or over the budget. What is not shown has role and states only."""
        if budget is not None and not budget.take():
            return None
        try:
            states, role = await asyncio.gather(self.states(at), self.role(at))
            node = Node(at, role, states)
            if "showing" not in states:
                return node if budget is None else None
            reads: list[Any] = [self.name(at), self.box(at)]
            if role in WITH_TEXT:
                reads.append(self.text(at))
            readings = await asyncio.gather(*reads, return_exceptions=True)
        except AccessError:
            return None
        if isinstance(readings[0], str):
            node.name = readings[0]
        if isinstance(readings[1], tuple):
            node.box = readings[1]
        if len(readings) > 2 and isinstance(readings[2], str):
            node.text = readings[2]
        return node

    async def _shown_cells(self, table: Node) -> list[tuple[Address, int, int]]:
        """Address, row and column of the cells between the table's corners on the screen."""
        x, y, width, height = table.box
        corners = await asyncio.gather(
            self._cell_at(table, x + 2, y + 2), self._cell_at(table, x + width - 2, y + height - 2)
        )
        if corners[0] is None or corners[1] is None:
            children = await self._first_children(table)
            return [(at, index, 0) for index, at in enumerate(children)]
        (top, left), (bottom, right) = corners[0], corners[1]
        places = [
            (row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)
        ][:MAX_CELLS]
        cells = await asyncio.gather(
            *(self.call(table.address, TABLE, "GetAccessibleAt", "ii", *place) for place in places),
            return_exceptions=True,
        )
        return [
            (Address(*cell), row, column)
            for cell, (row, column) in zip(cells, places, strict=True)
            if isinstance(cell, list | tuple) and cell[1] != NULL_PATH
        ]

    async def _first_children(self, parent: Node) -> list[Address]:
        """One by one: asking for all children of a sheet would list a billion cells."""
        count = await self.call(parent.address, PROPERTIES, "Get", "ss", ACCESSIBLE, "ChildCount")
        gets = (
            self.call(parent.address, ACCESSIBLE, "GetChildAtIndex", "i", index)
            for index in range(min(count.value, MAX_CHILDREN))
        )
        children = await asyncio.gather(*gets, return_exceptions=True)
        return [Address(*at) for at in children if isinstance(at, list | tuple)]

    async def _cell_at(self, table: Node, x: int, y: int) -> tuple[int, int] | None:
        """Row and column of the cell at a screen point."""
        try:
            bus, path = await self.call(
                table.address, COMPONENT, "GetAccessibleAtPoint", "iiu", x, y, 0
            )
            index = await self.call(Address(bus, path), ACCESSIBLE, "GetIndexInParent")
            row, column = await asyncio.gather(
                self.call(table.address, TABLE, "GetRowAtIndex", "i", index),
                self.call(table.address, TABLE, "GetColumnAtIndex", "i", index),
            )
        except AccessError:
            return None
        return (row, column) if row >= 0 and column >= 0 else None


def get_shift(parent: Node, child: Node) -> tuple[int, int]:
    """How far the child and what is in it are from where they say. LibreOffice now and then forgets
    its menu bar: its root pane, which fills the panel that GTK placed, then says that it is higher
    up; the GTK widgets inside, which fill their parents there, know better again."""
    x, y, width, height = parent.box
    real = (x + parent.shift[0], y + parent.shift[1], width, height)
    if child.role == ROOT_PANE and child.box[2:] == real[2:]:
        return real[0] - child.box[0], real[1] - child.box[1]
    return (0, 0) if child.box == real else parent.shift


def _is_closed(node: Node, page: bool) -> bool:
    if node.role not in CLOSED_UNLESS or (page and node.role == "menu"):
        return False
    return not node.states & CLOSED_UNLESS[node.role]


SHEETS = "document spreadsheet"
PAGE = "document web"
ROOT_PANE = "root pane"
TABLES = frozenset({"table", "tree table"})
CLOSED_UNLESS: dict[str, frozenset[str]] = {
    "menu": frozenset({"selected", "expanded", "focused"}),
    "combo box": frozenset({"expanded", "focused"}),
}
"""Roles whose children cannot be seen while they are closed; a page's menu is always open."""
WITH_TEXT = frozenset(
    {
        "text",
        "entry",
        "password text",
        "paragraph",
        "terminal",
        "spin button",
        "table cell",
        "heading",
        "label",
        "static",
        "document text",
        "editbar",
    }
)
