"""Pointer, keys, fields, dialogs and tabs: the page hears exactly what a person's input causes."""

from __future__ import annotations

import pytest

from envs.browser.chromium import Browsers
from envs.contract.actions import ActionError
from envs.contract.observations import Observe
from tests.envs.browser.shown import noted, show
from tests.envs.browser.site import Visitor, visiting

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MOUSE = """<button style="width:200px;height:80px">Pad</button><script>
  for (const kind of ['mousedown', 'mouseup', 'dblclick', 'auxclick', 'contextmenu'])
    addEventListener(kind, (e) => note([kind, e.button, e.detail, e.shiftKey, e.ctrlKey]));
</script>"""


async def test_clicks_have_button_count_and_modifiers(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, MOUSE)
    pad = visitor.ref("Pad")
    await visitor.do(type="click", target=pad, count=2)
    assert "dblclick,0,2,false,false" in await noted(visitor)
    await visitor.do(type="click", target=pad, button="middle", modifiers=["shift"])
    assert "auxclick,1,1,true,false" in await noted(visitor)
    await visitor.do(type="click", target=pad, button="right")
    assert "contextmenu,2" in [line[:13] for line in await noted(visitor)]


async def test_a_held_key_modifies_clicks_until_it_is_let_go(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, MOUSE)
    pad = visitor.ref("Pad")
    await visitor.do(type="key_down", key="shift")
    await visitor.do(type="click", target=pad)
    await visitor.do(type="key_up", key="shift")
    await visitor.do(type="click", target=pad)
    downs = [line for line in await noted(visitor) if line.startswith("mousedown")]
    assert [line.split(",")[3] for line in downs] == ["true", "false"]


