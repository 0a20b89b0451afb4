"""Templates about orders: totals, returns, cancellations."""

from __future__ import annotations

import random

from envs.gyms.apps.shop import rules
from envs.gyms.apps.shop.catalogue import Catalogue, format_money
from envs.gyms.apps.shop.names import ORDINALS, REASONS
from envs.gyms.apps.shop.oracle import solve_with
from envs.gyms.apps.shop.oracle_account import CancelOrder, ReadTotal, ReturnItem
from envs.gyms.apps.shop.state import DELIVERED, PROCESSING, format_day
from envs.gyms.kit.template import Params, Template, is_success, visited_page
from envs.gyms.server.gym import State

ORDERS = ("orders", visited_page("orders"))
ORDER = ("order", visited_page("order:{order}"))
ANSWERED = ("answered", is_success)


def _order_params(catalogue: Catalogue, order: State) -> Params:
    day = format_day(order["date"])
    return {"order": order["id"], "day": day, "shop": catalogue.name}


def _sample_return(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    order = rng.choice([order for order in state["orders"] if order["status"] == DELIVERED])
    index = rng.randrange(len(order["lines"]))
    line = order["lines"][index]
    return _order_params(catalogue, order) | {
        "line": line["id"],
        "name": catalogue.by_id[line["product"]].name,
        "ordinal": ORDINALS[index],
        "reason": rng.choice(REASONS),
    }


def _apply_return(catalogue: Catalogue, p: Params, state: State) -> None:
    rules.return_line(state, p["order"], p["line"], p["reason"])


def _sample_processing(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    return _order_params(catalogue, next(o for o in state["orders"] if o["status"] == PROCESSING))


def _apply_cancelled(catalogue: Catalogue, p: Params, state: State) -> None:
    rules.cancel_order(state, p["order"])


def _sample_order(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    return _order_params(catalogue, rng.choice(state["orders"]))


def _sample_last_order(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    return _order_params(catalogue, state["orders"][0])


def _get_total(catalogue: Catalogue, p: Params, before: State) -> str:
    return format_money(rules.get_order(before, p["order"])["total"])


ORDER_TEMPLATES: tuple[Template[Catalogue], ...] = (
    Template(
        name="return_item",
        skills=("menu", "form", "multi-step"),
        oracle_steps=7,
        phrasings=(
            "Return the {ordinal} item of order {order}. Reason: {reason}.",
            "Send back the {ordinal} item of my {shop} order of {day}, reason {reason}.",
        ),
        sample_params=_sample_return,
        solve=solve_with(ReturnItem),
        apply_expected=_apply_return,
        milestones=(
            ORDERS,
            ORDER,
            ("form", visited_page("return:{order}:{line}")),
            ("returned", is_success),
        ),
    ),
    Template(
        name="cancel_order",
        skills=("menu", "multi-step"),
        oracle_steps=6,
        phrasings=(
            "Cancel the order from {shop} that has not shipped.",
            "Cancel my {shop} order that is still Processing.",
            "Cancel order {order}.",
        ),
        sample_params=_sample_processing,
        solve=solve_with(CancelOrder),
        apply_expected=_apply_cancelled,
        milestones=(
            ORDERS,
            ORDER,
            ("form", visited_page("cancel:{order}")),
            ("cancelled", is_success),
        ),
    ),
    Template(
        name="order_total",
        skills=("menu", "answer"),
        oracle_steps=4,
        phrasings=(
            "What is the total of order {order}?",
            "How much did the {shop} order of {day} cost in total?",
        ),
        sample_params=_sample_order,
        solve=solve_with(ReadTotal),
        expected_answer=_get_total,
        answer_kind="dollars",
        milestones=(ORDERS, ORDER, ANSWERED),
    ),
    Template(
        name="last_total",
        skills=("menu", "answer"),
        oracle_steps=4,
        phrasings=(
            "What is the total of my last {shop} order?",
            "How much did my newest order from {shop} cost in total?",
        ),
        sample_params=_sample_last_order,
        solve=solve_with(ReadTotal),
        expected_answer=_get_total,
        answer_kind="dollars",
        milestones=(ORDERS, ORDER, ANSWERED),
    ),
)
