"""The catalogue of a seed, and how it writes money."""

from __future__ import annotations

from envs.gyms.apps.shop.catalogue import format_money, get_catalogue


def test_catalogue_is_large_distinct_and_full_of_near_duplicates() -> None:
    catalogue = get_catalogue(3)
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
    assert [format_money(5), format_money(4250), format_money(123456)] == [
        "$0.05",
        "$42.50",
        "$1234.56",
    ]