async def test_moving_between_press_and_release_is_a_drag(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = """<script>
      addEventListener('mousemove', (e) => note(['move', e.buttons]));
      addEventListener('mouseup', (e) => note(['up', e.clientX, e.buttons]));</script>"""
    await show(visitor, monkeypatch, script)
    await visitor.do(type="mouse_down", target={"x": 100, "y": 300})
    await visitor.do(type="move", target={"x": 200, "y": 300})
    await visitor.do(type="mouse_up")
    await visitor.do(type="move", target={"x": 220, "y": 300})
    lines = await noted(visitor)
    assert "up,200,0" in lines
    assert "move,1" in lines, "the button counts as held while the pointer moves"
    assert lines[-1] == "move,0"


async def test_a_slider_follows_a_drag(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    slider = '<input type=range id=r min=0 max=100 value=0 style="width:300px;margin:0">'
    await show(visitor, monkeypatch, slider)
    x, y, width = await visitor.run(
        "(r => [r.x, r.y + r.height / 2, r.width])"
        "(document.getElementById('r').getBoundingClientRect())"
    )
    path = [{"x": x + 8, "y": y}, {"x": x + width / 2, "y": y}, {"x": x + width, "y": y}]
    assert (await visitor.do(type="drag", path=path)).ok
    assert int(await visitor.field("r")) > 90


async def test_enter_after_typing_submits_the_form(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, "<form action=/plain><input name=q></form>")
    await visitor.do(type="type", target=visitor.ref("q"), text="bag", submit=True)
    assert visitor.observation.url.endswith("/plain?q=bag")


async def test_keys_edit_and_move_as_on_a_keyboard(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, "<input id=a aria-label=A><input id=b aria-label=B>")
    await visitor.do(type="click", target=visitor.ref("A"))
    for key in ("x", "y", "Z", "1", "ß", "space"):
        assert (await visitor.do(type="key", keys=[key])).ok, key
    assert await visitor.field("a") == "xyZ1ß "
    await visitor.do(type="key", keys=["BackSpace"], repeat=2)
    await visitor.do(type="key", keys=["Home"])
    await visitor.do(type="key", keys=["Delete"])
    assert await visitor.field("a") == "yZ1"
    await visitor.do(type="key", keys=["Tab"])
    await visitor.do(type="type", text="there")
    assert await visitor.field("b") == "there"
    await visitor.do(type="key", keys=["shift", "Tab"])
    await visitor.do(type="key", keys=["ctrl", "a"])
    await visitor.do(type="type", text="all new")
    assert await visitor.field("a") == "all new"


async def test_text_goes_into_editable_elements_and_text_areas(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = "<div contenteditable id=e aria-label=E>old</div><textarea id=t aria-label=T></textarea>"
    await show(visitor, monkeypatch, html)
    await visitor.do(type="type", target=visitor.ref("E"), text="новый", clear=True)
    assert await visitor.run("document.getElementById('e').textContent") == "новый"
    await visitor.do(type="type", target=visitor.ref("T"), text="one\ntwo 👩‍🚀")
    assert await visitor.field("t") == "one\ntwo 👩‍🚀"


async def test_cut_takes_the_selection_and_no_other_session_can_paste_it(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, site: str, browsers: Browsers
) -> None:
    html = "<input id=a aria-label=A value=mine><input id=p aria-label=P type=password value=pin>"
    await show(visitor, monkeypatch, html)
    await visitor.do(type="click", target=visitor.ref("A"))
    for letter in "ax":
        await visitor.do(type="key", keys=["ctrl", letter])
    assert await visitor.field("a") == ""
    async with visiting(site, browsers) as other:
        await show(other, monkeypatch, html)
        await other.do(type="click", target=other.ref("A"))
        await other.do(type="key", keys=["ctrl", "v"])
        assert await other.field("a") == "mine", "unchanged: its own clipboard is empty"
    await visitor.do(type="key", keys=["ctrl", "v"])
    assert await visitor.field("a") == "mine"
    await visitor.do(type="click", target=visitor.ref("P"))
    for letter in "ac":
        await visitor.do(type="key", keys=["ctrl", letter])
    assert (await visitor.do(type="clipboard", op="read")).value == "mine", "no password is copied"


@pytest.mark.parametrize(
    ("field", "value", "held"),
    [
        ("<input id=f aria-label=F>", 1234567, "1234567"),
        ("<input id=f aria-label=F>", 0.1, "0.1"),
        ("<input id=f aria-label=F type=number>", 20260501, "20260501"),
        ("<input id=f aria-label=F type=time>", "13:45", "13:45"),
        ("<input id=f aria-label=F type=month>", "2026-05", "2026-05"),
        ("<input id=f aria-label=F type=week>", "2026-W20", "2026-W20"),
        ("<input id=f aria-label=F type=datetime-local>", "2026-05-01T13:45", "2026-05-01T13:45"),
        ("<input id=f aria-label=F type=color>", "#00ff00", "#00ff00"),
        ("<input id=f aria-label=F type=range>", 25, "25"),
        ("<textarea id=f aria-label=F>old</textarea>", "", ""),
    ],
)
async def test_set_value_leaves_exactly_that_value(
    visitor: Visitor,
    monkeypatch: pytest.MonkeyPatch,
    field: str,
    value: str | float,
    held: str,
) -> None:
    heard = "<script>f.addEventListener('change', () => note('change'));</script>"
    await show(visitor, monkeypatch, field + heard)
    result = await visitor.do(type="set_value", target={"selector": "#f"}, value=value)
    assert result.ok, result
    assert await visitor.field("f") == held
    assert await noted(visitor) == ["change"]


async def test_a_value_that_a_field_cannot_hold_is_refused(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, "<input id=f type=date><input id=r readonly>")
    bad = await visitor.do(type="set_value", target={"selector": "#f"}, value="tomorrow")
    assert bad.error is ActionError.BAD_VALUE
    fixed = await visitor.do(type="set_value", target={"selector": "#r"}, value="x")
    assert fixed.error is ActionError.NOT_INTERACTABLE


async def test_check_boxes_and_radios_take_booleans_only_once(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = """<input type=checkbox id=c onchange="note('c')">
        <input type=radio name=r id=one checked><input type=radio name=r id=two>"""
    await show(visitor, monkeypatch, html)
    for _ in range(2):
        result = await visitor.do(type="set_value", target={"selector": "#c"}, value=True)
        assert result.ok
    assert await noted(visitor) == ["c"]
    await visitor.do(type="set_value", target={"selector": "#two"}, value=True)
    assert await visitor.run("[one.checked, two.checked]") == [False, True]
    text = await visitor.do(type="set_value", target={"selector": "#log"}, value=True)
    assert text.error is ActionError.BAD_VALUE


async def test_units_of_scrolling(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    await show(visitor, monkeypatch, "<div style='width:4000px;height:9000px'>Big</div>")
    for unit, dx, dy, place in (
        ("px", 0, 30, [0, 30]),
        ("notch", 1, 2, [100, 230]),
        ("page", 0, 1, [100, 230 + 614]),
        ("px", -5000, -5000, [0, 0]),
    ):
        await visitor.do(type="scroll", dx=dx, dy=dy, unit=unit)
        assert await visitor.run("[scrollX, Math.floor(scrollY)]") == place


async def test_a_point_scrolls_what_lies_under_it(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = "<div id=pane style='position:fixed;top:300px;left:0;width:200px;height:100px;"
    pane += "overflow:auto'><div style='height:500px'>Pane</div></div>"
    await show(visitor, monkeypatch, pane + "<div style='height:5000px'>Page</div>")
    await visitor.do(type="scroll", target={"x": 50, "y": 350}, dy=80)
    await visitor.do(type="scroll", target={"x": 600, "y": 350}, dy=40)
    assert await visitor.run("[pane.scrollTop, scrollY]") == [80, 40]


async def test_a_prompt_takes_text_and_an_alert_is_shown(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = """<button onclick="note('got ' + prompt('Name?', 'x'))">Ask</button>
        <button onclick="alert('Careful'); note('after')">Warn</button>"""
    await show(visitor, monkeypatch, html)
    ask, warn = visitor.ref("Ask"), visitor.ref("Warn")
    await visitor.do(type="click", target=ask)
    assert visitor.observation.dialog == "prompt: Name?"
    await visitor.do(type="dialog", accept=True, text="Zoë")
    assert await noted(visitor) == ["got Zoë"]
    await visitor.do(type="click", target=warn)
    assert visitor.observation.dialog == "alert: Careful"
    await visitor.do(type="dialog", accept=False)
    assert (await noted(visitor))[-1] == "after"
    none = await visitor.do(type="dialog", accept=True)
    assert none.error is ActionError.NOT_FOUND


async def test_a_page_that_alerts_while_it_loads_can_be_entered(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, "<script>alert('Hi')</script><button>Go</button>")
    assert visitor.observation.dialog == "alert: Hi"
    await visitor.do(type="dialog", accept=True)
    assert "button Go" in visitor.tree


LEAVING = '<button onclick="onbeforeunload = (e) => e.preventDefault()">Edit</button>'


async def test_leaving_an_edited_page_asks_first(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, LEAVING)
    await visitor.do(type="click", target=visitor.ref("Edit"))
    await visitor.do(type="navigate", url="/plain")
    assert (visitor.observation.dialog or "").startswith("beforeunload")
    await visitor.do(type="dialog", accept=False)
    assert visitor.observation.title == "Shown"
    await visitor.do(type="navigate", url="/plain")
    await visitor.do(type="dialog", accept=True)
    assert visitor.observation.title == "Plain"


async def test_a_window_that_a_page_opens_becomes_a_tab(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = (
        "<a href=/plain target=_blank>Out</a><button onclick=\"window.open('/table')\">Pop</button>"
    )
    await show(visitor, monkeypatch, html)
    for name in ("Out", "Pop"):
        await visitor.do(type="click", target=visitor.ref(name))
    await visitor.do(Observe(windows=True), type="wait", ms=100)
    assert len(visitor.observation.windows) == 3
    titles = set()
    for index in (1, 2):
        assert (await visitor.do(type="tab", op="select", index=index)).ok
        titles.add(visitor.observation.title)
    assert titles == {"Plain", "Table"}


async def test_a_result_says_where_on_the_screen_it_happened(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = """<style>body{margin:0}*{position:absolute;box-sizing:border-box}</style>
      <button style="left:100px;top:200px;width:80px;height:40px">Pad</button>
      <input aria-label=Name style="left:300px;top:50px;width:100px;height:30px">
      <select aria-label=Size style="left:500px;top:50px;width:60px;height:20px">
      <option>S<option>M</select>"""
    await show(visitor, monkeypatch, page)
    field = visitor.ref("Name")
    assert (await visitor.do(type="click", target=visitor.ref("Pad"))).at == (140, 220)
    assert (await visitor.do(type="type", target=field, text="Ada")).at == (350, 65)
    assert (await visitor.do(type="set_value", target=visitor.ref("Size"), value="M")).at == (
        530, 60,
    )  # fmt: skip
    assert (await visitor.do(type="move", target={"x": 10, "y": 20})).at == (10, 20)
    assert (await visitor.do(type="key", keys=["a"])).at is None
