"""API tools on a real page; their schemas come from their signatures."""

from __future__ import annotations

from typing import Any

import pytest

from envs.browser.tools import TOOLS
from envs.contract.actions import ActionError, ActionResult
from tests.envs.browser.site import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def call(visitor: Visitor, name: str, **arguments: Any) -> ActionResult:
    return await visitor.do(type="tool", name=f"browser.{name}", arguments=arguments)


async def test_a_schema_says_what_the_signature_says() -> None:
    tools = {tool["name"]: tool for tool in TOOLS.schemas()}
    assert tools.keys() >= {
        f"browser.{name}"
        for name in ("find_text", "fill_form", "select_option", "read_table", "page_text", "goto")
    }
    option = tools["browser.select_option"]
    assert option["description"] == "Chooses an option of a drop-down by its label."
    assert set(option["parameters"]["required"]) == {"ref", "option"}
    assert option["parameters"]["properties"]["ref"]["type"] == "integer"


async def test_find_text_lists_lines_also_outside_the_viewport(visitor: Visitor) -> None:
    await visitor.open("/form")
    assert (await call(visitor, "find_text", text="far BELOW")).value == ["Far below"]
    assert (await call(visitor, "find_text", text="nope")).error is ActionError.NOT_FOUND


async def test_fill_form_sets_fields_and_stops_at_the_first_error(visitor: Visitor) -> None:
    await visitor.open("/form")
    name, agree = visitor.ref("Name")["ref"], visitor.ref("I agree")["ref"]
    assert (await call(visitor, "fill_form", fields={str(name): "Zoë", str(agree): True})).ok
    assert "box Name = Zoë" in visitor.tree
    bad = await call(visitor, "fill_form", fields={"x": "y"})
    assert bad.error is ActionError.TOOL_ARGUMENTS
    assert (await call(visitor, "fill_form", fields={"99": "y"})).error is ActionError.UNKNOWN_REF


async def test_select_option_chooses_by_label(visitor: Visitor) -> None:
    await visitor.open("/form")
    ref = visitor.ref("Color")["ref"]
    assert (await call(visitor, "select_option", ref=ref, option="Dark blue")).ok
    assert await visitor.field("color") == "Dark blue"


async def test_tables_and_texts_are_read(visitor: Visitor) -> None:
    await visitor.open("/table")
    assert (await call(visitor, "read_table")).value == [["Item", "Price"], ["Bag", "$12"]]
    assert (await call(visitor, "read_table", index=3)).error is ActionError.NOT_FOUND
    assert "Bag" in (await call(visitor, "page_text")).value


async def test_goto_opens_relative_urls_and_refuses_other_schemes(visitor: Visitor) -> None:
    await visitor.open("/form")
    assert (await call(visitor, "goto", url="/plain")).ok
    assert visitor.observation.title == "Plain"
    refused = await call(visitor, "goto", url="file:///etc/passwd")
    assert refused.error is ActionError.NOT_ALLOWED
