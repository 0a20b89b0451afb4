"""A press that strikes another element than it was meant for is told as such."""

from __future__ import annotations

import pytest

from envs.contract.actions import ActionError
from tests.envs.browser.shown import noted, show
from tests.envs.browser.site import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ROW = """<style>body{margin:0} button{position:absolute;left:50px;width:120px;height:30px}</style>
<button id=a style="top:60px" onclick="note('kept')">Keep</button>
<button id=b style="top:200px" onclick="note('deleted')">Delete</button>"""
SWAP = "a.style.top = '200px'; b.style.top = '60px';"


@pytest.mark.parametrize("event", ["mouseover", "mousemove", "pointerenter", "mouseenter"])
async def test_a_button_that_moves_under_the_pointer_is_no_success(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, event: str
) -> None:
    script = f"<script>a.addEventListener('{event}', () => {{ {SWAP} }}, {{once: true}})</script>"
    await show(visitor, monkeypatch, ROW + script)
    result = await visitor.do(type="click", target=visitor.ref("Keep"))
    assert await noted(visitor) == ["deleted"]
    assert (result.ok, result.error) == (False, ActionError.MISSED)
    assert "button Delete" in result.message


async def test_what_follows_a_miss_is_not_done(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"<script>a.onmouseover = () => {{ {SWAP} }}</script>"
    await show(visitor, monkeypatch, ROW + script)
    click = {"type": "click", "target": visitor.ref("Keep")}
    result = await visitor.do(type="batch", actions=[click, {"type": "key", "keys": ["enter"]}])
    assert (result.error, await noted(visitor)) == (ActionError.MISSED, ["deleted"])


async def test_a_miss_that_leads_away_is_told_all_the_same(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = (
        ROW
        + f"""<script>a.onmouseover = () => {{ {SWAP} }};
        b.addEventListener('mousedown', () => {{ location = '/plain'; }});</script>"""
    )
    await show(visitor, monkeypatch, html)
    result = await visitor.do(type="click", target=visitor.ref("Keep"))
    assert result.error is ActionError.MISSED
    assert "Nothing but text" in visitor.tree


GOOD = """<style>body{margin:0}</style>
<label for=c>Tick <input id=c type=checkbox style="position:absolute;left:-5px;width:12px;
 pointer-events:none"></label>
<div style="height:40px"><button style="pointer-events:none" id=p>Passes</button></div>
<p><button id=x><b>In</b>ner</button></p><p><span id=s><a href=#a>Part</a></span></p>
<div id=box><button onclick="note('drawn')">Redrawn</button></div>
<p><button oncontextmenu="return false">Right</button></p>
<p><button id=gone onpointerdown="this.remove()">Gone</button></p>
<script>let times = 0; box.onmouseover = () => {
  if (!times++) box.innerHTML = '<button onclick="note(`drawn`)">Redrawn</button>'; };</script>"""


async def test_a_press_that_meets_its_element_is_a_success_however_it_is_built(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, GOOD)
    for name in ("Tick", "Passes", "Inner", "Part", "Redrawn"):
        result = await visitor.do(type="click", target=visitor.ref(name))
        assert result.ok, (name, result.message)
    assert await noted(visitor) == ["drawn"]
    assert (await visitor.do(type="click", target={"selector": "#s"})).ok
    right = {"type": "click", "target": visitor.ref("Right"), "button": "right"}
    assert (await visitor.do(**right)).ok
    assert (await visitor.do(type="click", target=visitor.ref("Gone"), count=2)).ok


async def test_a_point_is_meant_for_whatever_is_there(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"<script>a.onmouseover = () => {{ {SWAP} }}</script>"
    await show(visitor, monkeypatch, ROW + script)
    await visitor.do(type="move", target=visitor.ref("Delete"))
    assert (await visitor.do(type="click", target={"x": 110, "y": 75})).ok
    assert await noted(visitor) == ["deleted"]
