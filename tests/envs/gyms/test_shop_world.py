"""The catalogue, the search, the rules, and the tasks drawn from seeds."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.gyms.gym import NotFound, Refused, State
from envs.gyms.registry import get_gym
from envs.gyms.shop import domain
from envs.gyms.shop.account import INCIDENTAL, fresh_state
from envs.gyms.shop.catalogue import Product, hydrate, money
from envs.gyms.shop.gym import TEMPLATES
from envs.gyms.shop.search import BEST, HIGHEST, LOWEST, Query, facets, search
from envs.gyms.shop.words import COLORS, SIZES
from envs.tasks import HELDOUT_SEED_BASE, split_of
from envs.verify.state import diff

SHOP = get_gym("shop")
MANY = [*range(25), *range(HELDOUT_SEED_BASE, HELDOUT_SEED_BASE + 25)]


def test_catalogue_is_large_distinct_and_full_of_near_duplicates() -> None:
    catalogue = hydrate(3)
    names = [product.name for product in catalogue.products]
    assert len(names) == len(set(names)) == 320
    for category in catalogue.categories:
        prices = [p.price for p in catalogue.products if p.category == category]
        assert len(prices) == len(set(prices)) >= 15
    plain = {p.name for p in catalogue.products}
    twins = [
        n
        for n in plain
        if len(n.split()) == 4 and " ".join((n.split()[0], *n.split()[2:])) in plain
    ]
    assert len(twins) == 40


def test_money_has_two_decimals() -> None:
    assert [money(5), money(4250), money(123456)] == ["$0.05", "$42.50", "$1234.56"]


def test_exact_name_comes_first() -> None:
    catalogue = hydrate(1)
    for product in catalogue.products[::7]:
        assert search(catalogue, Query(product.name.lower()))[0] == product


@pytest.mark.parametrize("words", ["Cotton Shirt", "cotton shirts", "SHIRT  cotton"])
def test_search_understands_case_order_and_plural(words: str) -> None:
    catalogue = hydrate(2)
    found = search(catalogue, Query(words))
    assert found
    assert {(p.material, p.category) for p in found} == {("Cotton", "Shirt")}


def test_search_finds_nothing_for_unknown_words() -> None:
    assert search(hydrate(2), Query("Cotton Rocket")) == []


@settings(max_examples=60)
@given(
    seed=st.integers(0, 3),
    color=st.sampled_from(["", *COLORS]),
    size=st.sampled_from(["", *SIZES]),
    price=st.sampled_from(["", "under $50", "nonsense"]),
    sort=st.sampled_from([LOWEST, HIGHEST, BEST]),
)
def test_filters_and_sorts_do_what_they_say(
    seed: int, color: str, size: str, price: str, sort: str
) -> None:
    found = search(hydrate(seed), Query(color=color, size=size, price=price, sort=sort))
    keys = {
        LOWEST: lambda p: p.price,
        HIGHEST: lambda p: -p.price,
        BEST: lambda p: (-p.rating, -p.reviews),
    }
    assert found == sorted(found, key=keys[sort])
    for product in found:
        assert not color or color in product.colors
        assert not size or size in product.sizes
        assert price != "under $50" or product.price < 5000
        if color and size:
            assert product.left(color, size) > 0


def test_facets_leave_out_what_would_show_nothing() -> None:
    catalogue = hydrate(2)
    bag = next(p for p in catalogue.products if not p.sizes)
    assert facets(catalogue, Query(bag.name))["size"] == []
    assert facets(catalogue, Query(bag.name))["color"] == sorted(
        {c for p in search(catalogue, Query(bag.name)) for c in p.colors}
    )


@pytest.fixture
def state() -> State:
    return fresh_state(1)


@pytest.fixture
def shirt() -> Product:
    return next(p for p in hydrate(1).products if p.sizes and p.sold_out)


def refused(state: State, change: object, *arguments: object) -> str:
    """The message of a refusal that left the state as it was."""
    before = copy.deepcopy(state)
    with pytest.raises((Refused, NotFound)) as caught:
        change(*arguments)  # type: ignore[operator]
    assert state == before
    return str(caught.value)


def test_what_the_cart_refuses(state: State, shirt: Product) -> None:
    catalogue, add = hydrate(1), domain.add_to_cart
    color, size = next(v for v in shirt.variants() if v not in shirt.sold_out)
    gone_color, gone_size = sorted(shirt.sold_out)[0]
    assert refused(state, add, catalogue, state, shirt.id, "", size) == "Please choose a color"
    assert refused(state, add, catalogue, state, shirt.id, color, "") == "Please choose a size"
    assert "sold out" in refused(state, add, catalogue, state, shirt.id, gone_color, gone_size)
    assert "between 1 and 9" in refused(state, add, catalogue, state, shirt.id, color, size, 10)
    assert "does not exist" in refused(state, add, catalogue, state, "p999", color, size)
    assert refused(state, domain.apply_coupon, state, "SAVE10") == "Your cart is empty"
    add(catalogue, state, shirt.id, color, size)
    assert refused(state, domain.apply_coupon, state, "nope") == "Coupon NOPE is not valid"
    assert "between 0 and 9" in refused(
        state, domain.set_quantity, state, state["cart"][0]["id"], 10
    )


def test_totals_add_up(state: State, shirt: Product) -> None:
    catalogue = hydrate(1)
    color, size = next(v for v in shirt.variants() if v not in shirt.sold_out)
    domain.add_to_cart(catalogue, state, shirt.id, color, size, 3)
    domain.apply_coupon(state, " save10 ")
    assert domain.cart_totals(catalogue, state, "Express") == {
        "subtotal": 3 * shirt.price,
        "discount": 3 * shirt.price // 10,
        "shipping": 1290,
        "total": 3 * shirt.price - 3 * shirt.price // 10 + 1290,
    }
    place = domain.place_order
    assert "address" in refused(state, place, catalogue, state, "Moon", "Express", "Visa", True)
    assert "shipping" in refused(state, place, catalogue, state, "Home", "", "Visa", True)
    assert "payment" in refused(state, place, catalogue, state, "Home", "Express", "Gold", True)
    assert "terms" in refused(state, place, catalogue, state, "Home", "Express", "Visa", False)
    number = place(catalogue, state, "Home", "Express", "Visa", True)
    order = domain.order_of(state, number)
    assert order["total"] == 3 * shirt.price - 3 * shirt.price // 10 + 1290
    assert order["coupon"] == "SAVE10"
    assert (state["cart"], state["coupon"]) == ([], None)


def test_only_delivered_items_return_and_only_unshipped_orders_cancel(state: State) -> None:
    by_status = {order["status"]: order["id"] for order in state["orders"]}
    back, cancel = domain.return_line, domain.cancel_order
    assert "delivered" in refused(state, back, state, by_status["Shipped"], "1", "Damaged")
    assert "reason" in refused(state, back, state, by_status["Delivered"], "1", "")
    assert "not shipped" in refused(state, cancel, state, by_status["Shipped"])
    back(state, by_status["Delivered"], "1", "Damaged")
    assert "already" in refused(state, back, state, by_status["Delivered"], "1", "Damaged")
    cancel(state, by_status["Processing"])
    assert "not shipped" in refused(state, cancel, state, by_status["Processing"])


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [("zip", "1234", "The zip must have five digits"),
     ("zip", "١٢٣٤٥", "The zip must have five digits"),
     ("city", "  ", "Please enter a valid city"), ("name", "x" * 81, "Please enter a valid name")],
)  # fmt: skip
def test_addresses_are_validated(state: State, field: str, value: str, message: str) -> None:
    fields = {**state["addresses"][0], field: value}
    assert refused(state, domain.edit_address, state, "Home", fields) == message


@pytest.mark.parametrize("template", SHOP.templates)
def test_tasks_of_many_seeds_are_well_formed(template: str) -> None:
    for seed in MANY:
        task = SHOP.make_task(template, seed)
        assert task == SHOP.make_task(template, seed)
        assert task.id == f"shop/{template}@{seed}"
        assert task.split == split_of(seed)
        assert "{" not in task.instruction
        before = SHOP.initial_state(task)
        spec = TEMPLATES[template]
        expected = spec.expected(hydrate(seed), task.params, before)
        changes = diff(before, expected, INCIDENTAL)
        asks_for_change = spec.answer is None and not spec.infeasible
        assert bool(changes) == asks_for_change, task.id


def test_train_seeds_differ_in_product_layout_and_phrasing() -> None:
    tasks = [SHOP.make_task("add_sized", seed) for seed in range(60)]
    assert len({task.params["name"] for task in tasks}) > 50
    assert {hydrate(seed).look.layout for seed in range(60)} == {0, 1, 2}
    assert {hydrate(seed).look.theme for seed in range(60)} == {0, 1, 2, 3}
    assert {task.instruction.split()[0] for task in tasks} == {"Add", "Put", "I"}
    first, second = hydrate(0).products, hydrate(1).products
    assert {p.name: p.price for p in first} != {p.name: p.price for p in second}


def test_heldout_seeds_are_drawn_from_the_same_distribution() -> None:
    """Same layouts and words on both sides, in about the same shares."""
    count = 120
    sides = [range(count), range(HELDOUT_SEED_BASE, HELDOUT_SEED_BASE + count)]
    shares = [
        [sum(hydrate(s).look.layout == layout for s in side) / count for layout in range(3)]
        for side in sides
    ]
    assert all(abs(a - b) < 0.2 for a, b in zip(*shares, strict=True)), shares
    words = [
        {word for s in side for word in SHOP.make_task("cheapest_sized", s).instruction.split()}
        for side in sides
    ]
    assert len(words[0] & words[1]) / len(words[0] | words[1]) > 0.8


def test_corpus_holds_instructions_and_page_words() -> None:
    texts = "\n".join(SHOP.corpus(5))
    for word in ("Lowest price", "Add to cart", "Sold out", "Changed my mind", "select Color ="):
        assert word in texts
    assert SHOP.corpus(5) == SHOP.corpus(5)
    assert SHOP.corpus(5) != SHOP.corpus(6)


def test_unknown_gym_and_template_name_what_there_is() -> None:
    with pytest.raises(KeyError, match="there are: shop"):
        get_gym("bank")
    with pytest.raises(KeyError, match="add_sized"):
        SHOP.make_task("steal", 0)
