"""The action union: what is valid comes back the same, what is not is refused by its field."""

from __future__ import annotations

import asyncio
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from envs.contract.actions import (
    Action,
    ActionError,
    ActionResult,
    Batch,
    Click,
    Key,
    SimpleAction,
    Space,
    Target,
    Wait,
    action_adapter,
    count_actions,
    describe_fields,
    perform_in_order,
)
from envs.contract.observations import parse_tree

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


def record(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Fields of one kind of action; those with a trailing `_` may be left out."""
    needed = {name: field for name, field in fields.items() if not name.endswith("_")}
    extra = {name[:-1]: field for name, field in fields.items() if name.endswith("_")}
    return st.fixed_dictionaries(needed, optional=extra)


numbers = st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(max_size=20)
spots = st.fixed_dictionaries(
    {"x": numbers, "y": numbers}, optional={"space": st.sampled_from(list(Space))}
)
places = targets | spots | st.builds(lambda ref, tree: {"ref": ref, "tree": tree},
                                     st.integers(1, 10**30), st.integers())  # fmt: skip
buttons = st.sampled_from(["left", "middle", "right", "back", "forward"])
modifiers = st.lists(st.sampled_from(["alt", "ctrl", "meta", "shift"]), max_size=3)
json_data = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
points = st.builds(
    lambda x, y, space: {"x": x, "y": y, "space": space},
    numbers, numbers, st.sampled_from(["px", "norm1", "norm1000"]),
)  # fmt: skip
KINDS = {
    "click": record(target_=places, button_=buttons, count_=st.integers(1, 3),
                    modifiers_=modifiers),
    "move": record(target=places),
    "mouse_down": record(target_=places, button_=buttons),
    "mouse_up": record(target_=places, button_=buttons),
    "drag": record(path=st.lists(places, min_size=2, max_size=4), button_=buttons),
    "scroll": record(target_=places, dx_=numbers, dy_=numbers,
                     unit_=st.sampled_from(["px", "notch", "page"])),
    "type": record(text=texts, target_=places, clear_=st.booleans(), submit_=st.booleans()),
    "key": record(keys=st.lists(texts, min_size=1, max_size=3), repeat_=st.integers(1, 100)),
    "key_down": record(key=texts),
    "key_up": record(key=texts),
    "set_value": record(target=places, value=texts | st.booleans() | numbers),
    "navigate": record(url=texts),
    "history": record(op=st.sampled_from(["back", "forward", "reload"])),
    "tab": record(op=st.sampled_from(["new", "close", "select"]),
                  index_=st.none() | st.integers(0, 99), url_=st.none() | texts),
    "dialog": record(accept=st.booleans(), text_=st.none() | texts),
    "window": record(op=st.sampled_from(["focus", "close", "restore"]), window=texts),
    "launch": record(app=texts, args_=st.lists(texts, max_size=2)),
    "clipboard": record(op=st.sampled_from(["read", "write"]), text_=st.none() | texts),
    "wait": record(ms=st.integers(0, 10_000)),
    "zoom": record(corners=st.tuples(points, points), enlarge_=st.booleans()),
    "mark": record(points=st.lists(points, min_size=1, max_size=3), line_=st.booleans()),
    "tool": record(name=texts, arguments_=st.dictionaries(texts, json_data, max_size=3)),
    "done": record(answer_=st.none() | texts),
    "infeasible": record(reason_=texts),
    "note": record(text=texts),
}  # fmt: skip
one_action = st.sampled_from(sorted(KINDS)).flatmap(
    lambda kind: KINDS[kind].map(lambda fields: {"type": kind, **fields})
)


@given(one_action | st.builds(lambda parts: {"type": "batch", "actions": parts},
                              st.lists(one_action, min_size=1, max_size=4)))  # fmt: skip
def test_every_kind_of_action_survives_the_wire(data: dict[str, Any]) -> None:
    action: Action = action_adapter.validate_python(data)
    assert action_adapter.validate_json(action.model_dump_json(exclude_none=True)) == action
    assert action_adapter.validate_python(action.model_dump(mode="json")) == action


@given(st.data())
def test_no_kind_of_action_takes_a_field_of_another_name(data: st.DataObject) -> None:
    for kind, fields in KINDS.items():
        made = {"type": kind, **data.draw(fields)}
        with pytest.raises(ValidationError, match="surplus"):
            action_adapter.validate_python(made | {"surplus": 1})


def test_the_kinds_above_are_all_there_are() -> None:
    union = get_args(SimpleAction)[0]
    known = {member.model_fields["type"].default for member in get_args(union)}
    assert KINDS.keys() == known
    mapping = action_adapter.json_schema()["discriminator"]["mapping"]
    assert mapping.keys() == known | {Batch.model_fields["type"].default}


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('{"type": "click", "target": {"x": 1e999, "y": 1}}', "target.x"),
        ('{"type": "click", "target": {"x": NaN, "y": 1}}', "target.x"),
        ('{"type": "click", "target": {"x": "left", "y": 1}}', "target.x"),
        ('{"type": "click", "target": {"x": 1, "y": 1, "space": "inch"}}', "target.space"),
        ('{"type": "click", "target": {"x": 1, "y": 1, "ref": 1}}', "one of {ref}"),
        ('{"type": "click", "target": {"x": 1, "y": null}}', "both x and y"),
        ('{"type": "scroll", "dy": 1e999}', "dy"),
        ('{"type": "set_value", "target": {"ref": 1}, "value": Infinity}', "value"),
        ('{"type": "set_value", "target": {"ref": 1}, "value": null}', "value"),
        ('{"type": "batch", "actions": [{"type": "wait", "ms": 1}, {"type": "wait"}]}',
         "batch.actions.1.wait.ms"),
    ],
)  # fmt: skip
def test_numbers_and_places_that_mean_nothing_are_refused(text: str, field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        action_adapter.validate_json(text)
    assert field in str(refused.value)


def test_an_action_is_not_changed_after_it_was_checked() -> None:
    action = action_adapter.validate_python({"type": "wait", "ms": 5})
    field = "ms"
    with pytest.raises(ValidationError, match="frozen"):
        setattr(action, field, 10**9)


def key(name: str) -> Key:
    return Key(keys=(name,))


async def results(*actions: Action) -> tuple[list[ActionResult], list[tuple[str, bool]]]:
    """Of an environment whose key F1 is broken, and which keys it got, the last one marked."""
    pressed: list[tuple[str, bool]] = []

    async def act(action: SimpleAction, final: bool) -> ActionResult:
        assert isinstance(action, Key)
        pressed.append((action.keys[0], final))
        if action.keys == ("F1",):
            return ActionResult.failure(ActionError.BAD_VALUE, "no F1")
        return ActionResult.success(action.keys[0])

    return await perform_in_order(actions, act), pressed


async def test_a_batch_has_one_result_with_the_values_of_its_parts() -> None:
    results_in_order, pressed = await results(key("a"), Batch(actions=(key("b"), key("c"))))
    assert [result.value for result in results_in_order] == ["a", ["b", "c"]]
    assert pressed == [("a", False), ("b", False), ("c", True)]


async def test_what_follows_a_failure_is_not_done() -> None:
    results_in_order, pressed = await results(
        key("a"), Batch(actions=(key("b"), key("F1"), key("c"))), key("d")
    )
    assert [result.ok for result in results_in_order] == [True, False]
    assert results_in_order[1].message == "action 2 of the batch: no F1"
    assert [name for name, _ in pressed] == ["a", "b", "F1"]


async def test_no_actions_have_no_results() -> None:
    assert await results() == ([], [])


async def test_what_takes_too_long_is_broken_off_and_is_the_agent_s_result() -> None:
    done: list[str] = []

    async def act(action: SimpleAction, final: bool) -> ActionResult:
        assert isinstance(action, Key)
        if action.keys == ("F2",):
            await asyncio.Event().wait()
        done.append(action.keys[0])
        return ActionResult.success()

    batch = Batch(actions=(key("a"), key("F2"), key("b")))
    results_in_order = await perform_in_order([batch, key("c")], act, limit_s=0.05)
    assert [result.error for result in results_in_order] == [ActionError.TIMEOUT]
    assert done == ["a"]


async def test_a_timeout_of_the_environment_s_own_is_not_the_agent_s() -> None:
    async def act(action: SimpleAction, final: bool) -> ActionResult:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await perform_in_order([key("a")], act)


def test_actions_in_batches_are_counted() -> None:
    assert count_actions([key("a"), Batch(actions=(key("b"), key("c")))]) == 3


def test_an_action_is_described_with_its_type_and_what_is_not_usual() -> None:
    assert describe_fields(Wait(ms=3)) == '{"type": "wait", "ms": 3}'
    assert describe_fields(Click(target=Target(ref=2))) == '{"type": "click", "target": {"ref": 2}}'


@pytest.mark.parametrize("element", [{"ref": 3}, {"selector": "#a"}])
def test_a_place_in_a_picture_is_a_point(element: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="is a point"):
        action_adapter.validate_python({"type": "mark", "points": [element]})
    corners = [{"x": 1, "y": 2}, element]
    with pytest.raises(ValidationError, match="is a point"):
        action_adapter.validate_python({"type": "zoom", "corners": corners})
