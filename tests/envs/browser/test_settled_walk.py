"""A page is walked once it is quiet, and one that never is, as it is."""

from __future__ import annotations

import asyncio

import pytest

from envs.browser.settled_walk import walk_when_settled
from tests.envs.browser.site import PAGES, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PUTS_WORK_OFF = """<title>Parts</title><p id=p>begun</p><script>
let count = 0;
const change = () => {
  p.textContent = `part ${count += 1}`;
  if (count < LAST) setTimeout(change, 30);
};
requestIdleCallback(() => setTimeout(change, 30));
</script>"""


async def test_a_page_that_puts_work_off_is_walked_once_it_is_calm(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PAGES, "/parts", PUTS_WORK_OFF.replace("LAST", "5"))
    await visitor.open("/parts")
    walked = await walk_when_settled(visitor.session.page, 4000, 8, calm=True)
    assert walked is not None
    assert "part 5" in walked["text"]


async def test_a_page_that_never_calms_down_is_walked_as_it_is(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("envs.browser.settled_walk.CALM_LIMIT_MS", 300)
    monkeypatch.setitem(PAGES, "/parts", PUTS_WORK_OFF.replace("LAST", "Infinity"))
    await visitor.open("/parts")
    async with asyncio.timeout(10):
        walked = await walk_when_settled(visitor.session.page, 4000, 8, calm=True)
    assert walked is not None
    assert "part" in walked["text"]
