"""Every template: the oracle, acting on pages over HTTP, reaches score 1, from anywhere."""

from __future__ import annotations

import random

import pytest

from envs.contract.actions import Click, Target, Type
from envs.contract.observations import parse_tree
from envs.contract.task import HELDOUT_SEED_BASE
from envs.gyms.apps.shop.gym import GYM as SHOP
from tests.envs.gyms.harness import GymServer, drive

SEEDS = [*range(6), HELDOUT_SEED_BASE, HELDOUT_SEED_BASE + 1]


@pytest.mark.parametrize("template", SHOP.templates)
def test_oracle_passes(template: str, server: GymServer) -> None:
    for seed in SEEDS:
        task = SHOP.make_task(template, seed)
        run = drive(server, "passes", task, server.driver("passes", task))
        assert run.verdict.score == 1.0, (task.id, task.instruction, run.verdict, run.trees[-1])
        assert all(run.verdict.milestones.values()), (task.id, run.verdict)
        assert tuple(run.verdict.milestones) == task.milestones
        assert 2 * run.steps + 1 <= task.limits.max_steps


@pytest.mark.parametrize("template", SHOP.templates)
def test_oracle_finds_its_way_after_somebody_else_wandered_about(
    template: str, server: GymServer
) -> None:
    for seed in range(4):
        task = SHOP.make_task(template, seed)
        rng = random.Random(seed)
        driver = server.driver("wandered", task)
        for _ in range(3):
            observation = driver.observe()
            assert observation.tree is not None
            lines = parse_tree(observation.tree.text)
            ref = rng.choice([line.ref for line in lines if line.role == "link"])
            driver.act(Click(target=Target(ref=ref)))
            if rng.random() < 0.3:
                driver.observe()
                box = next(r for r, n in driver.refs.items() if n.attributes.get("name") == "q")
                driver.act(Type(target=Target(ref=box), text="Blue", submit=True))
        run = drive(server, "wandered", task, driver)
        assert run.verdict.score == 1.0, (task.id, run.verdict, run.thoughts)


@pytest.mark.parametrize("template", ["add_sized", "missing_color", "cheapest", "sold_out"])
def test_oracle_needs_no_list_of_options(template: str, server: GymServer) -> None:
    for seed in SEEDS:
        task = SHOP.make_task(template, seed)
        driver = server.driver("bare", task)
        driver.most_options = 0
        assert drive(server, "bare", task, driver).verdict.score == 1.0


def test_pages_are_compact_and_their_interactive_names_are_unique(server: GymServer) -> None:
    sizes = []
    for template in SHOP.templates:
        for seed in range(6):
            task = SHOP.make_task(template, seed)
            run = drive(server, "compact", task, server.driver("compact", task))
            for tree in run.trees:
                sizes.append(len(tree))
                lines = [line for line in parse_tree(tree) if line.ref is not None]
                assert len(tree.splitlines()) <= 35, tree
                named = [(line.role, line.name) for line in lines]
                assert all(name for _, name in named), tree
                assert len(set(named)) == len(named), tree
                assert len(parse_tree(tree)) == len(tree.splitlines()), tree
    assert sum(sizes) / len(sizes) < 600
    assert max(sizes) < 1100


def test_thoughts_are_short_and_instructions_too(server: GymServer) -> None:
    for template in SHOP.templates:
        task = SHOP.make_task(template, 7)
        assert len(task.instruction.split()) <= 20
        run = drive(server, "short", task, server.driver("short", task))
        assert all(1 <= len(thought.split()) <= 12 for thought in run.thoughts), run.thoughts
