"""The shop's site tools: what they show, change, refuse and log."""

from __future__ import annotations

from typing import Any

import pytest

from envs.gyms.apps.shop.app import SHOP
from envs.gyms.apps.shop.catalogue import get_catalogue
from envs.gyms.apps.shop.gym import GYM
from envs.gyms.server.gym import Refused


def test_a_product_is_searched_looked_at_and_bought() -> None:
    task = GYM.make_task("add_several", 1)
    p, state = task.params, GYM.initial_state(task)
    tools = {tool.name: tool for tool in SHOP.tools}

    def call(name: str, **arguments: Any) -> Any:
        def log_event(event: str) -> None:
            SHOP.log_event(state, event)

        return tools[f"shop.{name}"].call(get_catalogue(1), state, arguments, log_event)

    assert call("search", text=p["name"])[0]["id"] == p["product"]
    variants = call("product", product=p["product"])["variants"]
    variant = {"color": p["color"], "size": p["size"]}
    left = next(entry["left"] for entry in variants if entry.items() >= variant.items())
    assert left > 0
    count = len(state["cart"])
    call("add_to_cart", product=p["product"], quantity=p["quantity"], **variant)
    assert len(state["cart"]) == count + 1
    call("wish", product=p["product"])
    assert state["wishlist"][-1] == {"id": p["product"]}
    assert {f"listed:{p['product']}", f"view:{p['product']}"} <= {*state["log"]}
    with pytest.raises(Refused, match="color"):
        call("add_to_cart", product=p["product"], color="Plaid")
    with pytest.raises(Refused, match="does not exist"):
        call("wish", product="p0")
