"""Log-in state: whose it is, and what of it a task gets."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from envs.contract.browser_state import BrowserState, Reach

STATE = BrowserState.model_validate(
    {
        "cookies": [
            {"name": "sid", "value": "s3cret", "domain": ".shop.example", "path": "/", "size": 3},
            {"name": "pay", "value": "p4y", "domain": "pay.shop.example"},
            {"name": "sid", "value": "b4nk", "domain": "bank.example"},
        ],
        "origins": [
            {"origin": "https://shop.example", "localStorage": [{"name": "t", "value": "l0cal"}]},
            {"origin": "https://bank.example", "localStorage": []},
        ],
    }
)


def names_of(state: BrowserState) -> list[str]:
    return [cookie.value for cookie in state.cookies]


def test_a_task_gets_the_state_of_its_own_domains_alone() -> None:
    inside = STATE.within(Reach(allow=("shop.example",)))
    assert names_of(inside) == ["s3cret", "p4y"]
    assert [each.origin for each in inside.origins] == ["https://shop.example"]
    assert names_of(STATE.within(Reach(allow=("pay.shop.example",)))) == ["p4y"]
    assert names_of(STATE.within(Reach(allow=("evilshop.example",)))) == []
    assert STATE.within(Reach()) == BrowserState()


def test_a_site_of_this_machine_is_its_origin() -> None:
    state = BrowserState.model_validate(
        {
            "cookies": [{"name": "a", "value": "1", "domain": "127.0.0.1"}],
            "origins": [{"origin": "http://127.0.0.1:1"}, {"origin": "http://127.0.0.1:2"}],
        }
    )
    inside = state.within(Reach(start_url="http://127.0.0.1:2/x"))
    assert len(inside.cookies) == 1
    assert [each.origin for each in inside.origins] == ["http://127.0.0.1:2"]


def test_an_update_leaves_other_sites_as_they_were() -> None:
    now = BrowserState.model_validate(
        {
            "cookies": [
                {"name": "sid", "value": "new", "domain": "shop.example"},
                {"name": "sid", "value": "forged", "domain": "bank.example"},
            ]
        }
    )
    merged = STATE.merge(now, Reach(allow=("shop.example",)))
    assert sorted(names_of(merged)) == ["b4nk", "new"]
    assert [each.origin for each in merged.origins] == ["https://bank.example"]
    assert merged.domains == ("bank.example", "shop.example")


def test_no_value_is_shown() -> None:
    assert not any(value in repr(STATE) for value in ("s3cret", "p4y", "b4nk", "l0cal"))
    bad = {"cookies": [{"name": "a", "value": "s3cret" * 2000, "domain": "x.example"}]}
    with pytest.raises(ValidationError) as caught:
        BrowserState.model_validate(bad)
    assert "s3cret" not in str(caught.value)
