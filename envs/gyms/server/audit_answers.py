"""Whether a template's question can be answered without a look at the site.

Guesses: one and the same answer at every seed, a value that stands in the phrasings themselves,
and the value of one and the same param that the instruction names, such as the first of two people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from envs.contract.task import Task
from envs.gyms.kit.answers import same_answer
from envs.gyms.kit.gym import AppGym
from envs.gyms.kit.template import Template

MAX_GUESSED = 0.42
"""Share of the seeds at which a guess may be right: a choice of four, and what chance adds."""


def measure_best_guess(gym: AppGym[Any], template: str, seeds: Sequence[int]) -> tuple[str, float]:
    """The best guess and the share of the seeds at which it is right; ("", 0.0) for a template
    that asks nothing."""
    spec = gym.spec(template)
    if spec.expected_answer is None:
        return "", 0.0
    right: Counter[str] = Counter()
    for seed in seeds:
        task = gym.make_task(template, seed)
        right.update(_list_right_guesses(gym, spec, task))
    guess, count = right.most_common(1)[0]
    return guess, count / len(seeds)


def _list_right_guesses(gym: AppGym[Any], spec: Template[Any], task: Task) -> set[str]:
    """Names of the guesses that are right for a task."""
    assert spec.expected_answer is not None
    world = gym.make_world(task.seed)
    expected = spec.expected_answer(world, task.params, gym.initial_state(task))

    def is_right(guess: str) -> bool:
        return same_answer(guess, expected, spec.answer_kind, world.locale, spec.answer_units)

    guesses = {f"always {expected}"}
    for key, value in _list_values(task.params):
        if value in task.instruction and is_right(value):
            guesses.add(f"param {key}")
    for phrasing in spec.phrasings:
        if any(is_right(word.strip(".,()?:")) for word in phrasing.split()):
            guesses.add("the example of the wording")
    return guesses


def _list_values(params: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Texts and numbers among the params, those in lists by their place."""
    for key, value in params.items():
        if isinstance(value, list):
            yield from ((f"{key}[{place}]", str(entry)) for place, entry in enumerate(value))
        else:
            yield key, str(value)
