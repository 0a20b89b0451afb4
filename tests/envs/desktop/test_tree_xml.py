"""The accessibility tree as XML, on a real desktop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any
from xml.etree import ElementTree

import aiohttp
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.desktop.a11y import Address, Node
from envs.desktop.tree_xml import NAMESPACES, to_xml
from tests.envs.desktop_box import Box, desktop_box

desktop = pytest.mark.desktop

SHOWN = frozenset({"showing", "visible"})


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with desktop_box("--allow-shell") as started:
        yield started


@pytest.fixture
async def http(box: Box) -> AsyncIterator[aiohttp.ClientSession]:
    headers = {"Authorization": f"Bearer {box.token}"}
    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(box.url, headers=headers, timeout=timeout) as session:
        yield session


async def post(http: aiohttp.ClientSession, path: str, body: Any) -> tuple[int, Any]:
    async with http.post(path, json=body) as reply:
        content = await reply.read()
        return reply.status, orjson.loads(content) if content[:1] in b"{[" else content.decode()


@desktop
async def test_the_tree_names_cells_and_menus_of_a_sheet(
    http: aiohttp.ClientSession, box: Box
) -> None:
    (box.home / "Documents" / "sums.csv").write_text("name,amount\nAda,12\n")
    await post(http, "/setup/launch", {"command": ["localc", "~/Documents/sums.csv"]})
    tree = ElementTree.Element("none")
    async with asyncio.timeout(60):
        while not tree.findall(".//table-cell"):
            await post(http, "/execute", {"command": ["python", "-c", PRESS_ENTER]})
            async with http.get("/accessibility") as reply:
                tree = ElementTree.fromstring((await reply.json())["AT"])
    assert tree.tag == "desktop-frame"
    cells = {cell.get("name"): cell.text for cell in tree.iter("table-cell")}
    assert (cells["A2"], cells["B2"]) == ("Ada", "12")
    (frame,) = tree.findall("application[@name='soffice']/frame[@st:active='true']", NAMESPACES)
    menus = frame.findall(".//menu-bar/menu[@name='File'][@st:showing='true']", NAMESPACES)
    assert {menu.get(f"{{{NAMESPACES['cp']}}}size", "")[:1] for menu in menus} == {"("}


PRESS_ENTER = (
    "import pyautogui, subprocess as s\n"
    "if 'Text Import' in s.run(['wmctrl', '-l'], capture_output=True, text=True).stdout:\n"
    "    pyautogui.press('enter')"
)


@given(name=st.text(), text=st.text(), role=st.text())
def test_the_xml_is_well_formed_whatever_programs_say(name: str, text: str, role: str) -> None:
    node = Node(Address(":1.1", "/x"), role, SHOWN, name, text)
    root = ElementTree.fromstring(ElementTree.tostring(to_xml(node, {})))
    assert root.get(f"{{{NAMESPACES['st']}}}showing") == "true"
