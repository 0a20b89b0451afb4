"""Templates of web gyms and of desktops share one protocol."""

from __future__ import annotations

import pytest

from envs.contract.task import SPLIT_BASES, Task, TaskTemplate, get_template, make_task_id, split_of
from envs.gyms.apps.shop.gym import GYM as SHOP
from tasksets.desktop.catalog import TEMPLATES as DESKTOP_TEMPLATES


def test_both_kinds_of_templates_have_a_name_and_a_limit() -> None:
    templates: list[TaskTemplate] = [*SHOP.specs.values(), *DESKTOP_TEMPLATES]
    assert all(template.name and template.max_steps > 0 for template in templates)


def test_the_limit_of_a_template_is_the_limit_of_its_tasks() -> None:
    for template in SHOP.specs.values():
        assert SHOP.make_task(template.name, 1).limits.max_steps == template.max_steps


def test_a_task_file_that_says_no_limits_gets_20_steps_and_300_seconds() -> None:
    task = Task.model_validate({"id": "t", "instruction": "Make the text bold.", "snapshot": "x"})
    assert (task.limits.max_steps, task.limits.max_seconds) == (20, 300)


def test_an_unknown_template_is_refused_with_the_known_names() -> None:
    assert get_template("shop", SHOP.specs, "price").name == "price"
    message = r"shop has no template 'prize' \(did you mean price\?\); there are: add_sized, "
    with pytest.raises(KeyError, match=message):
        get_template("shop", SHOP.specs, "prize")
    with pytest.raises(KeyError, match="no template None"):
        get_template("shop", SHOP.specs, None)


def test_ids_name_gym_template_and_seed() -> None:
    assert make_task_id("shop", "price", 7) == SHOP.make_task("price", 7).id == "shop/price@7"


def test_the_seed_alone_decides_the_split() -> None:
    billion = 1_000_000_000
    assert [split_of(seed) for seed in (0, billion - 1)] == ["train", "train"]
    assert [split_of(seed) for seed in (billion, 2 * billion - 1)] == ["test", "test"]
    assert [split_of(seed) for seed in (2 * billion, 3 * billion - 1)] == ["dev", "dev"]
    assert all(split_of(base) == split for split, base in SPLIT_BASES.items())
    task = SHOP.make_task("price", 2 * billion)
    assert task.split == "dev"
    written_before = task.model_dump() | {"split": "heldout"}
    assert type(task).model_validate(written_before).split == "test"
