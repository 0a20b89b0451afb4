"""Tools by name: the signature is the schema, arguments are checked before the function runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.browser import tools as browser
from envs.contract.actions import ActionError, ActionResult
from envs.contract.tools import Toolset

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@dataclass(frozen=True)
class Mixer:
    """A set with a tool `test.mix`, and the arguments of its calls."""

    tools: Toolset
    calls: list[dict[str, Any]]


@pytest.fixture
def mixer() -> Mixer:
    tools = Toolset("browser")
    calls: list[dict[str, Any]] = []

    @tools.tool("test.mix")
    async def mix(
        session: object,
        amount: int,
        parts: list[str],
        unit: Literal["g", "ml"] = "g",
        heat: float | None = None,
    ) -> ActionResult:
        """Mixes parts.

        Only for tests."""
        calls.append({"amount": amount, "parts": parts, "unit": unit, "heat": heat})
        return ActionResult.success(session)

    return Mixer(tools, calls)


def test_the_schema_is_the_signature(mixer: Mixer) -> None:
    (schema,) = mixer.tools.schemas()
    assert schema["description"] == "Mixes parts.\n\nOnly for tests."
    parameters = schema["parameters"]
    assert parameters["additionalProperties"] is False
    assert parameters["required"] == ["amount", "parts"]
    properties = parameters["properties"]
    assert "session" not in properties
    assert properties["amount"]["type"] == "integer"
    assert properties["parts"]["items"] == {"type": "string"}
    assert (properties["unit"]["enum"], properties["unit"]["default"]) == (["g", "ml"], "g")
    assert properties["heat"]["default"] is None


def test_every_browser_tool_says_what_it_does_and_wants() -> None:
    tools = {schema["name"]: schema for schema in browser.TOOLS.schemas()}
    assert tools.keys() == {
        "browser.find_text",
        "browser.fill_form",
        "browser.select_option",
        "browser.read_table",
        "browser.page_text",
        "browser.goto",
    }
    for name, schema in tools.items():
        assert name in browser.TOOLS
        assert schema["description"].endswith(".")
        assert schema["parameters"]["type"] == "object"
        function = getattr(browser, name.removeprefix("browser."))
        declared = set(function.__annotations__) - {"session", "return"}
        assert schema["parameters"]["properties"].keys() == declared
    assert tools["browser.read_table"]["parameters"]["properties"]["index"]["default"] == 0
    assert "browser.dance" not in browser.TOOLS


async def test_a_call_gets_checked_values_and_the_session(mixer: Mixer) -> None:
    result = await mixer.tools.call("test.mix", {"amount": 2, "parts": ["a"], "heat": 1.5}, "here")
    assert (result.ok, result.value) == (True, "here")
    assert mixer.calls == [{"amount": 2, "parts": ["a"], "unit": "g", "heat": 1.5}]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"parts": []}, "amount"),
        ({"amount": 1}, "parts"),
        ({"amount": "many", "parts": []}, "amount"),
        ({"amount": 1.5, "parts": []}, "amount"),
        ({"amount": 1, "parts": ["a", 2]}, "parts.1"),
        ({"amount": 1, "parts": [], "unit": "kg"}, "unit"),
        ({"amount": 1, "parts": [], "session": "x"}, "session"),
        ({"amount": 1, "parts": [], "heat": []}, "heat"),
    ],
)
async def test_wrong_arguments_are_a_result_that_names_them_and_nothing_runs(
    mixer: Mixer, arguments: dict[str, Any], field: str
) -> None:
    result = await mixer.tools.call("test.mix", arguments, None)
    assert (result.ok, result.error) == (False, ActionError.TOOL_ARGUMENTS)
    assert result.message.startswith(f"test.mix: {field}: ")
    assert len(result.message) <= 200
    assert mixer.calls == []


@given(value=json_values.filter(lambda value: not isinstance(value, str)))
async def test_what_is_no_text_never_reaches_a_tool_that_wants_one(value: Any) -> None:
    for name, arguments in (
        ("find_text", {"text": value}),
        ("select_option", {"ref": 1, "option": value}),
        ("goto", {"url": value}),
        ("page_text", {"text": value}),
    ):
        result = await browser.TOOLS.call(f"browser.{name}", arguments, object())
        assert result.error is ActionError.TOOL_ARGUMENTS, name


@pytest.mark.parametrize("ref", ["", "x", "-1", "0", "²", "1.5", "9" * 5000, " "])
async def test_fill_form_refuses_what_is_no_ref(ref: str) -> None:
    result = await browser.TOOLS.call("browser.fill_form", {"fields": {ref: "a"}}, object())
    assert result.error is ActionError.TOOL_ARGUMENTS
    assert len(result.message) <= 200


@pytest.mark.parametrize("index", [math.inf, math.nan, "one", None, [0]])
async def test_read_table_wants_a_whole_number(index: Any) -> None:
    result = await browser.TOOLS.call("browser.read_table", {"index": index}, object())
    assert result.error is ActionError.TOOL_ARGUMENTS
