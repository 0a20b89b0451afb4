"""Updates are the same whichever process prepares them, and the processes end."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import torch

from tests.trainer.reading.shop_pages import write_config
from tests.trainer.tiny_run import tiny_tokenizer
from trainer.reading.config import ReaderConfig
from trainer.reading.lessons import Shelf
from trainer.reading.pages import Page, read_pages
from trainer.reading.supply import Supply


def with_workers(config: ReaderConfig, workers: int) -> ReaderConfig:
    reading = config.reading.model_copy(update={"workers": workers})
    return config.model_copy(update={"reading": reading})


def test_worker_processes_give_the_updates_in_order_and_end(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    assert config.pages.file is not None
    shelf = Shelf(read_pages(config.pages.file, config.pages, config.seed), ())
    tokenizer = tiny_tokenizer()
    alone = Supply(shelf, tokenizer, with_workers(config, 0), first=1)
    helped = Supply(shelf, tokenizer, with_workers(config, 2), first=1)
    assert len(multiprocessing.active_children()) == 2
    for _ in range(3):
        left, right = next(alone), next(helped)
        assert left.tokens == right.tokens
        for mine, theirs in zip(left.batches, right.batches, strict=True):
            assert torch.equal(mine.ids_T, theirs.ids_T)
            assert torch.equal(mine.ce_N, theirs.ce_N)
    helped.close()
    assert not multiprocessing.active_children()


def test_an_update_whose_pages_have_nothing_to_ask_about_draws_others(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    assert config.pages.file is not None
    silent = Page("shop/silent", "train", "Nothing", "text")
    shelf = Shelf([silent, *read_pages(config.pages.file, config.pages, config.seed)], ())
    supply = Supply(shelf, tiny_tokenizer(), config, first=0)
    for _ in range(config.reading.updates):
        assert next(supply).samples > 0
