from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.state.canonical import (
    Change,
    apply_changes,
    apply_patch,
    canonical,
    diff,
    make_patch,
    state_hash,
)
from tests.envs.json_states import STATES, entities


def test_canonical_form_sorts_keys_and_has_no_blanks() -> None:
    assert canonical({"b": [1, None], "a": True}) == b'{"a":true,"b":[1,null]}'


def test_hash_is_sha256_of_the_canonical_form() -> None:
    # echo -n '{}' | sha256sum
    expected = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    assert state_hash({}) == expected


def test_diff_names_entities_by_id_so_their_order_does_not_matter() -> None:
    before = {"cart": entities("p1", "p2"), "coupon": None}
    after = {"cart": [*entities("p3"), {"id": "p2", "qty": 4}], "coupon": "SAVE10"}
    assert diff(before, after) == [
        Change("/cart/p1", "removed", before={"id": "p1", "qty": 1}),
        Change("/cart/p2/qty", "changed", 1, 4),
        Change("/cart/p3", "added", after={"id": "p3", "qty": 1}),
        Change("/coupon", "changed", None, "SAVE10"),
    ]
    assert diff({"cart": entities("a", "b")}, {"cart": entities("b", "a")}) == []


def test_diff_of_plain_lists_goes_by_position() -> None:
    assert diff([1, 2], [1, 3, 4]) == [
        Change("/1", "changed", 2, 3),
        Change("/2", "added", after=4),
    ]


def test_diff_tells_kinds_apart_that_python_calls_equal() -> None:
    assert diff({"x": 1}, {"x": True}) == [Change("/x", "changed", 1, True)]
    assert diff({"x": []}, {"x": {}}) == [Change("/x", "changed", [], {})]
    assert diff({"x": {"0": 1}}, {"x": [1]}) == [Change("/x", "changed", {"0": 1}, [1])]


def test_diff_leaves_out_incidental_paths() -> None:
    before, after = {"log": [], "flash": None, "x": 1}, {"log": ["a"], "flash": "hi", "x": 2}
    assert [change.path for change in diff(before, after, ("/log*", "/flash"))] == ["/x"]


def test_a_key_with_a_slash_is_not_taken_for_a_path() -> None:
    changes = diff({"a/b": 1, "a": {"b": 1}}, {"a/b": 2, "a": {"b": 2}})
    assert [change.path for change in changes] == ["/a/b", "/a~1b"]


@given(STATES)
def test_nothing_differs_from_itself(state: Any) -> None:
    assert diff(state, state) == []


@given(STATES, STATES)
def test_no_difference_means_the_same_canonical_form(left: Any, right: Any) -> None:
    assert (diff(left, right) == []) == (canonical(left) == canonical(right))


@given(STATES, STATES)
def test_paths_of_a_diff_are_unique_and_it_reverses(left: Any, right: Any) -> None:
    forth, back = diff(left, right), diff(right, left)
    assert len({change.path for change in forth}) == len(forth)
    mirrored = {"added": "removed", "removed": "added", "changed": "changed"}
    assert [(c.path, mirrored[c.kind]) for c in forth] == [(c.path, c.kind) for c in back]


@given(st.permutations(["a", "b", "c", "d"]))
def test_order_of_entities_never_matters(order: list[str]) -> None:
    assert diff(entities("a", "b", "c", "d"), entities(*order)) == []


def test_a_patch_says_what_differs_and_nothing_else() -> None:
    before = {"cart": [1], "log": ["a"], "user": {"name": "Ann", "age": 3}}
    after = {"cart": [1], "user": {"name": "Bob", "age": 3}, "flash": None}
    change = make_patch(before, after)
    assert change == {
        "in": {"user": {"in": {"name": {"is": "Bob"}}, "out": []}, "flash": {"is": None}},
        "out": ["log"],
    }
    assert apply_patch(before, change) == after
    assert make_patch(before, before) == {"in": {}, "out": []}


@given(STATES, STATES)
def test_a_patch_makes_the_one_state_of_the_other(before: Any, after: Any) -> None:
    assert canonical(apply_patch(before, make_patch(before, after))) == canonical(after)


@pytest.mark.parametrize(
    "change", [{}, {"in": {}}, {"in": [], "out": []}, None, {"in": {"a": 3}, "out": []}]
)
def test_what_is_no_patch_is_refused(change: Any) -> None:
    with pytest.raises(ValueError, match="does not fit this state"):
        apply_patch({"a": 1}, change)


records = st.lists(st.integers(0, 9), max_size=5, unique=True).map(
    lambda ids: [{"id": f"e{id}", "n": id % 3, "tags": ["x"] * (id % 4)} for id in ids]
)
states = st.fixed_dictionaries(
    {
        "a/b": st.integers(0, 3) | st.none(),
        "rows": records,
        "words": st.lists(st.sampled_from("uvw"), max_size=14),
        "more": st.dictionaries(st.sampled_from("pq~"), records, max_size=2),
    }
)


@given(states, states)
def test_changes_applied_to_the_state_before_give_the_state_after(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    changes = diff(before, after)
    made = apply_changes(json.loads(json.dumps(before)), changes)
    assert diff(made, after) == []


def test_a_change_of_what_is_not_there_is_refused() -> None:
    with pytest.raises(KeyError, match="no 'e9' in the list"):
        apply_changes({"rows": [{"id": "e1"}]}, [Change("/rows/e9/n", "changed", 1, 2)])
