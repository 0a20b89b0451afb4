"""What an agent gets wrong is a result that it reads; the session goes on."""

from __future__ import annotations

from typing import Any

import pytest

from envs.contract.actions import ActionError
from tests.envs.browser.site import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize(
    ("action", "error"),
    [
        ({"type": "click", "target": {"ref": 99}}, ActionError.UNKNOWN_REF),
        ({"type": "click", "target": {"ref": 1, "tree": 77}}, ActionError.STALE_REF),
        ({"type": "click", "target": {"selector": ".twin"}}, ActionError.NOT_FOUND),
        ({"type": "click", "target": {"selector": ":::"}}, ActionError.BAD_VALUE),
        ({"type": "click", "target": {"x": 5000, "y": 10}}, ActionError.BAD_VALUE),
        ({"type": "tool", "name": "browser.dance"}, ActionError.UNKNOWN_TOOL),
        ({"type": "tool", "name": "browser.find_text"}, ActionError.TOOL_ARGUMENTS),
        (
            {"type": "tool", "name": "browser.find_text", "arguments": {"text": 1, "x": 2}},
            ActionError.TOOL_ARGUMENTS,
        ),
        ({"type": "window", "op": "focus", "window": "x"}, ActionError.UNSUPPORTED),
        ({"type": "navigate", "url": "file:///etc/passwd"}, ActionError.NOT_ALLOWED),
        ({"type": "navigate", "url": "javascript:alert(1)"}, ActionError.NOT_ALLOWED),
    ],
)
async def test_a_bad_action_is_an_error_result(
    visitor: Visitor, action: dict[str, Any], error: ActionError
) -> None:
    await visitor.open("/traps")
    result = await visitor.do(**action)
    assert (result.ok, result.error) == (False, error), result
    assert result.message
    assert (await visitor.do(type="click", target=visitor.ref("Vanish"))).ok


async def test_a_ref_whose_element_is_gone_is_stale(visitor: Visitor) -> None:
    await visitor.open("/traps")
    vanish = visitor.ref("Vanish")
    await visitor.run("document.querySelectorAll('button')[1].remove()")
    assert (await visitor.do(type="click", target=vanish)).error is ActionError.STALE_REF


async def test_an_element_under_another_is_not_interactable(visitor: Visitor) -> None:
    await visitor.open("/traps")
    target = {"selector": "div > button"}
    assert (await visitor.do(type="click", target=target)).error is ActionError.NOT_INTERACTABLE


async def test_disabled_and_hidden_elements_are_not_interactable(visitor: Visitor) -> None:
    await visitor.open("/form")
    for selector in ("button:disabled", ".hidden"):
        result = await visitor.do(type="click", target={"selector": selector})
        assert result.error is ActionError.NOT_INTERACTABLE, selector
