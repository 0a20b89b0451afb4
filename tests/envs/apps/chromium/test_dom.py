"""Pages read, filled in and clicked by tools, in a real Chromium."""

from __future__ import annotations

from typing import Any

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
    elements = await user.tool("chromium.query", selector="[name=who]", attributes=["name"])
    assert (elements["elements"][0]["value"], elements["elements"][0]["name"]) == (text, "who")
    clicked = await user.tool("chromium.click", selector="#go")
    assert clicked["title"].startswith("Sent who=Ann")
    assert clicked["title"].endswith("colour=b&gift=on")
    with pytest.raises(ToolFailed, match="Red, Blue"):
        await user.tool("chromium.fill_form", fields={"select": "Green"})
    with pytest.raises(ToolFailed, match="not a valid selector"):
        await user.tool("chromium.query", selector="a[[")
