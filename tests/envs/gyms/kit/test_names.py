"""Names of one split never meet those of another."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

from envs.contract.task import SPLIT_BASES, Split
from envs.gyms.apps.drive.gym import GYM as DRIVE
from envs.gyms.apps.people.gym import GYM as PEOPLE
from envs.gyms.apps.shop.catalogue import get_catalogue
from envs.gyms.apps.shop.gym import GYM as SHOP
from envs.gyms.kit.company import get_company

SEEDS = 120


def people(seed: int) -> set[str]:
    world = get_company(seed)
    return {person.name for person in world.people} | {firm.contact for firm in world.firms}


def parts_of_people(seed: int) -> set[str]:
    return {part for name in people(seed) for part in name.split()}


def mail_addresses(seed: int) -> set[str]:
    world = get_company(seed)
    return {person.email for person in world.people} | {firm.email for firm in world.firms}


def firms(seed: int) -> set[str]:
    world = get_company(seed)
    return {world.name, *(firm.name for firm in world.firms)}


def first_words_of_firms(seed: int) -> set[str]:
    return {name.split()[0] for name in firms(seed)}


def products(seed: int) -> set[str]:
    return {product.name for product in get_catalogue(seed).products}


def brands(seed: int) -> set[str]:
    return {product.brand for product in get_catalogue(seed).products}


def customers_and_shops(seed: int) -> set[str]:
    state = SHOP.initial_state(SHOP.make_task("price", seed))
    return {get_catalogue(seed).name, *(address["name"] for address in state["addresses"])}


def portal_people(seed: int) -> set[str]:
    state = PEOPLE.initial_state(PEOPLE.make_task(PEOPLE.templates[0], seed))["people"]
    named = (*state["staff"], *state["candidates"])
    return {person["name"] for person in named} | {person["kin"] for person in state["staff"]}


def projects(seed: int) -> set[str]:
    folders = DRIVE.initial_state(DRIVE.make_task(DRIVE.templates[0], seed))["drive"]["folders"]
    parent = next(folder["id"] for folder in folders if folder["name"] == "Projects")
    return {folder["name"] for folder in folders if folder["parent"] == parent}


def product_instructions(seed: int) -> set[str]:
    templates = ("add_sized", "add_plain", "price", "unwish", "sold_out")
    return {SHOP.make_task(name, seed).instruction for name in templates}


@pytest.mark.parametrize(
    ("names_of_seed", "count"),
    [
        (people, SEEDS),
        (parts_of_people, SEEDS),
        (mail_addresses, SEEDS),
        (firms, SEEDS),
        (first_words_of_firms, SEEDS),
        (products, SEEDS),
        (brands, SEEDS),
        (product_instructions, SEEDS),
        (customers_and_shops, 30),
        (portal_people, 30),
        (projects, 5),
    ],
)
def test_names_of_the_splits_do_not_overlap(
    names_of_seed: Callable[[int], set[str]], count: int
) -> None:
    names: dict[Split, set[str]] = {
        split: {name for seed in range(base, base + count) for name in names_of_seed(seed)}
        for split, base in SPLIT_BASES.items()
    }
    assert all(names.values())
    for first, second in combinations(names, 2):
        assert not names[first] & names[second], f"{first} and {second} share names"


def test_worlds_of_all_splits_are_equally_confusing() -> None:
    for base in SPLIT_BASES.values():
        world = get_company(base + 1)
        firsts = [person.name.split()[0] for person in world.people]
        assert len(set(firsts)) < len(firsts), "people share first names"
        words = [firm.name.split()[0] for firm in world.firms]
        assert len(set(words)) < len(words), "firms share first words"
