"""Checks of a solved episode that need no browser: on its states, its answer and its pages.

    over        all that the oracle did and one thing more earns next to nothing
    phrasings   every phrasing is worded, and the verdict does not depend on which it was
    order       the same new records, made in the opposite order, are a success as well
    spelling    so are addresses in capitals and phones with hyphens
    answers     the right answer is right as people write it, and what is near it is wrong
    guess       no answer is right at more than a quarter of the seeds

An episode to which a check does not apply passes as None.
"""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass
from typing import Any

from envs.contract.session import Verdict
from envs.contract.task import Task
from envs.gyms.kit.gym import HARM_CAP, AppGym
from envs.gyms.server.audit_answers import list_spellings, measure_best_guess
from envs.gyms.server.audit_rows import Row
from envs.gyms.server.audit_splits import sample_seeds
from envs.gyms.server.audit_variants import reorder_records, respell
from envs.gyms.server.gym import State, WebGym
from envs.state.canonical import diff

GUESSED_SEEDS = 100
"""Of each split, for "guess"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleEpisode:
    """One oracle episode. `paths`: of the pages that it saw, in order."""

    verdict: Verdict
    hashes: tuple[str, ...]
    paths: tuple[str, ...]
    answer: str | None
    infeasible: bool
    posts: tuple[tuple[str, dict[str, str]], ...]
    before: State
    after: State

    @property
    def is_solved(self) -> bool:
        """Success, with all milestones."""
        return self.verdict.success and all(self.verdict.milestones.values())

    @property
    def summary(self) -> str:
        """The verdict on one line."""
        verdict = self.verdict
        return f"score {verdict.score:g}, milestones {verdict.milestones}, {verdict.details}"


def check_over_action(gym: WebGym, task: Task, episode: OracleEpisode) -> None:
    """Raises AssertionError."""
    after = copy.deepcopy(episode.after)
    gym.apply_stray_change(after, random.Random(f"stray:{task.id}"))
    assert diff(episode.after, after), "the gym's stray change changes nothing"
    verdict = gym.verdict(task, episode.before, after, episode.answer, episode.infeasible)
    assert verdict.score <= HARM_CAP, f"{verdict.score} with a change nobody asked for"


def check_phrasings(gym: AppGym[Any], task: Task, episode: OracleEpisode) -> bool | None:
    """Raises AssertionError."""
    instructions = set()
    for index in range(len(gym.spec(task.template).phrasings)):
        other = gym.make_task(task.template or "", task.seed, index)
        assert other.params == task.params, "a phrasing changes the params"
        assert "{" not in other.instruction, other.instruction
        instructions.add(other.instruction)
        verdict = gym.verdict(
            other, episode.before, episode.after, episode.answer, episode.infeasible
        )
        assert verdict.success, f"phrasing {index} fails"
    assert len(instructions) > 1, "there is one phrasing only"
    return True


def check_order(gym: AppGym[Any], task: Task, episode: OracleEpisode) -> bool | None:
    """Raises AssertionError; None where not two records were made."""
    numbered = {kind for app in gym.apps for kind in app.numbered}
    after = reorder_records(episode.before, episode.after, numbered)
    return _check_variant(gym, task, episode, after, "in the opposite order")


def check_spelling(gym: AppGym[Any], task: Task, episode: OracleEpisode) -> bool | None:
    """Raises AssertionError; None where nothing of free spelling was entered."""
    after = respell(episode.before, episode.after)
    return _check_variant(gym, task, episode, after, "spelled otherwise")


def _check_variant(
    gym: AppGym[Any], task: Task, episode: OracleEpisode, after: State | None, how: str
) -> bool | None:
    if after is None:
        return None
    assert diff(episode.after, after), f"nothing is {how}"
    verdict = gym.verdict(task, episode.before, after, episode.answer, episode.infeasible)
    assert verdict.success, f"{verdict.score:g} {how}: {verdict.details}"
    return True


def check_answers(gym: AppGym[Any], task: Task, episode: OracleEpisode) -> bool | None:
    """Raises AssertionError; None where nothing is asked."""
    spec, world = gym.spec(task.template), gym.make_world(task.seed)
    if spec.expected_answer is None:
        return None
    expected = spec.expected_answer(world, task.params, episode.before)
    right, wrong = list_spellings(expected, spec.answer_kind, world.locale, spec.answer_units)
    for answer in (*right, *wrong):
        verdict = gym.verdict(task, episode.before, episode.after, answer, episode.infeasible)
        assert verdict.success == (answer in right), f"{answer!r} for {expected!r}"
    return True


def check_guesses(gym: WebGym, template: str, row: Row) -> None:
    """Raises AssertionError; leaves the check out of the row where nothing is asked."""
    if not isinstance(gym, AppGym) or gym.spec(template).expected_answer is None:
        row.held.pop("guess")
        return
    seeds = [seed for seeds in sample_seeds(GUESSED_SEEDS).values() for seed in seeds]
    row.best_guess = guess = measure_best_guess(gym, template, seeds)
    assert not guess.is_too_good, f"{guess.text!r} is right at {guess.share:.0%} of the seeds"
    row.held["guess"] = row.seeds


STATE_CHECKS = {
    "phrasings": check_phrasings,
    "order": check_order,
    "spelling": check_spelling,
    "answers": check_answers,
}
"""Of a solved episode of the kit's apps, by name."""
