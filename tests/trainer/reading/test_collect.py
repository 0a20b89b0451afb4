"""Walks: planned from the seed, disjoint by split, and taken in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.contract.task import split_of
from trainer.reading.collect import Collection, collect_pages, distinct_pages, plan_walks
from trainer.reading.config import PagesConfig
from trainer.reading.pages import Page
from trainer.reading.walk_log import WalkLog

CONFIG = PagesConfig(
    tasks=("shop/checkout", "desk"),
    unseen=("desk",),
    episodes=3,
    heldout_episodes=2,
    steps=4,
    sessions=2,
)


def test_walks_keep_train_seeds_and_held_out_apps_apart() -> None:
    walks = plan_walks(CONFIG, 0)
    assert walks == plan_walks(CONFIG, 0) != plan_walks(CONFIG, 1)
    by_group = {
        group: [walk for walk in walks if walk.group == group]
        for group in ("train", "dev", "unseen")
    }
    assert [len(group) for group in by_group.values()] == [3, 2, 2]
    assert {walk.template for walk in by_group["train"]} == {"shop/checkout"}
    assert {walk.template.partition("/")[0] for walk in by_group["unseen"]} == {"desk"}
    assert {split_of(walk.seed) for walk in by_group["train"]} == {"train"}
    assert {split_of(walk.seed) for walk in by_group["dev"] + by_group["unseen"]} == {"dev"}


def test_equal_pages_of_a_group_count_once() -> None:
    page = Page("shop/price", "train", "Home", "link Cart #1")
    again = Page("shop/checkout", "train", "Home", "link Cart #1")
    dev = Page("shop/price", "dev", "Home", "link Cart #1")
    assert len(distinct_pages([page, again, dev], "train")) == 1


@pytest.mark.browser
async def test_walks_see_the_pages_of_a_real_browser(tmp_path: Path) -> None:
    shown: list[int] = []

    def show(collection: Collection) -> None:
        shown.append(collection.walks)

    log = WalkLog(tmp_path / "pages.jsonl.gz", CONFIG, 0)
    collection = await collect_pages(CONFIG, 0, show, log)
    assert collection.faults == 0
    assert max(shown) == 7
    groups = {page.group for page in collection.pages}
    assert groups == {"train", "dev", "unseen"}
    first = next(page for page in collection.pages if page.group == "train")
    assert any(line.ref == 1 for line in first.lines())
    assert len(collection.pages) > 7

    # Killed in the last line: two walks are missing.
    (file,) = tmp_path.iterdir()
    *lines, last = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]) + last[:40])
    shown.clear()
    again = await collect_pages(CONFIG, 0, show, log)
    assert shown in ([6, 7], [7, 7])
    assert again.pages == collection.pages
