"""How well a policy reads pages that it was not trained on.

An answer counts as read when the policy gives more than `SURE` to the whole of it: it would be
sampled nine times in ten. Questions are drawn once, the same for every measurement of a run.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from transformers import PreTrainedTokenizerFast

from agent_server.evaluation.figures.statistics import wilson
from trainer.learner import Learner
from trainer.reading.lessons import (
    Lesson,
    make_lesson,
    make_samples,
    make_task_lesson,
    rename_page,
)
from trainer.reading.pages import Page
from trainer.samples import Sample

SURE = 0.9
RENAMINGS = 10
"""Most renamings of a page that are drawn for one that leaves its questions as they are."""


def draw_checks(
    groups: Mapping[str, Sequence[Page]],
    pages: int,
    questions: int,
    seed: int,
    interface: Collection[str],
) -> dict[str, list[Lesson]]:
    """Lessons of each group, and those of the first group once more with names renamed: where a
    demonstration is asked for, words of the `interface` stay."""
    checks = {}
    for place, (name, members) in enumerate(groups.items()):
        if not members:
            continue
        rng = random.Random(f"check:{seed}:{name}")
        chosen = rng.sample(list(members), min(pages, len(members)))
        draws = {f"{seed}:{name}:{index}": page for index, page in enumerate(chosen)}
        checks[name] = [_draw_lesson(page, draw, questions) for draw, page in draws.items()]
        if place == 0:
            checks[f"{name}, renamed"] = [
                _draw_renamed_lesson(page, draw, questions, interface)
                for draw, page in draws.items()
            ]
    return checks


def _draw_lesson(page: Page, draw: str, questions: int) -> Lesson:
    rng = random.Random(f"questions:{draw}")
    if page.answer:
        return make_task_lesson(page, rng, questions)
    return make_lesson(page, rng, questions)


def _draw_renamed_lesson(
    page: Page, draw: str, questions: int, interface: Collection[str]
) -> Lesson:
    """The same questions in new words: they are chosen by the page's structure, which a renaming
    leaves alone."""
    rng = random.Random(f"names:{draw}")
    kinds = _kinds(_draw_lesson(page, draw, questions))
    for _ in range(RENAMINGS):
        renamed_page = rename_page(page, rng, interface if page.answer else ())
        lesson = _draw_lesson(renamed_page, draw, questions)
        if _kinds(lesson) == kinds:
            break
        # A new name of two letters is too short to be compared by its price.
    return lesson


def _kinds(lesson: Lesson) -> list[str]:
    return [question.kind for question in lesson.questions]


def measure(
    learner: Learner, tokenizer: PreTrainedTokenizerFast, lessons: Sequence[Lesson], room: int
) -> dict[str, Any]:
    """Share of answers that are read, with its 95% interval, over all and for each kind, and the
    mean probability of a whole answer."""
    pairs = [pair for lesson in lessons for pair in make_samples(tokenizer, lesson, room)]
    logprobs = learner.logprobs([sample for _, sample in pairs])
    probabilities = []
    by_kind: dict[str, list[float]] = defaultdict(list)
    for (question, sample), values in zip(pairs, logprobs, strict=True):
        probability = math.exp(sum(_answer_logprobs(sample, values)))
        probabilities.append(probability)
        by_kind[question.kind].append(probability)
    return {
        **_summarize(probabilities),
        "kinds": {kind: _summarize(values) for kind, values in sorted(by_kind.items())},
    }


def _answer_logprobs(sample: Sample, logprobs: Sequence[float]) -> list[float]:
    weights = sample.ce
    assert isinstance(weights, tuple)
    return [value for value, weight in zip(logprobs, weights, strict=True) if weight]


def _summarize(probabilities: Sequence[float]) -> dict[str, Any]:
    count = len(probabilities)
    read = sum(value > SURE for value in probabilities)
    return {
        "read": read / count if count else 0.0,
        "ci95": list(wilson(read, count)) if count else [0.0, 1.0],
        "n": count,
        "probability": sum(probabilities) / count if count else 0.0,
    }
