"""Clicks land where the element is, also where a program is wrong about that."""

from __future__ import annotations

import pytest

from envs.contract.actions import Click, Target, Wait
from envs.contract.observations import parse_tree
from envs.contract.task import Task
from envs.desktop.a11y import Address, Node, get_shift
from tests.envs.desktop_box import DesktopUser

BOOK = "/home/user/Documents/book.xlsx"
CALC = Task(
    id="calc",
    instruction="x",
    env="desktop",
    config=[
        {"type": "workbook", "parameters": {"path": BOOK, "sheets": {"Data": [["a", 1]]}}},
        {"type": "open", "parameters": {"path": BOOK}},
    ],
)


def node(role: str, y: int, height: int = 600) -> Node:
    return Node(Address("b", "/p"), role, frozenset(), box=(0, y, 1280, height))


def test_a_root_pane_is_where_the_panel_is_that_it_fills() -> None:
    assert get_shift(node("panel", 42), node("root pane", 17)) == (0, 25)
    assert get_shift(node("panel", 42), node("root pane", 42)) == (0, 0)
    assert get_shift(node("panel", 42), node("root pane", 17, 575)) == (0, 0)
    inside = node("root pane", 17)
    inside.shift = (0, 25)
    assert get_shift(inside, node("push button", 19, 35)) == (0, 25)
    assert get_shift(inside, node("panel", 42)) == (0, 0)


async def click(user: DesktopUser, role: str, name: str) -> str:
    lines = parse_tree(await user.see())
    matches = [line for line in lines if line.role == role and line.name.startswith(name)]
    assert matches, f"no {role} {name}"
    return await user.see(Click(target=Target(ref=matches[0].ref)))


@pytest.mark.desktop
async def test_a_button_is_hit_after_a_dialog_was_open(user: DesktopUser) -> None:
    await user.reset(CALC)
    await user.tool("calc.set_cell", cell="B1", value=5)
    await click(user, "menu", "Sheet")
    shown = await click(user, "menu", "Rename Sheet")
    if "OK" not in shown:  # a slow machine has not drawn the dialog yet
        shown = await user.see(Wait(ms=3000))
    assert "OK" in shown
    await click(user, "button", "Cancel")
    await click(user, "button", "Save")
    shown = await user.see()
    if "Keep Current Format" in shown or "Use Excel" in shown:
        await click(user, "button", "Use Excel")
    assert not (await user.tool("office.list_documents"))[0]["modified"]
