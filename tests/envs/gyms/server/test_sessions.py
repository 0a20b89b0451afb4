"""Sessions end when they are idle; their number is bounded."""

from __future__ import annotations

import pytest

from envs.contract.task import Task
from envs.gyms.server.sessions import SessionStore, TooManySessions

TASK = Task(id="t", instruction="x")


def test_store_drops_what_is_idle_and_keeps_its_cap() -> None:
    now = 0.0
    store = SessionStore(cap=2, ttl_s=10, clock=lambda: now)
    store.put("a", TASK, {}, {})
    store.put("b", TASK, {}, {})
    with pytest.raises(TooManySessions, match="2 gym sessions"):
        store.put("c", TASK, {}, {})
    store.put("b", TASK, {}, {"x": 1})
    now = 9.0
    assert store.get("b") is not None
    now = 12.0
    assert store.get("a") is None
    store.put("c", TASK, {}, {})
    now = 30.0
    assert store.sweep() == 2
    assert len(store) == 0


def test_a_token_fits_one_action_of_one_session() -> None:
    store = SessionStore()
    first, second = store.put("a", TASK, {}, {}), store.put("b", TASK, {}, {})
    token = first.form_token("/shop/cart/update")
    assert first.owns_token("/shop/cart/update", token)
    assert not first.owns_token("/shop/cart/coupon", token)
    assert not second.owns_token("/shop/cart/update", token)
    assert not store.put("a", TASK, {}, {}).owns_token("/shop/cart/update", token)


def test_each_form_that_is_shown_has_a_token_of_its_own() -> None:
    session = SessionStore().put("a", TASK, {}, {})
    first, second = session.form_token("/shop/cart/update"), session.form_token("/shop/cart/update")
    assert first != second
    assert session.owns_token("/shop/cart/update", first)
    assert session.owns_token("/shop/cart/update", second)
    assert not session.owns_token("/shop/cart/update", f"7{first[1:]}")
    assert not session.owns_token("/shop/cart/update", "é.")


def test_a_copy_goes_on_apart_with_the_same_forms() -> None:
    store = SessionStore()
    first = store.put("a", TASK, {"n": 0}, {"n": 1})
    token = first.form_token("/shop/cart/update")
    twin = store.copy(first, "b")
    assert twin.owns_token("/shop/cart/update", token)
    assert twin.form_token("/x") == first.form_token("/x")
    twin.state["n"] = 2
    assert (first.state, twin.before) == ({"n": 1}, {"n": 0})
