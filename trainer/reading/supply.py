"""The updates of a run, prepared in order: by worker processes ahead of the learner, or in place.

Guarantees: an update depends on its number alone, whichever process prepared it, and is never
empty; the processes end with `close`, and with the learner's own.
"""

from __future__ import annotations

from collections.abc import Iterator

from torch.utils.data import DataLoader, Dataset
from transformers import PreTrainedTokenizerFast

from trainer.prepared_update import PreparedUpdate, prepare_update
from trainer.reading.config import ReaderConfig
from trainer.reading.lessons import Shelf, draw_lessons, make_samples
from trainer.samples import Sample

AHEAD = 3
"""Updates that each worker process prepares ahead of the learner."""
ATTEMPTS = 100
"""Draws of an update's pages before the pages are known to have nothing to ask about."""


class _Updates(Dataset[PreparedUpdate]):
    """Update number `first + index` of a run."""

    def __init__(
        self, shelf: Shelf, tokenizer: PreTrainedTokenizerFast, config: ReaderConfig, first: int
    ) -> None:
        self._shelf, self._tokenizer = shelf, tokenizer
        self._config, self._first = config, first

    def __len__(self) -> int:
        return max(self._config.reading.updates - self._first, 0)

    def __getitem__(self, index: int) -> PreparedUpdate:
        config, samples = self._config, list[Sample]()
        for attempt in range(ATTEMPTS):
            lessons = draw_lessons(
                self._shelf, config.reading, config.seed, self._first + index, attempt
            )
            samples = [
                sample
                for lesson in lessons
                for _, sample in make_samples(
                    self._tokenizer, lesson, config.model.max_model_len, config.reading.prompt_ce
                )
            ]
            if samples:
                break
        return prepare_update(samples, config.learner_config)


class Supply:
    """Iterate with `next`."""

    def __init__(
        self, shelf: Shelf, tokenizer: PreTrainedTokenizerFast, config: ReaderConfig, first: int
    ) -> None:
        workers = config.reading.workers
        self._loader: DataLoader[PreparedUpdate] = DataLoader(
            _Updates(shelf, tokenizer, config, first),
            batch_size=None,
            num_workers=workers,
            prefetch_factor=AHEAD if workers else None,
            # Forked: pages are shared, not copied. So a supply is made before the learner has
            # threads.
            multiprocessing_context="fork" if workers else None,
        )
        self._updates: Iterator[PreparedUpdate] | None = iter(self._loader)

    def __next__(self) -> PreparedUpdate:
        assert self._updates is not None, "the supply is closed"
        return next(self._updates)

    def close(self) -> None:
        """Ends the worker processes."""
        self._updates = None
