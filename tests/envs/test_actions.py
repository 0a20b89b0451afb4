"""The action union: what is valid comes back the same, what is not is refused by its field."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from envs.actions import Action, action_adapter
from envs.observations import parse_tree

targets = st.one_of(
    st.builds(lambda ref: {"ref": ref}, st.integers(1, 10**6)),
    st.builds(lambda x, y: {"x": x, "y": y}, st.floats(-1e4, 1e4), st.floats(-1e4, 1e4)),
    st.builds(lambda selector: {"selector": selector}, st.text(min_size=1, max_size=20)),
)
simple = st.one_of(
    st.fixed_dictionaries({"type": st.just("click"), "target": targets}),
    st.fixed_dictionaries({"type": st.just("type"), "text": st.text(max_size=30)}),
    st.fixed_dictionaries({"type": st.just("scroll"), "dy": st.integers(-9, 9)}),
    st.fixed_dictionaries({"type": st.just("done"), "answer": st.none() | st.text(max_size=9)}),
    st.fixed_dictionaries(
        {
            "type": st.just("tool"),
            "name": st.text(max_size=9),
            "arguments": st.dictionaries(st.text(max_size=5), st.integers() | st.booleans()),
        }
    ),
)


@given(
    simple
    | st.builds(lambda parts: {"type": "batch", "actions": parts}, st.lists(simple, min_size=1))
)
def test_every_action_survives_json(data: dict[str, Any]) -> None:
    action: Action = action_adapter.validate_python(data)
    assert action_adapter.validate_json(action.model_dump_json()) == action


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"type": "fly"}, "type"),
        ({"type": "click", "targt": {"ref": 1}}, "targt"),
        ({"type": "click", "target": {}}, "one of {ref}, {x, y}, {selector}"),
        ({"type": "click", "target": {"ref": 1, "selector": "a"}}, "one of"),
        ({"type": "click", "target": {"x": 3}}, "both x and y"),
        ({"type": "click", "target": {"ref": 0}}, "ref"),
        ({"type": "click", "target": {"ref": 1}, "count": 9}, "count"),
        ({"type": "key", "keys": []}, "keys"),
        ({"type": "wait", "ms": 10**9}, "ms"),
        ({"type": "drag", "path": [{"ref": 1}]}, "path"),
        ({"type": "batch", "actions": [{"type": "batch", "actions": []}]}, "actions"),
    ],
)
def test_what_is_not_an_action_is_refused_by_its_field(data: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        action_adapter.validate_python(data)
    assert field in str(refused.value)


@given(st.text(max_size=200))
def test_any_text_can_be_read_as_a_tree(text: str) -> None:
    assert len(parse_tree(text)) <= len(text.splitlines())


def test_a_tree_line_has_role_name_value_options_states_and_ref() -> None:
    (line,) = parse_tree("select Sort by = Any [Any | Price] (disabled) #7")
    assert (line.role, line.name, line.value) == ("select", "Sort by", "Any")
    assert (line.options, line.states, line.ref) == (("Any", "Price"), ("disabled",), 7)
