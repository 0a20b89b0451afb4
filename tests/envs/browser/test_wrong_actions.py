"""Wrong actions are refused in words, and the session goes on."""

from __future__ import annotations

from typing import Any

import pytest

from envs.contract.actions import ActionError
from tests.envs.browser.shown import noted, show
from tests.envs.browser.site import Visitor

pytestmark = [pytest.mark.browser]

in_chromium = pytest.mark.asyncio(loop_scope="session")


@in_chromium
@pytest.mark.parametrize(
    ("action", "error", "word"),
    [
        ({"type": "click", "target": {"ref": 10**30}}, ActionError.UNKNOWN_REF, "last tree"),
        ({"type": "click", "target": {"ref": 99}}, ActionError.UNKNOWN_REF, "#99"),
        ({"type": "click", "target": {"selector": "#none"}}, ActionError.NOT_FOUND, "0 elements"),
        ({"type": "click", "target": {"selector": "b"}}, ActionError.NOT_FOUND, "2 elements"),
        ({"type": "click", "target": {"x": -1, "y": 5}}, ActionError.BAD_VALUE, "outside"),
        (
            {"type": "click", "target": {"x": 0.5, "y": 1.5, "space": "norm1"}},
            ActionError.BAD_VALUE,
            "outside",
        ),
        (
            {"type": "set_value", "target": {"x": 5, "y": 5}, "value": "a"},
            ActionError.BAD_VALUE,
            "element",
        ),
        (
            {"type": "type", "target": {"selector": "b:first-of-type"}, "text": "a"},
            ActionError.NOT_INTERACTABLE,
            "takes no text",
        ),
        ({"type": "key", "keys": ["ctrl", "nokey"]}, ActionError.BAD_VALUE, "nokey"),
        ({"type": "key_down", "key": ""}, ActionError.BAD_VALUE, "key"),
        ({"type": "navigate", "url": "http://["}, ActionError.BAD_VALUE, "http://["),
        ({"type": "navigate", "url": "http://a:b/"}, ActionError.NAVIGATION, "http://a:b/"),
        ({"type": "navigate", "url": "http://example.com/"}, ActionError.NAVIGATION, "example.com"),
        ({"type": "tab", "op": "new", "url": "http://["}, ActionError.BAD_VALUE, "http://["),
        ({"type": "tab", "op": "new", "url": "x" * 5000}, ActionError.BAD_VALUE, "4096"),
        ({"type": "tab", "op": "select", "index": 3}, ActionError.NOT_FOUND, "tab 3"),
        ({"type": "launch", "app": "xterm"}, ActionError.UNSUPPORTED, "launch"),
    ],
)
async def test_a_wrong_action_is_refused_in_words_and_the_session_goes_on(
    visitor: Visitor,
    monkeypatch: pytest.MonkeyPatch,
    action: dict[str, Any],
    error: ActionError,
    word: str,
) -> None:
    html = "<b>one</b><b>two</b><button onclick=\"note('used')\">Use</button>"
    await show(visitor, monkeypatch, html)
    result = await visitor.do(**action)
    assert (result.ok, result.error) == (False, error), result
    assert word in result.message
    if error is ActionError.NAVIGATION:
        await visitor.do(type="history", op="back")
    assert (await visitor.do(type="click", target=visitor.ref("Use"))).ok
    assert await noted(visitor) == ["used"]


@in_chromium
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("select_option", {"ref": 0, "option": "a"}),
        ("select_option", {"ref": -1, "option": "a"}),
        ("select_option", {"ref": "x", "option": "a"}),
        ("fill_form", {"fields": {"²": "a"}}),
        ("fill_form", {"fields": {"0": "a"}}),
        ("fill_form", {"fields": {"1": "a" * 30_000}}),
        ("fill_form", {"fields": {"1": None}}),
        ("fill_form", {"fields": "1"}),
        ("goto", {"url": "x" * 5000}),
        ("goto", {}),
        ("find_text", {"text": ["a"]}),
        ("read_table", {"index": "first"}),
        ("page_text", {"all": True}),
    ],
)
async def test_wrong_arguments_of_a_tool_are_a_result_that_names_the_tool(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, name: str, arguments: dict[str, Any]
) -> None:
    await show(visitor, monkeypatch, "<input aria-label=Field value=old id=f>")
    result = await visitor.do(type="tool", name=f"browser.{name}", arguments=arguments)
    assert (result.ok, result.error) == (False, ActionError.TOOL_ARGUMENTS), result
    assert f"browser.{name}" in result.message
    assert await visitor.field("f") == "old"


@in_chromium
async def test_a_text_over_the_limit_is_refused_before_it_reaches_the_page(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(visitor, monkeypatch, "<input aria-label=Field id=f>")
    with pytest.raises(ValueError, match="value"):
        await visitor.do(type="set_value", target={"selector": "#f"}, value="a" * 20_001)


@in_chromium
async def test_a_ref_of_an_earlier_tree_is_stale_though_the_element_is_there(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = "<button onclick=\"note('used')\">Use</button>"
    await show(visitor, monkeypatch, html)
    assert visitor.observation.tree is not None
    use = visitor.ref("Use") | {"tree": visitor.observation.tree.id}
    assert (await visitor.do(type="click", target=use)).ok
    result = await visitor.do(type="click", target=use)
    assert result.error is ActionError.STALE_REF
    assert await noted(visitor) == ["used"]
    use["tree"] = visitor.observation.tree.id
    assert (await visitor.do(type="click", target=use)).ok


@in_chromium
async def test_a_ref_whose_element_became_another_is_stale(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = "<button onclick=\"note('used')\">Keep</button>"
    await show(visitor, monkeypatch, html)
    keep = visitor.ref("Keep")
    await visitor.run("document.querySelector('button').textContent = 'Delete all'")
    result = await visitor.do(type="click", target=keep)
    assert result.error is ActionError.STALE_REF
    assert "Delete all" in result.message
    assert await noted(visitor) == []


@in_chromium
async def test_what_covers_an_element_is_named(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = """<button id=b onclick="note('used')">Use</button>
        <div id=sheet style="position:fixed;inset:0;background:#fff">Please wait</div>"""
    await show(visitor, monkeypatch, html)
    assert "button" not in visitor.tree
    result = await visitor.do(type="click", target={"selector": "#b"})
    assert result.error is ActionError.NOT_INTERACTABLE
    assert "Please wait" in result.message
    await visitor.run("document.getElementById('sheet').remove()")
    assert (await visitor.do(type="click", target={"selector": "#b"})).ok
    assert await noted(visitor) == ["used"]
