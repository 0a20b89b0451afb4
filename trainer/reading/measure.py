"""How well a policy reads pages that it was not trained on.

An answer counts as read when the policy gives more than `SURE` to the whole of it: it would be
sampled nine times in ten. Questions are drawn once, the same for every measurement of a run.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from transformers import PreTrainedTokenizerFast

from agent_server.evaluation.figures.statistics import wilson
from trainer.learner import Learner
from trainer.reading.lessons import Lesson, make_lesson, make_samples, make_task_lesson
from trainer.reading.pages import Page
from trainer.samples import Sample

SURE = 0.9


def draw_checks(
    groups: Mapping[str, Sequence[Page]], pages: int, questions: int, seed: int
) -> dict[str, list[Lesson]]:
    """Lessons of each group, and of the first group once more with all names renamed."""
    checks = {}
    for place, (name, members) in enumerate(groups.items()):
        if not members:
            continue
        rng = random.Random(f"check:{seed}:{name}")
        chosen = rng.sample(list(members), min(pages, len(members)))
        checks[name] = [
            make_task_lesson(page, rng, questions, ())
            if page.answer
            else make_lesson(page, rng, questions)
            for page in chosen
        ]
        if place == 0:
            checks[f"{name}, renamed"] = [make_lesson(page, rng, questions, 1.0) for page in chosen]
    return checks


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
