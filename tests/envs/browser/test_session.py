"""A reset leaves nothing of the task before, and says how it was done."""

from __future__ import annotations

import pytest

from tests.envs.browser.site import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_the_second_reset_is_warm_and_equal(visitor: Visitor) -> None:
    assert await visitor.open("/form") == "context"
    first = visitor.observation
    await visitor.do(type="type", target=visitor.ref("Name"), text="x", clear=True)
    assert await visitor.open("/form") == "warm"
    assert visitor.observation.hash == first.hash


async def test_cookies_tabs_and_history_are_gone(visitor: Visitor) -> None:
    await visitor.open("/storage")
    await visitor.do(type="tab", op="new", url="/plain")
    await visitor.open("/storage")
    assert "c=1" not in visitor.tree
    assert len(visitor.session._tabs.pages) == 1
    await visitor.do(type="history", op="back")
    assert visitor.observation.title == "Storage"


async def test_keys_and_clipboard_are_let_go(visitor: Visitor) -> None:
    await visitor.open("/form")
    await visitor.do(type="key_down", key="shift")
    await visitor.do(type="clipboard", op="write", text="secret")
    await visitor.open("/form")
    assert (await visitor.do(type="clipboard", op="read")).value == ""
    await visitor.do(type="click", target=visitor.ref("Name"))
    await visitor.do(type="key", keys=["End"])
    await visitor.do(type="key", keys=["a"])
    assert await visitor.field("name") == "olda"


async def test_an_open_dialog_does_not_stop_a_reset(visitor: Visitor) -> None:
    await visitor.open("/dialogs")
    await visitor.do(type="click", target=visitor.ref("Ask"))
    await visitor.open("/plain")
    assert "Nothing but text" in visitor.tree
