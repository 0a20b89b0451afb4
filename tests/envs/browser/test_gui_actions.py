"""GUI actions on a page do what a person's hands would."""

from __future__ import annotations

import pytest

from envs.contract.actions import ActionError
from envs.contract.observations import Observe, parse_tree
from tests.envs.browser.site import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_click_by_ref_selector_and_point(visitor: Visitor) -> None:
    await visitor.open("/form")
    assert (await visitor.do(type="click", target=visitor.ref("Save"))).ok
    assert (await visitor.do(type="click", target={"selector": "button:nth-of-type(1)"})).ok
    x, y = await visitor.run(
        "(r => [r.x + r.width / 2, r.y + r.height / 2])"
        "(document.querySelector('button').getBoundingClientRect())"
    )
    assert (await visitor.do(type="click", target={"x": x, "y": y})).ok
    assert "saved old; saved old; saved old" in visitor.tree


@pytest.mark.parametrize(("space", "scale"), [("norm1", 1.0), ("norm1000", 1000.0)])
async def test_points_may_be_shares_of_the_viewport(
    visitor: Visitor, space: str, scale: float
) -> None:
    await visitor.open("/form")
    await visitor.do(
        type="click", target={"x": 0.5 * scale, "y": 0.25 * scale, "space": space}, count=1
    )
    assert visitor.session._performer.pointer == (512, 192)


async def test_typing_replaces_or_appends_and_knows_all_of_unicode(visitor: Visitor) -> None:
    await visitor.open("/form")
    name = visitor.ref("Name")
    await visitor.do(type="type", target=name, text="Zoë 😀 漢字", clear=True)
    assert await visitor.field("name") == "Zoë 😀 漢字"
    await visitor.do(type="type", target=name, text="!")
    assert await visitor.field("name") == "Zoë 😀 漢字!"
    await visitor.do(type="type", target=name, text="", clear=True)
    assert await visitor.field("name") == ""


async def test_a_field_that_makes_suggestions_takes_text(visitor: Visitor) -> None:
    await visitor.open("/combobox")
    assert {line.name: line.role for line in parse_tree(visitor.tree)} == {
        "New tag": "box",
        "Level": "select",
    }
    assert (await visitor.do(type="type", target=visitor.ref("New tag"), text="fair")).ok
    assert visitor.observation.title == "fair"


async def test_chords_and_the_sessions_own_clipboard(visitor: Visitor) -> None:
    await visitor.open("/form")
    await visitor.do(type="click", target=visitor.ref("Name"))
    await visitor.do(type="key", keys=["ctrl", "a"])
    await visitor.do(type="key", keys=["ctrl", "c"])
    assert (await visitor.do(type="clipboard", op="read")).value == "old"
    await visitor.do(type="key", keys=["End"])
    await visitor.do(type="key", keys=["ctrl", "v"], repeat=2)
    assert await visitor.field("name") == "oldoldold"
    refused = await visitor.do(type="key", keys=["ctrl", "nokey"])
    assert refused.error is ActionError.BAD_VALUE


async def test_set_value_on_each_kind_of_field(visitor: Visitor) -> None:
    await visitor.open("/form")
    for name, value in (("Name", "new"), ("Date", "2026-05-01"), ("I agree", True)):
        assert (await visitor.do(type="set_value", target=visitor.ref(name), value=value)).ok
    assert (await visitor.do(type="set_value", target=visitor.ref("Color"), value="Dark blue")).ok
    got = [await visitor.field(name) for name in ("name", "date", "color")]
    assert got == ["new", "2026-05-01", "Dark blue"]
    assert await visitor.run("document.getElementById('agree').checked")
    assert "change; color" in visitor.tree, "the page heard of it"
    refused = await visitor.do(type="set_value", target=visitor.ref("Color"), value="Pink")
    assert refused.error is ActionError.BAD_VALUE
    assert "Dark blue" in refused.message, "the options are named"


async def test_scrolling_the_page_and_what_lies_within(visitor: Visitor) -> None:
    await visitor.open("/form")
    assert "Far below" not in visitor.tree
    await visitor.do(type="scroll", target={"selector": "#pane"}, dy=200)
    assert await visitor.run("document.getElementById('pane').scrollTop") == 200
    for _ in range(5):
        await visitor.do(type="scroll", dy=1, unit="page")
    assert "Far below" in visitor.tree
    assert visitor.observation.tree is not None
    assert visitor.observation.tree.scroll == "more above"


async def test_hover_and_drag(visitor: Visitor) -> None:
    await visitor.open("/form")
    await visitor.do(type="move", target={"selector": "#box"})
    assert "over;" in visitor.tree
    path = [{"x": 10, "y": 500}, {"x": 60, "y": 540}]
    await visitor.do(type="drag", path=path)
    assert "up at 60" in visitor.tree


async def test_dialogs_are_seen_and_answered(visitor: Visitor) -> None:
    await visitor.open("/dialogs")
    await visitor.do(type="click", target=visitor.ref("Ask"))
    assert visitor.observation.dialog is not None
    assert "Really?" in visitor.observation.dialog
    await visitor.do(type="dialog", accept=True)
    assert "said true" in visitor.tree


async def test_an_open_dialog_is_dismissed_by_any_other_action(visitor: Visitor) -> None:
    await visitor.open("/dialogs")
    await visitor.do(type="click", target=visitor.ref("Ask"))
    await visitor.do(type="scroll", dy=1)
    assert "said false" in visitor.tree


async def test_tabs_open_change_and_close_and_the_last_one_stays(visitor: Visitor) -> None:
    await visitor.open("/plain")
    assert (await visitor.do(type="tab", op="new", url="/form")).ok
    await visitor.do(Observe(windows=True), type="wait", ms=0)
    assert [line[:2] for line in visitor.observation.windows] == ["0 ", "*1"]
    await visitor.do(type="tab", op="select", index=0)
    assert "Nothing but text" in visitor.tree
    assert (await visitor.do(type="tab", op="select", index=7)).error is ActionError.NOT_FOUND
    assert (await visitor.do(type="tab", op="close", index=1)).ok
    assert (await visitor.do(type="tab", op="close")).error is ActionError.NOT_ALLOWED


async def test_navigation_goes_there_and_back(visitor: Visitor) -> None:
    await visitor.open("/plain")
    await visitor.do(type="click", target=visitor.ref("To the form"))
    assert visitor.observation.title == "Form"
    await visitor.do(type="history", op="back")
    assert visitor.observation.title == "Plain"
    await visitor.do(type="history", op="forward")
    assert visitor.observation.title == "Form"
    assert (await visitor.do(type="navigate", url="/plain")).ok
    failed = await visitor.do(type="navigate", url="http://127.0.0.1:1/")
    assert failed.error is ActionError.NAVIGATION


async def test_an_observation_waits_for_the_answer_of_the_network(visitor: Visitor) -> None:
    await visitor.open("/late")
    await visitor.do(type="click", target=visitor.ref("Load"))
    assert "the answer came" in visitor.tree


async def test_a_batch_stops_at_its_first_error(visitor: Visitor) -> None:
    await visitor.open("/form")
    save = {"type": "click", "target": visitor.ref("Save")}
    gone = {"type": "click", "target": {"ref": 99}}
    result = await visitor.do(type="batch", actions=[save, gone, save])
    assert result.error is ActionError.UNKNOWN_REF
    assert result.message.startswith("action 2 of the batch")
    assert visitor.tree.count("saved") == 1
