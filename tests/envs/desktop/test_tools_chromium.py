"""Chromium's tools on a real Chromium in a real window."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from envs.actions import ActionError
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


async def shown(user: DesktopUser, *texts: str) -> None:
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


async def test_a_page_is_read_filled_in_and_clicked(user: DesktopUser, pages: str) -> None:
    await user.tool("chromium.navigate", url=f"{pages}/index.html")
    assert "Far below" in (await user.tool("chromium.page_text"))["text"]
    assert await user.tool("chromium.find_text", text="far BELOW") == ["Far below"]
    table = await user.tool("chromium.read_table")
    assert table["rows"] == [["Item", "Price"], ["Lamp", "12"]]
    links = await user.tool("chromium.links", containing="next")
    assert links == [{"text": "Next page", "url": f"{pages}/next.html"}]
    fields = {
        row["label"].split()[0]: row
        for row in await user.tool("chromium.form_fields")
        if row["label"]
    }
    assert fields["Colour"]["options"] == ["Red", "Blue"]
    text = 'Ann "<b>" ${x} ö'
    values: dict[str, Any] = {
        fields["Name"]["selector"]: text,
        fields["Colour"]["selector"]: "Blue",
        fields["Gift"]["selector"]: True,
    }
    await user.tool("chromium.fill_form", fields=values)
    found = await user.tool("chromium.query", selector="[name=who]", attributes=["name"])
    assert (found["elements"][0]["value"], found["elements"][0]["name"]) == (text, "who")
    clicked = await user.tool("chromium.click", selector="#go")
    assert clicked["title"].startswith("Sent who=Ann")
    assert clicked["title"].endswith("colour=b&gift=on")
    with pytest.raises(ToolFailed, match="Red, Blue"):
        await user.tool("chromium.fill_form", fields={"select": "Green"})
    with pytest.raises(ToolFailed, match="not a valid selector"):
        await user.tool("chromium.query", selector="a[[")


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
    await shown(user, "Work", "Empty")
    removed = await user.tool("chromium.remove_bookmarks", title="Deep")
    assert removed == [f"{bar}/Work/Reports/Deep"]
    assert "Deep" not in json.dumps(await user.tool("chromium.bookmarks"))
    assert (await user.tool("chromium.open_bookmarks"))["title"] == "Bookmarks"


async def test_history_is_listed_searched_and_forgotten(user: DesktopUser, pages: str) -> None:
    for name in ("index", "next"):
        await user.tool("chromium.navigate", url=f"{pages}/{name}.html")
    found = [row["title"] for row in await user.tool("chromium.history")]
    assert found[:2] == ["Next", "Shop"]
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


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("home_page", "http://home.example/"),
        ("startup", "pages"),
        ("startup_pages", ["http://one.example/", "http://two.example/"]),
        ("do_not_track", True),
        ("safe_browsing", "enhanced"),
        ("font_size", 24),
        ("languages", "de,en-US"),
        ("save_passwords", True),
    ],
)
async def test_a_setting_is_kept_by_chromium(user: DesktopUser, name: str, value: Any) -> None:
    await user.tool("chromium.set_setting", setting=name, value=value)
    assert (await user.tool("chromium.get_settings", names=[name]))[name] == value


async def test_settings_are_written_to_the_profile(user: DesktopUser) -> None:
    await user.tool("chromium.set_setting", setting="font_size", value=30)
    assert await user.tool("chromium.zoom", percent=150) == 150
    assert await user.tool("chromium.profile_name", new_name="Ann's") == "Ann's"
    assert await user.tool("chromium.appearance_mode", mode="dark") == "dark"
    engines = await user.tool("chromium.search_engines", default="Bing")
    assert [e["name"] for e in engines if e["default"]] == ["Microsoft Bing"]
    lock = await user.tool("shell.run", command="readlink ~/.config/chromium/SingletonLock")
    process = lock["output"].strip().rpartition("-")[2]
    await user.tool("chromium.close_tab")
    # The lock goes before the files are written, the process after.
    waits = f"while [ -d /proc/{process} ]; do sleep 0.1; done"
    assert (await user.tool("shell.run", timeout_s=30, command=waits))["exit_code"] == 0
    profile = user.home / ".config" / "chromium" / "Default" / "Preferences"
    saved = json.loads(profile.read_text())
    assert saved["webkit"]["webprefs"]["default_font_size"] == 30
    assert saved["profile"]["name"] == "Ann's"
    assert saved["browser"]["theme"]["color_scheme2"] == 2
    assert "Bing" in json.dumps(saved["default_search_provider_data"])


async def test_settings_refuse_what_chromium_does_not_have(user: DesktopUser) -> None:
    with pytest.raises(ToolFailed, match="there are: home_page"):
        await user.tool("chromium.set_setting", setting="colour", value=1)
    with pytest.raises(ToolFailed, match="enhanced, standard, off"):
        await user.tool("chromium.set_setting", setting="safe_browsing", value="full")
    with pytest.raises(ToolFailed, match="wants a int"):
        await user.tool("chromium.set_setting", setting="font_size", value="big")


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


async def test_a_page_becomes_a_pdf(user: DesktopUser, pages: str) -> None:
    await user.tool("chromium.navigate", url=f"{pages}/index.html")
    await user.tool("chromium.print_to_pdf", path="Documents/shop.pdf")
    assert (user.home / "Documents" / "shop.pdf").read_bytes().startswith(b"%PDF")


async def test_the_print_dialog_opens(user: DesktopUser, pages: str) -> None:
    await user.tool("chromium.navigate", url=f"{pages}/index.html")
    await user.tool("chromium.print")
    await shown(user, "Destination")


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
