"""Bookmarks, history, cookies and extensions of a real Chromium."""

from __future__ import annotations

import asyncio
import json

import pytest

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


async def served(user: DesktopUser) -> str:
    """The folder over HTTP from a server inside the box."""
    await user.tool(
        "shell.run",
        command="cd ~/Documents/shop && (setsid python3 -m http.server 8765 --bind 127.0.0.1 "
        ">/dev/null 2>&1 &) ; for i in $(seq 100); do "
        "(exec 3<>/dev/tcp/127.0.0.1/8765) 2>/dev/null && break; sleep 0.05; done",
    )
    return "http://127.0.0.1:8765"


async def test_bookmarks_are_in_the_window_afterwards(user: DesktopUser, pages: str) -> None:
    await user.tool("chromium.navigate", url=f"{pages}/index.html")
    await user.tool("chromium.bookmark_page")
    await user.tool(
        "chromium.add_bookmark", title="Deep", url="deep.example", folder="Work/Reports"
    )
    await user.tool("chromium.add_bookmark_folder", folder="Empty")
    await user.tool("chromium.set_setting", setting="bookmarks_bar", value="always")
    listed = {(b["title"], b["folder"]) for b in await user.tool("chromium.bookmarks")}
    bar = "Bookmarks bar"
    assert {("Shop", bar), ("Deep", f"{bar}/Work/Reports"), ("Empty", bar)} <= listed
    await wait_for_texts(user, "Work", "Empty")
    removed = await user.tool("chromium.remove_bookmarks", title="Deep")
    assert removed == [f"{bar}/Work/Reports/Deep"]
    assert "Deep" not in json.dumps(await user.tool("chromium.bookmarks"))
    assert (await user.tool("chromium.open_bookmarks"))["title"] == "Bookmarks"


async def test_history_is_listed_searched_and_forgotten(user: DesktopUser, pages: str) -> None:
    for name in ("index", "next"):
        await user.tool("chromium.navigate", url=f"{pages}/{name}.html")
    titles = [row["title"] for row in await user.tool("chromium.history")]
    assert titles[:2] == ["Next", "Shop"]
    assert await user.tool("chromium.delete_history", text="shop/next") == [f"{pages}/next.html"]
    assert [row["title"] for row in await user.tool("chromium.history")] == ["Shop"]


async def test_cookies_are_listed_and_deleted(user: DesktopUser, pages: str) -> None:
    site = await served(user)
    await user.tool("chromium.navigate", url=f"{site}/crumbs.html")
    names = {cookie["name"] for cookie in await user.tool("chromium.cookies", domain="127.0.0.1")}
    assert names == {"taste", "size"}
    await user.tool("chromium.delete_cookies", domain="127.0.0.1", cookie_name="taste")
    assert [cookie["name"] for cookie in await user.tool("chromium.cookies")] == ["size"]
    await user.tool("chromium.delete_browsing_data", data=["cookies", "history"])
    assert await user.tool("chromium.cookies") == []
    assert await user.tool("chromium.history") == []


async def test_an_unpacked_extension_is_loaded_and_switched_off(user: DesktopUser) -> None:
    folder = user.home / "Documents" / "extension"
    folder.mkdir()
    manifest = {"manifest_version": 3, "name": "Helper One", "version": "1.2"}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    made = await user.tool("chromium.load_extension", folder="Documents/extension")
    assert (made["name"], made["version"], made["enabled"]) == ("Helper One", "1.2", True)
    off = await user.tool("chromium.enable_extension", extension="Helper One", enabled=False)
    assert off["enabled"] is False
    with pytest.raises(ToolFailed, match="no manifest"):
        await user.tool("chromium.load_extension", folder="Documents")
