"""Walks in real Chromium through an app of the kit, and what becomes of their findings."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from agent_server.tasksets.explore import (
    CannotExplore,
    Exploration,
    Plan,
    _choose,
    explore,
    find_app,
)
from envs.contract.task import SPLIT_BASES, Split, Task
from envs.gyms.kit.explored import ExploredParams, pack_tasks
from envs.gyms.kit.gym import AppGym
from trainer.config import ConfigError
from trainer.curriculum import make_task
from trainer.task_set import expand_tasks

PLAN = Plan("shop", walks=40, steps=12, sessions=3)


def task(template: str, split: Split, words: str) -> Task:
    return Task(id=words, instruction=words, gym="shop", template=template, split=split)


def test_a_task_is_said_once_and_its_template_is_in_every_split() -> None:
    splits: tuple[Split, ...] = tuple(SPLIT_BASES)
    whole = [task("explored-cart", split, f"cart {split}") for split in splits]
    more = [task("explored-cart", "train", f"cart {n}") for n in range(3)]
    lonely = [task("explored-coupon", "train", "coupon")]
    left_out: Counter[str] = Counter()
    chosen = _choose([*whole, whole[0], *more, *lonely], 2, left_out)
    assert chosen == [*whole, more[0]]
    assert left_out == {"said already": 1, "enough of its kind": 2, "not in every split": 1}


def test_only_apps_that_own_their_state_are_explored() -> None:
    assert isinstance(find_app("shop"), AppGym)
    with pytest.raises(CannotExplore, match="no web gym 'shed'"):
        find_app("shed")
    with pytest.raises(CannotExplore, match="keeps its state elsewhere"):
        find_app("miniwob")


@pytest.mark.browser
@pytest.mark.asyncio
async def test_what_walks_changed_becomes_tasks_that_a_run_can_train_on(tmp_path: Path) -> None:
    shown: list[int] = []

    def show(exploration: Exploration) -> None:
        shown.append(exploration.walks)

    exploration = await explore(PLAN, show)
    assert shown == list(range(1, PLAN.walks + 1))
    assert exploration.left_out["lost by the infrastructure"] == 0
    assert exploration.tasks, exploration.left_out
    assert {each.split for each in exploration.tasks} == set(SPLIT_BASES)
    for each in exploration.tasks:
        params = ExploredParams.model_validate(each.params)
        assert params.moves, "each was done again from the start, by its moves"
        assert each.instruction == params.instruction
        assert each.instruction.startswith('On the page "')
    file = tmp_path / "shop.jsonl"
    file.write_bytes(pack_tasks(exploration.tasks))
    templates = expand_tasks([str(file)], "env.tasks")
    assert set(templates) == {each.origin for each in exploration.tasks}
    assert make_task(templates[0], 5) in exploration.tasks


def test_a_file_of_a_run_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"env.tasks: cannot read .*none.jsonl"):
        expand_tasks([str(tmp_path / "none.jsonl")], "env.tasks")
