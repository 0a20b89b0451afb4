"""Tabs go to web pages alone, and along their own history."""

from __future__ import annotations

import pytest

from envs.contract.actions import ActionError
from tests.envs.browser.shown import noted, show
from tests.envs.browser.site import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize(
    "url",
    [
        "view-source:http://127.0.0.1/",
        "chrome://version",
        "devtools://devtools/bundled/inspector.html",
        "data:text/html,x",
        "blob:http://127.0.0.1/1",
        "ftp://127.0.0.1/",
        "FILE:/etc/passwd",
        "filesystem:http://127.0.0.1/temporary/x",
        "http://user:pass@127.0.0.1/",
        "about:version",
    ],
)
async def test_only_web_pages_are_opened(visitor: Visitor, url: str) -> None:
    await visitor.open("/plain")
    for action in (
        {"type": "navigate", "url": url},
        {"type": "tool", "name": "browser.goto", "arguments": {"url": url}},
        {"type": "tab", "op": "new", "url": url},
    ):
        result = await visitor.do(**action)
        assert result.error is ActionError.NOT_ALLOWED, result
    assert visitor.observation.url == "about:blank", "the new tab stays empty"


async def test_tabs_have_their_own_history_and_reload_loads_again(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, "<button onclick=\"note('used')\">Use</button>")
    await visitor.do(type="click", target=visitor.ref("Use"))
    assert await noted(visitor) == ["used"]
    await visitor.do(type="history", op="reload")
    assert await noted(visitor) == []
    for op in ("back", "forward"):
        assert (await visitor.do(type="history", op=op)).error is ActionError.NAVIGATION
    await visitor.do(type="tab", op="new")
    assert (await visitor.do(type="history", op="back")).error is ActionError.NAVIGATION
