"""Chromium's tabs and navigation on a real Chromium in a real window."""

from __future__ import annotations

import asyncio

import pytest

from envs.contract.actions import ActionError
from tests.envs.desktop_box import DesktopUser, ToolFailed

pytestmark = pytest.mark.desktop

SHOP = """<!doctype html><title>Shop</title><h1>Lamps</h1><p style="margin-top:3000px">Far below</p>
<table><tr><th>Item<th>Price</tr><tr><td>Lamp<td>12</tr></table>
<form onsubmit="document.title='Sent ' + new URLSearchParams(new FormData(this)); return false">
<label>Name <input name="who" onkeydown="document.title='typed'"></label>
<label>Colour <select name="colour"><option value="r">Red</option><option value="b">Blue</option>
</select></label><label><input type="checkbox" name="gift"> Gift</label>
<button id="go">Order</button></form><a href="next.html">Next page</a>"""

COOKIES = (
    "document.cookie = 'taste=sweet; max-age=9999'; document.cookie = 'size=big; max-age=9999'"
)


@pytest.fixture
def pages(user: DesktopUser) -> str:
    """Address of the shop's folder."""
    folder = user.home / "Documents" / "shop"
    folder.mkdir()
    (folder / "index.html").write_text(SHOP)
    (folder / "next.html").write_text("<title>Next</title>The next page")
    (folder / "crumbs.html").write_text(f"<title>Crumbs</title><script>{COOKIES}</script>")
    return "file:///home/user/Documents/shop"


async def wait_for_texts(user: DesktopUser, *texts: str) -> None:
    """Returns once the accessibility tree holds all texts."""
    async with asyncio.timeout(20):
        while True:
            tree = await user.see()
            if all(text in tree for text in texts):
                return
            await asyncio.sleep(0.2)


async def test_tabs_open_change_close_and_come_back(user: DesktopUser, pages: str) -> None:
    first = await user.tool("chromium.navigate", url="~/Documents/shop/index.html")
    assert (first["title"], first["loaded"]) == ("Shop", True)
    second = await user.tool("chromium.open_tab", url=f"{pages}/next.html")
    await user.tool("chromium.activate_tab", tab=first["tab"])
    listed = await user.tool("chromium.tabs")
    assert [(t["title"], t["active"]) for t in listed] == [("Shop", True), ("Next", False)]
    await user.tool("chromium.close_tab", tab=second["tab"])
    await user.tool("chromium.add_bookmark", title="Between", url="http://between.example/")
    await user.tool("chromium.search_engines")
    assert [t["title"] for t in await user.tool("chromium.tabs")] == ["Shop"]
    assert (await user.tool("chromium.bring_back_last_tab"))["title"] == "Next"
    with pytest.raises(ToolFailed, match="Shop") as none:
        await user.tool("chromium.close_tab", tab="zzz")
    assert none.value.error == ActionError.NOT_FOUND


async def test_navigation_goes_back_forward_and_reloads(user: DesktopUser, pages: str) -> None:
    await user.tool("chromium.navigate", url=f"{pages}/index.html")
    await user.tool("chromium.navigate", url=f"{pages}/next.html")
    assert (await user.tool("chromium.back"))["title"] == "Shop"
    assert (await user.tool("chromium.forward"))["title"] == "Next"
    (user.home / "Documents" / "shop" / "next.html").write_text("<title>Newer</title>")
    assert (await user.tool("chromium.reload"))["title"] == "Newer"
    with pytest.raises(ToolFailed, match="no page after"):
        await user.tool("chromium.forward")
    with pytest.raises(ToolFailed, match="ERR_CONNECTION_REFUSED"):
        await user.tool("chromium.navigate", url="127.0.0.1:8799/x")
    with pytest.raises(ToolFailed, match="not opened"):
        await user.tool("chromium.navigate", url="javascript:alert(1)")


async def test_a_page_becomes_a_pdf(user: DesktopUser, pages: str) -> None:
    await user.tool("chromium.navigate", url=f"{pages}/index.html")
    await user.tool("chromium.print_to_pdf", path="Documents/shop.pdf")
    assert (user.home / "Documents" / "shop.pdf").read_bytes().startswith(b"%PDF")


async def test_the_print_dialog_opens(user: DesktopUser, pages: str) -> None:
    await user.tool("chromium.navigate", url=f"{pages}/index.html")
    await user.tool("chromium.print")
    await wait_for_texts(user, "Destination")


@pytest.mark.parametrize(
    ("tool", "url"),
    [
        ("open_profile_settings", "chrome://settings/manageProfile"),
        ("open_password_settings", "chrome://password-manager/settings"),
        ("open_privacy_settings", "chrome://settings/privacy"),
        ("open_appearance_settings", "chrome://settings/appearance"),
        ("open_search_engine_settings", "chrome://settings/search"),
        ("open_extensions", "chrome://extensions/"),
        ("delete_browsing_data", "chrome://settings/clearBrowserData"),
    ],
)
async def test_settings_pages_open_in_front(user: DesktopUser, tool: str, url: str) -> None:
    await user.tool(f"chromium.{tool}")
    active = [tab["url"] for tab in await user.tool("chromium.tabs") if tab["active"]]
    assert active == [url]
